//! Packages that are broken or not supported: a finding that names the file, nothing judged by the wrong rules, and
//! the source as it was.

mod package_support;

use std::fs;

use package_support::{Files, Reading};

/// A 2025-09 package with one file set.
fn with(name: &str, text: &str) -> Reading {
    let mut files = Files::of("2025-09");
    files.set(name, text);
    files.read()
}

fn legacy_with(name: &str, text: &str) -> Reading {
    let mut files = Files::of("legacy");
    files.set(name, text);
    files.read()
}

#[test]
fn what_is_not_supported_is_refused_by_its_name() {
    let metadata = |extra: &str| format!("problem_format_version: 2025-09\nname: Sum\nuuid: u\n{extra}\n");
    with("output_validator/v.zig", "").assert_refused("unsupported_custom_validator", "output_validator");
    legacy_with("output_validators/v/v.cpp", "").assert_refused("unsupported_custom_validator", "problem.yaml");
    legacy_with("problem.yaml", "name: x\nvalidation: custom\n")
        .assert_refused("unsupported_custom_validator", "problem.yaml");
    for validation in ["custom interactive", "custom score", "custom multi-pass"] {
        legacy_with("problem.yaml", &format!("name: x\nvalidation: {validation}\n"))
            .assert_refused("unsupported_custom_validator", "problem.yaml");
    }
    legacy_with("graders/g.py", "").assert_refused("unsupported_grader", "graders");
    legacy_with("data/testdata.yaml", "grading: custom\n").assert_refused("unsupported_grader", "data/testdata.yaml");
    legacy_with("data/secret/testdata.yaml", "grader_flags: always_accept\n")
        .assert_refused("unsupported_grading", "data/secret/testdata.yaml");
    with("problem.yaml", &metadata("type: [interactive, multi-pass]"))
        .assert_refused("unsupported_custom_validator", "problem.yaml");
    with("problem.yaml", &metadata("type: submit-answer")).assert_refused("unsupported_submit_answer", "problem.yaml");
    with("problem.yaml", &metadata("constants: {n: 1}")).assert_refused("unsupported_constants", "problem.yaml");
    with("static_validator/v.py", "").assert_refused("unsupported_static_validator", "static_validator");
    with("data/secret/1.files/x", "").assert_refused("unsupported_case_files", "data/secret/1.files/x");
    with("data/secret/test_group.yaml", "max_score: 10\n")
        .assert_warned("scoring_key_ignored", "data/secret/test_group.yaml");
    legacy_with("domjudge-problem.ini", "special_compare = 'x'\n")
        .assert_refused("unsupported_custom_validator", "domjudge-problem.ini");
}

#[test]
fn arguments_for_another_validator_are_not_read_as_the_defaults() {
    let mut files = Files::of("legacy");
    files.set("output_validators/v.py", "").set("data/secret/testdata.yaml", "output_validator_flags: maxx=500\n");
    let reading = files.read();
    assert_eq!(reading.complaints(), ["error:unsupported_custom_validator@problem.yaml"]);
}

#[test]
fn harmless_parts_are_noted_only() {
    let reading = with("attachments/x.txt", "");
    assert!(reading.has("note", "folder_unused", "attachments"));
    reading.package();
}

#[test]
fn broken_metadata_names_its_line() {
    let reading = with("problem.yaml", "name: Sum\nlimits: [1,\n");
    reading.assert_refused("yaml_invalid", "problem.yaml");
    assert!(reading.inspection.findings[0].message.starts_with("line "), "{:?}", reading.inspection.findings);
    with("problem.yaml", "- a\n").assert_refused("yaml_invalid", "problem.yaml");
    with("problem.yaml", "problem_format_version: 2199-01\n").assert_refused("format_unknown", "problem.yaml");
    with("data/secret/test_group.yaml", "a: [\n").assert_refused("yaml_invalid", "data/secret/test_group.yaml");
    with("data/secret/test_group.yaml", "output_validator_args: [float_tolerance]\n")
        .assert_refused("validator_args_invalid", "data/secret/1");
    let mut files = Files::of("legacy");
    files.set_bytes("problem.yaml", b"name: \xff\n");
    files.read().assert_refused("not_utf8", "problem.yaml");
    files.remove("problem.yaml");
    files.read().assert_refused("problem_yaml_missing", "problem.yaml");
}

#[test]
fn an_unknown_key_is_a_warning() {
    let text = "problem_format_version: 2025-09\nname: Sum\nuuid: u\nlimits: {time_limit: 1}\nkeyword: x\n";
    with("problem.yaml", text).assert_warned("unknown_key", "problem.yaml");
}

#[test]
fn halves_of_test_cases_are_named() {
    let mut files = Files::of("2025-09");
    files.set("data/secret/2.in", "").set("data/secret/g/3.ans", "");
    let reading = files.read();
    reading.assert_refused("answer_missing", "data/secret/2.in");
    reading.assert_refused("input_missing", "data/secret/g/3.ans");
    let mut files = Files::of("2025-09");
    files.remove("data/secret/1.in").remove("data/secret/1.ans");
    files.read().assert_refused("no_secret_data", "data/secret");
    let mut files = Files::of("2025-09");
    files.remove("data/sample/1.in").remove("data/sample/1.ans");
    files.read().assert_warned("no_sample_data", "data/sample");
}

#[test]
fn text_bent_by_editors_is_mended_in_a_copy() {
    let mut files = Files::of("2025-09");
    files.set("data/secret/1.in", "4\r\n5\r\n");
    files.set("data/secret/1.ans", "\u{feff}9\n");
    files.set_bytes("data/sample/1.ans", b"\xff\xfe3\0\n\0");
    let reading = files.read();
    reading.assert_warned("crlf_data", "data/secret/1.in");
    reading.assert_warned("bom_data", "data/secret/1.ans");
    reading.assert_warned("utf16_data", "data/sample/1.ans");
    let cases = &reading.package().cases;
    assert_eq!(fs::read(&cases[1].input).expect("there"), b"4\n5\n");
    assert_eq!(fs::read(&cases[1].answer).expect("there"), b"9\n");
    assert_eq!(fs::read(&cases[0].answer).expect("there"), b"3\n");
    assert_eq!((cases[1].input_bytes, cases[0].answer_bytes), (4, 2));
    for (name, bytes) in &files.0 {
        let path = reading.source.path().join("sum").join(name);
        assert_eq!(&fs::read(path).expect("still there"), bytes, "{name} is untouched");
    }
    let mut broken = Files::of("2025-09");
    broken.set_bytes("data/secret/1.ans", b"\xff\xfe9");
    broken.read().assert_refused("utf16_data", "data/secret/1.ans");
}

#[test]
fn data_that_is_not_there_is_said() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    with("data/secret/1.in", pointer).assert_refused("lfs_pointer", "data/secret/1.in");
    let reading = with("statement/problem.sv.pdf", pointer);
    reading.assert_warned("lfs_pointer", "statement/problem.sv.pdf");
    reading.assert_warned("pdf_invalid", "statement/problem.sv.pdf");
    assert_eq!(reading.package().statements.len(), 1);
    let reading = with("data/secret/1.in", "no line feed");
    assert!(reading.has("note", "no_final_newline", "data/secret/1.in"));
    reading.package();
}

#[test]
fn names_the_format_forbids_count_as_absent() {
    let mut files = Files::of("2025-09");
    files.set("data/secret/1 (copy).in", "").set("data/secret/.hidden.in", "").set("__MACOSX/._x", "");
    let reading = files.read();
    assert_eq!(reading.package().cases.len(), 2);
    reading.assert_warned("invalid_name", "data/secret/1 (copy).in");
    assert!(reading.has("note", "junk_ignored", ""));
}

#[test]
#[cfg(unix)]
fn links_are_followed_inside_only() {
    use std::os::unix::fs::symlink;
    let build = |link: &str, target: &str| {
        let source = tempfile::tempdir().expect("a temp folder");
        let package = source.path().join("sum");
        Files::of("2025-09").write_to(&package);
        fs::write(source.path().join("outside"), "secret\n").expect("a file");
        symlink(target, package.join(link)).expect("a link");
        Reading::of(source, "sum")
    };
    let inside = build("data/secret/extra", "../sample");
    let names: Vec<&str> = inside.package().cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["sample/1", "secret/1", "secret/extra/1"]);
    build("data/secret/2.in", "../../../outside").assert_refused("symlink_escapes", "data/secret/2.in");
    build("data/secret/2.in", "/etc/hostname").assert_refused("symlink_escapes", "data/secret/2.in");
    build("data/secret/2.in", "nowhere").assert_refused("symlink_dangling", "data/secret/2.in");
    build("data/secret/loop", "..").assert_refused("symlink_loop", "data/secret/loop");
    build("submissions/accepted/x.cpp", "/etc/hostname").assert_warned("symlink_escapes", "submissions/accepted/x.cpp");
    build("problem.pdf", "../../doc/sum.pdf").assert_warned("symlink_dangling", "problem.pdf");
    build("attachments", "../outside").assert_warned("symlink_escapes", "attachments");
    build("output_validators", "../outside").assert_refused("symlink_escapes", "output_validators");
    build(".timelimit", "../outside").assert_refused("symlink_escapes", ".timelimit");
}

#[test]
fn a_folder_of_anything_is_refused_early() {
    let source = tempfile::tempdir().expect("a temp folder");
    for number in 0..20_001 {
        fs::write(source.path().join(format!("f{number}")), "").expect("a file");
    }
    Reading::of(source, ".").assert_refused("too_many_files", "");
}
