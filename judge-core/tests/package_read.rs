//! Packages that are taken: every format version, and what each says.

mod package_support;

use agon_contract::problem::StatementFormat;
use agon_contract::verdict::Verdict;
use judge_core::domain::comparison::DefaultValidatorArgs;
use judge_core::domain::expectation::Expectation;
use judge_core::package::{PackageFormat, TimeLimitRule};
use package_support::{Files, Reading};

#[test]
fn every_version_is_taken_without_complaint() {
    for (version, format, report) in [
        ("legacy", PackageFormat::Legacy, "legacy"),
        ("legacy-icpc", PackageFormat::LegacyIcpc, "legacy-icpc"),
        ("2023-07", PackageFormat::Draft2023, "2023-07"),
        ("2023-07-draft", PackageFormat::Draft2023, "2023-07"),
        ("2025-09", PackageFormat::V2025, "2025-09"),
    ] {
        let reading = Files::of(version).read();
        assert_eq!(reading.complaints(), [] as [String; 0], "{version}");
        let package = reading.package();
        assert_eq!((package.format, reading.inspection.format.as_str()), (format, report));
        assert_eq!((package.slug.as_str(), package.titles[0].text.as_str()), ("sum", "Sum"));
        assert_eq!(package.limits.memory_bytes, 256 << 20);
        assert_eq!(package.cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>(), ["sample/1", "secret/1"]);
        assert_eq!(package.limits.time_limit_ms, (version == "2025-09").then_some(1000));
    }
}

#[test]
fn a_package_without_a_version_is_legacy() {
    let mut files = Files::of("legacy");
    files.set("problem.yaml", "name: Sum\n");
    let reading = files.read();
    let package = reading.package();
    assert_eq!(package.format, PackageFormat::Legacy);
    let TimeLimitRule::Legacy { time_multiplier, .. } = package.limits.time_limit_rule else { panic!("legacy rule") };
    assert!((time_multiplier - 5.0).abs() < f64::EPSILON);
    assert!(package.limits.time_limit_ms.is_none() && package.validator == DefaultValidatorArgs::default());
}

#[test]
fn cases_are_ordered_by_the_bytes_of_their_names() {
    let mut files = Files::of("2025-09");
    for name in ["10", "11", "2", "a-b", "a", "a.b", "g1/1", "g1/sub/x", "G/1"] {
        files.set(&format!("data/secret/{name}.in"), "1 1\n").set(&format!("data/secret/{name}.ans"), "2\n");
    }
    files.set("data/sample/9.in", "1\n").set("data/sample/9.ans", "1\n");
    let reading = files.read();
    let names: Vec<&str> = reading.package().cases.iter().map(|case| case.name.as_str()).collect();
    let secret = ["1", "10", "11", "2", "G/1", "a", "a-b", "a.b", "g1/1", "g1/sub/x"];
    let expected: Vec<String> = ["sample/1", "sample/9"]
        .map(String::from)
        .into_iter()
        .chain(secret.map(|name| format!("secret/{name}")))
        .collect();
    assert_eq!(names, expected);
    assert_eq!(reading.package().cases.iter().filter(|case| case.is_sample).count(), 2);
}

#[test]
fn validator_arguments_are_found_in_every_place() {
    let args = |text: &str| DefaultValidatorArgs::parse(&text.split(' ').collect::<Vec<_>>()).expect("well formed");
    let metadata = |extra: &str| format!("problem_format_version: legacy\nname: Sum\n{extra}\n");

    let mut legacy = Files::of("legacy");
    legacy.set("problem.yaml", &metadata("validator_flags: float_tolerance 1e-6"));
    assert_eq!(legacy.read().package().validator, args("float_tolerance 1e-6"));

    let mut grouped = Files::of("legacy");
    grouped.set("data/secret/testdata.yaml", "output_validator_flags: case_sensitive\n");
    let reading = grouped.read();
    assert_eq!(
        reading.package().cases[1].validator.clone().unwrap_or(reading.package().validator.clone()),
        args("case_sensitive")
    );

    let mut drifted = Files::of("2023-07");
    drifted.set("data/testdata.yaml", "output_validator_args: [float_absolute_tolerance, 1e-9]\n");
    assert_eq!(drifted.read().package().validator, args("float_absolute_tolerance 1e-9"));

    let mut current = Files::of("2025-09");
    current.set("data/secret/test_group.yaml", "output_validator_args: [float_tolerance, 1E-6]\n");
    current.set("data/sample/test_group.yaml", "output_validator_args: [float_tolerance, 1e-6]\n");
    current.set("data/secret/2.in", "").set("data/secret/2.ans", "");
    current.set("data/secret/2.yaml", "output_validator_args: [space_change_sensitive]\n");
    let reading = current.read();
    let package = reading.package();
    assert_eq!(package.validator, args("float_tolerance 1e-6"));
    let overrides: Vec<_> = package.cases.iter().map(|case| case.validator.clone()).collect();
    assert_eq!(overrides, [None, None, Some(args("space_change_sensitive"))]);
}

#[test]
fn submissions_carry_their_language_and_expectation() {
    let mut files = Files::of("2025-09");
    files.set("submissions/time_limit_exceeded/deep/Main.java", "class Main {}");
    files.set("submissions/time_limit_exceeded/deep/lib/Other.java", "class Other {}");
    files.set("submissions/mixed/c.c", "/* @EXPECTED_RESULTS@: WRONG-ANSWER, RUN-ERROR */");
    files.set("submissions/accepted/x.hs", "main = pure ()");
    files.set("submissions/accepted/old.py", "#!/usr/bin/env python2\nprint 1\n");
    files.set("submissions/submissions.yaml", "accepted/a.cpp: {language: cpp17}\n");
    let reading = files.read();
    let submissions: Vec<(&str, Option<&str>)> = reading
        .package()
        .submissions
        .iter()
        .map(|submission| (submission.path.as_str(), submission.language.as_ref().map(|id| id.as_str())))
        .collect();
    assert_eq!(
        submissions,
        [
            ("accepted/a.cpp", Some("cpp17")),
            ("accepted/old.py", None),
            ("accepted/x.hs", None),
            ("mixed/c.c", Some("c")),
            ("time_limit_exceeded/deep", Some("java")),
            ("wrong_answer/b.py", Some("python3")),
        ]
    );
    let mixed = &reading.package().submissions[3];
    assert_eq!(mixed.expected, Expectation::Final(vec![Verdict::WrongAnswer, Verdict::RunTimeError]));
    let deep = &reading.package().submissions[4];
    assert_eq!(deep.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["Main.java", "lib/Other.java"]);
    assert_eq!(deep.time_limit_use.bounds_from_above, [""]);
    assert!(reading.has("note", "submission_language_unknown", "submissions/accepted/x.hs"));
}

#[test]
fn statements_are_found_in_every_language_and_form() {
    let mut files = Files::of("2025-09");
    files.set(
        "problem.yaml",
        "problem_format_version: 2025-09\nname: {en: Sum, ja: 和}\nuuid: u\nlimits: {time_limit: 1}\n",
    );
    files.set("statement/problem.ja.md", "![図](fig.png) {{nextsample}} <script>x</script> ![x](../problem.yaml)\n");
    files.set_bytes("statement/fig.png", b"\x89PNG");
    files.set_bytes("statement/problem.sv.pdf", b"%PDF-1.4");
    let reading = files.read();
    let statements = &reading.package().statements;
    let kinds: Vec<(&str, &str)> =
        statements.iter().map(|statement| (statement.language.as_str(), statement.format.as_str())).collect();
    assert_eq!(kinds, [("en", "html"), ("ja", "html"), ("sv", "pdf")]);
    let ja = &statements[1];
    assert!(ja.html.contains("<img data-statement-file=\"fig.png\" alt=\"図\">"), "{}", ja.html);
    assert!(!ja.html.contains("script") && !ja.html.contains("problem.yaml"), "{}", ja.html);
    assert_eq!((ja.placed_samples, ja.files.len(), ja.files[0].name.as_str()), (1, 1, "fig.png"));
    assert!(statements[0].html.contains("<math"));
    assert_eq!(statements[2].format, StatementFormat::Pdf);
    reading.assert_warned("image_missing", "statement/problem.ja.md");
}

#[test]
fn a_statement_in_an_old_encoding_is_shown_and_said() {
    let mut files = Files::of("legacy");
    files.set_bytes("problem_statement/problem.sv.tex", b"\\problemname{G\xe5 hem}\nV\xe4lj.\n");
    let reading = files.read();
    reading.assert_warned("not_utf8", "problem_statement/problem.sv.tex");
    let statement = reading.package().statements.iter().find(|statement| statement.language == "sv").expect("there");
    assert!(statement.html.contains("Välj."), "{}", statement.html);
    let titles: Vec<&str> = reading.package().titles.iter().map(|title| title.text.as_str()).collect();
    assert_eq!(titles, ["Sum", "Gå hem"]);
}

#[test]
fn a_statement_that_never_stops_nesting_is_shown_as_it_is() {
    let mut files = Files::of("2025-09");
    files.set("statement/problem.en.md", &"> ".repeat(50_000));
    let reading = files.read();
    reading.assert_warned("statement_too_deep", "statement/problem.en.md");
    assert!(reading.package().statements[0].html.starts_with("<pre>&gt; &gt; "));
}

#[test]
fn hashes_follow_content_and_nothing_else() {
    let hashes = |files: &Files| {
        let reading = files.read();
        (reading.package().package_hash.clone(), reading.package().data_hash.clone())
    };
    let mut files = Files::of("2025-09");
    let first = hashes(&files);
    assert_eq!(hashes(&files), first, "another folder, the same content");
    assert_eq!(Reading::of_zip(&files.zip("sum/")).package().package_hash, first.0, "a zip of it");
    files.set("statement/problem.en.md", "Other words.\n");
    let reworded = hashes(&files);
    assert!(reworded.0 != first.0 && reworded.1 == first.1);
    files.set("data/secret/1.ans", "10\n");
    assert_ne!(hashes(&files).1, first.1);
    files
        .set("data/secret/1.ans", "9\n")
        .set("data/secret/test_group.yaml", "output_validator_args: [case_sensitive]\n");
    assert_ne!(hashes(&files).1, first.1, "how it is compared is part of the data");
}

#[test]
fn languages_follow_the_package_and_its_memory() {
    let mut files = Files::of("2025-09");
    let metadata = |extra: &str| format!("problem_format_version: 2025-09\nname: Sum\nuuid: u\n{extra}\n");
    files.set("problem.yaml", &metadata("limits: {time_limit: 1}\nlanguages: [python3, cpp]"));
    let ids = |reading: &Reading| reading.package().languages.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(ids(&files.read()), ["cpp17", "cpp20", "python3"]);
    files.set("problem.yaml", &metadata("limits: {time_limit: 1, memory: 64}"));
    let reading = files.read();
    reading.assert_warned("memory_below_minimum", "problem.yaml");
    assert!(!ids(&reading).contains(&"java".to_owned()));
    files.set("problem.yaml", &metadata("limits: {time_limit: 1}\nlanguages: [haskell]"));
    files.read().assert_refused("no_language", "problem.yaml");
}

#[test]
fn a_time_limit_may_lie_beside_the_metadata() {
    let mut files = Files::of("legacy");
    files.set(".timelimit", "3\n");
    assert_eq!(files.read().package().limits.time_limit_ms, Some(3000));
    files.set("domjudge-problem.ini", "timelimit='2.5'\n");
    files.read().assert_refused("time_limit_conflict", "domjudge-problem.ini");
}

#[test]
fn what_is_shown_of_a_conversation_is_read_and_checked() {
    let mut files = Files::of("2025-09");
    files.set("data/sample/1.interaction", "<7\n>3\n---\n>4\n");
    let reading = files.read();
    let package = reading.package();
    assert_eq!(package.cases[0].rules.interaction, "<7\n>3\n---\n>4\n");
    assert!(package.cases[1].rules.interaction.is_empty());
    files.set("data/sample/1.interaction", "<7\nwrites 3\n");
    files.read().assert_refused("interaction_invalid", "data/sample/1.interaction");
}
