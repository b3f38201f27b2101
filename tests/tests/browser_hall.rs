//! The hall's screens in a headless browser over `agon serve`, on the real engine.

use agon_tests::axe::Axe;
use agon_tests::page::Page;
use agon_tests::problem::{SUMS, write_sums, zip};
use agon_tests::programs::WRONG;
use agon_tests::stage::{Stage, WITHIN};
use agon_tests::{part, parts, wait};
use serde_json::json;

/// Submits a program that is wrong on the second secret test.
fn submit_wrong(page: &Page<'_>) {
    page.open_problem(SUMS);
    page.choose("language-select", "cpp20");
    page.type_program(WRONG);
    let shown = page.submit();
    assert_eq!(shown.verdict, "WA", "{}", shown.page);
}

/// The jury takes out a test that was wrong: the same problem with the first secret test alone.
fn replace_without_second_test(stage: &Stage) {
    let package = write_sums(&stage.place.path().join("home/mended"), 1);
    stage.page().click("nav-practice");
    stage.choose_package(&zip(&package));
    stage.page().click("doctor-accept");
    let _ = stage.page().see("imported");
}

/// Keeps a picture in both themes, for a person to look at.
fn picture(stage: &Stage, name: &str) {
    let folder = parts::artifacts().join("interface");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    for theme in ["light", "dark"] {
        stage.run(&format!("document.documentElement.dataset.theme = '{theme}'"));
        stage.session().screenshot(&folder.join(format!("{name}-{theme}-en.png")));
    }
    stage.run("document.documentElement.dataset.theme = 'light'");
}

/// What the page says of an element's attribute.
fn attribute(stage: &Stage, id: &str, name: &str) -> String {
    let script = format!(
        "const found = document.querySelector('[data-testid=\"{id}\"]'); return found ? found.getAttribute('{name}') : ''"
    );
    stage.run(&script).as_str().unwrap_or_default().to_owned()
}

fn wait_for_attribute(stage: &Stage, id: &str, name: &str, expected: &str) {
    wait::until(&format!("{id} to be {expected}"), WITHIN, || {
        let seen = attribute(stage, id, name);
        if seen == expected { Ok(()) } else { Err(format!("{seen}\n{}", stage.page().page_text())) }
    });
}

#[test]
fn a_mended_test_changes_a_verdict_only_when_the_review_is_applied() {
    part!(parts::sandbox());
    let stage = part!(Stage::with_sums());
    let page = stage.page();
    submit_wrong(&page);
    replace_without_second_test(&stage);

    page.click("nav-submissions");
    page.click("judge-again-these");
    let _ = page.see("ask-again");
    let is_disabled = "return document.querySelector('[data-testid=start-rejudging]').disabled";
    stage.wait_for("everything is never judged again by accident", is_disabled, &json!(true));
    page.choose("rejudge-verdict", "WA");
    picture(&stage, "ask-again");
    page.click("start-rejudging");

    page.see_text("set-counts", "1 verdict(s) change");
    wait_for_attribute(&stage, "set-state", "data-state", "open");
    wait_for_attribute(&stage, "old", "data-verdict", "WA");
    wait_for_attribute(&stage, "new", "data-verdict", "AC");
    picture(&stage, "review");
    page.click("nav-submissions");
    page.follow_row("submission-row-1");
    assert_eq!(page.verdict().verdict, "WA", "nothing counts before it is applied");

    page.click("nav-hall");
    page.click("hall-rejudging");
    page.follow_row("change-set-1");
    page.click("apply");
    let _ = page.see("confirm-yes");
    picture(&stage, "apply");
    page.click("confirm-yes");
    wait_for_attribute(&stage, "set-state", "data-state", "applied");
    page.click("nav-submissions");
    page.follow_row("submission-row-1");
    wait_for_attribute(&stage, "verdict", "data-verdict", "AC");

    stage.run("document.querySelector('[data-testid=why-differs]').open = true");
    let _ = page.see("differs-test_data");
    stage.run("document.querySelector('[data-testid=why-differs]').scrollIntoView()");
    picture(&stage, "why-differs");
    stage.end();
}

#[test]
fn a_discarded_review_leaves_the_verdict_as_it_was() {
    part!(parts::sandbox());
    let stage = part!(Stage::with_sums());
    let page = stage.page();
    submit_wrong(&page);
    page.click("nav-submissions");
    page.follow_row("submission-row-1");
    page.click("judge-again");
    page.click("mode-reviewed");
    page.click("start-rejudging");
    page.see_text("set-progress", "1 of 1");
    page.click("only-changed");
    let _ = page.see("empty");
    page.click("discard");
    page.click("confirm-yes");
    wait_for_attribute(&stage, "set-state", "data-state", "discarded");
    assert!(!page.has("apply"), "what is decided is decided: {}", page.page_text());
    page.click("nav-submissions");
    page.follow_row("submission-row-1");
    assert_eq!(page.verdict().verdict, "WA");
    stage.end();
}

#[test]
fn the_operations_view_counts_what_was_judged() {
    part!(parts::sandbox());
    let stage = part!(Stage::with_sums());
    let page = stage.page();
    page.click("nav-hall");
    page.see_text("number-last-verdict", "none yet");
    page.see_text("number-queue-depth", "nothing waits");
    let _ = page.see("no-dead-letters");
    submit_wrong(&page);
    page.click("nav-hall");
    wait::until("an age instead of none", WITHIN, || {
        let text = page.text("number-last-verdict");
        if text.contains(" s") { Ok(()) } else { Err(text) }
    });
    let _ = page.see("all-well");
    stage.end();
}

#[test]
fn the_audit_log_tells_who_did_what_and_its_chain_can_be_walked() {
    let stage = part!(Stage::with_sums());
    let page = stage.page();
    page.click("nav-hall");
    page.click("hall-audit");
    wait_for_attribute(&stage, "audit-1", "data-action", "problem.imported");
    page.click("verify-audit");
    let _ = page.see("chain-holds");
    picture(&stage, "audit-verified");
    page.choose("audit-action", "problem.removed");
    let _ = page.see("empty");
    page.choose("audit-action", "problem.imported");
    let _ = page.see("audit-1");
    stage.end();
}

#[test]
fn a_backup_is_made_listed_read_back_and_told_to_the_log() {
    let stage = part!(Stage::with_sums());
    let page = stage.page();
    page.click("nav-hall");
    page.click("hall-backups");
    let _ = page.see("empty");
    page.click("make-backup");
    let _ = page.see("backup-made");
    page.see_text("backups", "by hand");
    page.click("verify-backup");
    page.see_text("backups", "in order");
    picture(&stage, "backups-full");
    page.click("hall-audit");
    wait_for_attribute(&stage, "audit-2", "data-action", "backup.made");
    stage.end();
}

#[test]
fn no_screen_has_a_serious_accessibility_fault_in_either_theme() {
    part!(parts::sandbox());
    let axe = part!(Axe::load());
    let stage = part!(Stage::with_sums());
    let page = stage.page();
    submit_wrong(&page);
    let mut faults = Vec::new();
    for theme in ["light", "dark"] {
        page.click("nav-settings");
        page.choose("theme-select", theme);
        let mut look = |screen: &str| {
            let found = axe.faults(stage.session());
            faults.extend(found.into_iter().map(|fault| format!("{screen}, {theme}: {fault}")));
        };
        look("settings");
        for (link, ready) in [
            ("nav-practice", "problem-search"),
            ("nav-submissions", "submission-row-1"),
            ("nav-self-test", "run-self-test"),
            ("nav-hall", "number-queue-depth"),
            ("hall-audit", "audit-entries"),
            ("hall-backups", "make-backup"),
            ("hall-rejudging", "ask-many"),
        ] {
            page.click(link);
            let _ = page.see(ready);
            look(link);
        }
        page.click("ask-many");
        let _ = page.see("start-rejudging");
        look("the dialog that judges again");
        page.choose("rejudge-verdict", "WA");
        page.click("start-rejudging");
        // The list that was left has progress of its own.
        let _ = page.see("apply");
        stage.wait_for(
            "everything to be judged",
            "return document.querySelector('[data-testid=apply]').disabled",
            &json!(false),
        );
        look("a review");
        page.click("apply");
        let _ = page.see("confirm-yes");
        look("the question before applying");
        page.click("confirm-no");
        page.click("nav-submissions");
        page.follow_row("submission-row-1");
        let _ = page.see("first-failing");
        look("a submission");
        page.click("sandbox-indicator");
        let _ = page.see("sandbox-popover");
        look("the sandbox's popover");
        page.click("sandbox-indicator");
        page.open_problem(SUMS);
        let _ = page.see("sample-1");
        look("a problem");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    stage.end();
}
