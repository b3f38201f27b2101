//! Whatever bytes a package is made of, reading it ends in findings: no panic, nothing outside the staging folder.

mod package_support;

use std::fs;

use judge_core::package::read;
use package_support::{Files, Reading};
use proptest::prelude::*;

/// Pieces that statements, settings and metadata are made of, in any order.
fn pieces(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(words), 0..40).prop_map(|words| words.concat())
}

const LATEX: &[&str] = &[
    "\\begin{itemize}",
    "\\end{itemize}",
    "\\item",
    "\\begin{tabular}{l}",
    "\\end{tabular}",
    "&",
    "\\\\",
    "{",
    "}",
    "$",
    "$$",
    "\\[",
    "\\]",
    "\\(",
    "\\)",
    "\\verb|",
    "|",
    "\\begin{verbatim}",
    "\\end{verbatim}",
    "%",
    "\n",
    "\n\n",
    " ",
    "é",
    "𝒳",
    "\\'",
    "\\textbf",
    "\\href{",
    "\\section",
    "\\nextsample",
    "\\illustration",
    "[",
    "]",
    "\\",
    "x",
    "~",
    "\\bf",
    "\\begin{align}",
    "\\end{align}",
    "\\frac",
    "^",
    "_",
    "\\includegraphics",
    "\\begin{",
    "\\end{",
    "\\footnote",
];
const MARKDOWN: &[&str] = &[
    "# ",
    "- ",
    "\n",
    "\n\n",
    "$",
    "$$",
    "{{nextsample}}",
    "{{remainingsamples}}",
    "{{",
    "}}",
    "`",
    "```\n",
    "![a](",
    ")",
    "<b>",
    "<script>",
    "</b>",
    "|",
    "|--|\n",
    "[^1]",
    "é",
    "𝒳",
    "*",
    "_",
    "\\",
    "<img src='",
    "'>",
    "<math>",
    "&amp;",
    "&",
];
const YAML: &[&str] = &[
    "name",
    "limits",
    "type",
    "validation",
    ": ",
    "\n",
    "  ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "&a ",
    "*a",
    "\"",
    "'",
    "|",
    ">",
    "#",
    "1e-6",
    "~",
    "é",
    "\t",
    "? ",
    "!!int ",
    "---\n",
    "...\n",
    "keywords",
    "time_limit",
    "languages",
    "0",
    "-1",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_text_can_be_a_statement(latex in pieces(LATEX), markdown in pieces(MARKDOWN)) {
        let mut files = Files::of("2023-07");
        files.set("statement/problem.en.tex", &latex).set("statement/problem.en.md", &markdown);
        let reading = files.read();
        for statement in &reading.package().statements {
            for tag in statement.html.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
                let tag = tag.to_lowercase();
                prop_assert!(!tag.starts_with("script") && !tag.contains(" src=") && !tag.contains("javascript:"), "{}", tag);
            }
        }
    }

    #[test]
    fn any_text_can_be_metadata(metadata in pieces(YAML), group in pieces(YAML), submissions in pieces(YAML)) {
        let mut files = Files::of("2025-09");
        files.set("data/secret/test_group.yaml", &group).set("submissions/submissions.yaml", &submissions);
        files.read();
        files.set("problem.yaml", &metadata);
        files.read();
    }

    #[test]
    fn any_damage_to_a_zip_is_survived(damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let mut zip = Files::of("2025-09").zip("sum/");
        for (place, byte) in damage {
            let place = place.index(zip.len());
            zip[place] = byte;
        }
        let reading = Reading::of_zip(&zip);
        let inspection = &reading.inspection;
        prop_assert!(inspection.package.is_some() || inspection.findings.iter().any(|f| f.severity.as_str() == "error"));
        let beside: Vec<_> = fs::read_dir(reading.source.path()).expect("there").collect();
        prop_assert_eq!(beside.len(), 1, "nothing was written beside the archive");
    }

    #[test]
    fn any_file_may_lie_anywhere(names in prop::collection::vec("[a-z0-9._ -]{1,12}(/[a-z0-9._-]{1,12}){0,3}", 1..12), bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let source = tempfile::tempdir().expect("a temp folder");
        Files::of("legacy").write_to(source.path());
        for name in names {
            let path = source.path().join(&name);
            // A name may need a folder where a file is, or be `..`; such a one is left out.
            let is_plain = !name.split('/').any(|part| part.trim_matches('.').is_empty());
            if is_plain && path.parent().is_some_and(|folder| fs::create_dir_all(folder).is_ok()) {
                let _ = fs::write(path, &bytes);
            }
        }
        let staging = tempfile::tempdir().expect("a temp folder");
        let inspection = read(source.path(), staging.path()).expect("accessible");
        prop_assert_eq!(inspection.format.as_str(), "legacy");
    }
}
