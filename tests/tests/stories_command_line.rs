//! `agon judge` and `agon verify` on the real sandbox: verdicts, exit codes, and nothing kept.

use std::path::Path;

use agon_tests::cli::{Said, agon};
use agon_tests::problem::write_sums;
use agon_tests::programs::{EXIT_137, RIGHT, WRONG};
use agon_tests::rooms::TempData;
use agon_tests::{part, parts};
use serde_json::Value;

fn write(file: &Path, text: &str) -> String {
    std::fs::create_dir_all(file.parent().expect("a file lies in a folder")).expect("a folder can be made");
    std::fs::write(file, text).expect("a file can be written");
    file.to_string_lossy().into_owned()
}

fn lines(said: &Said) -> Vec<Value> {
    said.stdout.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{said:#?}"))).collect()
}

#[test]
fn judge_says_the_verdict_and_its_exit_code_too() {
    part!(parts::sandbox());
    let place = TempData::new();
    let home = place.path().join("home");
    let package = write_sums(&home, 3);
    let package = package.to_string_lossy();
    let right = write(&home.join("right.cpp"), RIGHT);
    let wrong = write(&home.join("wrong.cpp"), WRONG);
    let broken = write(&home.join("broken.cpp"), "int main( {");

    let said = part!(agon(&place, &["judge", &package, &right]));
    assert_eq!(said.code, 0, "{said:#?}");
    assert!(said.stdout.contains("AC") && said.stdout.contains("secret/03"), "{said:#?}");

    let said = part!(agon(&place, &["judge", &package, &wrong, "--json"]));
    let answer = &lines(&said)[0];
    let seen = (said.code, answer["verdict"].as_str(), answer["first_failing"].as_str());
    assert_eq!(seen, (1, Some("WA"), Some("secret/02")), "{said:#?}");
    assert_eq!(answer["runs"].as_array().map(Vec::len), Some(3), "it stops at the first failure: {said:#?}");

    let said = part!(agon(&place, &["judge", &package, &broken]));
    assert_eq!(said.code, 1, "{said:#?}");
    assert!(said.stdout.contains("CE") && said.stdout.contains("broken.cpp"), "{said:#?}");

    for refused in [vec!["judge", "/no/such/package", &right], vec!["judge", &package, &right, "--language", "klingon"]]
    {
        let said = part!(agon(&place, &refused));
        assert_eq!(said.code, 2, "{refused:?}: {said:#?}");
        assert!(said.stderr.starts_with("agon: "), "{refused:?}: {said:#?}");
    }
    assert!(std::fs::read_dir(place.data()).expect("the folder is there").next().is_none(), "judge keeps nothing");
    place.assert_nothing_left();
}

#[test]
fn verify_tells_the_truth_about_each_submission() {
    part!(parts::sandbox());
    let place = TempData::new();
    let package = write_sums(&place.path().join("home"), 3);
    let submissions = package.join("submissions");
    write(&submissions.join("wrong_answer/narrow.cpp"), WRONG);
    write(&submissions.join("run_time_error/ends.cpp"), EXIT_137);
    write(&submissions.join("accepted/sum.py"), "print(sum(map(int, input().split())))\n");
    let path = package.to_string_lossy().into_owned();

    let said = part!(agon(&place, &["verify", &path, "--json"]));
    assert_eq!(said.code, 0, "{said:#?}");
    let told = lines(&said);
    let told: Vec<_> = told.iter().map(|line| [&line["submission"], &line["language"], &line["verdict"]]).collect();
    let expected = [
        ["accepted/sum.cpp", "cpp20", "AC"],
        ["accepted/sum.py", "python3", "AC"],
        ["run_time_error/ends.cpp", "cpp20", "RTE"],
        ["wrong_answer/narrow.cpp", "cpp20", "WA"],
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for line in expected {
        assert!(told.iter().any(|seen| *seen == line), "{line:?} in {told:#?}");
    }

    write(&submissions.join("accepted/narrow.cpp"), WRONG);
    let said = part!(agon(&place, &["verify", &path, "--filter", "accepted/*.cpp", "--json"]));
    assert_eq!(said.code, 1, "{said:#?}");
    let told = lines(&said);
    let bad: Vec<_> = told.iter().filter(|line| line["ok"] == false).collect();
    assert_eq!(bad.len(), 1, "{said:#?}");
    assert_eq!([&bad[0]["submission"], &bad[0]["first_failing"]], ["accepted/narrow.cpp", "secret/02"], "{said:#?}");
    assert!(bad[0]["reason"].as_str().is_some_and(|reason| reason.contains("secret/02")), "{said:#?}");

    let said = part!(agon(&place, &["verify", &path, "--filter", "nothing/*"]));
    assert_eq!(said.code, 2, "{said:#?}");
    place.assert_nothing_left();
}

#[test]
fn a_missing_time_limit_is_derived_from_the_accepted_submissions() {
    part!(parts::sandbox());
    let place = TempData::new();
    let package = write_sums(&place.path().join("home"), 2);
    let yaml = package.join("problem.yaml");
    let text = std::fs::read_to_string(&yaml).expect("readable").replace("  time_limit: 1.0\n", "");
    write(&yaml, &text);
    let said = part!(agon(&place, &["verify", &package.to_string_lossy()]));
    assert_eq!(said.code, 0, "{said:#?}");
    assert!(said.stdout.contains("time limit 1.000 s (derived)"), "{said:#?}");
    place.assert_nothing_left();
}
