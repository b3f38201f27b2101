//! Builds problem packages of every format version, sound or broken in a chosen way, as a folder or as a zip.
//!
//! [`Package::of`] is a complete small package (two integers in, their sum out); each further call spoils or changes
//! one thing. [`catalogue`](catalogue::CATALOGUE) lists the ways that the import doctor must have an answer to.

mod archive;
pub mod catalogue;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::programs;

const UUID: &str = "7f6a3a0e-54e4-4c0b-9a3a-3b1a2f0c9d51";
/// What a clone without Git LFS holds instead of a large file.
const LFS_POINTER: &str = "version https://git-lfs.github.com/spec/v1\n\
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345678\n";

/// Version of the Problem Package Format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// `problem.yaml` names no version.
    Legacy,
    LegacyIcpc,
    Draft2023,
    V2025,
}

impl Version {
    pub const ALL: [Self; 4] = [Self::Legacy, Self::LegacyIcpc, Self::Draft2023, Self::V2025];

    const fn line(self) -> &'static str {
        match self {
            Self::Legacy => "",
            Self::LegacyIcpc => "problem_format_version: legacy-icpc\n",
            Self::Draft2023 => "problem_format_version: 2023-07-draft\n",
            Self::V2025 => "problem_format_version: 2025-09\n",
        }
    }

    /// `testdata.yaml` became `test_group.yaml` only in 2025-09.
    const fn group_file(self) -> &'static str {
        match self {
            Self::Legacy | Self::LegacyIcpc | Self::Draft2023 => "testdata.yaml",
            Self::V2025 => "test_group.yaml",
        }
    }

    const fn is_legacy(self) -> bool {
        match self {
            Self::Legacy | Self::LegacyIcpc => true,
            Self::Draft2023 | Self::V2025 => false,
        }
    }
}

/// Where the files lie inside a zip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZipRoot {
    /// As DOMjudge packs: `problem.yaml` is an entry.
    Bare,
    /// As the format says: every entry begins with `<name>/`.
    Named,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    File(Vec<u8>),
    /// A symbolic link and its target as written.
    Link(String),
}

/// A package that is not yet written.
#[derive(Clone, Debug)]
pub struct Package {
    name: String,
    version: Version,
    /// The lines of `problem.yaml`, put together when it is written unless the file was replaced.
    metadata: Vec<String>,
    entries: BTreeMap<String, Entry>,
    /// Further entries of the zip, with names that no folder could have.
    raw_names: Vec<(String, Vec<u8>)>,
}

impl Package {
    /// A complete package named `sums` that every judge must take: one sample, two secret cases, a right and a wrong program.
    #[must_use]
    pub fn of(version: Version) -> Self {
        let mut package = Self {
            name: "sums".into(),
            version,
            metadata: vec!["name: Sums".into(), format!("uuid: {UUID}")],
            entries: BTreeMap::new(),
            raw_names: Vec::new(),
        };
        let statement = "Add the two integers.\n";
        package = match version {
            Version::Legacy | Version::LegacyIcpc => package.file("problem_statement/problem.en.tex", statement),
            Version::Draft2023 => package.file("problem_statement/problem.en.md", statement),
            Version::V2025 => package.file("statement/problem.en.md", statement),
        };
        if version == Version::V2025 {
            package.metadata.push("limits: {time_limit: 1.0}".into());
        }
        package
            .case("sample/1", "1 2\n", "3\n")
            .case("secret/1-small", "40 2\n", "42\n")
            .case("secret/2-large", "2000000000 2000000000\n", "4000000000\n")
            .file("input_validators/two_integers.py", "import sys\nsys.stdin.read()\nsys.exit(42)\n")
            .file("submissions/accepted/sum.cpp", programs::RIGHT)
            .file("submissions/wrong_answer/int.cpp", programs::WRONG)
    }

    /// Gives the folder, the zip and the prefix in the zip another name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// Adds or replaces a file.
    #[must_use]
    pub fn file(self, path: &str, text: &str) -> Self {
        self.bytes(path, text.as_bytes())
    }

    /// Adds or replaces a file that need not be text.
    #[must_use]
    pub fn bytes(mut self, path: &str, bytes: &[u8]) -> Self {
        self.entries.insert(path.into(), Entry::File(bytes.to_vec()));
        self
    }

    /// Adds a test case; `name` is the path below `data/` without extension.
    #[must_use]
    pub fn case(self, name: &str, input: &str, answer: &str) -> Self {
        self.file(&format!("data/{name}.in"), input).file(&format!("data/{name}.ans"), answer)
    }

    /// Takes a file, or a folder with everything in it, out again.
    ///
    /// # Panics
    /// There is nothing to take out, so the story would not test what it says.
    #[must_use]
    pub fn without(mut self, path: &str) -> Self {
        let (count, folder) = (self.entries.len(), format!("{path}/"));
        self.entries.retain(|name, _| name != path && !name.starts_with(&folder));
        assert!(self.entries.len() < count, "{path} is not in the package");
        self
    }

    /// Adds a line to `problem.yaml`.
    #[must_use]
    pub fn metadata(mut self, line: &str) -> Self {
        self.metadata.push(line.into());
        self
    }

    /// Adds a symbolic link whose target is written as it stands.
    #[must_use]
    pub fn link(mut self, path: &str, target: &str) -> Self {
        self.entries.insert(path.into(), Entry::Link(target.into()));
        self
    }

    /// Adds a zip entry with a name that a folder cannot have: `../x`, `/x`, `C:\x`, a name twice. Only zips have it.
    #[must_use]
    pub fn raw_entry(mut self, name: &str, bytes: &[u8]) -> Self {
        self.raw_names.push((name.into(), bytes.to_vec()));
        self
    }

    /// Adds `count` empty files `data/secret/many/000000` and so on.
    #[must_use]
    pub fn many_files(mut self, count: u32) -> Self {
        let names = (0..count).map(|number| (format!("data/secret/many/{number:06}"), Entry::File(Vec::new())));
        self.entries.extend(names);
        self
    }

    /// A problem without statement, data, programs: what is left when a download broke off early.
    #[must_use]
    pub fn only_metadata(mut self) -> Self {
        self.entries.clear();
        self
    }

    /// The time limit in the file that DOMjudge and old packages use.
    #[must_use]
    pub fn timelimit_file(self, text: &str) -> Self {
        self.file(".timelimit", text)
    }

    /// Arguments of the default output validator, where this version keeps them.
    #[must_use]
    pub fn validator_args(self, args: &str) -> Self {
        let path = format!("data/secret/{}", self.version.group_file());
        match self.version {
            Version::Legacy | Version::LegacyIcpc => self.metadata(&format!("validator_flags: {args}")),
            Version::Draft2023 => self.file(&path, &format!("output_validator_flags: {args}\n")),
            Version::V2025 => {
                let words: Vec<String> = args.split_whitespace().map(|word| format!("\"{word}\"")).collect();
                let line = format!("output_validator_args: [{}]\n", words.join(", "));
                self.file("data/sample/test_group.yaml", &line).file(&path, &line)
            }
        }
    }

    /// Asks for the kind in the words of this version, and brings what a package of this kind has.
    #[must_use]
    pub fn kind(self, kind: Kind) -> Self {
        let validator =
            if self.version.is_legacy() { "output_validators/check.py" } else { "output_validator/check.py" };
        let accepting = "import sys\nsys.exit(42)\n";
        let validation = |word: &str| format!("validation: {word}");
        match (kind, self.version.is_legacy()) {
            (Kind::CustomValidator, true) => self.metadata(&validation("custom")).file(validator, accepting),
            (Kind::CustomValidator, false) => self.file(validator, accepting),
            (Kind::Interactive, true) => self.metadata(&validation("custom interactive")).file(validator, accepting),
            (Kind::Interactive, false) => self.metadata("type: interactive").file(validator, accepting),
            (Kind::Scoring, true) => self.metadata("type: scoring").metadata("grading: {objective: max}"),
            (Kind::Scoring, false) => self.metadata("type: scoring"),
        }
    }

    /// Rewrites every text below `data/` as another system's editor would save it.
    #[must_use]
    pub fn data_saved_as(mut self, encoding: Encoding) -> Self {
        let cases = self.entries.iter_mut().filter(|(name, _)| name.starts_with("data/"));
        for (_, entry) in cases {
            if let Entry::File(bytes) = entry {
                *bytes = encoding.encode(bytes);
            }
        }
        self
    }

    /// Replaces the secret data by Git LFS pointers.
    #[must_use]
    pub fn secret_data_in_lfs(mut self) -> Self {
        for (_, entry) in self.entries.iter_mut().filter(|(name, _)| name.starts_with("data/secret/")) {
            *entry = Entry::File(LFS_POINTER.into());
        }
        self
    }

    /// Adds what the archiver and the file browser of a Mac leave behind.
    #[must_use]
    pub fn mac_junk(self) -> Self {
        let resource_fork = b"\0\x05\x16\x07\0\x02\0\0Mac OS X        ";
        self.bytes("data/.DS_Store", b"\0\0\0\x01Bud1")
            .bytes("data/secret/._1-small.in", resource_fork)
            .raw_entry("__MACOSX/data/secret/._1-small.in", resource_fork)
            .raw_entry("__MACOSX/._problem.yaml", resource_fork)
    }

    /// The files, `problem.yaml` included.
    fn files(&self) -> BTreeMap<String, Entry> {
        let mut files = self.entries.clone();
        let lines = self.metadata.join("\n");
        files.entry("problem.yaml".into()).or_insert_with(|| {
            let text = format!("{}{lines}\n", self.version.line());
            Entry::File(text.into_bytes())
        });
        files
    }

    /// Writes `<folder>/<name>/…` and returns that path.
    ///
    /// # Panics
    /// It cannot be written, or there are raw entries, which only a zip can have.
    #[must_use]
    pub fn write_folder(&self, folder: &Path) -> PathBuf {
        let is_for_zips = self.raw_names.iter().any(|(name, _)| !name.starts_with("__MACOSX/"));
        assert!(!is_for_zips, "only a zip can have entries like {:?}", self.raw_names);
        let package = folder.join(&self.name);
        for (name, entry) in self.files() {
            let path = package.join(name);
            fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
            match entry {
                Entry::File(bytes) => fs::write(path, bytes).expect("a file can be written"),
                Entry::Link(target) => std::os::unix::fs::symlink(target, path).expect("a link can be made"),
            }
        }
        package
    }

    /// Writes `<folder>/<name>.zip` and returns that path.
    ///
    /// # Panics
    /// It cannot be written.
    #[must_use]
    pub fn write_zip(&self, folder: &Path, root: ZipRoot) -> PathBuf {
        let prefix = match root {
            ZipRoot::Bare => String::new(),
            ZipRoot::Named => format!("{}/", self.name),
        };
        let path = folder.join(format!("{}.zip", self.name));
        let zip = archive::pack(&prefix, &self.files(), &self.raw_names);
        fs::write(&path, zip).expect("a zip can be written");
        path
    }
}

/// A kind of problem that the first version refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    CustomValidator,
    Interactive,
    Scoring,
}

/// How an editor saves text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Crlf,
    /// UTF-8 with a byte order mark.
    Bom,
    /// UTF-16, little endian, with a byte order mark and CR LF: "Unicode text" of old Windows programs.
    Utf16,
}

impl Encoding {
    fn encode(self, bytes: &[u8]) -> Vec<u8> {
        let text = String::from_utf8_lossy(bytes);
        match self {
            Self::Crlf => text.replace('\n', "\r\n").into_bytes(),
            Self::Bom => format!("\u{feff}{text}").into_bytes(),
            Self::Utf16 => {
                let text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
                text.encode_utf16().flat_map(u16::to_le_bytes).collect()
            }
        }
    }
}

/// Names and bytes of everything below `path` (or of the file itself), links as their targets: equal before and after
/// exactly if nothing was touched.
///
/// # Panics
/// Something there cannot be read.
#[must_use]
pub fn fingerprint(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![path.to_path_buf()];
    while let Some(path) = open.pop() {
        let kind = fs::symlink_metadata(&path).expect("a file of the package").file_type();
        if kind.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder of the package");
            open.extend(entries.map(|entry| entry.expect("an entry of the folder").path()));
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).expect("a link of the package");
            found.insert(path, target.into_os_string().into_encoded_bytes());
        } else {
            let bytes = fs::read(&path).expect("a file of the package");
            found.insert(path, bytes);
        }
    }
    found
}

#[cfg(test)]
mod tests;
