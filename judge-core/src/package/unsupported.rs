//! Parts of a package that this version cannot honour: refused by name, never passed over in silence.

use super::findings::Findings;
use super::limits::ini_value;
use super::tree::Tree;

/// A folder whose presence changes how the problem has to be judged.
struct Part {
    folder: &'static str,
    code: &'static str,
    what: &'static str,
}

const DECIDING_PARTS: [Part; 2] = [
    Part { folder: "static_validator", code: "unsupported_static_validator", what: "a static validator" },
    Part { folder: "graders", code: "unsupported_grader", what: "a custom grader" },
];
/// Folders that are not used yet and decide nothing.
const UNUSED_FOLDERS: [&str; 6] =
    ["attachments", "solution", "generators", "input_visualizer", "output_visualizer", "input_format_validators"];
/// Top-level folders that are read or known.
const KNOWN_FOLDERS: [&str; 9] = [
    "data",
    "statement",
    "problem_statement",
    "submissions",
    "input_validators",
    "answer_validators",
    "output_validators",
    "output_validator",
    "include",
];

/// Looks at the folders of the package.
pub(super) fn refuse(tree: &Tree, findings: &mut Findings) {
    let remedy = "this version cannot judge it without";
    for Part { folder, code, what } in &DECIDING_PARTS {
        if tree.has_folder(folder) {
            findings.error(code, folder, format!("the package has {what}, which cannot be run yet"), remedy);
        }
    }
    for folder in UNUSED_FOLDERS {
        if tree.has_folder(folder) {
            findings.note("folder_unused", folder, "not used yet; judging does not need it");
        }
    }
    if !tree.has_folder("input_validators") && !tree.has_folder("input_format_validators") {
        findings.warning("input_validators_missing", "input_validators", "there is no input validator", "");
    }
    note_unknown_folders(tree, findings);
}

fn note_unknown_folders(tree: &Tree, findings: &mut Findings) {
    let mut last = "";
    for (name, _) in tree.iter() {
        let Some((folder, _)) = name.split_once('/') else { continue };
        let is_known = KNOWN_FOLDERS.contains(&folder)
            || UNUSED_FOLDERS.contains(&folder)
            || DECIDING_PARTS.iter().any(|part| part.folder == folder);
        if folder != last && !is_known {
            findings.note("folder_unknown", folder, "no folder of the format; ignored");
        }
        last = folder;
    }
}

/// DOMjudge's ini may ask for scripts of its own.
pub(super) fn refuse_in_ini(ini: Option<&str>, findings: &mut Findings) {
    for (key, code) in [("special_compare", "unsupported_custom_validator"), ("special_run", "unsupported_interactive")]
    {
        if ini.and_then(|text| ini_value(text, key)).is_some_and(|value| !value.is_empty()) {
            let message = format!("`{key}` asks for a script of the judge");
            findings.error(
                code,
                "domjudge-problem.ini",
                message,
                "this version uses the default output validator only",
            );
        }
    }
}
