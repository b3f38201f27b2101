//! Every command as contestant, coach, jury and admin: what each may, and that nobody sees what is another's.
//!
//! The commands come from the contract's list, so a new one fails here until somebody says who may use it.

mod judge_support;

use std::collections::BTreeSet;

use agon_contract::account::{LogIn, Secret};
use agon_contract::command::{self, Command, CreateAccount};
use agon_contract::settings::Role;
use agon_contract::{ApiError, COMMAND_NAMES, ErrorCode};
use judge_core::{Actor, Judge};
use judge_support::{Bench, RIGHT, SAMPLE_ONLY, submission, until};
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse battery";
/// What the other contestant handed in and is writing; it must reach nobody without the permission.
const THEIR_SOURCE: &str = "their submitted program";
const THEIR_DRAFT: &str = "their unfinished program";
const THEIR_INPUT: &str = "their own test input";
/// A thing that does not exist: asked for where a command would otherwise change what later roles look at.
const NOTHING: &str = "00000000-0000-7000-8000-000000000000";

/// Says a command by its name, as a host does.
macro_rules! say_by_name {
    ($($name:ident: $request:ident;)+) => {
        async fn say(judge: &Judge, actor: &Actor, name: &str, request: &Value) -> Result<Value, ApiError> {
            match name {
                $(stringify!($name) => {
                    let request: command::$request = serde_json::from_value(request.clone())
                        .unwrap_or_else(|error| panic!("{name} {request}: {error}"));
                    let answer: <command::$request as Command>::Response = judge.$name(actor, request).await?;
                    Ok(serde_json::to_value(answer).expect("an answer is JSON"))
                })+
                other => panic!("there is no command {other}"),
            }
        }
    };
}

agon_contract::for_each_command!(say_by_name);

/// Who is not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum May {
    /// Everybody: it is public or about themselves.
    All,
    Jury,
    Admin,
    /// Only the person whose it is; to everybody else, staff too, it does not exist.
    Owner,
    /// The person whose it is and who may read everybody's; to others it does not exist.
    OwnerAndReaders,
    /// Who may read everybody's submissions: coaches, jury, admins.
    Readers,
    /// The person whose it is and who manages accounts; to others it does not exist.
    OwnerAndAdmins,
}

/// What another contestant has, by id.
struct Others {
    user_id: String,
    problem_id: String,
    submission_id: String,
    judgement_id: String,
    preview_id: String,
    draft_problem: String,
    session_id: String,
}

/// Each command with a request that reaches for what is another's, where it can.
fn rows(others: &Others, key: &str) -> Vec<(&'static str, Value, May)> {
    let Others { user_id, problem_id, submission_id, judgement_id, preview_id, .. } = others;
    let Others { draft_problem, session_id, .. } = others;
    let files = json!([{ "name": "main.cpp", "text": "my own" }]);
    let preferences = json!({ "theme": "dark", "locale": "en", "default_language": "" });
    let path = json!({ "kind": "path", "path": "/nowhere" });
    let submit = json!({ "idempotency_key": key, "problem_id": problem_id, "language_id": "cpp20", "files": files });
    let preview = json!({ "idempotency_key": key, "problem_id": problem_id, "language_id": "cpp20", "files": files,
                          "cases": { "kind": "samples" } });
    let waited = json!({ "preview": { "idempotency_key": format!("{key}, waited for"), "problem_id": problem_id,
                                      "language_id": "cpp20", "files": files, "cases": { "kind": "samples" } },
                         "visibility": "public_preview", "wait_ms": 30_000 });
    let rejudge = json!({ "idempotency_key": key, "mode": "direct", "basis": "newest",
                          "selection": { "kind": "submission", "submission_id": NOTHING } });
    let account = json!({ "name": "a b", "display_name": "x", "roles": ["admin"], "password": PASSWORD });
    let sample = json!({ "data": { "kind": "sample_input", "problem_id": problem_id, "case_name": "sample/1" },
                         "offset": 0, "length": 10 });
    vec![
        ("handshake", json!({ "contract_version": 1, "client": "test" }), May::All),
        ("get_session", json!({}), May::All),
        ("set_preferences", json!({ "preferences": preferences }), May::All),
        ("list_languages", json!({}), May::All),
        ("list_problems", json!({ "query": "" }), May::All),
        ("get_problem", json!({ "problem_id": problem_id }), May::All),
        ("get_statement", json!({ "problem_id": problem_id, "language": "en" }), May::All),
        ("read_data", sample, May::All),
        ("inspect_package", json!({ "source": path }), May::Jury),
        ("import_package", json!({ "source": path, "replace_existing": false }), May::Jury),
        ("remove_problem", json!({ "problem_id": NOTHING }), May::Jury),
        ("submit", submit, May::All),
        ("list_submissions", json!({ "problem_id": null, "before_number": null, "limit": 200 }), May::All),
        ("get_submission", json!({ "submission_id": submission_id }), May::OwnerAndReaders),
        ("start_preview", preview, May::All),
        ("get_preview", json!({ "preview_id": preview_id }), May::Owner),
        ("cancel_preview", json!({ "preview_id": preview_id }), May::Owner),
        ("run_preview", waited, May::All),
        (
            "poll_execution",
            json!({ "job": { "kind": "judgement", "judgement_id": judgement_id } }),
            May::OwnerAndReaders,
        ),
        ("poll_execution", json!({ "job": { "kind": "preview", "preview_id": preview_id } }), May::OwnerAndReaders),
        ("save_draft", json!({ "problem_id": problem_id, "language_id": "cpp20", "text": "my own" }), May::All),
        ("load_draft", json!({ "problem_id": draft_problem, "language_id": null }), May::All),
        ("list_draft_versions", json!({ "problem_id": draft_problem, "language_id": "cpp20" }), May::All),
        ("watch_status", json!({}), May::All),
        ("set_watch_folder", json!({ "path": "/nowhere", "polls": false }), May::Admin),
        ("recheck_package", json!({ "name": "no such package" }), May::Jury),
        ("watch_file", json!({ "problem_id": NOTHING, "language_id": "cpp20", "path": "/nowhere" }), May::All),
        ("unwatch_file", json!({ "problem_id": draft_problem, "language_id": "cpp20" }), May::All),
        ("sandbox_status", json!({}), May::All),
        ("self_test", json!({}), May::Jury),
        ("self_test_progress", json!({}), May::Jury),
        ("outbox_counts", json!({}), May::All),
        ("get_operations", json!({}), May::Jury),
        ("list_modules", json!({}), May::Jury),
        ("set_module_enabled", json!({ "name": "no such module", "enabled": true }), May::Admin),
        ("restart_module", json!({ "name": "no such module" }), May::Admin),
        ("wait_events", json!({ "after_seq": 0, "progress_counter": 0, "wait_ms": 0 }), May::All),
        ("rejudge", rejudge, May::Jury),
        ("list_change_sets", json!({ "before_number": null, "limit": 200 }), May::Jury),
        (
            "get_change_set",
            json!({ "change_set_id": NOTHING, "after_ordinal": 0, "limit": 10, "only_changed": false }),
            May::Jury,
        ),
        ("apply_change_set", json!({ "change_set_id": NOTHING }), May::Jury),
        ("discard_change_set", json!({ "change_set_id": NOTHING }), May::Jury),
        ("cancel_judging", json!({ "submission_id": NOTHING }), May::Jury),
        ("revive", json!({ "submission_id": NOTHING }), May::Jury),
        ("list_dead_letters", json!({ "limit": 200 }), May::Jury),
        ("explain_difference", json!({ "first": NOTHING, "second": NOTHING }), May::Readers),
        ("list_accounts", json!({ "name": null, "after_name": null, "limit": 500 }), May::Admin),
        ("create_account", account, May::Admin),
        ("set_password", json!({ "user_id": null, "old_password": null, "new_password": PASSWORD }), May::All),
        ("set_password", json!({ "user_id": NOTHING, "old_password": null, "new_password": PASSWORD }), May::Admin),
        ("set_roles", json!({ "user_id": NOTHING, "roles": ["admin"] }), May::Admin),
        ("disable_account", json!({ "user_id": NOTHING, "is_disabled": true }), May::Admin),
        ("end_sessions", json!({ "user_id": NOTHING }), May::Admin),
        ("list_sessions", json!({ "user_id": user_id }), May::Admin),
        ("list_sessions", json!({ "user_id": null }), May::All),
        ("end_session", json!({ "session_id": session_id }), May::OwnerAndAdmins),
        ("list_notices", json!({ "before_id": null, "limit": 200 }), May::All),
        ("mark_notices_read", json!({ "ids": [NOTHING], "up_to_id": null }), May::All),
        ("get_notice_preferences", json!({}), May::All),
        ("set_notice_preferences", json!({ "changes": [] }), May::All),
        ("list_audit", json!({ "before_seq": null, "limit": 100 }), May::Jury),
        ("verify_audit", json!({}), May::Jury),
        ("list_dead_messages", json!({}), May::Jury),
        (
            "revive_message",
            json!({ "place": { "kind": "outbox", "owner": "submission" }, "event_id": NOTHING }),
            May::Jury,
        ),
        ("make_backup", json!({ "into": "/nowhere/at all" }), May::Admin),
        ("list_backups", json!({}), May::Admin),
        ("verify_backup", json!({ "backup_id": NOTHING }), May::Admin),
        ("get_settings", json!({}), May::Admin),
        ("set_setting", json!({ "name": "no such setting", "value": 1 }), May::Admin),
        // Their own sessions end here: nothing more is said as this person.
        ("end_sessions", json!({ "user_id": null }), May::All),
    ]
    .into_iter()
    .chain(user_rows(user_id))
    .collect()
}

/// Reaching for another person by name: refused to everybody but admins, whose hands the test does not let that far.
fn user_rows(user_id: &str) -> Vec<(&'static str, Value, May)> {
    vec![
        ("set_roles", json!({ "user_id": user_id, "roles": ["contestant"] }), May::Admin),
        ("end_sessions", json!({ "user_id": user_id }), May::Admin),
    ]
}

/// The actor of a person who logged in, as a host makes it.
async fn enter(judge: &Judge, name: &str, role: Role) -> Actor {
    let request = CreateAccount {
        name: name.into(),
        display_name: format!("Person {name}"),
        roles: vec![role],
        password: Secret::from(PASSWORD),
    };
    judge.create_account(&judge.local_actor(), request).await.expect("made");
    let begun = judge.log_in("a peer", LogIn { name: name.into(), password: Secret::from(PASSWORD) }, None).await;
    let token = begun.expect("in").token;
    judge.session_actor(token.expose()).await.expect("readable").expect("it lives")
}

/// A contestant who has handed in, tried and written something.
async fn other_contestant(bench: &Bench) -> Others {
    let judge = &bench.judge;
    let other = enter(judge, "other", Role::Contestant).await;
    let problem_id = bench.import().await;
    let receipt = judge.submit(&other, submission("their key", &problem_id, THEIR_SOURCE)).await.expect("saved");
    let judged = until(judge, &other, &receipt.submission_id, |detail| detail.summary.verdict.is_some()).await;
    let files = json!([{ "name": "main.cpp", "text": THEIR_SOURCE }]);
    let preview = json!({ "idempotency_key": "their preview", "problem_id": problem_id, "language_id": "cpp20",
                          "files": files, "cases": { "kind": "custom", "input": THEIR_INPUT } });
    let preview = say(judge, &other, "start_preview", &preview).await.expect("started");
    let open = say(judge, &other, "list_sessions", &json!({ "user_id": null })).await.expect("one's own");
    let session_id = open[0]["id"].as_str().expect("the one of the log-in").to_owned();
    let draft = json!({ "problem_id": problem_id, "language_id": "cpp20", "text": THEIR_DRAFT });
    say(judge, &other, "save_draft", &draft).await.expect("journalled");
    Others {
        user_id: other.user_id.0,
        problem_id: problem_id.0.clone(),
        submission_id: receipt.submission_id.0,
        judgement_id: judged.judgements[0].id.0.clone(),
        preview_id: preview["id"].as_str().expect("an id").to_owned(),
        draft_problem: problem_id.0,
        session_id,
    }
}

fn check_allowed(who: &str, name: &str, may: May, role: Option<&Role>, answer: &Result<Value, ApiError>) {
    let code = answer.as_ref().err().map(|error| error.code.clone());
    let expected = match may {
        May::All => true,
        May::Readers | May::OwnerAndReaders => role.is_some_and(is_reader),
        May::Jury => role.is_some_and(is_staff),
        May::Admin | May::OwnerAndAdmins => role == Some(&Role::Admin),
        May::Owner => false,
    };
    match (may, expected) {
        (_, true) => assert_ne!(code, Some(ErrorCode::Forbidden), "{who} may {name}: {answer:?}"),
        (May::Owner | May::OwnerAndReaders | May::OwnerAndAdmins, false) => {
            assert_eq!(code, Some(ErrorCode::NotFound), "for {who} it does not exist: {name}: {answer:?}");
        }
        (_, false) => assert_eq!(code, Some(ErrorCode::Forbidden), "{who} may not {name}: {answer:?}"),
    }
}

fn is_staff(role: &Role) -> bool {
    matches!(role, Role::Jury | Role::Admin)
}

fn is_reader(role: &Role) -> bool {
    matches!(role, Role::Coach) || is_staff(role)
}

/// Nothing of the other contestant is in an answer to somebody who may not read submissions.
fn check_private(who: &str, name: &str, others: &Others, answer: &Result<Value, ApiError>) {
    let Ok(answer) = answer else { return };
    let text = answer.to_string();
    let theirs = [
        others.user_id.as_str(),
        &others.submission_id,
        &others.judgement_id,
        &others.preview_id,
        &others.session_id,
        THEIR_SOURCE,
        THEIR_DRAFT,
        THEIR_INPUT,
        "Person other",
    ];
    for private in theirs {
        assert!(!text.contains(private), "{who} reads `{private}` through {name}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_role_may_what_it_should_and_contestants_see_what_is_theirs() {
    let bench = Bench::open().await;
    let others = other_contestant(&bench).await;
    let covered: BTreeSet<&str> = rows(&others, "").iter().map(|(name, ..)| *name).collect();
    let all: BTreeSet<&str> = COMMAND_NAMES.iter().copied().collect();
    assert_eq!(covered, all, "say here who may use a new command");
    for role in Role::KNOWN {
        let who = format!("a {role}");
        let actor = enter(&bench.judge, role.as_str(), role.clone()).await;
        for (name, request, may) in rows(&others, &format!("key of {role}")) {
            if name == "self_test" && is_staff(role) {
                // Its probes need boxes that do more than this sandbox; `self_test_facade` runs them.
                continue;
            }
            let answer = say(&bench.judge, &actor, name, &request).await;
            check_allowed(&who, name, may, Some(role), &answer);
            if !is_reader(role) {
                check_private(&who, name, &others, &answer);
            }
        }
        let data_folder =
            say(&bench.judge, &actor, "handshake", &json!({ "contract_version": 1, "client": "test" })).await;
        let data_folder = data_folder.expect("hello")["data_folder"].as_str().expect("text").to_owned();
        assert_eq!(data_folder.is_empty(), !is_staff(role), "where the folder lies is for staff: {who}");
    }
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_without_any_role_may_what_everybody_may_and_no_more() {
    let bench = Bench::open().await;
    let others = other_contestant(&bench).await;
    let actor =
        Actor { user_id: "11111111-0000-7000-8000-000000000000".into(), roles: vec![Role::Unknown("owner".into())] };
    for (name, request, may) in rows(&others, "their key") {
        let answer = say(&bench.judge, &actor, name, &request).await;
        if !matches!(may, May::All) {
            check_allowed("nobody", name, may, None, &answer);
        }
        check_private("nobody", name, &others, &answer);
    }
    bench.close().await;
}

/// A list tells staff whose each submission is and can be one person's; to a contestant it never is another's.
#[tokio::test(flavor = "multi_thread")]
async fn readers_see_names_and_one_persons_submissions_and_coaches_no_answers() {
    let bench = Bench::open().await;
    let judge = &bench.judge;
    let problem = bench.import().await;
    judge.submit(&bench.actor, submission("my key", &problem, RIGHT)).await.expect("saved");
    let other = enter(judge, "other", Role::Contestant).await;
    // Wrong on a secret test, whose answer the reason quotes.
    let receipt = judge.submit(&other, submission("their key", &problem, SAMPLE_ONLY)).await.expect("saved");
    until(judge, &other, &receipt.submission_id, |detail| detail.summary.verdict.is_some()).await;
    let their_id = other.user_id.as_str();
    let list =
        |user_id: Option<&str>| json!({ "problem_id": null, "user_id": user_id, "before_number": null, "limit": 9 });
    for role in [Role::Coach, Role::Jury, Role::Admin] {
        let reader = enter(judge, role.as_str(), role.clone()).await;
        let all = say(judge, &reader, "list_submissions", &list(None)).await.expect("a list");
        assert_eq!(all["rows"].as_array().expect("rows").len(), 2, "{role}");
        let one = say(judge, &reader, "list_submissions", &list(Some(their_id))).await.expect("a list");
        assert_eq!(one["rows"].as_array().expect("rows").len(), 1, "{role}");
        assert_eq!(one["rows"][0]["user_name"], "Person other", "{role}");
        let request = json!({ "submission_id": receipt.submission_id });
        let detail = say(judge, &reader, "get_submission", &request).await.expect("a submission");
        assert_eq!(detail["summary"]["user_name"], "Person other", "{role}");
        let quotes_answers = detail["judgements"].to_string().contains("expected");
        assert_eq!(quotes_answers, is_staff(&role), "{role}: {detail}");
    }
    let contestant = enter(judge, "curious", Role::Contestant).await;
    let refused = say(judge, &contestant, "list_submissions", &list(Some(their_id))).await;
    assert_eq!(refused.expect_err("another's").code, ErrorCode::Forbidden);
    let own = say(judge, &contestant, "list_submissions", &list(Some(contestant.user_id.as_str()))).await;
    assert_eq!(own.expect("one's own")["rows"], json!([]));
    bench.close().await;
}
