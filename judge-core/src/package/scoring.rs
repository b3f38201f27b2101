//! What the settings of test data groups say about points, and the tree of groups they come to.
//!
//! 2025-09 shares points out: `secret`, and its direct subfolders that have a `test_group.yaml`. The versions before it
//! grade: every folder is a node, and what it does not say is inherited from the nearest folder above that does.
//! (Problem Package Format, "Result aggregation"; legacy, "Graders".)

use std::collections::{BTreeMap, BTreeSet};

use super::findings::Findings;
use super::kind::Kind;
use super::model::PackageFormat;
use super::yaml::{Entry, Node};
use crate::domain::scoring::ScoringRules;
use crate::domain::scoring::groups::{Grader, Group, GroupRule, Share};

const DATA: &str = "data";
const SECRET: &str = "secret";
/// Of `secret`. (2025-09)
const DEFAULT_MAX_SCORE: f64 = 100.0;
/// Grader flags under which the first failing case is not what decides.
const DECIDING_FLAGS: &[&str] = &["always_accept", "accept_if_any_accepted", "ignore_sample"];
/// Keys that only 2025-09 and its drafts know.
const SHARING_KEYS: &[&str] = &["max_score", "score_aggregation", "require_pass"];

/// Settings by folder, such as `data/secret/g1`.
#[derive(Debug, Default)]
pub(super) struct ScoringSettings {
    by_folder: BTreeMap<String, FolderSettings>,
}

/// What one folder's file says.
#[derive(Debug, Default)]
struct FolderSettings {
    /// The file.
    path: String,
    /// `Some(None)`: unbounded.
    max_score: Option<Option<f64>>,
    share: Option<Share>,
    requires: Vec<String>,
    breaks: Option<bool>,
    flags: Option<Vec<String>>,
    accept_score: Option<f64>,
    reject_score: Option<f64>,
    /// Least and most; `None` is infinite.
    range: Option<(Option<f64>, Option<f64>)>,
    says_sharing: bool,
}

impl FolderSettings {
    /// `scoring: {score: 30, aggregation: min}`; false: it is something else.
    fn take_nested(&mut self, node: &Node) -> bool {
        let Some(entries) = node.entries() else { return false };
        entries.iter().all(|Entry { key, node, .. }| match key.as_str() {
            "score" | "max_score" => keep(&mut self.max_score, max_score(node)),
            "aggregation" => keep(&mut self.share, node.text().and_then(share)),
            "require_pass" => node.words().map(|words| self.requires = words).is_some(),
            _ => false,
        })
    }
}

impl ScoringSettings {
    /// Notes that `folder` has a settings file, whatever it says: in 2025-09 that makes it a group.
    pub(super) fn note_file(&mut self, folder: &str, path: &str) {
        path.clone_into(&mut self.by_folder.entry(folder.to_owned()).or_default().path);
    }

    /// Takes one key; false: it is none of scoring.
    pub(super) fn take(&mut self, folder: &str, path: &str, entry: &Entry, findings: &mut Findings) -> bool {
        let Entry { key, line, node } = entry;
        let settings = self.by_folder.entry(folder.to_owned()).or_default();
        let is_good = match key.as_str() {
            "max_score" => keep(&mut settings.max_score, max_score(node)),
            "score_aggregation" => keep(&mut settings.share, node.text().and_then(share)),
            "require_pass" => node.words().map(|words| settings.requires = words).is_some(),
            "on_reject" => keep(&mut settings.breaks, node.text().and_then(breaks)),
            "grader_flags" => keep(&mut settings.flags, node.words()),
            "accept_score" => keep(&mut settings.accept_score, node.number().filter(|n| n.is_finite())),
            "reject_score" => keep(&mut settings.reject_score, node.number().filter(|n| n.is_finite())),
            "range" => keep(&mut settings.range, node.text().and_then(range)),
            // Drafts before 2025-09 nested them.
            "scoring" => settings.take_nested(node),
            _ => return false,
        };
        settings.says_sharing |= SHARING_KEYS.contains(&key.as_str()) || key == "scoring";
        if !is_good && !node.is_null() {
            let message = format!("line {line}: `{key}` cannot be read");
            findings.error("scoring_invalid", path, message, "see \"Test data groups\" in the format's specification");
        }
        true
    }

    /// The rules of a problem with these cases (`secret/g1/3`).
    pub(super) fn rules<'a>(
        &self,
        kind: Kind,
        format: PackageFormat,
        cases: impl Iterator<Item = &'a str>,
        findings: &mut Findings,
    ) -> ScoringRules {
        if !kind.is_scoring {
            self.look_at_pass_fail(findings);
            return ScoringRules::PassFail;
        }
        let shares = match format {
            PackageFormat::Legacy | PackageFormat::LegacyIcpc => false,
            PackageFormat::V2025 | PackageFormat::Bare | PackageFormat::Hydro => true,
            PackageFormat::Draft2023 => self.by_folder.values().any(|folder| folder.says_sharing),
        };
        let root = if shares { self.sharing(cases, findings) } else { self.grading(cases, findings) };
        ScoringRules::Groups(Box::new(root))
    }

    /// Points mean nothing in a pass-fail problem; flags may.
    fn look_at_pass_fail(&self, findings: &mut Findings) {
        if let Some(first) = self.by_folder.values().find(|folder| folder.says_sharing) {
            let message = "points of a pass-fail problem are ignored";
            findings.warning("scoring_key_ignored", &first.path, message, "write `type: scoring`, or remove them");
        }
        for FolderSettings { path, flags, .. } in self.by_folder.values() {
            let mut flags = flags.iter().flatten();
            if let Some(flag) = flags.find(|flag| DECIDING_FLAGS.contains(&flag.as_str())) {
                let message = format!("grading by `{flag}` in a pass-fail problem");
                findings.error("unsupported_grading", path, message, "write `type: scoring`, or remove it");
            }
        }
    }

    /// (2025-09)
    fn sharing<'a>(&self, cases: impl Iterator<Item = &'a str>, findings: &mut Findings) -> Group {
        let secret = format!("{DATA}/{SECRET}");
        let of = |folder: &str, share: Share, most: Option<f64>| {
            let settings = self.by_folder.get(folder);
            Group {
                name: folder.trim_start_matches(DATA).trim_start_matches('/').to_owned(),
                max_score: settings.and_then(|settings| settings.max_score).unwrap_or(most),
                rule: GroupRule::Share(settings.and_then(|settings| settings.share).unwrap_or(share)),
                requires: settings.map(|settings| settings.requires.clone()).unwrap_or_default(),
                groups: Vec::new(),
            }
        };
        let mut root = of(&secret, Share::Sum, Some(DEFAULT_MAX_SCORE));
        let is_group =
            |folder: &&String| folder.strip_prefix(&format!("{secret}/")).is_some_and(|name| !name.contains('/'));
        root.groups = self.by_folder.keys().filter(is_group).map(|folder| of(folder, Share::PassFail, None)).collect();
        look_at_points(&root, findings);
        look_at_membership(&root, cases, findings);
        let mut earlier = BTreeSet::from(["sample".to_owned()]);
        for group in root.groups.iter().chain([&root]) {
            let path = self.by_folder.get(&format!("{DATA}/{}", group.name)).map_or("data/secret", |s| s.path.as_str());
            let mut wrong = |message: String, remedy: &str| findings.error("scoring_invalid", path, message, remedy);
            if group.rule == GroupRule::Share(Share::PassFail) && group.max_score.is_none() {
                wrong(format!("the group {} is pass-fail and has no `max_score`", group.name), "state its points");
            }
            if let Some(unknown) = group.requires.iter().find(|name| !earlier.contains(*name)) {
                let message = format!("`require_pass: {unknown}` names neither `sample` nor an earlier group");
                wrong(message, "name groups that come before it");
            }
            earlier.insert(group.name.rsplit('/').next().unwrap_or_default().to_owned());
        }
        root
    }

    /// (legacy)
    fn grading<'a>(&self, cases: impl Iterator<Item = &'a str>, findings: &mut Findings) -> Group {
        let mut folders: BTreeSet<String> = [String::new()].into();
        for case in cases {
            let mut folder = case;
            while let Some((above, _)) = folder.rsplit_once('/') {
                folders.insert(above.to_owned());
                folder = above;
            }
        }
        let folders: Vec<String> = folders.into_iter().collect();
        self.graded("", &folders, findings)
    }

    fn graded(&self, name: &str, folders: &[String], findings: &mut Findings) -> Group {
        let parent = |folder: &str| folder.rsplit_once('/').map_or("", |(above, _)| above).to_owned();
        let is_child = |folder: &&String| !folder.is_empty() && parent(folder) == name;
        let groups = folders.iter().filter(is_child).map(|folder| self.graded(folder, folders, findings)).collect();
        let path = if name.is_empty() { DATA.to_owned() } else { format!("{DATA}/{name}") };
        let default = Grader::default();
        let (least, most) = self.nearest(&path, |s| s.range).unwrap_or((None, None));
        let mut grader = Grader {
            breaks: self.nearest(&path, |s| s.breaks).unwrap_or(default.breaks),
            accept_score: self.nearest(&path, |s| s.accept_score).unwrap_or(default.accept_score),
            reject_score: self.nearest(&path, |s| s.reject_score).unwrap_or(default.reject_score),
            least,
            most,
            ..default
        };
        let flags = self.nearest(&path, |s| s.flags.clone()).unwrap_or_default();
        if let Err(flag) = grader.take_flags(flags.iter().map(String::as_str)) {
            let message = format!("`{flag}` is no flag of the default grader");
            findings.error("scoring_invalid", &path, message, "see \"Graders\" in the format's specification");
        }
        Group { name: name.to_owned(), max_score: None, rule: GroupRule::Grader(grader), requires: Vec::new(), groups }
    }

    /// What the folder says, or the nearest above it that says something.
    fn nearest<T>(&self, folder: &str, says: impl Fn(&FolderSettings) -> Option<T>) -> Option<T> {
        let mut folder = folder;
        loop {
            if let Some(said) = self.by_folder.get(folder).and_then(&says) {
                return Some(said);
            }
            folder = folder.rsplit_once('/')?.0;
        }
    }
}

/// Groups that come to more than the whole may have would end every full solution in a judge error.
fn look_at_points(root: &Group, findings: &mut Findings) {
    let all: Option<f64> = root.groups.iter().map(|group| group.max_score).sum();
    let (Some(all), Some(most), GroupRule::Share(Share::Sum)) = (all, root.max_score, &root.rule) else { return };
    if all > most {
        let message = format!("the groups come to {all} points, and `secret` may have {most}");
        findings.error("scoring_invalid", "data/secret", message, "make the groups' `max_score` add up to it");
    }
}

/// "All of `secret` is groups, or nothing of it is." (2025-09)
fn look_at_membership<'a>(root: &Group, cases: impl Iterator<Item = &'a str>, findings: &mut Findings) {
    let is_outside = |case: &&str| {
        case.starts_with("secret/") && !root.groups.iter().any(|group| case.starts_with(&format!("{}/", group.name)))
    };
    let mut outside = cases.filter(is_outside);
    if let (false, Some(case)) = (root.groups.is_empty(), outside.next()) {
        let message = format!("{case} is in no group, though others are; so are {} more", outside.count());
        let remedy = "a group is a folder of data/secret with a test_group.yaml";
        findings.error("scoring_invalid", &format!("data/{case}"), message, remedy);
    }
}

/// True when there was something to keep.
fn keep<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    let is_good = value.is_some();
    *place = value;
    is_good
}

fn max_score(node: &Node) -> Option<Option<f64>> {
    match (node.text(), node.number()) {
        (Some("unbounded"), _) => Some(None),
        (_, Some(number)) if number >= 0.0 && number.is_finite() => Some(Some(number)),
        _ => None,
    }
}

fn share(word: &str) -> Option<Share> {
    Some(match word {
        "pass-fail" => Share::PassFail,
        "sum" => Share::Sum,
        "min" => Share::Min,
        _ => return None,
    })
}

fn breaks(word: &str) -> Option<bool> {
    match word {
        "break" => Some(true),
        "continue" => Some(false),
        _ => None,
    }
}

fn range(text: &str) -> Option<(Option<f64>, Option<f64>)> {
    let (least, most) = text.trim().split_once(char::is_whitespace)?;
    let bound = |word: &str| match word.trim().parse::<f64>() {
        Ok(number) if number.is_nan() => None,
        Ok(number) if number.is_infinite() => Some(None),
        Ok(number) => Some(Some(number)),
        Err(_) => None,
    };
    let (least, most) = (bound(least)?, bound(most)?);
    let is_ordered = least.zip(most).is_none_or(|(least, most)| least <= most);
    is_ordered.then_some((least, most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::yaml::parse;

    const SCORING: Kind =
        Kind { wants_own_validator: false, is_interactive: false, is_multi_pass: false, is_scoring: true };

    fn rules(format: PackageFormat, kind: Kind, files: &[(&str, &str)], cases: &[&str]) -> (ScoringRules, Vec<String>) {
        let (mut settings, mut findings) = (ScoringSettings::default(), Findings::default());
        for (folder, text) in files {
            settings.note_file(folder, "f");
            for entry in parse(text).expect("well formed").entries().expect("keys") {
                assert!(settings.take(folder, "f", entry, &mut findings), "{}", entry.key);
            }
        }
        let rules = settings.rules(kind, format, cases.iter().copied(), &mut findings);
        (rules, findings.into_list().into_iter().map(|finding| finding.code).collect())
    }

    fn root(rules: &ScoringRules) -> &Group {
        match rules {
            ScoringRules::Groups(root) => root,
            ScoringRules::PassFail => panic!("no groups"),
        }
    }

    #[test]
    fn points_are_shared_as_the_groups_say() {
        let files = [
            ("data/secret", "max_score: 60\nscore_aggregation: min\n"),
            ("data/secret/a", "max_score: 20\n"),
            ("data/secret/b", "{max_score: unbounded, score_aggregation: sum, require_pass: [sample, a]}"),
            ("data/secret/b/deep", "{}"),
        ];
        let (rules, codes) = rules(PackageFormat::V2025, SCORING, &files, &[]);
        assert!(codes.is_empty(), "{codes:?}");
        let root = root(&rules);
        assert_eq!((root.name.as_str(), root.max_score), ("secret", Some(60.0)));
        assert_eq!(root.rule, GroupRule::Share(Share::Min));
        let groups: Vec<_> = root.groups.iter().map(|group| (group.name.as_str(), group.max_score)).collect();
        assert_eq!(groups, [("secret/a", Some(20.0)), ("secret/b", None)]);
        assert_eq!(root.groups[0].rule, GroupRule::Share(Share::PassFail));
        assert_eq!(root.groups[1].requires, ["sample", "a"]);
    }

    #[test]
    fn drafts_nest_their_keys() {
        let files = [
            ("data/secret", "scoring: {aggregation: sum}"),
            ("data/secret/a", "scoring: {score: 30, aggregation: min}"),
        ];
        for format in [PackageFormat::Draft2023, PackageFormat::V2025] {
            let (rules, codes) = rules(format, SCORING, &files, &[]);
            assert!(codes.is_empty(), "{codes:?}");
            let group = &root(&rules).groups[0];
            assert_eq!((group.max_score, &group.rule), (Some(30.0), &GroupRule::Share(Share::Min)));
        }
        let (_, codes) = rules(PackageFormat::V2025, SCORING, &[("data/secret", "scoring: {points: 1}")], &[]);
        assert_eq!(codes, ["scoring_invalid"]);
    }

    #[test]
    fn points_that_cannot_add_up_and_cases_in_no_group_are_told_at_once() {
        let files = [("data/secret/a", "max_score: 60"), ("data/secret/b", "max_score: 50")];
        let of = |files: &[(&str, &str)], cases: &[&str]| rules(PackageFormat::V2025, SCORING, files, cases).1;
        assert_eq!(of(&files, &["secret/a/1", "secret/b/1"]), ["scoring_invalid"], "110 of 100");
        assert_eq!(of(&files[..1], &["secret/a/1", "secret/a/deep/1", "sample/1"]), Vec::<String>::new());
        assert_eq!(of(&files[..1], &["secret/a/1", "secret/1", "secret/c/1"]), ["scoring_invalid"]);
    }

    #[test]
    fn without_settings_secret_is_worth_a_hundred() {
        let (rules, _) = rules(PackageFormat::V2025, SCORING, &[], &[]);
        assert_eq!((root(&rules).max_score, root(&rules).groups.len()), (Some(100.0), 0));
    }

    #[test]
    fn what_a_legacy_folder_does_not_say_is_inherited() {
        let files = [
            ("data", "on_reject: continue\ngrader_flags: min ignore_sample\nrange: 0 40\n"),
            ("data/secret", "grader_flags: sum\naccept_score: 7\n"),
            ("data/secret/a", "on_reject: break\nrange: -inf +inf\n"),
        ];
        let cases = ["sample/1", "secret/a/1", "secret/b/deep/1"];
        let (rules, codes) = rules(PackageFormat::Legacy, SCORING, &files, &cases);
        assert!(codes.is_empty(), "{codes:?}");
        let root = root(&rules);
        let grader = |group: &Group| match &group.rule {
            GroupRule::Grader(grader) => grader.clone(),
            GroupRule::Share(_) => panic!("graded"),
        };
        assert_eq!((grader(root).breaks, grader(root).ignores_sample, grader(root).most), (false, true, Some(40.0)));
        assert_eq!(root.groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(), ["sample", "secret"]);
        let secret = &root.groups[1];
        let of_a = grader(&secret.groups[0]);
        assert_eq!((of_a.breaks, of_a.accept_score, of_a.most, of_a.least), (true, 7.0, None, None));
        let deep = &secret.groups[1].groups[0];
        assert_eq!((deep.name.as_str(), grader(deep).breaks, grader(deep).most), ("secret/b/deep", false, Some(40.0)));
    }

    #[test]
    fn what_cannot_be_is_named() {
        let of = |format, kind, folder: &str, text: &str| rules(format, kind, &[(folder, text)], &["secret/a/1"]).1;
        let v2025 = |text: &str| of(PackageFormat::V2025, SCORING, "data/secret/a", text);
        assert_eq!(v2025("max_score: 5"), Vec::<String>::new());
        for text in [
            "max_score: many",
            "max_score: -1",
            "{max_score: 5, score_aggregation: most}",
            "{max_score: 5, require_pass: z}",
            "{max_score: 5, require_pass: a}",
            "{}",
        ] {
            let codes = v2025(text);
            assert!(!codes.is_empty() && codes.iter().all(|code| code == "scoring_invalid"), "{text}: {codes:?}");
        }
        for text in ["range: 5", "range: 5 1", "range: a b", "grader_flags: most", "on_reject: go", "accept_score: x"] {
            assert!(!of(PackageFormat::Legacy, SCORING, "data", text).is_empty(), "{text}");
        }
        let pass_fail = |text: &str| of(PackageFormat::Legacy, Kind::default(), "data", text);
        assert_eq!(pass_fail("grader_flags: first_error"), Vec::<String>::new());
        assert_eq!(pass_fail("grader_flags: always_accept"), ["unsupported_grading"]);
        assert_eq!(pass_fail("max_score: 5"), ["scoring_key_ignored"]);
    }
}
