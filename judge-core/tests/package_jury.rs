//! Output validators, included files and arguments as packages bring them.

mod package_support;

use judge_core::domain::jury::{JuryBuild, JuryProgram};
use judge_core::domain::rules::{Checker, CheckerProtocol, JuryLimits};
use judge_core::package::CheckedPackage;
use package_support::{Files, Reading};

fn custom(files: &[(&str, &str)]) -> Files {
    let mut package = Files::of("legacy");
    package.set("problem.yaml", "name: Sum\nvalidation: custom\nvalidator_flags: a b\nlimits: {memory: 256}\n");
    for (name, text) in files {
        package.set(name, text);
    }
    package
}

fn validator(package: &CheckedPackage) -> (&JuryProgram, &[String]) {
    match &package.rules.checker {
        Checker::Program { program, protocol: CheckerProtocol::Icpc, args } => (program, args),
        other => panic!("{other:?}"),
    }
}

fn names(program: &JuryProgram) -> Vec<&str> {
    program.files.iter().map(|file| file.name.as_str()).collect()
}

#[test]
fn validators_are_found_in_every_form() {
    let language = |id: &str| JuryBuild::Language(id.into());
    for (files, name, build, inside) in [
        (&["output_validators/v.py"][..], "output_validators", language("python3"), &["v.py"][..]),
        (
            &["output_validators/v/v.cc", "output_validators/v/v.h"],
            "output_validators/v",
            language("cpp17"),
            &["v.cc", "v.h"],
        ),
        (
            &["output_validators/v.cpp", "output_validators/v.h"],
            "output_validators",
            language("cpp17"),
            &["v.cpp", "v.h"],
        ),
        (
            &["output_validators/v/__main__.py", "output_validators/v/__init__.py"],
            "output_validators/v",
            language("python3"),
            &["__init__.py", "__main__.py"],
        ),
        (
            &["output_validators/v/build", "output_validators/v/run", "output_validators/v/x.hs"],
            "output_validators/v",
            JuryBuild::Scripts,
            &["build", "run", "x.hs"],
        ),
        (&["output_validators/v/src/Main.java"], "output_validators/v", language("java"), &["src/Main.java"]),
    ] {
        let files: Vec<(&str, &str)> = files.iter().map(|name| (*name, "x\n")).collect();
        let reading = custom(&files).read();
        let (program, args) = validator(reading.package());
        assert_eq!((program.name.as_str(), &program.build, names(program)), (name, &build, inside.to_vec()));
        assert_eq!(args, ["a", "b"]);
        let package = reading.package();
        for hash in package.rules.hashes() {
            assert!(package.contents[hash].exists(), "{hash} has its place");
        }
    }
    let mut new = Files::of("2025-09");
    new.set("output_validator/check.cpp", "x\n").set("output_validator/lib/util.h", "x\n");
    let reading = new.read();
    let (program, args) = validator(reading.package());
    assert_eq!((program.name.as_str(), names(program)), ("output_validator", vec!["check.cpp", "lib/util.h"]));
    assert!(args.is_empty());
}

#[test]
fn what_cannot_be_had_is_never_judged_by_the_default_validator() {
    let refused = |files: Files, place: &str| files.read().assert_refused("unsupported_custom_validator", place);
    refused(custom(&[]), "problem.yaml");
    refused(custom(&[("output_validators/a.py", "x\n"), ("output_validators/b.py", "y\n")]), "output_validators");
    refused(custom(&[("output_validators/a/a.py", "x\n"), ("output_validators/b/b.py", "y\n")]), "output_validators");
    refused(custom(&[("output_validators/v/v.zig", "x\n")]), "output_validators/v");
    let mut unsaid = Files::of("legacy");
    unsaid.set("output_validators/v.py", "x\n");
    refused(unsaid, "problem.yaml");
}

#[test]
fn arguments_come_from_the_problem_and_the_nearest_group_or_case() {
    let mut files = Files::of("2025-09");
    files.set("output_validator/v.py", "x\n");
    files
        .set("data/secret/2.in", "1\n")
        .set("data/secret/2.ans", "1\n")
        .set("data/secret/2.yaml", "output_validator_args: [own, 1e-6]\nargs: [--fast, \"two words\"]\n");
    files.set("data/secret/3.in", "1\n").set("data/secret/3.ans", "1\n");
    files.set("data/secret/test_group.yaml", "output_validator_args: [group]\nargs: [x]\n");
    let reading = files.read();
    let package = reading.package();
    let (_, args) = validator(package);
    assert_eq!(args, ["group"], "what most cases say is the package's");
    let case = |name: &str| &package.cases.iter().find(|case| case.name == name).expect(name).rules;
    assert_eq!(case("secret/2").checker_args.as_deref(), Some(&["own".to_owned(), "1e-6".to_owned()][..]));
    assert_eq!(case("secret/2").args, ["--fast", "two words"]);
    assert_eq!((case("secret/3").checker_args.as_deref(), case("secret/3").args.clone()), (None, vec!["x".to_owned()]));
    assert_eq!(case("sample/1").checker_args.as_deref(), Some(&[][..]), "the sample has no such group");
    let before = package.data_hash.clone();
    files.set("data/secret/test_group.yaml", "output_validator_args: [other]\nargs: [x]\n");
    assert_ne!(files.read().package().data_hash, before);
}

#[test]
fn limits_of_the_jury_are_read() {
    let mut files = Files::of("2025-09");
    files.set("output_validator/v.py", "x\n");
    assert_eq!(files.read().package().rules.jury_limits, JuryLimits::default());
    files.set("problem.yaml", "problem_format_version: 2025-09\nname: Sum\nuuid: u\nlimits: {time_limit: 1, validation_time: 10, validation_memory: 512, validation_output: 4}\n");
    let limits = JuryLimits { time_ms: 10_000, memory_bytes: 512 << 20, output_bytes: 4 << 20 };
    assert_eq!(files.read().package().rules.jury_limits, limits);
}

#[test]
fn included_files_are_taken_by_language() {
    let mut files = Files::of("2025-09");
    files.set("include/python3/lib.py", "x\n").set("include/default/readme.txt", "y\n").set("include/cpp/a/b.h", "z\n");
    files.set("include/stray.h", "z\n");
    let reading = files.read();
    let taken: Vec<(&str, Vec<&str>)> = reading
        .package()
        .rules
        .includes
        .iter()
        .map(|include| (include.language.as_str(), include.files.iter().map(|file| file.name.as_str()).collect()))
        .collect();
    assert_eq!(taken, [("cpp", vec!["a/b.h"]), ("default", vec!["readme.txt"]), ("python3", vec!["lib.py"])]);
    assert!(reading.has("warning", "include_misplaced", "include/stray.h"));
}

#[test]
fn a_zip_brings_the_same_validator() {
    let files = custom(&[("output_validators/v/build", "x\n"), ("output_validators/v/run", "y\n")]);
    let reading = Reading::of_zip(&files.zip("sum/"));
    assert_eq!(validator(reading.package()).0.build, JuryBuild::Scripts);
}
