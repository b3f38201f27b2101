//! The command line on the real sandbox: `agon judge` and `agon verify` with verdicts, exit codes and nothing kept;
//! what staff does to submissions, through a server that holds the folder and without one.

use std::path::Path;

use agon_tests::cli::{Said, agon, agon_told};
use agon_tests::problem::{SUMS, write_sums, zip};
use agon_tests::programs::{EXIT_137, RIGHT, WRONG};
use agon_tests::rooms::TempData;
use agon_tests::serve::Serve;
use agon_tests::{part, parts};
use rusqlite::Connection;
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

/// Runs `agon`, which must end with `code`.
fn said(place: &TempData, code: i32, arguments: &[&str]) -> Said {
    let said = agon(place, arguments).expect("it was there a moment ago");
    assert_eq!(said.code, code, "{arguments:?}: {said:#?}");
    said
}

/// The verdicts that count, by number.
fn verdicts(place: &TempData) -> Vec<(u64, String)> {
    let listed = lines(&said(place, 0, &["submissions", "--json"]));
    let mut rows: Vec<_> = listed
        .iter()
        .map(|row| (row["number"].as_u64().expect("a number"), row["verdict"].as_str().unwrap_or("-").to_owned()))
        .collect();
    rows.sort();
    rows
}

fn actions(place: &TempData) -> Vec<String> {
    let listed = lines(&said(place, 0, &["audit", "list", "--json", "--limit", "1000"]));
    listed.iter().filter_map(|entry| entry["action"].as_str().map(str::to_owned)).collect()
}

#[test]
fn verdicts_change_only_when_a_rejudging_is_applied_and_the_log_tells_who_did_it() {
    part!(parts::sandbox());
    part!(parts::headless());
    let place = TempData::new();
    let home = place.path().join("home");
    let server = part!(Serve::start(&place));
    server.import(&zip(&write_sums(&home, 3))).expect("taken in");
    let problem = server.problem(SUMS);
    for (program, expected) in [(WRONG, "WA"), (RIGHT, "AC")] {
        let receipt = server.submit(&problem, program);
        assert_eq!(server.verdict(&receipt.submission_id).0.as_str(), expected);
    }

    // The cases on which 32 bits are too few go: the data were wrong.
    std::fs::remove_dir_all(home.join(SUMS)).expect("removable");
    let corrected = write_sums(&home, 1).to_string_lossy().into_owned();
    said(&place, 2, &["import", &corrected]);
    said(&place, 0, &["import", &corrected, "--replace"]);
    let preview = said(&place, 0, &["rejudge", "--problem", SUMS, "--change-set"]);
    assert!(preview.stdout.contains(" WA -> AC ") && preview.stdout.contains(" AC -> AC "), "{preview:#?}");
    let shown = lines(&said(&place, 0, &["change-set", "show", "1", "--changed", "--json"]));
    assert_eq!((&shown[0]["items"][0]["number"], shown[0]["items"].as_array().map(Vec::len)), (&1.into(), Some(1)));
    let before = [(1, "WA".to_owned()), (2, "AC".to_owned())];
    assert_eq!(verdicts(&place), before, "nothing counts before it is applied");

    said(&place, 0, &["change-set", "apply", "1"]);
    let after = [(1, "AC".to_owned()), (2, "AC".to_owned())];
    assert_eq!(verdicts(&place), after);
    said(&place, 2, &["change-set", "discard", "1"]);
    let explained = said(&place, 0, &["explain", "1"]).stdout;
    assert!(explained.starts_with("judging 1 said WA, judging 2 said AC\n"), "{explained}");
    assert!(explained.contains("test_data"), "{explained}");
    said(&place, 2, &["explain", "3"]);
    server.stop();

    // Without a holder the command judges by itself; the same again changes nothing.
    said(&place, 0, &["rejudge", "--submission", "1"]);
    assert_eq!(verdicts(&place), after);
    let explained = said(&place, 0, &["explain", "1"]).stdout;
    assert!(explained.contains("both were made with the same things"), "{explained}");
    let told = actions(&place);
    let count = |action: &str| told.iter().filter(|told| *told == action).count();
    assert_eq!(
        (count("rejudge.requested"), count("rejudge.applied"), count("problem.replaced")),
        (2, 1, 1),
        "{told:?}"
    );
    said(&place, 0, &["audit", "verify"]);
    place.assert_nothing_left();
}

#[test]
fn staff_cancel_and_revive_through_the_server_and_without_it() {
    part!(parts::headless());
    let mut place = TempData::new();
    place.use_engine("unix:///nonexistent/engine.sock");
    let server = part!(Serve::start(&place));
    server.import(&zip(&write_sums(&place.path().join("home"), 1))).expect("taken in");
    let problem = server.problem(SUMS);
    let ids: Vec<_> = (0..3).map(|_| server.submit(&problem, RIGHT).submission_id).collect();

    let done = said(&place, 0, &["cancel", "1"]);
    assert_eq!(done.stdout, "#1: the judging was cancelled; there is no verdict\n");
    let again = said(&place, 2, &["cancel", "1"]);
    assert!(again.stderr.contains("nothing of this submission waits"), "{again:#?}");
    said(&place, 2, &["cancel", "99"]);
    assert_eq!(said(&place, 0, &["dead-letters", "list"]).stdout, "");
    said(&place, 2, &["dead-letters", "revive", "2"]);
    server.stop();

    let cancelled = &lines(&said(&place, 0, &["cancel", "2", "--json"]))[0];
    assert_eq!(cancelled["judgements"][0]["state"], "cancelled", "{cancelled:#?}");
    let database = Connection::open(place.data().join("agon.db")).expect("the database opens");
    database.execute("DELETE FROM submission_queue_entry WHERE submission_id = ?1", [ids[2].as_str()]).expect("ours");
    let set_aside = "UPDATE submission_judge_outbox SET state = 'dead', last_error = 'a story set it aside'
                     WHERE submission_id = ?1";
    assert_eq!(database.execute(set_aside, [ids[2].as_str()]).expect("ours"), 1);
    drop(database);
    let listed = said(&place, 0, &["dead-letters", "list"]).stdout;
    assert!(listed.starts_with("#3 ") && listed.ends_with("a story set it aside\n"), "{listed}");
    let server = part!(Serve::start(&place));
    let letters = lines(&said(&place, 0, &["dead-letters", "list", "--json"]));
    assert_eq!((letters.len(), &letters[0]["number"]), (1, &3.into()), "{letters:#?}");
    let revived = said(&place, 0, &["dead-letters", "revive", "3"]).stdout;
    assert_eq!(revived, "#3: waits to be judged again, as judging 2\n");
    said(&place, 2, &["dead-letters", "revive", "3"]);
    server.stop();
    assert_eq!(said(&place, 0, &["dead-letters", "list"]).stdout, "");
    let told = actions(&place);
    let count = |action: &str| told.iter().filter(|told| *told == action).count();
    assert_eq!((count("judgement.cancelled"), count("dead_letter.revived")), (2, 1), "{told:?}");
    said(&place, 0, &["audit", "verify"]);
    place.assert_nothing_left();
}

#[test]
fn what_only_lists_leaves_the_folder_as_it_is() {
    part!(parts::headless());
    let place = TempData::new();
    let made = part!(agon_told(&place, &["account", "add", "ann"], "correct horse battery\n"));
    assert_eq!(made.code, 0, "{made:#?}");
    let database = || std::fs::read(place.data().join("agon.db")).expect("readable");
    let before = database();
    for looks in [
        &["problems"][..],
        &["submissions"],
        &["audit", "list"],
        &["audit", "verify"],
        &["account", "list"],
        &["account", "sessions", "ann"],
        &["modules"],
        &["dead-letters", "list"],
        &["change-set", "list"],
    ] {
        let told = said(&place, 0, looks);
        assert!(before == database(), "{looks:?} changed something: {told:#?}");
    }
    assert!(said(&place, 0, &["audit", "list"]).stdout.contains("account.created"));
    assert!(said(&place, 0, &["account", "list"]).stdout.contains("ann"));
    said(&place, 0, &["account", "disable", "ann"]);
    assert!(before != database(), "what changes something is seen to");
    place.assert_nothing_left();
}
