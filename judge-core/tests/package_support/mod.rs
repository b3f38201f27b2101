//! Builds small packages on disk or in a zip, and reads them.
#![expect(dead_code, reason = "each test program uses its part")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use judge_core::package::{CheckedPackage, Inspection, read};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Files of a package by name.
#[derive(Clone)]
pub(crate) struct Files(pub(crate) BTreeMap<String, Vec<u8>>);

/// A reading whose folders live as long as it does.
pub(crate) struct Reading {
    pub(crate) inspection: Inspection,
    pub(crate) source: TempDir,
    pub(crate) staging: TempDir,
}

impl Files {
    /// A complete small package of the version.
    pub(crate) fn of(version: &str) -> Self {
        let is_2025 = version == "2025-09";
        let mut files = Self(BTreeMap::new());
        let metadata =
            format!("problem_format_version: {version}\nname: Sum\nuuid: 1d0b1ad4-0000-4000-8000-000000000000\n");
        let limits = if is_2025 { "limits: {time_limit: 1.0, memory: 256}\n" } else { "limits: {memory: 256}\n" };
        files.set("problem.yaml", &(metadata + limits));
        files.set(
            if is_2025 { "statement/problem.en.md" } else { "problem_statement/problem.tex" },
            "Add $a$ and $b$.\n",
        );
        files.set("data/sample/1.in", "1 2\n").set("data/sample/1.ans", "3\n");
        files.set("data/secret/1.in", "4 5\n").set("data/secret/1.ans", "9\n");
        files.set("input_validators/v.py", "exit(42)\n");
        files.set("submissions/accepted/a.cpp", "int main() {}\n");
        files.set("submissions/wrong_answer/b.py", "print(1)\n");
        files
    }

    pub(crate) fn set(&mut self, name: &str, text: &str) -> &mut Self {
        self.set_bytes(name, text.as_bytes())
    }

    pub(crate) fn set_bytes(&mut self, name: &str, bytes: &[u8]) -> &mut Self {
        self.0.insert(name.to_owned(), bytes.to_vec());
        self
    }

    pub(crate) fn remove(&mut self, name: &str) -> &mut Self {
        assert!(self.0.remove(name).is_some(), "{name} was there");
        self
    }

    pub(crate) fn write_to(&self, folder: &Path) {
        for (name, bytes) in &self.0 {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
            fs::write(path, bytes).expect("a file");
        }
    }

    /// A zip whose entries begin with `prefix`.
    pub(crate) fn zip(&self, prefix: &str) -> Vec<u8> {
        let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, bytes) in &self.0 {
            writer.start_file(format!("{prefix}{name}"), SimpleFileOptions::default()).expect("an entry");
            writer.write_all(bytes).expect("its bytes");
        }
        writer.finish().expect("a zip").into_inner()
    }

    pub(crate) fn read(&self) -> Reading {
        let source = tempfile::tempdir().expect("a temp folder");
        let package = source.path().join("sum");
        fs::create_dir(&package).expect("a folder");
        self.write_to(&package);
        Reading::of(source, "sum")
    }
}

impl Reading {
    /// Reads `name` inside `source`.
    pub(crate) fn of(source: TempDir, name: &str) -> Self {
        let staging = tempfile::tempdir().expect("a temp folder");
        let inspection = read(&source.path().join(name), staging.path()).expect("source and staging are accessible");
        Self { inspection, source, staging }
    }

    pub(crate) fn of_zip(bytes: &[u8]) -> Self {
        let source = tempfile::tempdir().expect("a temp folder");
        fs::write(source.path().join("sum.zip"), bytes).expect("a file");
        let reading = Self::of(source, "sum.zip");
        assert_eq!(
            fs::read(reading.source.path().join("sum.zip")).expect("still there"),
            bytes,
            "the source is untouched"
        );
        reading
    }

    /// The package; panics with the findings when it was refused.
    pub(crate) fn package(&self) -> &CheckedPackage {
        self.inspection.package.as_ref().unwrap_or_else(|| panic!("refused: {:#?}", self.inspection.findings))
    }

    /// `error:code@path` of every finding but the notes.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let findings = self.inspection.findings.iter().filter(|finding| finding.severity.as_str() != "note");
        findings.map(|finding| format!("{}:{}@{}", finding.severity, finding.code, finding.path)).collect()
    }

    pub(crate) fn has(&self, severity: &str, code: &str, path: &str) -> bool {
        self.inspection.findings.iter().any(|finding| {
            finding.severity.as_str() == severity
                && finding.code == code
                && finding.path == path
                && !finding.message.is_empty()
        })
    }

    /// Panics unless the package is refused with this finding.
    pub(crate) fn assert_refused(&self, code: &str, path: &str) {
        assert!(self.inspection.package.is_none(), "not refused: {:#?}", self.inspection.findings);
        assert!(self.has("error", code, path), "no {code} at {path}: {:#?}", self.inspection.findings);
    }

    /// Panics unless the package is taken with this warning.
    pub(crate) fn assert_warned(&self, code: &str, path: &str) {
        self.package();
        assert!(self.has("warning", code, path), "no {code} at {path}: {:#?}", self.inspection.findings);
    }
}
