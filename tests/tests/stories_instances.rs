//! One process owns a data folder; whoever comes second asks it or is told so, and spoils nothing.

use agon_contract::verdict::Verdict;
use agon_tests::cli::agon;
use agon_tests::problem::{SUMS, write_sums};
use agon_tests::programs::{RIGHT, SLOW};
use agon_tests::rooms::TempData;
use agon_tests::serve::Serve;
use agon_tests::{part, parts};

#[test]
fn a_second_owner_is_refused_by_the_firsts_name() {
    part!(parts::sandbox());
    let place = TempData::new();
    let package = write_sums(&place.path().join("home"), 6);
    let package = package.to_string_lossy().into_owned();
    assert_eq!(part!(agon(&place, &["import", &package])).code, 0);
    let server = part!(Serve::start(&place));
    let receipt = server.submit(&server.problem(SUMS), SLOW);

    let said = part!(agon(&place, &["serve", "--listen", "127.0.0.1:0"]));
    assert_eq!(said.code, 3, "{said:#?}");
    assert!(said.stderr.contains("in use by agon serve"), "{said:#?}");
    assert!(said.stderr.contains("agon address"), "the way in is named: {said:#?}");
    // What the owner can do for them is done, by the owner.
    let said = part!(agon(&place, &["import", &package]));
    assert!(said.code == 0 && said.stdout.contains("already there"), "{said:#?}");
    let said = part!(agon(&place, &["submissions"]));
    assert!(said.code == 0 && said.stdout.starts_with(&format!("#{}", receipt.number)), "{said:#?}");
    // What needs no data folder works beside it.
    let program = place.path().join("home/right.cpp");
    std::fs::write(&program, RIGHT).expect("written");
    let said = part!(agon(&place, &["judge", &package, &program.to_string_lossy()]));
    assert_eq!(said.code, 0, "{said:#?}");

    assert_eq!(server.verdict(&receipt.submission_id).0, Verdict::Accepted, "the first was not disturbed");
    server.stop();
    let said = part!(agon(&place, &["submissions"]));
    assert!(said.code == 0 && said.stdout.contains("AC"), "{said:#?}");
    place.assert_nothing_left();
}
