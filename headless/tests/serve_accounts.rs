//! Accounts in a browser: log-in, the session's cookie, and that changes to the account hold at once.

mod serve_support;

use agon_contract::account::{AccountView, OpenSession, Secret};
use agon_contract::command::{CreateAccount, DisableAccount, EndSession, SetRoles};
use agon_contract::ids::SessionId;
use agon_contract::settings::{Role, SessionView};
use agon_contract::{ApiError, ErrorCode};
use serve_support::{Answer, Running};

const PASSWORD: &str = "correct horse battery";

async fn account(running: &Running, name: &str, roles: &[Role]) -> AccountView {
    let request = CreateAccount {
        name: name.into(),
        display_name: format!("Team {name}"),
        roles: roles.to_vec(),
        password: Secret::from(PASSWORD),
    };
    running.judge.create_account(&running.judge.local_actor(), request).await.expect("made")
}

async fn log_in(running: &Running, cookie: &str, name: &str, password: &str) -> Answer {
    let body = serde_json::json!({ "name": name, "password": password }).to_string();
    running.post("/api/v1/log_in", cookie, &body).await
}

/// The cookie pair of a log-in that succeeded.
async fn enter(running: &Running, cookie: &str, name: &str) -> String {
    let answer = log_in(running, cookie, name, PASSWORD).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let set = answer.header("set-cookie").expect("a cookie");
    assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{set}");
    let pair = set.split(';').next().expect("a pair").to_owned();
    let secret = pair.split('=').nth(1).expect("a value");
    assert!(!answer.body.contains(secret), "the secret is for the browser, not for the page");
    pair
}

async fn session(running: &Running, cookie: &str) -> Result<SessionView, ApiError> {
    let answer = running.post("/api/v1/get_session", cookie, "{}").await;
    match answer.status {
        200 => Ok(serde_json::from_str(&answer.body).expect("a session")),
        _ => Err(serde_json::from_str(&answer.body).expect("an error")),
    }
}

fn code(answer: &Answer) -> ErrorCode {
    serde_json::from_str::<ApiError>(&answer.body).expect("an error").code
}

#[tokio::test]
async fn an_account_logs_in_acts_as_itself_and_logs_out() {
    let running = Running::start().await;
    assert_eq!(running.get("/", "").await.status, 401, "nobody could log in: the page says how to come in");
    let ann = account(&running, "Ann", &[Role::Contestant]).await;
    assert_eq!(running.get("/", "").await.status, 200, "the page that has the log-in");
    assert_eq!(session(&running, "").await.expect_err("not yet").code, ErrorCode::Unauthenticated);

    let cookie = enter(&running, "", "ANN").await;
    let view = session(&running, &cookie).await.expect("in");
    assert_eq!((view.user_id, view.account_name.as_deref()), (ann.user_id, Some("Ann")));
    assert_eq!((view.roles, view.permissions), (vec![Role::Contestant], vec![]));

    let answer = running.post("/api/v1/log_out", &cookie, "{}").await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.header("set-cookie").expect("a cookie").contains("Max-Age=0"), "{}", answer.head);
    assert_eq!(session(&running, &cookie).await.expect_err("out").code, ErrorCode::Unauthenticated);
    assert_eq!(running.post("/api/v1/log_out", &cookie, "{}").await.status, 200, "out is out");
    running.stop().await;
}

#[tokio::test]
async fn the_printed_address_still_lets_the_local_person_in_and_a_log_in_replaces_that_session() {
    let running = Running::start().await;
    account(&running, "ann", &[]).await;
    let local = running.enter().await;
    let view = session(&running, &local).await.expect("in");
    assert_eq!((view.account_name, view.roles.len()), (None, Role::KNOWN.len()));
    let anns = enter(&running, &local, "ann").await;
    assert_ne!(anns, local);
    assert_eq!(session(&running, &anns).await.expect("in").account_name.as_deref(), Some("ann"));
    assert_eq!(session(&running, &local).await.expect_err("replaced").code, ErrorCode::Unauthenticated);
    running.stop().await;
}

#[tokio::test]
async fn a_cookie_that_was_planted_before_the_log_in_never_becomes_a_session() {
    let running = Running::start().await;
    account(&running, "ann", &[]).await;
    let planted = format!("agon-{}={}", running.address.port(), "a".repeat(64));
    let given = enter(&running, &planted, "ann").await;
    assert_ne!(given, planted);
    assert!(session(&running, &planted).await.is_err());
    let again = enter(&running, &given, "ann").await;
    assert!(session(&running, &given).await.is_err(), "the browser's earlier session ended");
    session(&running, &again).await.expect("the new one lives");
    running.stop().await;
}

#[tokio::test]
async fn refusals_of_a_log_in_have_their_codes_and_nothing_else_needs_no_session() {
    let running = Running::start().await;
    let ann = account(&running, "ann", &[]).await;
    for name in ["ann", "nobody"] {
        let answer = log_in(&running, "", name, "a wrong one").await;
        assert_eq!((answer.status, code(&answer)), (401, ErrorCode::Unauthenticated), "{name}");
        assert!(answer.header("set-cookie").is_none());
    }
    let malformed = running.post("/api/v1/log_in", "", r#"{"name":"ann"}"#).await;
    assert_eq!((malformed.status, code(&malformed)), (400, ErrorCode::BadRequest));
    let huge = log_in(&running, "", "ann", &"x".repeat(20_000)).await;
    assert_eq!(huge.status, 400, "{}", huge.body);
    for _ in 0..4 {
        log_in(&running, "", "ann", "a wrong one").await;
    }
    let waits = log_in(&running, "", "ann", PASSWORD).await;
    let error: ApiError = serde_json::from_str(&waits.body).expect("an error");
    assert_eq!((waits.status, error.code), (429, ErrorCode::TooManyAttempts));
    assert!(error.retry_after_ms.is_some_and(|wait| (1..=30_000).contains(&wait)), "{:?}", error.retry_after_ms);

    let disable = DisableAccount { user_id: ann.user_id, is_disabled: true };
    running.judge.disable_account(&running.judge.local_actor(), disable).await.expect("disabled");
    for name in agon_contract::COMMAND_NAMES {
        let answer = running.post(&format!("/api/v1/{name}"), "", "{}").await;
        assert_eq!((answer.status, code(&answer)), (401, ErrorCode::Unauthenticated), "{name}");
    }
    assert_eq!(running.post("/api/upload?name=a.zip", "", "x").await.status, 401);
    running.stop().await;
}

#[tokio::test]
async fn roles_and_disabling_hold_from_the_next_request_on() {
    let running = Running::start().await;
    let ann = account(&running, "ann", &[Role::Admin]).await;
    let local = running.judge.local_actor();
    let cookie = enter(&running, "", "ann").await;
    let list = r#"{"after_name":null,"limit":10}"#;
    assert_eq!(running.post("/api/v1/list_accounts", &cookie, list).await.status, 200);
    let request = SetRoles { user_id: ann.user_id.clone(), roles: vec![Role::Contestant] };
    running.judge.set_roles(&local, request).await.expect("set");
    let refused = running.post("/api/v1/list_accounts", &cookie, list).await;
    assert_eq!((refused.status, code(&refused)), (403, ErrorCode::Forbidden));
    // A request that names somebody else changes nothing about who acts.
    let forged = format!(r#"{{"user_id":"{}","roles":["admin"],"actor":{{"roles":["admin"]}}}}"#, ann.user_id);
    assert_eq!(running.post("/api/v1/set_roles", &cookie, &forged).await.status, 403);
    let request = DisableAccount { user_id: ann.user_id, is_disabled: true };
    running.judge.disable_account(&local, request).await.expect("disabled");
    assert_eq!(session(&running, &cookie).await.expect_err("out").code, ErrorCode::Unauthenticated);
    let refused = log_in(&running, "", "ann", PASSWORD).await;
    assert_eq!((refused.status, code(&refused)), (403, ErrorCode::Forbidden));
    running.stop().await;
}

#[tokio::test]
async fn everybody_ends_their_own_sessions_one_by_one_and_nobody_elses() {
    let running = Running::start().await;
    account(&running, "ann", &[Role::Contestant]).await;
    let bob = account(&running, "bob", &[Role::Jury]).await;
    let first = enter(&running, "", "ann").await;
    let second = enter(&running, "", "ann").await;
    let bobs = enter(&running, "", "bob").await;
    let listed = async |cookie: &str| -> Vec<OpenSession> {
        let answer = running.post("/api/v1/list_sessions", cookie, r#"{"user_id":null}"#).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(!answer.body.contains(cookie.split('=').nth(1).expect("a value")), "an id opens nothing");
        serde_json::from_str(&answer.body).expect("sessions")
    };
    let end = async |cookie: &str, id: &SessionId| {
        running.post("/api/v1/end_session", cookie, &format!(r#"{{"session_id":"{id}"}}"#)).await
    };
    let (anns, others) = (listed(&first).await, listed(&bobs).await);
    assert_eq!((anns.len(), others.len()), (2, 1));
    let refused = end(&first, &others[0].id).await;
    assert_eq!((refused.status, code(&refused)), (404, ErrorCode::NotFound));
    let reached = format!(r#"{{"user_id":"{}"}}"#, bob.user_id);
    assert_eq!(running.post("/api/v1/list_sessions", &first, &reached).await.status, 403);

    assert_eq!(end(&first, &anns[0].id).await.status, 200);
    let lives = async |cookie: &str| session(&running, cookie).await.is_ok();
    assert_ne!(lives(&first).await, lives(&second).await, "exactly the one of the id ended");
    assert!(lives(&bobs).await);
    let local = running.judge.local_actor();
    let ended = running.judge.end_session(&local, EndSession { session_id: others[0].id.clone() }).await;
    ended.expect("who manages accounts may");
    assert_eq!(session(&running, &bobs).await.expect_err("out").code, ErrorCode::Unauthenticated);
    running.stop().await;
}
