//! Test cases: pairs them, orders them, mends what editors did to their text, and settles how each is compared.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::facts::{ByteOrderMark, FileFacts, examine, normalise};
use super::findings::{Findings, PackageError};
use super::groups::GroupSettings;
use super::model::PackageCase;
use super::scoring::ScoringSettings;
use super::text;
use super::tree::{Tree, TreeFile};
use crate::domain::comparison::DefaultValidatorArgs;
use crate::domain::rules::CaseRules;

/// Endings of files that stand beside a case; the longer ones first.
const COMPANIONS: &[&str] = &[
    ".in.statement",
    ".in.download",
    ".ans.statement",
    ".ans.download",
    ".interaction",
    ".out",
    ".hint",
    ".desc",
    ".png",
    ".jpg",
    ".jpeg",
    ".svg",
    ".gif",
    ".yaml",
    ".yml",
    ".md",
    ".txt",
];
/// Of those, what changes how a sample is shown, which is not done yet.
const SHOWN_OTHERWISE: &[&str] = &[".in.statement", ".in.download", ".ans.statement", ".ans.download", ".out"];
const SETTINGS_NAMES: &[&str] = &["testdata.yaml", "test_group.yaml"];

/// The test data of a package.
#[derive(Debug, Default)]
pub(super) struct TestData {
    pub(super) cases: Vec<PackageCase>,
    /// What most cases are compared with; others carry their own.
    pub(super) validator: DefaultValidatorArgs,
    /// What most cases give to the package's own validator; others carry their own.
    pub(super) checker_args: Vec<String>,
    pub(super) scoring: ScoringSettings,
    /// Hex sha256 over names, contents and arguments.
    pub(super) hash: String,
}

/// The problem's words for its validator, and whether that is the default one.
pub(super) struct Flags<'a> {
    pub(super) of_problem: &'a [String],
    pub(super) are_the_defaults: bool,
}

/// Of case names.
pub(super) type Order = fn(&str, &str) -> Ordering;

/// The order of the Problem Package Format.
pub(super) fn by_bytes(a: &str, b: &str) -> Ordering {
    a.as_bytes().cmp(b.as_bytes())
}

/// Reads `data/sample` and `data/secret`. `facts` are those of every file of the tree, by name.
pub(super) fn read(
    tree: &Tree,
    facts: &HashMap<String, FileFacts>,
    flags: &Flags<'_>,
    order: Order,
    staging: &Path,
    findings: &mut Findings,
) -> Result<TestData, PackageError> {
    let settings = settings(tree, findings)?;
    let mut reader = Reader { facts, staging, findings, copies: 0, checked: HashMap::new() };
    let mut cases = Vec::new();
    for (folder, is_sample) in [("sample", true), ("secret", false)] {
        let mut of_folder = Vec::new();
        for (name, input, answer) in pairs(tree, folder, reader.findings) {
            let path = format!("data/{name}");
            let words = [flags.of_problem, settings.validator_words(&path)].concat();
            let mut rules = CaseRules { args: settings.args(&path).to_vec(), ..CaseRules::default() };
            if is_sample {
                rules.interaction = reader.interaction(&path, tree)?;
            }
            let validator = if flags.are_the_defaults {
                reader.validator(&path, words)
            } else {
                rules.checker_args = Some(words);
                DefaultValidatorArgs::default()
            };
            if let Some(case) = reader.case(name, is_sample, (input, answer), (validator, rules))? {
                of_folder.push(case);
            }
        }
        of_folder.sort_by(|a: &PackageCase, b| order(&a.name, &b.name));
        cases.extend(of_folder);
    }
    check_presence(&cases, tree, findings);
    Ok(TestData { scoring: settings.into_scoring(), ..settle_validator(cases) })
}

/// Every group's and case's settings file.
fn settings(tree: &Tree, findings: &mut Findings) -> Result<GroupSettings, PackageError> {
    let mut settings = GroupSettings::default();
    let settings_files =
        tree.under("data").filter(|(name, _)| !name.starts_with("invalid_") && !name.starts_with("valid_"));
    for (name, file) in settings_files {
        let path = format!("data/{name}");
        let (folder, base) = path.rsplit_once('/').expect("the path was just joined with a slash");
        let owner = if SETTINGS_NAMES.contains(&base) {
            folder.to_owned()
        } else {
            match path.strip_suffix(".yaml") {
                Some(case) if tree.get(&format!("{case}.in")).is_some() => case.to_owned(),
                Some(_) | None => continue,
            }
        };
        if let Some(yaml) = text::read_yaml(&path, file, findings)? {
            settings.take(&owner, &path, &yaml, findings);
        }
    }
    Ok(settings)
}

type Pair<'a> = (String, &'a TreeFile, &'a TreeFile);

/// Inputs with their answers below one folder; whatever stands alone is a finding.
fn pairs<'a>(tree: &'a Tree, folder: &str, findings: &mut Findings) -> Vec<Pair<'a>> {
    let mut halves: BTreeMap<&str, (Option<&TreeFile>, Option<&TreeFile>)> = BTreeMap::new();
    let mut shown_otherwise = 0usize;
    for (name, file) in tree.under(&format!("data/{folder}")) {
        let path = format!("data/{folder}/{name}");
        if name.split('/').any(|part| part.ends_with(".files")) {
            let message = "files for the submission's folder cannot be put there yet";
            findings.error("unsupported_case_files", &path, message, "this version passes input on stdin only");
        } else if COMPANIONS.iter().any(|ending| name.ends_with(ending)) {
            shown_otherwise += usize::from(SHOWN_OTHERWISE.iter().any(|ending| name.ends_with(ending)));
        } else if let Some(case) = name.strip_suffix(".in") {
            halves.entry(case).or_default().0 = Some(file);
        } else if let Some(case) = name.strip_suffix(".ans") {
            halves.entry(case).or_default().1 = Some(file);
        } else {
            findings.note("data_file_ignored", &path, "neither an input, an answer nor a known companion");
        }
    }
    if shown_otherwise > 0 {
        let message =
            format!("{shown_otherwise} files say how samples are shown; the test data itself is shown instead");
        findings.note("sample_display_ignored", &format!("data/{folder}"), message);
    }
    let mut pairs = Vec::new();
    for (case, half) in halves {
        let path = format!("data/{folder}/{case}");
        match half {
            (Some(input), Some(answer)) => pairs.push((format!("{folder}/{case}"), input, answer)),
            (Some(_), None) => {
                let message = format!("there is no {case}.ans");
                findings.error("answer_missing", &format!("{path}.in"), message, "add the answer");
            }
            (None, _) => {
                let message = format!("there is no {case}.in");
                findings.error("input_missing", &format!("{path}.ans"), message, "add the input or remove the answer");
            }
        }
    }
    pairs
}

struct Reader<'a> {
    facts: &'a HashMap<String, FileFacts>,
    staging: &'a Path,
    findings: &'a mut Findings,
    copies: usize,
    /// Arguments already parsed, by their words: a fault is told once.
    checked: HashMap<Vec<String>, DefaultValidatorArgs>,
}

impl Reader<'_> {
    fn validator(&mut self, case: &str, words: Vec<String>) -> DefaultValidatorArgs {
        if let Some(args) = self.checked.get(&words) {
            return args.clone();
        }
        if DefaultValidatorArgs::repeats_tolerance(&words) {
            let message = format!("`{}` sets a tolerance twice; the last one counts", words.join(" "));
            self.findings.warning("validator_args_repeated", case, message, "keep one");
        }
        let args = DefaultValidatorArgs::parse(&words).unwrap_or_else(|error| {
            self.findings.error("validator_args_invalid", case, error.to_string(), "correct the validator's arguments");
            DefaultValidatorArgs::default()
        });
        self.checked.insert(words, args.clone());
        args
    }

    /// What a sample's conversation looks like; empty where nothing says so.
    fn interaction(&mut self, path: &str, tree: &Tree) -> Result<String, PackageError> {
        let name = format!("{path}.interaction");
        let Some(file) = tree.get(&name) else { return Ok(String::new()) };
        let text = text::read(&name, file, self.findings)?.unwrap_or_default();
        let is_marked = |line: &str| line.is_empty() || line == "---" || line.starts_with(['<', '>']);
        if let Some((number, line)) = text.lines().enumerate().find(|(_, line)| !is_marked(line)) {
            let shown: String = line.chars().take(40).collect();
            let message = format!("line {} begins neither with `<` nor with `>`: `{shown}`", number + 1);
            self.findings.error(
                "interaction_invalid",
                &name,
                message,
                "`<` is what the submission reads, `>` what it writes",
            );
        }
        Ok(text)
    }

    fn case(
        &mut self,
        name: String,
        is_sample: bool,
        (input, answer): (&TreeFile, &TreeFile),
        (validator, rules): (DefaultValidatorArgs, CaseRules),
    ) -> Result<Option<PackageCase>, PackageError> {
        let Some(input) = self.text(&format!("data/{name}.in"), input)? else { return Ok(None) };
        let Some(answer) = self.text(&format!("data/{name}.ans"), answer)? else { return Ok(None) };
        Ok(Some(PackageCase {
            name,
            is_sample,
            input: input.path,
            answer: answer.path,
            input_bytes: input.bytes,
            answer_bytes: answer.bytes,
            input_hash: input.hash,
            answer_hash: answer.hash,
            validator: Some(validator),
            rules,
        }))
    }

    /// The file as it is judged: in place when it is as the format wants it, else a mended copy. `None`: unusable.
    fn text(&mut self, name: &str, file: &TreeFile) -> Result<Option<DataFile>, PackageError> {
        let facts = &self.facts[name];
        if facts.is_lfs_pointer {
            let message = "this is a Git LFS pointer and not the data";
            self.findings.error("lfs_pointer", name, message, "run `git lfs pull` in the package's repository");
            return Ok(None);
        }
        if !facts.ends_line {
            self.findings.note("no_final_newline", name, "the last line does not end in a line feed");
        }
        let is_utf16 = matches!(facts.mark, Some(ByteOrderMark::Utf16LittleEndian | ByteOrderMark::Utf16BigEndian));
        let is_odd_text = facts.mark == Some(ByteOrderMark::Utf8) || facts.has_crlf;
        if !is_utf16 && (!is_odd_text || facts.has_nul) {
            return Ok(Some(DataFile { path: file.path.clone(), bytes: facts.bytes, hash: facts.hash.clone() }));
        }
        self.mended(name, file, facts)
    }

    fn mended(&mut self, name: &str, file: &TreeFile, facts: &FileFacts) -> Result<Option<DataFile>, PackageError> {
        let remedy = "save it as UTF-8 without a byte order mark, with LF line ends";
        let copy = self.staging.join(format!("mended-{:05}", self.copies));
        self.copies += 1;
        if !normalise(&file.path, facts, &copy)? {
            self.findings.error("utf16_data", name, "the file begins like UTF-16 but is none", remedy);
            return Ok(None);
        }
        let (code, what) = match facts.mark {
            None => ("crlf_data", "lines end in CR LF; judged with LF"),
            Some(ByteOrderMark::Utf8) => ("bom_data", "the file begins with a byte order mark; judged without it"),
            Some(ByteOrderMark::Utf16LittleEndian | ByteOrderMark::Utf16BigEndian) => {
                ("utf16_data", "the file is UTF-16; judged as UTF-8")
            }
        };
        self.findings.warning(code, name, what, remedy);
        let facts = examine(&copy)?;
        Ok(Some(DataFile { path: copy, bytes: facts.bytes, hash: facts.hash }))
    }
}

struct DataFile {
    path: PathBuf,
    bytes: u64,
    hash: String,
}

fn check_presence(cases: &[PackageCase], tree: &Tree, findings: &mut Findings) {
    if !tree.under("data/secret").any(|(name, _)| name.ends_with(".in")) {
        let remedy = if tree.has_folder("generators") {
            "run the package's generators first: test data has to be in the package"
        } else {
            "add at least one `.in` with its `.ans` below data/secret"
        };
        findings.error("no_secret_data", "data/secret", "there are no secret test cases", remedy);
    }
    if !cases.iter().any(|case| case.is_sample) {
        findings.warning("no_sample_data", "data/sample", "there is no sample", "add one so that people can try");
    }
}

/// Makes the arguments of the most cases the package's own and leaves an override only where a case differs.
fn settle_validator(mut cases: Vec<PackageCase>) -> TestData {
    let mut hasher = Sha256::new();
    let mut votes: Vec<(DefaultValidatorArgs, usize)> = Vec::new();
    for case in &cases {
        let args = case.validator.clone().unwrap_or_default();
        let words = case.rules.checker_args.clone().unwrap_or_else(|| args.words());
        hasher.update(format!("{}\0{}\0{}\0{}\n", case.name, case.input_hash, case.answer_hash, words.join(" ")));
        if !case.rules.args.is_empty() {
            hasher.update(format!("args\0{}\n", case.rules.args.join("\0")));
        }
        match votes.iter_mut().find(|(known, _)| *known == args) {
            Some((_, count)) => *count += 1,
            None => votes.push((args, 1)),
        }
    }
    let validator = votes.into_iter().max_by_key(|(_, count)| *count).map(|(args, _)| args).unwrap_or_default();
    let checker_args = most_frequent(cases.iter().filter_map(|case| case.rules.checker_args.clone()));
    for case in &mut cases {
        case.validator.take_if(|args| *args == validator);
        case.rules.checker_args.take_if(|args| *args == checker_args);
    }
    let hash = format!("{:x}", hasher.finalize());
    TestData { cases, validator, checker_args, scoring: ScoringSettings::default(), hash }
}

/// The first of the most frequent ones; empty when there is none.
fn most_frequent(all: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let mut votes: Vec<(Vec<String>, usize)> = Vec::new();
    for words in all {
        match votes.iter_mut().find(|(known, _)| *known == words) {
            Some((_, count)) => *count += 1,
            None => votes.push((words, 1)),
        }
    }
    let most = votes.iter().map(|(_, count)| *count).max().unwrap_or_default();
    votes.into_iter().find(|(_, count)| *count == most).map(|(words, _)| words).unwrap_or_default()
}
