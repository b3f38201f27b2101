//! Coming in: who is let in, what a refusal tells, how long a session lives.

use std::time::Duration;

use agon_contract::account::{LogIn, Secret};
use agon_contract::settings::Role;

use super::accounts_tests::{Hall, PASSWORD};
use super::error::AuthError;
use super::session::{IDLE, LONGEST, OF_ONE_ACCOUNT_MAX, STEP_TOLERATED, millis};
use super::{account, password};

const HERE: &str = "10.0.0.1";

fn asked(name: &str, password: &str) -> LogIn {
    LogIn { name: name.into(), password: Secret::from(password) }
}

impl Hall {
    /// The token of a session that has just begun.
    async fn enter(&self, name: &str) -> String {
        self.enter_from(name, None).await
    }

    async fn enter_from(&self, name: &str, replaced: Option<&str>) -> String {
        let begun = self.auth.log_in(HERE, &asked(name, PASSWORD), replaced).await;
        begun.unwrap_or_else(|error| panic!("{name}: {error}")).token.expose().to_owned()
    }

    async fn refusal(&self, name: &str, password: &str) -> AuthError {
        self.auth.log_in(HERE, &asked(name, password), None).await.expect_err("refused")
    }
}

#[tokio::test]
async fn the_right_password_begins_a_session_of_that_account_in_any_spelling_of_its_name() {
    let hall = Hall::open().await;
    let ann = hall.account("Straße", &[Role::Jury]).await;
    for name in ["Straße", "STRASSE", " ｓｔｒａｓｓｅ "] {
        let token = hall.enter(name).await;
        let actor = hall.auth.session_actor(&token).await.expect("readable").expect("it lives");
        assert_eq!((actor.user_id, actor.roles), (ann.clone(), vec![Role::Jury]), "{name}");
    }
    assert!(!hall.is_in("").await);
    assert!(!hall.is_in(&"0".repeat(64)).await);
}

#[tokio::test]
async fn an_unknown_name_and_a_wrong_password_get_one_answer_for_the_same_work() {
    let hall = Hall::open().await;
    hall.account("ann", &[]).await;
    let mut costs = Vec::new();
    let mut answers = Vec::new();
    for name in ["ann", "nobody", "never\u{200b}possible"] {
        let before = (hall.auth.passwords.computed_for_tests(), hall.writes());
        let refusal = agon_contract::ApiError::from(hall.refusal(name, "a wrong password").await);
        let after = (hall.auth.passwords.computed_for_tests(), hall.writes());
        costs.push((after.0 - before.0, after.1 - before.1));
        answers.push(refusal);
    }
    assert_eq!(costs[0].0, 1, "one hash");
    assert!(costs.iter().all(|cost| *cost == costs[0]), "{costs:?}");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[tokio::test]
async fn failures_lead_to_a_wait_that_is_told_and_parallel_guesses_do_not_slip_through() {
    let hall = Hall::open().await;
    hall.account("ann", &[]).await;
    let mut guesses = Vec::new();
    for number in 0..12 {
        let auth = hall.auth.clone();
        guesses.push(tokio::spawn(async move {
            auth.log_in(HERE, &asked("ann", &format!("guess number {number}")), None).await
        }));
    }
    let mut looked_at = 0;
    for guess in guesses {
        match guess.await.expect("no panic").expect_err("wrong") {
            AuthError::WrongCredentials => looked_at += 1,
            AuthError::TooManyAttempts { wait_ms } => assert_eq!(wait_ms, 30_000),
            other => panic!("{other}"),
        }
    }
    assert_eq!(looked_at, 5, "the free ones");
    let refusal = hall.auth.log_in(HERE, &asked("ann", PASSWORD), None).await.expect_err("the right one waits too");
    assert!(matches!(refusal, AuthError::TooManyAttempts { .. }), "{refusal}");
    let elsewhere = hall.auth.log_in("10.0.0.2", &asked("ann", PASSWORD), None).await;
    elsewhere.expect("another machine is not held up");
    hall.clock.advance(Duration::from_secs(30));
    hall.enter("ann").await;
}

#[tokio::test]
async fn a_hash_of_an_older_version_is_renewed_when_its_password_is_right() {
    let hall = Hall::open().await;
    let ann = hall.account("ann", &[]).await;
    let older = password::hash_of_an_older_version(PASSWORD);
    let stored = older.clone();
    let id = ann.clone();
    let planted = hall.auth.store.write("plant", move |tx| account::set_hash(tx, &id, &stored, 1)).await;
    assert!(planted.expect("written"));
    hall.refusal("ann", "a wrong password").await;
    assert_eq!(hall.hash_of(&ann).await, older, "a wrong password renews nothing");
    hall.enter("ann").await;
    let renewed = hall.hash_of(&ann).await;
    assert!(renewed.starts_with("$argon2id$v=19$m=19456,"), "{renewed}");
    hall.enter("ann").await;
    assert_eq!(hall.hash_of(&ann).await, renewed, "once");
}

#[tokio::test]
async fn a_disabled_account_is_told_only_to_who_knows_its_password() {
    let hall = Hall::open().await;
    let ann = hall.account("ann", &[]).await;
    hall.auth.set_disabled(&hall.staff, &ann, true).await.expect("disabled");
    assert!(matches!(hall.refusal("ann", "a wrong password").await, AuthError::WrongCredentials));
    assert!(matches!(hall.refusal("ann", PASSWORD).await, AuthError::Disabled));
    hall.auth.set_disabled(&hall.staff, &ann, false).await.expect("enabled");
    hall.enter("ann").await;
}

#[tokio::test]
async fn a_new_log_in_of_the_same_browser_ends_the_session_it_had() {
    let hall = Hall::open().await;
    hall.account("ann", &[]).await;
    hall.account("bob", &[]).await;
    let first = hall.enter("ann").await;
    let second = hall.enter_from("bob", Some(&first)).await;
    assert_ne!(first, second, "a token is never given twice");
    assert!(!hall.is_in(&first).await && hall.is_in(&second).await);
    let planted = "f".repeat(64);
    let third = hall.enter_from("ann", Some(&planted)).await;
    assert_ne!(third, planted, "no token that was brought along becomes a session");
    assert!(!hall.is_in(&planted).await);
}

#[tokio::test]
async fn a_session_slides_with_its_requests_and_ends_for_good_after_a_week() {
    let hall = Hall::open().await;
    hall.account("ann", &[]).await;
    let idle = hall.enter("ann").await;
    hall.clock.advance(IDLE - Duration::from_millis(1));
    assert!(hall.is_in(&idle).await, "just before");
    hall.clock.advance(IDLE - Duration::from_millis(1));
    assert!(hall.is_in(&idle).await, "it slid");
    hall.clock.advance(IDLE);
    assert!(!hall.is_in(&idle).await, "nobody came");

    let busy = hall.enter("ann").await;
    let step = IDLE / 2;
    let mut passed = Duration::ZERO;
    while passed + step < LONGEST {
        hall.clock.advance(step);
        passed += step;
        assert!(hall.is_in(&busy).await, "{passed:?}");
    }
    hall.clock.advance(LONGEST - passed);
    assert!(!hall.is_in(&busy).await, "the week is over, however busy");
}

#[tokio::test]
async fn a_clock_that_steps_back_logs_nobody_out_and_a_session_from_far_ahead_is_not_believed() {
    let hall = Hall::open().await;
    hall.account("ann", &[]).await;
    let token = hall.enter("ann").await;
    hall.clock.step_wall(-millis(STEP_TOLERATED));
    assert!(hall.is_in(&token).await, "a day back");
    hall.clock.step_wall(-1);
    assert!(!hall.is_in(&token).await, "more than a day");
}

#[tokio::test]
async fn the_oldest_of_too_many_sessions_ends_and_only_that_one() {
    let hall = Hall::open().await;
    hall.account("ann", &[]).await;
    hall.account("bob", &[]).await;
    let bobs = hall.enter("bob").await;
    let mut tokens = Vec::new();
    for _ in 0..=OF_ONE_ACCOUNT_MAX {
        hall.clock.advance(Duration::from_secs(1));
        tokens.push(hall.enter("ann").await);
    }
    assert!(!hall.is_in(&tokens[0]).await);
    for token in &tokens[1..] {
        assert!(hall.is_in(token).await);
    }
    assert!(hall.is_in(&bobs).await);
}

#[tokio::test]
async fn a_token_is_in_no_column_of_the_store() {
    let hall = Hall::open().await;
    hall.account("ann", &[]).await;
    let token = hall.enter("ann").await;
    let bytes = hall.whole_database();
    let contains = |needle: &str| bytes.windows(needle.len()).any(|window| window == needle.as_bytes());
    assert!(contains("argon2id"), "the search finds what is there");
    assert!(!contains(&token), "only its hash may be stored");
    assert!(!contains(PASSWORD));
}

#[tokio::test]
async fn logging_out_ends_this_session_and_no_other() {
    let hall = Hall::open().await;
    hall.account("ann", &[]).await;
    let (one, other) = (hall.enter("ann").await, hall.enter("ann").await);
    hall.auth.log_out(&one).await.expect("ended");
    hall.auth.log_out(&one).await.expect("twice is once");
    hall.auth.log_out("no such token").await.expect("nothing to end");
    assert!(!hall.is_in(&one).await && hall.is_in(&other).await);
}
