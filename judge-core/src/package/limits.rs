//! Limits as a package states them: `limits` of `problem.yaml`, `.timelimit` and `domjudge-problem.ini`.

use super::findings::Findings;
use super::model::{CompilationLimits, PackageFormat, PackageLimits, TimeLimitRule};
use super::yaml::Node;
use crate::domain::limits::{DEFAULT_CODE_BYTES, DEFAULT_MEMORY_BYTES, DEFAULT_OUTPUT_BYTES};
use crate::domain::rules::JuryLimits;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// More CPU per test case than any contest allows; a unit was mistaken.
const TIME_LIMIT_CAP_S: f64 = 600.0;
/// More than a contest machine has.
const MEMORY_CAP_MIB: f64 = 65_536.0;
/// Output and sources pass through memory and the store.
const OUTPUT_CAP_MIB: f64 = 1024.0;
const CODE_CAP_KIB: f64 = 16_384.0;
const COMPILATION_TIME_CAP_S: f64 = 600.0;
const DEFAULT_PASSES: u32 = 2;

/// Where a time limit was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StatedTimeLimit {
    pub(super) path: &'static str,
    pub(super) seconds: f64,
}

/// Keys of `limits` over all versions and what real packages carry.
const KNOWN: &[&str] = &[
    "time_limit",
    "time_resolution",
    "time_multipliers",
    "time_multiplier",
    "time_safety_margin",
    "memory",
    "output",
    "code",
    "compilation_time",
    "compilation_memory",
    "validation_time",
    "validation_memory",
    "validation_output",
    "validation_passes",
    "time_for_AC_submissions",
];

struct Reader<'a> {
    yaml: Option<&'a Node>,
    findings: &'a mut Findings,
}

impl Reader<'_> {
    /// A positive number up to `cap`; out of bounds or no number is an error.
    fn number(&mut self, key: &str, cap: f64) -> Option<f64> {
        let node = self.yaml?.get(key)?;
        match node.number() {
            Some(number) if number > 0.0 && number <= cap => Some(number),
            Some(_) | None => {
                let message = format!("line {}: `limits.{key}` must be a number above 0 and up to {cap}", node.line);
                self.findings.error("limit_out_of_range", "problem.yaml", message, "correct the limit");
                None
            }
        }
    }

    fn amount(&mut self, key: &str, cap: f64, unit: u64, default: u64) -> u64 {
        self.number(key, cap).map_or(default, |number| whole(number * unit as f64))
    }
}

/// Rounds up; the input is positive and far below 2⁵³.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded above and positive by its checks")]
pub(super) fn whole(number: f64) -> u64 {
    number.ceil() as u64
}

/// Reads the limits; `stated` are time limits from files beside `problem.yaml`.
pub(super) fn read(
    yaml: &Node,
    format: PackageFormat,
    stated: Vec<StatedTimeLimit>,
    findings: &mut Findings,
) -> PackageLimits {
    let limits = yaml.get("limits");
    for entry in limits.and_then(Node::entries).unwrap_or_default() {
        if !KNOWN.contains(&entry.key.as_str()) {
            let message = format!("line {}: `limits.{}` is no known limit and is ignored", entry.line, entry.key);
            findings.warning("unknown_key", "problem.yaml", message, "remove it or correct its spelling");
        }
    }
    let mut reader = Reader { yaml: limits, findings };
    let rule = time_limit_rule(&mut reader, format);
    let jury = JuryLimits::default();
    let time_limit_ms = time_limit(&mut reader, &rule, stated);
    PackageLimits {
        time_limit_ms,
        time_limit_rule: rule,
        memory_bytes: reader.amount("memory", MEMORY_CAP_MIB, MIB, DEFAULT_MEMORY_BYTES),
        output_bytes: reader.amount("output", OUTPUT_CAP_MIB, MIB, DEFAULT_OUTPUT_BYTES),
        code_bytes: reader.amount("code", CODE_CAP_KIB, KIB, DEFAULT_CODE_BYTES),
        compilation: CompilationLimits {
            time_ms: reader.amount("compilation_time", COMPILATION_TIME_CAP_S, 1000, 60_000),
            memory_bytes: reader.amount("compilation_memory", MEMORY_CAP_MIB, MIB, 2048 * MIB),
        },
        passes: passes(&mut reader),
        jury: JuryLimits {
            time_ms: reader.amount("validation_time", COMPILATION_TIME_CAP_S, 1000, jury.time_ms),
            memory_bytes: reader.amount("validation_memory", MEMORY_CAP_MIB, MIB, jury.memory_bytes),
            output_bytes: reader.amount("validation_output", OUTPUT_CAP_MIB, MIB, jury.output_bytes),
        },
    }
}

/// (2025-09, `validation_passes`: at least 2; of multi-pass problems only)
fn passes(reader: &mut Reader<'_>) -> u32 {
    const CAP: u32 = 100;
    match reader.number("validation_passes", f64::from(CAP)) {
        None => DEFAULT_PASSES,
        Some(number) => u32::try_from(whole(number)).unwrap_or(CAP).max(DEFAULT_PASSES),
    }
}

fn time_limit_rule(reader: &mut Reader<'_>, format: PackageFormat) -> TimeLimitRule {
    const CAP: f64 = 1000.0;
    if format.is_legacy() {
        return TimeLimitRule::Legacy {
            time_multiplier: reader.number("time_multiplier", CAP).unwrap_or(5.0),
            time_safety_margin: reader.number("time_safety_margin", CAP).unwrap_or(2.0),
        };
    }
    let multipliers = reader.yaml.and_then(|limits| limits.get("time_multipliers"));
    let resolution_s = reader.number("time_resolution", TIME_LIMIT_CAP_S).unwrap_or(1.0);
    let mut nested = Reader { yaml: multipliers, findings: reader.findings };
    let ac_to_time_limit = nested.number("ac_to_time_limit", CAP).unwrap_or(2.0);
    let time_limit_to_tle = nested.number("time_limit_to_tle", CAP).unwrap_or(1.5);
    TimeLimitRule::Bounds { ac_to_time_limit, time_limit_to_tle, resolution_s }
}

/// The stated time limit; different ones are an error, none is `None`.
fn time_limit(reader: &mut Reader<'_>, rule: &TimeLimitRule, mut stated: Vec<StatedTimeLimit>) -> Option<u64> {
    if let Some(seconds) = reader.number("time_limit", TIME_LIMIT_CAP_S) {
        check_resolution(seconds, rule, reader.findings);
        stated.insert(0, StatedTimeLimit { path: "problem.yaml", seconds });
    }
    stated.retain(|limit| {
        let fits = limit.seconds > 0.0 && limit.seconds <= TIME_LIMIT_CAP_S;
        if !fits {
            let message = format!("a time limit of {} s is not between 0 and {TIME_LIMIT_CAP_S} s", limit.seconds);
            reader.findings.error("limit_out_of_range", limit.path, message, "correct the limit");
        }
        fits
    });
    let first = stated.first()?.clone();
    for other in &stated[1..] {
        if (other.seconds - first.seconds).abs() > f64::EPSILON {
            let message = format!("{} says {} s, {} says {} s", first.path, first.seconds, other.path, other.seconds);
            reader.findings.error("time_limit_conflict", other.path, message, "keep one of the two");
        }
    }
    Some(whole(first.seconds * 1000.0))
}

fn check_resolution(seconds: f64, rule: &TimeLimitRule, findings: &mut Findings) {
    let TimeLimitRule::Bounds { resolution_s, .. } = rule else { return };
    let steps = seconds / resolution_s;
    if (steps - steps.round()).abs() > 1e-9 {
        let message = format!("the time limit of {seconds} s is no multiple of its resolution of {resolution_s} s");
        findings.warning("time_limit_resolution", "problem.yaml", message, "set `time_resolution` to fit");
    }
}

/// Time limits in `.timelimit` and `domjudge-problem.ini`, by their texts.
pub(super) fn beside(timelimit: Option<&str>, ini: Option<&str>, findings: &mut Findings) -> Vec<StatedTimeLimit> {
    let mut stated = Vec::new();
    let mut take = |path: &'static str, text: &str| match text.trim().parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => stated.push(StatedTimeLimit { path, seconds }),
        Ok(_) | Err(_) => {
            let message = format!("`{}` is no number of seconds", text.trim());
            findings.error("limit_out_of_range", path, message, "write one number of seconds");
        }
    };
    if let Some(text) = timelimit {
        take(".timelimit", text);
    }
    if let Some(value) = ini.and_then(|text| ini_value(text, "timelimit")) {
        take("domjudge-problem.ini", &value);
    }
    stated
}

/// A value of an ini file, without its quotes.
pub(super) fn ini_value(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        let value = value.trim().trim_matches(|quote| quote == '"' || quote == '\'');
        (name.trim() == key).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::yaml::parse;

    fn limits(text: &str, format: PackageFormat, stated: Vec<StatedTimeLimit>) -> (PackageLimits, Vec<String>) {
        let mut findings = Findings::default();
        let limits = read(&parse(text).expect("well formed"), format, stated, &mut findings);
        (limits, findings.into_list().into_iter().map(|finding| finding.code).collect())
    }

    #[test]
    fn defaults_are_those_of_the_format() {
        let (legacy, codes) = limits("name: x", PackageFormat::Legacy, vec![]);
        assert_eq!(legacy.time_limit_ms, None);
        assert_eq!(legacy.memory_bytes, 2048 * MIB);
        assert_eq!(legacy.time_limit_rule, TimeLimitRule::Legacy { time_multiplier: 5.0, time_safety_margin: 2.0 });
        assert!(codes.is_empty());
    }

    #[test]
    fn stated_limits_are_taken_in_their_units() {
        let text = "limits:\n  time_limit: 1.5\n  time_resolution: 0.5\n  memory: 256\n  output: 1\n  code: 64\n  time_multipliers: {ac_to_time_limit: 3}\n";
        let (limits, codes) = limits(text, PackageFormat::V2025, vec![]);
        assert_eq!((limits.time_limit_ms, limits.memory_bytes), (Some(1500), 256 * MIB));
        assert_eq!((limits.output_bytes, limits.code_bytes), (MIB, 64 * KIB));
        let rule = TimeLimitRule::Bounds { ac_to_time_limit: 3.0, time_limit_to_tle: 1.5, resolution_s: 0.5 };
        assert_eq!(limits.time_limit_rule, rule);
        assert!(codes.is_empty(), "{codes:?}");
    }

    #[test]
    fn nonsense_and_conflicts_are_named() {
        for text in
            ["limits: {time_limit: 0}", "limits: {memory: -1}", "limits: {time_limit: soon}", "limits: {memory: 1e9}"]
        {
            assert_eq!(limits(text, PackageFormat::V2025, vec![]).1, ["limit_out_of_range"], "{text}");
        }
        let mut findings = Findings::default();
        let stated = beside(Some(" 3\n"), Some("name='x'\ntimelimit = '4'\n"), &mut findings);
        assert_eq!(limits("name: x", PackageFormat::Legacy, stated.clone()).1, ["time_limit_conflict"]);
        let (agreed, codes) = limits("limits: {time_limit: 3}", PackageFormat::Legacy, stated[..1].to_vec());
        assert_eq!((agreed.time_limit_ms, codes), (Some(3000), vec![]));
        assert_eq!(limits("limits: {time_limit: 1.5}", PackageFormat::V2025, vec![]).1, ["time_limit_resolution"]);
        assert_eq!(limits("limits: {tim_limit: 1}", PackageFormat::V2025, vec![]).1, ["unknown_key"]);
    }
}
