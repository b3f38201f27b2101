//! Statements: found by name and language, made into sanitised HTML, their images named.

mod latex;
mod markdown;
mod maths;
mod sanitise;

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use agon_contract::problem::StatementFormat;

use super::findings::{Findings, PackageError};
use super::model::{PackageFormat, PackageStatement, StatementFile};
use super::text;
use super::tree::{Tree, TreeFile};

/// Folders a statement may lie in; the last is DOMjudge's (the root).
const FOLDERS: [&str; 2] = ["statement", "problem_statement"];
/// Images the interface can show.
const IMAGE_ENDINGS: [&str; 5] = [".png", ".jpg", ".jpeg", ".gif", ".svg"];

/// A statement, and the title its text brings along.
#[derive(Debug)]
pub(super) struct ReadStatement {
    pub(super) statement: PackageStatement,
    pub(super) title: Option<String>,
}

/// A text made into HTML that is not yet sanitised.
#[derive(Debug, Default)]
struct Rendered {
    html: String,
    /// Samples placed by the text, from the first.
    placed_samples: u32,
    title: Option<String>,
}

/// Reads every statement of the package.
pub(super) fn read(
    tree: &Tree,
    format: PackageFormat,
    findings: &mut Findings,
) -> Result<Vec<ReadStatement>, PackageError> {
    let samples = tree.under("data/sample").filter(|(name, _)| name.ends_with(".in")).count();
    let samples = u32::try_from(samples).unwrap_or(u32::MAX);
    let mut statements = Vec::new();
    for folder in FOLDERS {
        for (name, file) in tree.under(folder).filter(|(name, _)| !name.contains('/')) {
            let path = format!("{folder}/{name}");
            if let Some((language, kind)) = parse_name(name, format, &path, findings) {
                statements.extend(statement(tree, folder, &path, file, language, kind, samples, findings)?);
            }
        }
    }
    if let Some(file) = tree.get("problem.pdf") {
        statements.extend(pdf("en", "problem.pdf", file, findings)?);
    }
    if statements.is_empty() {
        let remedy = "add statement/problem.en.md";
        findings.warning("statement_missing", "statement", "there is no statement that can be shown", remedy);
    }
    Ok(statements)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Markdown,
    Latex,
    Html,
    Pdf,
}

/// `problem[.<language>].<kind>`; other files of the folder belong to the statement.
fn parse_name(name: &str, format: PackageFormat, path: &str, findings: &mut Findings) -> Option<(String, Kind)> {
    let (base, ending) = name.rsplit_once('.')?;
    let kind = match ending {
        "md" => Kind::Markdown,
        "tex" => Kind::Latex,
        "html" => Kind::Html,
        "pdf" => Kind::Pdf,
        _ => return None,
    };
    let language = match base.strip_prefix("problem")? {
        "" => {
            if format == PackageFormat::V2025 {
                findings.warning("statement_language_missing", path, "the name has no language; taken as English", "");
            }
            "en"
        }
        rest => rest.strip_prefix('.')?,
    };
    let is_code =
        (2..=7).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    is_code.then(|| (language.to_owned(), kind))
}

/// A PDF is kept as it is, if it is one (and no LFS pointer, no empty file).
fn pdf(
    language: &str,
    path: &str,
    file: &TreeFile,
    findings: &mut Findings,
) -> Result<Option<ReadStatement>, PackageError> {
    const BEGINNING: &[u8] = b"%PDF-";
    let unreadable = |source| PackageError::OpenSource { path: file.path.clone(), source };
    let mut beginning = Vec::new();
    let opened = File::open(&file.path).map_err(unreadable)?;
    opened.take(BEGINNING.len() as u64).read_to_end(&mut beginning).map_err(unreadable)?;
    if beginning != BEGINNING {
        findings.warning("pdf_invalid", path, "the file does not begin like a PDF, so it is not shown", "replace it");
        return Ok(None);
    }
    let statement = PackageStatement {
        language: language.to_owned(),
        format: StatementFormat::Pdf,
        path: file.path.clone(),
        html: String::new(),
        placed_samples: 0,
        files: Vec::new(),
    };
    Ok(Some(ReadStatement { statement, title: None }))
}

#[expect(clippy::too_many_arguments, reason = "one call site; a struct would only rename them")]
fn statement(
    tree: &Tree,
    folder: &str,
    path: &str,
    file: &TreeFile,
    language: String,
    kind: Kind,
    samples: u32,
    findings: &mut Findings,
) -> Result<Option<ReadStatement>, PackageError> {
    if kind == Kind::Pdf {
        return pdf(&language, path, file, findings);
    }
    let Some(text) = text::read_shown(path, file, findings)? else { return Ok(None) };
    let (rendered, format) = match kind {
        Kind::Markdown => (markdown::render(&text, samples), StatementFormat::Html),
        Kind::Latex => (latex::render(&text, samples), StatementFormat::LatexText),
        Kind::Html | Kind::Pdf => (Rendered { html: text.clone(), ..Rendered::default() }, StatementFormat::Html),
    };
    let mut images = Images { tree, folder, path, files: Vec::new(), findings };
    let (html, placed_samples) = match sanitise::clean(&rendered.html, |name| images.resolve(name)) {
        Some(html) => (html, rendered.placed_samples),
        None => {
            let message = "its elements are nested too deeply; the source is shown as it is";
            images.findings.warning("statement_too_deep", path, message, "simplify the statement");
            (format!("<pre>{}</pre>", escape(&text)), 0)
        }
    };
    let statement =
        PackageStatement { language, format, path: file.path.clone(), html, placed_samples, files: images.files };
    Ok(Some(ReadStatement { statement, title: rendered.title }))
}

/// The images beside a statement.
struct Images<'a> {
    tree: &'a Tree,
    folder: &'a str,
    path: &'a str,
    files: Vec<StatementFile>,
    findings: &'a mut Findings,
}

impl Images<'_> {
    /// The name under which an image can be asked for, if it is there and can be shown.
    fn resolve(&mut self, name: &str) -> Option<String> {
        let plain = name.trim_start_matches("./");
        let endings = IMAGE_ENDINGS.iter().map(|ending| format!("{plain}{ending}"));
        let candidates = std::iter::once(plain.to_owned()).chain(endings);
        for candidate in candidates {
            let is_shown = IMAGE_ENDINGS.iter().any(|ending| candidate.to_ascii_lowercase().ends_with(ending));
            if let Some(path) = self.file(&candidate).filter(|_| is_shown) {
                if !self.files.iter().any(|file| file.name == candidate) {
                    self.files.push(StatementFile { name: candidate.clone(), path });
                }
                return Some(candidate);
            }
        }
        let message = format!("the image `{name}` is not beside the statement or cannot be shown");
        self.findings.warning("image_missing", self.path, message, "add it as PNG, JPEG or SVG");
        None
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        self.tree.get(&format!("{}/{name}", self.folder)).map(|file| file.path.clone())
    }
}

/// Where the interface puts sample number `index`, from 0.
fn sample_slot(index: u32) -> String {
    format!("<div class=\"sample-slot\" data-index=\"{index}\"></div>")
}

/// Hands out sample slots in order.
struct SampleSlots {
    placed: u32,
    total: u32,
}

impl SampleSlots {
    fn next(&mut self) -> String {
        if self.placed >= self.total {
            return String::new();
        }
        self.placed += 1;
        sample_slot(self.placed - 1)
    }

    fn remaining(&mut self) -> String {
        let slots = (self.placed..self.total).map(sample_slot).collect();
        self.placed = self.total;
        slots
    }
}

/// Text as HTML shows it.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
