//! From message to bell: who is told what, once, and only what they want to hear.

use std::sync::Arc;

use agon_contract::ids::UserId;
use agon_contract::notice::{NoticeChannel, NoticeKind, NoticePage, NoticePreference};
use agon_contract::settings::Role;
use agon_contract::verdict::Verdict;
use serde_json::json;
use tempfile::TempDir;

use super::news::SOON;
use super::notice::KEPT;
use super::{Notices, Notifications};
use crate::clock::ManualClock;
use crate::delivery::consumer::{Applied, Consumer};
use crate::delivery::inbox::Received;
use crate::ids::new_id;
use crate::owner::SCHEMA;
use crate::store::authorizer::Owner;
use crate::store::connection::open_unbounded;
use crate::store::{EventLog, Store};

const SUBMITTED_MS: i64 = 1_700_000_000_000;

struct Desk {
    folder: TempDir,
    notifications: Notifications,
    consumer: Notices,
    events: EventLog,
}

impl Desk {
    fn open() -> Self {
        let folder = tempfile::tempdir().expect("a temp folder");
        let clock = Arc::new(ManualClock::starting_at(SUBMITTED_MS));
        let store = Store::open(&folder.path().join("agon.db"), &folder.path().join("backups"), clock, SCHEMA);
        let store = store.expect("it opens");
        let owner = store.owner(Owner::Notification).expect("it opens");
        Self {
            notifications: Notifications::new(owner.clone()),
            consumer: Notices::new(owner),
            events: store.event_log().expect("it opens"),
            folder,
        }
    }

    /// A person as `auth` knows them; `None` leaves the account enabled.
    fn person(&self, id: &str, role: Role, disabled_at_ms: Option<i64>) -> UserId {
        let id = format!("{id:0>36}");
        let connection = open_unbounded(&self.folder.path().join("agon.db")).expect("it opens");
        connection.execute("INSERT INTO auth_user VALUES (?1, 'account', ?1, 1)", [&id]).expect("written");
        connection.execute("INSERT INTO auth_user_role VALUES (?1, ?2)", [&id, role.as_str()]).expect("written");
        connection
            .execute(
                "INSERT INTO auth_account (user_id, login_name, login_key, disabled_at_ms) VALUES (?1, ?1, ?1, ?2)",
                rusqlite::params![id, disabled_at_ms],
            )
            .expect("written");
        UserId(id)
    }

    fn take(&self, message: &Received) -> Applied {
        let taken = self.consumer.store().write_blocking("take", |tx| self.consumer.apply(tx, message));
        taken.expect("the store works")
    }

    async fn page(&self, user: &UserId) -> NoticePage {
        self.notifications.page(user, None, 200).await.expect("readable")
    }

    async fn kinds(&self, user: &UserId) -> Vec<NoticeKind> {
        self.page(user).await.rows.into_iter().map(|row| row.kind).collect()
    }

    /// State and reason of every delivery of a person.
    fn ledger(&self, user: &UserId) -> Vec<(String, String)> {
        let connection = open_unbounded(&self.folder.path().join("agon.db")).expect("it opens");
        let mut statement = connection
            .prepare(
                "SELECT d.state, d.reason FROM notification_delivery d JOIN notification_notice n ON n.id = d.notice_id
                 WHERE n.user_id = ?1 ORDER BY n.id",
            )
            .expect("valid");
        let rows = statement.query_map([user.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).expect("readable");
        rows.collect::<rusqlite::Result<_>>().expect("text")
    }
}

fn message(message_type: &str, payload: serde_json::Value) -> Received {
    Received {
        id: 1,
        event_id: new_id(),
        source: "submission".into(),
        topic: "result".into(),
        message_type: message_type.into(),
        schema_version: 1,
        actor: None,
        aggregate_id: "s".into(),
        payload: payload.to_string(),
        recorded_at_ms: SUBMITTED_MS + 1_000,
        attempts: 0,
    }
}

fn verdict(user: &UserId, before: Option<&str>, now: Option<&str>) -> Received {
    message(
        "VerdictCounts",
        json!({
            "submission_id": "s", "number": 7, "user_id": user, "problem_id": "p", "problem_slug": "sum",
            "judgement_id": "j", "generation": 1, "verdict": now, "previous_verdict": before,
            "change_set_id": null, "submitted_at_ms": SUBMITTED_MS,
        }),
    )
}

fn late(mut message: Received) -> Received {
    message.recorded_at_ms = SUBMITTED_MS + i64::try_from(SOON.as_millis()).expect("small") + 1;
    message
}

fn wish(kind: NoticeKind, is_wanted: bool) -> Vec<NoticePreference> {
    vec![NoticePreference { kind, channel: NoticeChannel::InApp, is_wanted }]
}

#[tokio::test]
async fn a_verdict_that_comes_while_its_person_looks_rings_no_bell_and_a_late_one_does() {
    let desk = Desk::open();
    let ann = desk.person("ann", Role::Contestant, None);
    assert_eq!(desk.take(&verdict(&ann, None, Some("AC"))), Applied::Done);
    assert_eq!((desk.kinds(&ann).await, desk.page(&ann).await.unread), (vec![], 0));
    assert_eq!(desk.ledger(&ann), [("suppressed".to_owned(), "preference".to_owned())], "and it is known why");
    desk.take(&late(verdict(&ann, None, Some("WA"))));
    let page = desk.page(&ann).await;
    assert_eq!((page.rows.len(), page.unread), (1, 1));
    let notice = &page.rows[0];
    assert_eq!((&notice.kind, notice.is_read), (&NoticeKind::JudgedLate, false));
    assert_eq!((notice.details.number, notice.details.problem_slug.as_deref()), (Some(7), Some("sum")));
    assert_eq!(notice.details.verdict, Some(Verdict::WrongAnswer));
}

#[tokio::test]
async fn another_verdict_than_before_is_told_and_the_same_one_is_not() {
    let desk = Desk::open();
    let ann = desk.person("ann", Role::Contestant, None);
    desk.take(&verdict(&ann, Some("AC"), Some("AC")));
    assert_eq!((desk.kinds(&ann).await, desk.ledger(&ann)), (vec![], vec![]));
    desk.take(&verdict(&ann, Some("AC"), Some("WA")));
    let page = desk.page(&ann).await;
    assert_eq!(page.rows[0].kind, NoticeKind::VerdictChanged);
    assert_eq!(page.rows[0].details.previous_verdict, Some(Verdict::Accepted));
    let mut cancelled = verdict(&ann, None, None);
    cancelled.message_type = "JudgingCancelled".into();
    desk.take(&cancelled);
    assert_eq!(desk.kinds(&ann).await, [NoticeKind::JudgingCancelled, NoticeKind::VerdictChanged]);
}

#[tokio::test]
async fn nobody_is_told_what_they_did_themselves() {
    let desk = Desk::open();
    let jury = desk.person("jury", Role::Jury, None);
    let mut own = verdict(&jury, Some("AC"), Some("WA"));
    own.actor = Some(jury.clone());
    desk.take(&own);
    assert_eq!(desk.kinds(&jury).await, []);
    assert_eq!(desk.ledger(&jury), [("suppressed".to_owned(), "own_doing".to_owned())]);
}

#[tokio::test]
async fn what_waits_for_a_person_is_told_to_who_may_act_and_to_nobody_else() {
    let desk = Desk::open();
    let admin = desk.person("admin", Role::Admin, None);
    let jury = desk.person("jury", Role::Jury, None);
    let coach = desk.person("coach", Role::Coach, None);
    let gone = desk.person("gone", Role::Jury, Some(1));
    let ann = desk.person("ann", Role::Contestant, None);
    let body = json!({
        "submission_id": "s", "number": 7, "problem_slug": "sum", "generation": 2, "reason": "it died twice",
    });
    desk.take(&message("NeedsAttention", body));
    for staff in [&admin, &jury] {
        let page = desk.page(staff).await;
        assert_eq!(page.rows.len(), 1, "{staff}");
        assert_eq!(
            (&page.rows[0].kind, page.rows[0].details.reason.as_str()),
            (&NoticeKind::NeedsAttention, "it died twice")
        );
    }
    for other in [&coach, &gone, &ann] {
        assert_eq!(desk.kinds(other).await, [], "{other}");
    }
    desk.take(&verdict(&ann, None, Some("JE")));
    assert_eq!(desk.kinds(&jury).await, [NoticeKind::NeedsAttention, NoticeKind::NeedsAttention], "JE stays pending");
    assert_eq!(desk.kinds(&ann).await, []);
    desk.take(&verdict(&admin, Some("AC"), Some("JE")));
    assert_eq!(desk.kinds(&admin).await.len(), 3, "one notice of one message, the graver one");
    assert_eq!(desk.kinds(&admin).await[0], NoticeKind::NeedsAttention);
}

#[tokio::test]
async fn a_failed_backup_is_told_to_who_makes_backups() {
    let desk = Desk::open();
    let (admin, jury) = (desk.person("admin", Role::Admin, None), desk.person("jury", Role::Jury, None));
    desk.take(&message("BackupFailed", json!({ "reason": "the disk is full" })));
    let page = desk.page(&admin).await;
    assert_eq!(
        (&page.rows[0].kind, page.rows[0].details.reason.as_str()),
        (&NoticeKind::BackupFailed, "the disk is full")
    );
    assert_eq!(desk.kinds(&jury).await, []);
    for _ in 0..5 {
        desk.take(&message("BackupFailed", json!({ "reason": "the disk is full" })));
    }
    assert_eq!(desk.kinds(&admin).await.len(), 1, "while it is unread, the next failure is no news");
    let read = Some(page.rows[0].id.clone());
    desk.notifications.mark_read(&admin, vec![], read).await.expect("marked");
    desk.take(&message("BackupFailed", json!({ "reason": "the disk is full" })));
    assert_eq!(desk.kinds(&admin).await.len(), 2);
}

#[tokio::test]
async fn a_message_that_comes_twice_is_told_and_delivered_once() {
    let desk = Desk::open();
    let ann = desk.person("ann", Role::Contestant, None);
    let message = verdict(&ann, Some("AC"), Some("WA"));
    let before = desk.events.last_seq().await.expect("readable");
    for _ in 0..3 {
        assert_eq!(desk.take(&message), Applied::Done);
    }
    assert_eq!((desk.kinds(&ann).await.len(), desk.ledger(&ann).len()), (1, 1));
    let events = desk.events.after(before).await.expect("readable").expect("no gap");
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].event_type.as_str(), events[0].aggregate_id.as_str()), ("NoticeArrived", ann.as_str()));
}

#[tokio::test]
async fn what_is_not_understood_is_set_aside_with_the_reason_and_told_to_nobody() {
    let desk = Desk::open();
    let ann = desk.person("ann", Role::Contestant, None);
    let mut newer = verdict(&ann, Some("AC"), Some("WA"));
    newer.schema_version = 2;
    let mut foreign = verdict(&ann, Some("AC"), Some("WA"));
    foreign.message_type = "SomethingElse".into();
    let damaged = message("VerdictCounts", json!({ "number": "seven" }));
    for (message, said) in [(newer, "version 2"), (foreign, "SomethingElse"), (damaged, "cannot be read")] {
        match desk.take(&message) {
            Applied::NotUnderstood { reason } => assert!(reason.contains(said), "{reason}"),
            Applied::Done => panic!("{message:?} was taken"),
        }
    }
    assert_eq!(desk.ledger(&ann), []);
}

#[tokio::test]
async fn preferences_hold_per_kind_from_then_on_and_only_for_the_person() {
    let desk = Desk::open();
    let (ann, bob) = (desk.person("ann", Role::Contestant, None), desk.person("bob", Role::Contestant, None));
    let rows = desk.notifications.preferences(&ann, &[Role::Contestant]).await.expect("readable").rows;
    let kinds: Vec<_> = rows.iter().map(|row| (row.kind.clone(), row.is_wanted)).collect();
    use NoticeKind as Kind;
    let own =
        [(Kind::Judged, false), (Kind::JudgedLate, true), (Kind::VerdictChanged, true), (Kind::JudgingCancelled, true)];
    assert_eq!(kinds, own, "what staff are told is not offered to others");
    let of_staff = desk.notifications.preferences(&ann, &[Role::Admin]).await.expect("readable").rows;
    assert_eq!(of_staff.len(), Kind::KNOWN.len());

    desk.notifications.set_preferences(&ann, wish(Kind::Judged, true)).await.expect("saved");
    desk.notifications.set_preferences(&ann, wish(Kind::VerdictChanged, false)).await.expect("saved");
    for user in [&ann, &bob] {
        desk.take(&verdict(user, None, Some("AC")));
        desk.take(&verdict(user, Some("AC"), Some("WA")));
    }
    assert_eq!(desk.kinds(&ann).await, [Kind::Judged]);
    assert_eq!(desk.kinds(&bob).await, [Kind::VerdictChanged]);
}

#[tokio::test]
async fn reading_counts_down_ones_own_notices_and_nobody_elses() {
    let desk = Desk::open();
    let (ann, bob) = (desk.person("ann", Role::Contestant, None), desk.person("bob", Role::Contestant, None));
    for _ in 0..5 {
        desk.take(&verdict(&ann, Some("AC"), Some("WA")));
    }
    desk.take(&verdict(&bob, Some("AC"), Some("WA")));
    let notices = &desk.notifications;
    let first = notices.page(&ann, None, 2).await.expect("readable");
    assert_eq!((first.rows.len(), first.unread), (2, 5));
    let second = notices.page(&ann, first.next_before_id.clone(), 10).await.expect("readable");
    assert_eq!((second.rows.len(), second.next_before_id), (3, None));
    assert_eq!(notices.page(&ann, None, 0).await.expect("readable").unread, 5, "the count alone");

    let newest = first.rows[0].id.clone();
    assert_eq!(notices.mark_read(&ann, vec![newest.clone()], None).await.expect("marked").unread, 4);
    assert_eq!(notices.mark_read(&ann, vec![newest], None).await.expect("marked").unread, 4, "twice is once");
    assert_eq!(notices.mark_read(&bob, vec![second.rows[0].id.clone()], None).await.expect("marked").unread, 1);
    assert_eq!(desk.page(&ann).await.unread, 4, "another's notice stays unread");
    let up_to = Some(second.rows[0].id.clone());
    assert_eq!(notices.mark_read(&ann, vec![], up_to).await.expect("marked").unread, 1);
    let is_read: Vec<bool> = desk.page(&ann).await.rows.iter().map(|row| row.is_read).collect();
    assert_eq!(is_read, [true, false, true, true, true]);
}

#[tokio::test]
async fn a_person_keeps_the_newest_and_the_ledger_goes_with_the_rest() {
    let desk = Desk::open();
    let ann = desk.person("ann", Role::Contestant, None);
    for _ in 0..KEPT + 3 {
        desk.take(&verdict(&ann, Some("AC"), Some("WA")));
    }
    assert_eq!(desk.page(&ann).await.unread, KEPT);
    assert_eq!(desk.ledger(&ann).len(), KEPT as usize);
}
