//! Accounts: what staff may make of them, and that each change holds at once.

use std::sync::Arc;

use agon_contract::account::{LogIn, Secret};
use agon_contract::ids::UserId;
use agon_contract::settings::Role;
use tempfile::TempDir;

use super::error::AuthError;
use super::{Auth, NewAccount, Reach, account, user};
use crate::clock::ManualClock;
use crate::owner::SCHEMA;
use crate::store::Store;
use crate::store::authorizer::Owner;

/// The password of every account of a [`Hall`].
pub(super) const PASSWORD: &str = "correct horse battery";
const HOUR_MS: i64 = 3_600_000;

/// An auth owner on a throw-away store, with a clock that tests move.
pub(super) struct Hall {
    folder: TempDir,
    pub(super) auth: Auth,
    pub(super) clock: ManualClock,
    /// Who makes the accounts.
    pub(super) staff: UserId,
}

impl Hall {
    pub(super) async fn open() -> Self {
        let folder = tempfile::tempdir().expect("a temp folder");
        let clock = ManualClock::starting_at(1_700_000_000_000);
        let (path, backups) = (folder.path().join("agon.db"), folder.path().join("backups"));
        let store = Store::open(&path, &backups, Arc::new(clock.clone()), SCHEMA).expect("it opens");
        let auth = Auth::new(store.owner(Owner::Auth).expect("it opens"), Arc::new(clock.clone()));
        let staff = auth.local_profile().await.expect("made").user_id;
        Self { folder, auth, clock, staff }
    }

    pub(super) async fn account(&self, name: &str, roles: &[Role]) -> UserId {
        let made = self.make(name, PASSWORD, roles.to_vec()).await;
        made.unwrap_or_else(|error| panic!("{name}: {error}")).user_id
    }

    async fn make(
        &self,
        name: &str,
        password: &str,
        roles: Vec<Role>,
    ) -> Result<agon_contract::account::AccountView, AuthError> {
        let (name, display_name) = (name.to_owned(), format!("Team of {}", name.trim()));
        let new = NewAccount { name, display_name, roles, password: Secret::from(password) };
        self.auth.create_account(&self.staff, new).await
    }

    pub(super) async fn hash_of(&self, id: &UserId) -> String {
        let id = id.clone();
        let read = self.auth.store.read("read", move |connection| account::by_user(connection, &id)).await;
        read.expect("readable").expect("an account").phc
    }

    /// Rows changed so far.
    pub(super) fn writes(&self) -> u64 {
        self.auth.store.writes_for_tests()
    }

    pub(super) fn whole_database(&self) -> Vec<u8> {
        let read = |name: &str| std::fs::read(self.folder.path().join(name)).unwrap_or_default();
        [read("agon.db"), read("agon.db-wal")].concat()
    }

    async fn log_in(&self, name: &str, password: &str) -> Result<String, AuthError> {
        let asked = LogIn { name: name.into(), password: Secret::from(password) };
        Ok(self.auth.log_in("a peer", &asked, None).await?.token.expose().to_owned())
    }

    /// Who ended which one session, as the audit log is told.
    async fn ends_told(&self) -> Vec<(String, String)> {
        let told = self.auth.store.read("read what was told", |connection| {
            connection
                .prepare(
                    "SELECT actor_user_id, payload ->> '$.details.session' FROM auth_outbox
                     WHERE payload ->> '$.action' = 'session.ended' AND payload ->> '$.details.session' IS NOT NULL",
                )?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        });
        told.await.expect("readable")
    }

    pub(super) async fn is_in(&self, token: &str) -> bool {
        self.auth.session_actor(token).await.expect("readable").is_some()
    }
}

#[tokio::test]
async fn a_name_in_any_spelling_belongs_to_one_account() {
    let hall = Hall::open().await;
    hall.account("Åsa", &[Role::Contestant]).await;
    for taken in ["Åsa", "åsa", "A\u{30a}SA", " ÅSA "] {
        let refused = hall.make(taken, PASSWORD, Vec::new()).await;
        assert!(matches!(refused, Err(AuthError::NameTaken { .. })), "{taken}: {refused:?}");
    }
    hall.account("asa", &[]).await;
}

#[tokio::test]
async fn of_many_who_take_one_name_at_once_one_gets_it() {
    let hall = Hall::open().await;
    let mut makers = Vec::new();
    for spelling in ["team", "TEAM", "Team", "tEAM"] {
        let (auth, staff) = (hall.auth.clone(), hall.staff.clone());
        let new = NewAccount {
            name: spelling.into(),
            display_name: spelling.into(),
            roles: Vec::new(),
            password: Secret::from(PASSWORD),
        };
        makers.push(tokio::spawn(async move { auth.create_account(&staff, new).await }));
    }
    let mut made = 0;
    for maker in makers {
        match maker.await.expect("no panic") {
            Ok(_) => made += 1,
            Err(AuthError::NameTaken { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(made, 1);
}

#[tokio::test]
async fn what_cannot_be_an_account_is_refused_and_leaves_nothing() {
    let hall = Hall::open().await;
    assert!(matches!(hall.make("a b", PASSWORD, Vec::new()).await, Err(AuthError::Name(_))));
    assert!(matches!(hall.make("ann", "short", Vec::new()).await, Err(AuthError::Password(_))));
    let unknown = hall.make("ann", PASSWORD, vec![Role::Unknown("owner".into())]).await;
    assert!(matches!(unknown, Err(AuthError::UnknownRole { .. })));
    let page = hall.auth.accounts(None, 10).await.expect("readable");
    assert_eq!((page.rows, page.next_after_name), (Vec::new(), None));
    assert!(!hall.auth.has_accounts().await.expect("readable"), "the local profile is no account");
}

#[tokio::test]
async fn accounts_are_paged_by_name_with_what_staff_want_to_know() {
    let hall = Hall::open().await;
    for name in ["bob", "Ann", "cleo", "Dan"] {
        hall.account(name, &[Role::Contestant]).await;
    }
    hall.log_in("ann", PASSWORD).await.expect("in");
    let first = hall.auth.accounts(None, 3).await.expect("readable");
    let names =
        |page: &agon_contract::account::AccountPage| page.rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&first), ["Ann", "bob", "cleo"]);
    assert_eq!((first.rows[0].open_sessions, first.rows[1].open_sessions), (1, 0));
    assert!(first.rows[0].last_seen_at_ms.is_some() && first.rows[1].last_seen_at_ms.is_none());
    assert_eq!(first.rows[0].display_name, "Team of Ann");
    let second = hall.auth.accounts(first.next_after_name.as_deref(), 3).await.expect("readable");
    assert_eq!((names(&second), second.next_after_name), (vec!["Dan".to_owned()], None));
}

#[tokio::test]
async fn new_roles_hold_from_the_next_request_of_a_session_that_is_open() {
    let hall = Hall::open().await;
    let ann = hall.account("ann", &[Role::Admin]).await;
    let token = hall.log_in("ann", PASSWORD).await.expect("in");
    let view = hall.auth.set_roles(&hall.staff, &ann, vec![Role::Coach, Role::Coach]).await.expect("set");
    assert_eq!(view.roles, [Role::Coach]);
    let actor = hall.auth.session_actor(&token).await.expect("readable").expect("still in");
    assert_eq!(actor.roles, [Role::Coach]);
    let local = hall.auth.set_roles(&hall.staff, &hall.staff, Vec::new()).await;
    assert!(matches!(local, Err(AuthError::NoAccount { .. })), "the local profile keeps every role");
    let id = hall.staff.clone();
    let kept = hall.auth.store.read("read", move |connection| user::roles(connection, &id)).await.expect("readable");
    assert_eq!(kept.len(), Role::KNOWN.len());
}

#[tokio::test]
async fn disabling_ends_the_sessions_at_once_and_enabling_does_not_bring_them_back() {
    let hall = Hall::open().await;
    let ann = hall.account("ann", &[]).await;
    hall.account("bob", &[]).await;
    let (anns, bobs) =
        (hall.log_in("ann", PASSWORD).await.expect("in"), hall.log_in("bob", PASSWORD).await.expect("in"));
    let view = hall.auth.set_disabled(&hall.staff, &ann, true).await.expect("disabled");
    assert_eq!((view.is_disabled, view.open_sessions), (true, 0));
    assert!(!hall.is_in(&anns).await && hall.is_in(&bobs).await);
    assert!(!hall.auth.set_disabled(&hall.staff, &ann, false).await.expect("enabled").is_disabled);
    assert!(!hall.is_in(&anns).await);
}

#[tokio::test]
async fn a_new_password_ends_every_session_and_the_old_one_opens_nothing() {
    let hall = Hall::open().await;
    let ann = hall.account("ann", &[]).await;
    let token = hall.log_in("ann", PASSWORD).await.expect("in");
    let new = Secret::from("another good one");
    hall.auth.set_password(&hall.staff, &ann, &new).await.expect("set");
    assert!(!hall.is_in(&token).await);
    assert!(matches!(hall.log_in("ann", PASSWORD).await, Err(AuthError::WrongCredentials)));
    hall.log_in("ann", &new.0).await.expect("in");
}

#[tokio::test]
async fn ones_own_password_needs_the_old_one_and_guessing_it_is_bounded() {
    let hall = Hall::open().await;
    let ann = hall.account("ann", &[]).await;
    let new = Secret::from("another good one");
    for _ in 0..5 {
        let wrong = hall.auth.change_password(&ann, &Secret::from("a guess"), &new).await;
        assert!(matches!(wrong, Err(AuthError::WrongOldPassword)), "{wrong:?}");
    }
    let held_up = hall.auth.change_password(&ann, &Secret::from(PASSWORD), &new).await;
    assert!(matches!(held_up, Err(AuthError::TooManyAttempts { .. })), "{held_up:?}");
    hall.clock.advance(std::time::Duration::from_secs(30));
    let short = hall.auth.change_password(&ann, &Secret::from(PASSWORD), &Secret::from("short")).await;
    assert!(matches!(short, Err(AuthError::Password(_))), "{short:?}");
    hall.auth.change_password(&ann, &Secret::from(PASSWORD), &new).await.expect("changed");
    hall.log_in("ann", &new.0).await.expect("in");
}

#[tokio::test]
async fn ending_all_sessions_of_one_leaves_the_others() {
    let hall = Hall::open().await;
    let ann = hall.account("ann", &[]).await;
    hall.account("bob", &[]).await;
    let mut anns = Vec::new();
    for _ in 0..3 {
        anns.push(hall.log_in("ann", PASSWORD).await.expect("in"));
    }
    let bobs = hall.log_in("bob", PASSWORD).await.expect("in");
    assert_eq!(hall.auth.end_sessions(&hall.staff, &ann).await.expect("ended"), 3);
    assert_eq!(hall.auth.end_sessions(&ann, &ann).await.expect("ended"), 0);
    for token in &anns {
        assert!(!hall.is_in(token).await);
    }
    assert!(hall.is_in(&bobs).await);
    let local = hall.auth.end_sessions(&hall.staff, &hall.staff).await;
    assert!(matches!(local, Err(AuthError::NoAccount { .. })));
}

#[tokio::test]
async fn ending_one_session_leaves_the_persons_others_and_is_told_once() {
    let hall = Hall::open().await;
    let ann = hall.account("ann", &[]).await;
    let first = hall.log_in("ann", PASSWORD).await.expect("in");
    hall.clock.advance(std::time::Duration::from_secs(1));
    let second = hall.log_in("ann", PASSWORD).await.expect("in");
    let open = hall.auth.open_sessions(&ann).await.expect("listed");
    assert_eq!(open.len(), 2);
    assert!(open[0].created_at_ms > open[1].created_at_ms, "newest first");
    assert!(open.iter().all(|session| session.peer == "a peer"), "{open:?}");
    let ended = hall.auth.end_session(&hall.staff, &open[0].id, Reach::Anybodys).await;
    ended.expect("ended");
    assert_eq!((hall.is_in(&first).await, hall.is_in(&second).await), (true, false));
    let again = hall.auth.end_session(&hall.staff, &open[0].id, Reach::Anybodys).await;
    assert!(matches!(again, Err(AuthError::NoSession { .. })), "{again:?}");
    assert_eq!(hall.auth.open_sessions(&ann).await.expect("listed"), open[1..]);
    assert_eq!(hall.ends_told().await, [(hall.staff.0.clone(), open[0].id.0.clone())]);
    let nobody = hall.auth.open_sessions(&"0190a000-0000-7000-8000-000000000009".into()).await;
    assert!(matches!(nobody, Err(AuthError::NoAccount { .. })), "{nobody:?}");
}

#[tokio::test]
async fn who_may_end_only_their_own_sessions_finds_no_other() {
    let hall = Hall::open().await;
    let (ann, bob) = (hall.account("ann", &[]).await, hall.account("bob", &[]).await);
    let anns = hall.log_in("ann", PASSWORD).await.expect("in");
    let bobs = hall.log_in("bob", PASSWORD).await.expect("in");
    let open = hall.auth.open_sessions(&ann).await.expect("listed");
    let reached = hall.auth.end_session(&bob, &open[0].id, Reach::Own).await;
    assert!(matches!(reached, Err(AuthError::NoSession { .. })), "{reached:?}");
    assert!(hall.is_in(&anns).await);
    assert_eq!(hall.ends_told().await, []);
    hall.auth.end_session(&ann, &open[0].id, Reach::Own).await.expect("ended");
    assert_eq!((hall.is_in(&anns).await, hall.is_in(&bobs).await), (false, true));
    assert_eq!(hall.ends_told().await, [(ann.0.clone(), open[0].id.0.clone())]);
}

#[tokio::test]
async fn a_session_past_its_time_is_not_listed_and_can_be_ended_for_good() {
    let hall = Hall::open().await;
    let ann = hall.account("ann", &[]).await;
    let token = hall.log_in("ann", PASSWORD).await.expect("in");
    let open = hall.auth.open_sessions(&ann).await.expect("listed");
    hall.clock.step_wall(13 * HOUR_MS);
    assert_eq!(hall.auth.open_sessions(&ann).await.expect("listed"), []);
    hall.clock.step_wall(-13 * HOUR_MS);
    assert!(hall.is_in(&token).await, "the clock was wrong");
    hall.clock.step_wall(13 * HOUR_MS);
    hall.auth.end_session(&ann, &open[0].id, Reach::Own).await.expect("ended");
    hall.clock.step_wall(-13 * HOUR_MS);
    assert!(!hall.is_in(&token).await);
}
