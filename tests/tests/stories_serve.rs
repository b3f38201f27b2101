//! The running server's doors, seen from outside: one address for one browser, uploads only, a clean end.

use agon_contract::ErrorCode;
use agon_contract::command::{ImportPackage, InspectPackage, ListProblems, RemoveProblem};
use agon_contract::package::PackageSource;
use agon_tests::cli::agon;
use agon_tests::problem::{write_sums, zip};
use agon_tests::rooms::TempData;
use agon_tests::serve::Serve;
use agon_tests::{part, parts};

#[test]
fn the_printed_address_works_once_and_a_restart_prints_another() {
    part!(parts::headless());
    let place = TempData::new();
    let (mut process, address) = part!(Serve::start_unopened(&place));
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into();
    let status = |address: &str| agent.get(address).call().expect("an answer").status().as_u16();
    assert_eq!(status(&address), 303);
    assert_eq!(status(&address), 401, "a second use");
    assert!(process.ask_to_end().success(), "{}", process.printed());

    let (mut process, another) = part!(Serve::start_unopened(&place));
    assert_ne!(address.split("token=").nth(1), another.split("token=").nth(1));
    assert!(process.ask_to_end().success(), "{}", process.printed());
    place.assert_nothing_left();
}

#[test]
fn a_terminal_works_beside_a_running_server_and_gets_another_address() {
    part!(parts::headless());
    let place = TempData::new();
    let package = write_sums(&place.path().join("home"), 2).display().to_string();
    let none = part!(agon(&place, &["problems"]));
    assert_eq!((none.code, none.stdout.as_str()), (0, ""), "{none:?}");
    assert!(none.stderr.contains("No problems in"), "{none:?}");
    assert!(!place.data().join("agon.db").exists(), "a look makes no data folder");
    let nobody = part!(agon(&place, &["address"]));
    assert_eq!(nobody.code, 2, "{nobody:?}");

    let server = part!(Serve::start(&place));
    let imported = part!(agon(&place, &["import", &package]));
    assert_eq!(imported.code, 0, "{imported:?}");
    let again = part!(agon(&place, &["import", &package]));
    assert!(again.code == 0 && again.stdout.contains("already there, unchanged"), "{again:?}");
    let listed = part!(agon(&place, &["problems"]));
    assert!(listed.code == 0 && listed.stdout.starts_with("sums "), "{listed:?}");
    let over_http = server.call(&ListProblems { query: String::new() }).expect("the same server");
    assert_eq!(over_http.len(), 1);

    let address = part!(agon(&place, &["address"])).stdout;
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into();
    assert_eq!(agent.get(address.trim()).call().expect("an answer").status().as_u16(), 303, "{address}");
    let removed = part!(agon(&place, &["remove", "sums"]));
    assert_eq!(removed.code, 0, "{removed:?}");
    assert_eq!(part!(agon(&place, &["remove", "sums"])).code, 2, "it is gone");
    server.stop();
    place.assert_nothing_left();
}

#[test]
fn a_browser_hands_in_bytes_and_never_names_a_file() {
    part!(parts::headless());
    let place = TempData::new();
    let package = write_sums(&place.path().join("home"), 2);
    let server = part!(Serve::start(&place));
    let path = || PackageSource::Path { path: package.to_string_lossy().into_owned() };
    let refused = server.call(&InspectPackage { source: path() }).expect_err("a path over HTTP");
    assert_eq!(refused.code, ErrorCode::BadRequest, "{refused:?}");
    let import = ImportPackage { source: path(), replace_existing: false };
    let refused = server.call(&import).expect_err("a path over HTTP");
    assert_eq!(refused.code, ErrorCode::BadRequest, "{refused:?}");

    let source = server.upload(&zip(&package)).expect("an upload");
    let report = server.call(&InspectPackage { source: source.clone() }).expect("a report");
    assert!(!report.is_refused(), "{report:#?}");
    let reply = server.call(&ImportPackage { source, replace_existing: false }).expect("an import");
    assert_eq!(reply.report.problem.expect("a problem").secret_case_count, 2);
    server.stop();
    place.assert_nothing_left();
}

#[test]
fn a_first_start_shows_four_problems_and_a_second_does_not_bring_them_back() {
    part!(parts::headless());
    let mut place = TempData::new();
    place.use_starter_problems();
    let server = part!(Serve::start(&place));
    let listed = server.call(&ListProblems { query: String::new() }).expect("problems are listed");
    let slugs: Vec<_> = listed.iter().map(|problem| problem.slug.as_str()).collect();
    assert_eq!(slugs.len(), 4, "{slugs:?}");
    server.call(&RemoveProblem { problem_id: listed[0].id.clone() }).expect("a problem is removed");
    server.stop();
    let server = part!(Serve::start(&place));
    let listed = server.call(&ListProblems { query: String::new() }).expect("problems are listed");
    assert_eq!(listed.len(), 3, "what a person removed stays away: {listed:#?}");
    server.stop();
    place.assert_nothing_left();
}
