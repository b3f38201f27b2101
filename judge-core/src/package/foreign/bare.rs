//! Test data and nothing else: a folder or zip with pairs of inputs and answers. (formats §7.7)
//!
//! Pairs by name: `x.in` with `x.out`, `x.ans` or `x.a`; `x` with `x.a`; `x.in1` with `x.out1`; `input1.txt` with
//! `output1.txt`; `input/x` with `output/x`. People count: `2` comes before `10`.

use std::collections::BTreeMap;

use agon_contract::problem::LocalText;

use super::{Parts, Stated};
use crate::domain::limits::{DEFAULT_CODE_BYTES, DEFAULT_OUTPUT_BYTES};
use crate::domain::rules::JuryLimits;
use crate::package::findings::Findings;
use crate::package::kind::Kind;
use crate::package::metadata::Metadata;
use crate::package::model::{CompilationLimits, PackageFormat, PackageLimits, TimeLimitRule};
use crate::package::tree::{Tree, TreeFile};

/// What other systems judge by where nothing is stated. (formats §7.3)
const TIME_LIMIT_MS: u64 = 1000;
const MEMORY_BYTES: u64 = 256 << 20;
const INPUT_FOLDERS: [&str; 4] = ["input", "inputs", "in", "tests_in"];
const ANSWER_FOLDERS: [&str; 7] = ["output", "outputs", "out", "answer", "answers", "ans", "tests_out"];
const SAMPLE_FOLDERS: [&str; 4] = ["sample", "samples", "example", "examples"];
const STATEMENTS: [(&str, &str); 5] = [
    ("problem.md", "md"),
    ("statement.md", "md"),
    ("README.md", "md"),
    ("statement.pdf", "pdf"),
    ("problem.pdf", "pdf"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Input,
    Answer,
}

/// `input`, `output` and their like.
pub(super) fn is_half_folder(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    INPUT_FOLDERS.contains(&name.as_str()) || ANSWER_FOLDERS.contains(&name.as_str())
}

/// Inputs with their answers by what they have in common.
pub(super) type Pairs<'a> = BTreeMap<String, (Option<&'a str>, Option<&'a str>)>;

/// The halves of cases, and the files that are none. Two files that claim one half are an error: judged by either, the other
/// would be lost in silence.
pub(super) fn pairs<'a>(files: &'a BTreeMap<String, TreeFile>, findings: &mut Findings) -> (Pairs<'a>, Vec<&'a str>) {
    let (mut pairs, mut others) = (Pairs::new(), Vec::new());
    for file in files.keys() {
        let Some((half, key)) = half(file, files) else {
            others.push(file.as_str());
            continue;
        };
        let pair = pairs.entry(key).or_default();
        let place = match half {
            Half::Input => &mut pair.0,
            Half::Answer => &mut pair.1,
        };
        match place {
            Some(earlier) => {
                let message = format!("`{earlier}` and `{file}` look like the same half of one test case");
                findings.error("case_collision", file, message, "take one out, or rename both with their case");
            }
            None => *place = Some(file),
        }
    }
    (pairs, others)
}

/// The package, if there is at least one pair.
pub(super) fn read(files: &BTreeMap<String, TreeFile>, name: &str, findings: &mut Findings) -> Option<Parts> {
    let (pairs, mut others) = pairs(files, findings);
    if !pairs.values().any(|pair| matches!(pair, (Some(_), Some(_)))) {
        return None;
    }
    let mut tree = BTreeMap::new();
    let mut put = |as_name: String, file: &str| drop(tree.insert(as_name, files[file].clone()));
    for (key, (input, answer)) in &pairs {
        let folder = if is_sample(key) { "sample" } else { "secret" };
        // The reader names the half that is missing.
        for (file, ending) in [(input, "in"), (answer, "ans")] {
            if let Some(file) = file {
                put(format!("data/{folder}/{key}.{ending}"), file);
            }
        }
    }
    if let Some((file, ending)) = STATEMENTS.iter().find(|(file, _)| files.contains_key(*file)) {
        put(format!("statement/problem.en.{ending}"), file);
        others.retain(|other| other != file);
    }
    say(&pairs, &others, findings);
    let metadata = metadata(PackageFormat::Bare, name);
    Some(Parts { tree: Tree::of_parts(tree), metadata, stated: Stated::default() })
}

fn say(pairs: &Pairs<'_>, others: &[&str], findings: &mut Findings) {
    let message = format!("{} pairs of files are read as test data, in the order in which people count", pairs.len());
    findings.note("bare_data", "", message);
    let message = "no limits are stated: 1 second and 256 MiB are assumed";
    findings.warning("limits_assumed", "", message, "add a problem.yaml to state them");
    if let Some(first) = others.first() {
        let message = format!("{} other files are not used, the first is `{first}`", others.len());
        findings.note("data_file_ignored", "", message);
    }
}

/// Of a problem that states nothing but its title.
pub(super) fn metadata(format: PackageFormat, title: &str) -> Metadata {
    Metadata {
        format,
        titles: vec![LocalText { language: "en".to_owned(), text: title.to_owned() }],
        uuid: None,
        version: None,
        keywords: Vec::new(),
        languages: None,
        limits: PackageLimits {
            time_limit_ms: Some(TIME_LIMIT_MS),
            time_limit_rule: TimeLimitRule::Legacy { time_multiplier: 5.0, time_safety_margin: 2.0 },
            memory_bytes: MEMORY_BYTES,
            output_bytes: DEFAULT_OUTPUT_BYTES,
            code_bytes: DEFAULT_CODE_BYTES,
            compilation: CompilationLimits { time_ms: 60_000, memory_bytes: 2048 << 20 },
            passes: 1,
            jury: JuryLimits::default(),
        },
        validator_flags: Vec::new(),
        kind: Kind::default(),
        credits: String::new(),
        license: "unknown".to_owned(),
        source: String::new(),
    }
}

fn is_sample(key: &str) -> bool {
    let (folder, base) = key.rsplit_once('/').unwrap_or(("", key));
    let is_word = |part: &str| SAMPLE_FOLDERS.contains(&part.to_ascii_lowercase().as_str());
    let begins = |word: &&str| base.to_ascii_lowercase().starts_with(*word);
    folder.split('/').any(is_word) || SAMPLE_FOLDERS.iter().any(begins)
}

/// Which half of which case a file is.
fn half(name: &str, files: &BTreeMap<String, TreeFile>) -> Option<(Half, String)> {
    let (folder, base) = name.rsplit_once('/').unwrap_or(("", name));
    if let Some((half, rest)) = by_folder(folder) {
        return Some((half, joined(&rest, without_ending(base))));
    }
    let key = |stem: &str| joined(folder, stem);
    if let Some((stem, ending)) = base.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) {
        match ending.to_ascii_lowercase().as_str() {
            "in" => return Some((Half::Input, key(stem))),
            "out" | "ans" | "a" | "ou" | "answer" => return Some((Half::Answer, key(stem))),
            numbered => {
                for (word, half) in
                    [("in", Half::Input), ("out", Half::Answer), ("ans", Half::Answer), ("ou", Half::Answer)]
                {
                    if let Some(number) = numbered.strip_prefix(word).filter(|rest| is_number(rest)) {
                        return Some((half, key(&format!("{stem}.{number}"))));
                    }
                }
            }
        }
    }
    if let Some((half, number)) = numbered_word(base) {
        return Some((half, key(&number)));
    }
    // `03` with `03.a`. (Polygon)
    let is_polygons = !base.contains('.') && files.contains_key(&format!("{name}.a"));
    is_polygons.then(|| (Half::Input, key(base)))
}

/// `input1.txt`, `out_07`.
fn numbered_word(base: &str) -> Option<(Half, String)> {
    let lower = base.to_ascii_lowercase();
    let stem = lower.strip_suffix(".txt").or_else(|| lower.strip_suffix(".dat")).unwrap_or(&lower);
    let words = [
        ("input", Half::Input),
        ("output", Half::Answer),
        ("answer", Half::Answer),
        ("in", Half::Input),
        ("out", Half::Answer),
        ("ans", Half::Answer),
    ];
    words.into_iter().find_map(|(word, half)| {
        let number = stem.strip_prefix(word)?.trim_start_matches(['_', '-', '.']);
        is_number(number).then(|| (half, number.to_owned()))
    })
}

/// A folder of inputs or of answers, and the path without it.
fn by_folder(folder: &str) -> Option<(Half, String)> {
    let parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let (at, half) = parts.iter().enumerate().find_map(|(at, part)| {
        let part = part.to_ascii_lowercase();
        if INPUT_FOLDERS.contains(&part.as_str()) {
            Some((at, Half::Input))
        } else {
            ANSWER_FOLDERS.contains(&part.as_str()).then_some((at, Half::Answer))
        }
    })?;
    Some((half, [&parts[..at], &parts[at + 1..]].concat().join("/")))
}

/// Without an ending that says nothing about which case it is.
fn without_ending(base: &str) -> &str {
    match base.rsplit_once('.') {
        Some((stem, ending))
            if !stem.is_empty()
                && matches!(
                    ending.to_ascii_lowercase().as_str(),
                    "in" | "out" | "ans" | "a" | "ou" | "answer" | "txt" | "dat"
                ) =>
        {
            stem
        }
        Some(_) | None => base,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn joined(folder: &str, stem: &str) -> String {
    if folder.is_empty() { stem.to_owned() } else { format!("{folder}/{stem}") }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Names of the virtual tree.
    fn read_names(names: &[&str]) -> Option<(Vec<String>, Vec<String>)> {
        let files: BTreeMap<String, TreeFile> =
            names.iter().map(|name| ((*name).to_owned(), TreeFile { path: PathBuf::from(name), bytes: 1 })).collect();
        let mut findings = Findings::default();
        let parts = read(&files, "sums", &mut findings)?;
        let tree = parts.tree.iter().map(|(name, file)| format!("{name}={}", file.path.display())).collect();
        Some((tree, findings.into_list().into_iter().map(|finding| finding.code).collect()))
    }

    #[test]
    fn pairs_are_found_by_every_common_way_of_naming() {
        for (names, expected) in [
            (&["1.in", "1.out"][..], &["data/secret/1.ans=1.out", "data/secret/1.in=1.in"][..]),
            (&["a.in", "a.ans"], &["data/secret/a.ans=a.ans", "data/secret/a.in=a.in"]),
            (&["03", "03.a"], &["data/secret/03.ans=03.a", "data/secret/03.in=03"]),
            (&["sum.in7", "sum.out7"], &["data/secret/sum.7.ans=sum.out7", "data/secret/sum.7.in=sum.in7"]),
            (&["input2.txt", "output2.txt"], &["data/secret/2.ans=output2.txt", "data/secret/2.in=input2.txt"]),
            (&["in/x.txt", "out/x.txt"], &["data/secret/x.ans=out/x.txt", "data/secret/x.in=in/x.txt"]),
            (
                &["g1/Input/1.dat", "g1/Output/1.dat"],
                &["data/secret/g1/1.ans=g1/Output/1.dat", "data/secret/g1/1.in=g1/Input/1.dat"],
            ),
            (
                &["sample/1.in", "sample/1.out"],
                &["data/sample/sample/1.ans=sample/1.out", "data/sample/sample/1.in=sample/1.in"],
            ),
            (
                &["tests/example1.in", "tests/example1.a"],
                &["data/sample/tests/example1.ans=tests/example1.a", "data/sample/tests/example1.in=tests/example1.in"],
            ),
        ] {
            assert_eq!(read_names(names).expect("pairs").0, expected, "{names:?}");
        }
    }

    #[test]
    fn two_files_for_one_half_are_told_and_never_lost() {
        for names in [
            &["1.in", "1.out", "1.ans"][..],
            &["1.in", "1.out", "input1.txt", "output1.txt"],
            &["x.in1", "x.out1", "x.1.in", "x.1.out"],
            &["in/1", "out/1", "input/1", "output/1"],
        ] {
            assert!(read_names(names).expect("pairs").1.contains(&"case_collision".to_owned()), "{names:?}");
        }
        let (tree, codes) =
            read_names(&["input/test.1", "input/test.2", "output/test.1", "output/test.2"]).expect("pairs");
        assert_eq!((tree.len(), codes.contains(&"case_collision".to_owned())), (4, false), "{tree:?}");
        let dotted = read_names(&["in/1.a.in", "in/1.b.in", "out/1.a.out", "out/1.b.out"]).expect("pairs");
        assert_eq!(dotted.0.len(), 4, "{dotted:?}");
    }

    #[test]
    fn what_is_no_pair_is_no_test_and_is_said() {
        assert_eq!(read_names(&["1.in", "2.in", "notes.txt", "main.cpp"]), None);
        let (tree, codes) = read_names(&["1.in", "1.out", "2.in", "main.cpp", "problem.md"]).expect("a pair");
        assert_eq!(tree.len(), 4, "the half stays, for the reader to name: {tree:?}");
        assert!(tree.contains(&"statement/problem.en.md=problem.md".to_owned()));
        assert_eq!(codes, ["limits_assumed", "bare_data", "data_file_ignored"]);
    }
}
