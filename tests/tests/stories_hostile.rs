//! Hostile programs get the verdict they earned, and the next one is judged as if they had never been.

use agon_contract::verdict::Verdict;
use agon_tests::cli::agon;
use agon_tests::problem::{SUMS, write_sums};
use agon_tests::programs::{HOSTILE, RIGHT, WRONG};
use agon_tests::rooms::TempData;
use agon_tests::serve::Serve;
use agon_tests::{part, parts};

#[test]
fn hostile_programs_are_named_for_what_they_did() {
    part!(parts::sandbox());
    let place = TempData::new();
    let package = write_sums(&place.path().join("home"), 3);
    let said = part!(agon(&place, &["import", &package.to_string_lossy()]));
    assert_eq!(said.code, 0, "{said:#?}");
    let server = part!(Serve::start(&place));
    let problem = server.problem(SUMS);
    for (name, program, expected, word) in HOSTILE {
        let receipt = server.submit(&problem, program);
        let (verdict, judgement) = server.verdict(&receipt.submission_id);
        assert_eq!(verdict, Verdict::from(*expected), "{name}: {judgement:#?}");
        let messages: Vec<_> = judgement.runs.iter().map(|run| &run.message).collect();
        let said = format!("{} {messages:?}", judgement.reason);
        assert!(said.contains(word), "{name}: {word:?} is not in {said}");
        let next = server.submit(&problem, RIGHT);
        assert_eq!(server.verdict(&next.submission_id).0, Verdict::Accepted, "the one after the {name}");
    }
    let wrong = server.submit(&problem, WRONG);
    let (verdict, judgement) = server.verdict(&wrong.submission_id);
    let seen = (verdict, judgement.first_failing.as_deref());
    assert_eq!(seen, (Verdict::WrongAnswer, Some("secret/02")), "{judgement:#?}");
    server.stop();
    place.assert_nothing_left();
}
