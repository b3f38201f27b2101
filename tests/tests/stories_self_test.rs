//! `agon self-test` on the real machine: green beside a running server, red at once without an engine, nothing left.

use agon_contract::sandbox::{SandboxHealth, SelfTestReport};
use agon_tests::cli::{Said, agon};
use agon_tests::rooms::TempData;
use agon_tests::serve::Serve;
use agon_tests::{part, parts};

fn report(said: &Said) -> SelfTestReport {
    serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:#?}"))
}

#[test]
fn a_sound_machine_passes_while_a_server_has_the_data_folder() {
    part!(parts::sandbox());
    let place = TempData::new();
    let server = part!(Serve::start(&place));
    let said = part!(agon(&place, &["self-test"]));
    let lines: Vec<&str> = said.stdout.lines().filter(|line| !line.is_empty()).collect();
    let (last, items) = lines.split_last().expect("it says something");
    eprintln!("{}", said.stdout);
    assert!(items.iter().all(|line| line.starts_with("ok ")), "{said:#?}");
    assert_eq!(said.code, 0, "{said:#?}");
    assert!(last.starts_with(&format!("{0} of {0} passed", items.len())) && items.len() > 40, "{last}");
    for name in ["engine", "supervisor_untouchable", "limit_memory", "after_fork_bomb", "toolchain_java", "calibration"]
    {
        assert!(items.iter().any(|line| line.split_whitespace().nth(1) == Some(name)), "{name}: {said:#?}");
    }
    server.stop();
    place.assert_nothing_left();
}

#[test]
fn without_an_engine_it_is_red_at_once_and_says_what_to_do() {
    part!(parts::supervisor());
    let mut place = TempData::new();
    place.use_engine("unix:///no/such/engine.sock");
    let said = part!(agon(&place, &["self-test", "--json"]));
    let report = report(&said);
    assert_eq!((said.code, report.passed), (1, false), "{said:#?}");
    assert_eq!(report.sandbox.health, SandboxHealth::EngineAway);
    let engine = &report.items[0];
    assert_eq!((engine.name.as_str(), engine.passed), ("engine", false));
    assert!(engine.remedy.contains("systemctl start docker"), "{engine:?}");
    let not_run = report.items.iter().filter(|item| item.detail == "not run: engine away");
    assert!(not_run.clone().count() > 20 && not_run.clone().all(|item| !item.passed), "{report:#?}");
    let tried: Vec<&str> = report.items.iter().filter(|item| item.passed).map(|item| item.name.as_str()).collect();
    assert_eq!(tried, ["supervisor", "clock", "disk"]);
    let said = part!(agon(&place, &["self-test"]));
    assert_eq!(said.code, 1, "{said:#?}");
    assert!(said.stdout.contains("FAIL  engine") && said.stdout.contains("> Start the engine"), "{said:#?}");
}
