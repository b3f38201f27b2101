//! `GET /metrics`: the numbers of the operations view as Prometheus text (OpenMetrics 1.0).
//!
//! Only for a session whose person may read operations, or for the bearer token that the program was started with;
//! without a token there is no other way in. What is unknown is absent, never 0. Ages are in seconds.

use std::sync::Arc;

use agon_contract::module::ModuleState;
use agon_contract::operations::{BoxView, GetOperations, OperationsView};
use agon_contract::sandbox::SandboxHealth;
use agon_contract::{ApiError, ErrorCode};
use axum::extract::State;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use judge_core::Actor;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::Registry;

use super::Host;
use super::answer::Refusal;
use super::session::equal;

const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The token that lets a scraper in without a session.
#[derive(Clone)]
pub struct MetricsToken(String);

/// The token is too easy to guess.
#[derive(Debug, thiserror::Error)]
#[error("a metrics token has at least {TOKEN_CHARS_MIN} characters, all of them letters, digits or one of -._~+/=")]
pub struct WeakToken;

const TOKEN_CHARS_MIN: usize = 16;

impl MetricsToken {
    /// # Errors
    /// The token is short, or has characters that no header can carry.
    pub fn new(token: &str) -> Result<Self, WeakToken> {
        let is_fine = |c: char| c.is_ascii_alphanumeric() || "-._~+/=".contains(c);
        if token.len() < TOKEN_CHARS_MIN || !token.chars().all(is_fine) {
            return Err(WeakToken);
        }
        Ok(Self(token.to_owned()))
    }

    fn admits(&self, headers: &HeaderMap) -> bool {
        let offered = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let offered = offered.and_then(|value| value.strip_prefix("Bearer "));
        offered.is_some_and(|offered| equal(&self.0, offered))
    }
}

/// The route's handler.
pub(super) async fn answer(State(host): State<Arc<Host>>, headers: HeaderMap) -> Result<Response, Refusal> {
    let actor = reader(&host, &headers).await?;
    let view = host.judge.get_operations(&actor, GetOperations {}).await?;
    let content_type = (header::CONTENT_TYPE, HeaderValue::from_static(CONTENT_TYPE));
    Ok(([content_type], exposition(&view)).into_response())
}

/// Whoever holds the token was given it by whoever started the program, and reads as that person.
async fn reader(host: &Host, headers: &HeaderMap) -> Result<Actor, ApiError> {
    if host.metrics_token.get().is_some_and(|token| token.admits(headers)) {
        return Ok(host.judge.local_actor());
    }
    if let Some(visitor) = host.visitor(headers).await? {
        return Ok(visitor.actor);
    }
    let error = ApiError::new(ErrorCode::Unauthenticated, "metrics need a session, or the token of this server");
    Err(error.with_hint("Start the server with --metrics-token-file and send the token as `Authorization: Bearer`."))
}

/// The view as text.
fn exposition(view: &OperationsView) -> String {
    let mut page = Page(Registry::with_prefix("agon"));
    queue(&mut page, view);
    judging(&mut page, view);
    boxes(&mut page, view);
    machine(&mut page, view);
    let mut text = String::new();
    match text::encode(&mut text, &page.0) {
        Ok(()) => text,
        // A string takes every write.
        Err(error) => format!("# the metrics could not be written: {error}\n"),
    }
}

/// A registry of numbers that are already known; each is given once and never changes.
struct Page(Registry);

impl Page {
    fn gauge(&mut self, name: &str, help: &str, value: Option<impl Into<f64>>) {
        if let Some(value) = value {
            self.0.register(name, help, ConstGauge::new(value.into()));
        }
    }

    fn seconds(&mut self, name: &str, help: &str, milliseconds: Option<u64>) {
        self.gauge(name, help, milliseconds.map(seconds));
    }

    /// One line per set of labels; none of them, no metric.
    fn lines(&mut self, name: &str, help: &str, lines: Vec<(Vec<(&'static str, String)>, f64)>) {
        if lines.is_empty() {
            return;
        }
        let family = Family::<Vec<(&'static str, String)>, Gauge<f64, std::sync::atomic::AtomicU64>>::default();
        for (labels, value) in lines {
            family.get_or_create(&labels).set(value);
        }
        self.0.register(name, help, family);
    }
}

fn seconds(milliseconds: u64) -> f64 {
    std::time::Duration::from_millis(milliseconds).as_secs_f64()
}

fn queue(page: &mut Page, view: &OperationsView) {
    let queue = view.queue.as_ref();
    page.gauge("queue_depth", "Entries ready to be judged", queue.map(|queue| queue.depth));
    page.seconds(
        "queue_delay_seconds",
        "How long the entry that was taken last had waited",
        queue.and_then(|queue| queue.delay_ms),
    );
    page.seconds(
        "queue_oldest_ready_seconds",
        "How long the oldest ready entry has waited",
        queue.and_then(|queue| queue.oldest_ready_ms),
    );
    page.gauge("queue_pending", "Entries taken and not finished", queue.map(|queue| queue.pending));
    page.seconds(
        "queue_oldest_pending_seconds",
        "Age of the oldest entry that is taken",
        queue.and_then(|queue| queue.oldest_pending_ms),
    );
    page.gauge("queue_dead_letters", "Entries set aside for staff", queue.map(|queue| queue.dead_letters));
}

fn judging(page: &mut Page, view: &OperationsView) {
    page.gauge("judgements_waiting", "Judgements that wait", view.waiting);
    page.gauge("judgements_judging", "Judgements that somebody holds", view.judging);
    page.gauge("workers", "Submissions that can be judged at one time", Some(view.workers));
    page.gauge("dispatch_paused", "1 while no work is dispatched", Some(u8::from(view.paused_reason.is_some())));
    page.seconds("last_success_seconds", "Time since the last verdict was stored", view.last_success_ago_ms);
    let dropped = ConstCounter::new(view.stale_results_dropped);
    page.0.register("stale_results_dropped", "Results that came after their lease was lost", dropped);
    if let Some(leases) = &view.leases {
        let mut held = std::collections::BTreeMap::<(String, String), u32>::new();
        for lease in leases {
            *held.entry((lease.owner.clone(), lease.name.clone())).or_default() += 1;
        }
        let lines =
            held.into_iter().map(|((owner, name), count)| (vec![("owner", owner), ("name", name)], count.into()));
        page.lines("leases", "Leases that are held", lines.collect());
    }
}

fn boxes(page: &mut Page, view: &OperationsView) {
    page.lines("outbox_rows", "Rows of an outbox by state", rows(view.outboxes.as_deref(), "outbox"));
    page.lines("outbox_oldest_seconds", "Age of the oldest row to be sent", oldest(view.outboxes.as_deref(), "outbox"));
    page.lines("inbox_rows", "Rows of a consumer's inbox by state", rows(view.inboxes.as_deref(), "consumer"));
    page.lines(
        "inbox_oldest_seconds",
        "Age of the oldest row to be handled",
        oldest(view.inboxes.as_deref(), "consumer"),
    );
}

type Lines = Vec<(Vec<(&'static str, String)>, f64)>;

fn rows(boxes: Option<&[BoxView]>, label: &'static str) -> Lines {
    let all = boxes.unwrap_or_default().iter().flat_map(|found| {
        found.states.iter().map(move |row| {
            let labels = vec![(label, found.name.clone()), ("state", row.state.clone())];
            // Counts stay far below the 2^53 that a number of this format can tell apart.
            #[expect(clippy::cast_precision_loss, reason = "the format knows only floating point numbers")]
            (labels, row.count as f64)
        })
    });
    all.collect()
}

fn oldest(boxes: Option<&[BoxView]>, label: &'static str) -> Lines {
    let with_age = boxes
        .unwrap_or_default()
        .iter()
        .filter_map(|found| found.oldest_waiting_ms.map(|age_ms| (vec![(label, found.name.clone())], seconds(age_ms))));
    with_age.collect()
}

fn machine(page: &mut Page, view: &OperationsView) {
    let modules = view.modules.iter().flat_map(|module| {
        ModuleState::KNOWN.iter().map(move |state| {
            let labels = vec![("module", module.name.clone()), ("state", state.as_str().to_owned())];
            (labels, f64::from(u8::from(module.state == *state)))
        })
    });
    page.lines("module_state", "1 for the state a module is in", modules.collect());
    let health = SandboxHealth::KNOWN.iter().map(|health| {
        let is_now = f64::from(u8::from(view.sandbox.health == *health));
        (vec![("health", health.as_str().to_owned())], is_now)
    });
    page.lines("sandbox_health", "1 for the health the sandbox is in", health.collect());
    page.gauge("sandbox_warm_boxes", "Boxes ready to be taken", Some(view.sandbox.warm_boxes));
    #[expect(clippy::cast_precision_loss, reason = "the format knows only floating point numbers")]
    page.gauge("events_seq", "Sequence number of the newest event", view.events_seq.map(|seq| seq as f64));
    page.gauge("process_start_time_seconds", "When this process opened the folder", started(view.started_at_ms));
}

fn started(at_ms: i64) -> Option<f64> {
    u64::try_from(at_ms).ok().map(seconds)
}

#[cfg(test)]
mod tests {
    use agon_contract::module::ModuleView;
    use agon_contract::operations::{LeaseView, QueueView, StateCount};
    use agon_contract::sandbox::SandboxStatus;

    use super::*;

    fn nothing_known() -> OperationsView {
        OperationsView {
            looked_at_ms: 2_000,
            started_at_ms: 1_500,
            paused_reason: None,
            workers: 3,
            queue: None,
            waiting: None,
            judging: None,
            last_success_ago_ms: None,
            stale_results_dropped: 0,
            leases: None,
            outboxes: None,
            inboxes: None,
            modules: Vec::new(),
            sandbox: SandboxStatus {
                backend: "docker".into(),
                health: SandboxHealth::EngineAway,
                message: String::new(),
                engine_version: String::new(),
                image: String::new(),
                image_id: String::new(),
                protections: Vec::new(),
                warm_boxes: 0,
            },
            events_seq: None,
            unknown: Vec::new(),
        }
    }

    /// Value of the line that begins so; `None` when there is no such line.
    fn value(text: &str, begin: &str) -> Option<f64> {
        let line = text.lines().find(|line| line.strip_prefix(begin).is_some_and(|rest| rest.starts_with(' ')))?;
        line.rsplit(' ').next()?.parse().ok()
    }

    #[test]
    fn what_is_unknown_is_absent_and_not_zero() {
        let text = exposition(&nothing_known());
        for name in ["queue_", "judgements_", "last_success", "leases", "outbox_", "inbox_", "module_", "events_seq"] {
            assert!(!text.contains(&format!("agon_{name}")), "{name}: {text}");
        }
        assert_eq!(value(&text, "agon_workers"), Some(3.0));
        assert_eq!(value(&text, "agon_stale_results_dropped_total"), Some(0.0));
        assert_eq!(value(&text, "agon_sandbox_health{health=\"engine_away\"}"), Some(1.0));
        assert_eq!(value(&text, "agon_sandbox_health{health=\"ready\"}"), Some(0.0));
        assert_eq!(value(&text, "agon_process_start_time_seconds"), Some(1.5));
        assert!(text.ends_with("# EOF\n"));
    }

    #[test]
    fn everything_known_is_told_in_seconds_and_by_label() {
        let lease = |name: &str| LeaseView {
            name: name.into(),
            owner: "submission".into(),
            holder: "h".into(),
            boot_id: None,
            is_foreign_boot: None,
            since_ms: None,
            ends_in_ms: None,
            judgement_id: None,
            submission_id: None,
            submission_number: None,
            generation: None,
            fence_token: None,
        };
        let states = vec![StateCount { state: "pending".into(), count: 7 }];
        let module = ModuleView {
            name: "file_watch".into(),
            state: ModuleState::Failed,
            since_ms: 0,
            reason: "quote \" and\nbreak".into(),
            remedy: String::new(),
            is_enabled: true,
            is_allowed: true,
        };
        let view = OperationsView {
            paused_reason: Some("the disk is full".into()),
            queue: Some(QueueView { depth: 4, delay_ms: Some(2_500), dead_letters: 2, ..QueueView::default() }),
            judging: Some(1),
            last_success_ago_ms: Some(90_000),
            stale_results_dropped: 5,
            leases: Some(vec![lease("judgement"), lease("judgement"), lease("retention")]),
            outboxes: Some(vec![BoxView { name: "judge".into(), states, oldest_waiting_ms: Some(1_000) }]),
            modules: vec![module],
            events_seq: Some(42),
            ..nothing_known()
        };
        let text = exposition(&view);
        let expected = [
            ("agon_queue_depth", 4.0),
            ("agon_queue_delay_seconds", 2.5),
            ("agon_queue_dead_letters", 2.0),
            ("agon_dispatch_paused", 1.0),
            ("agon_judgements_judging", 1.0),
            ("agon_last_success_seconds", 90.0),
            ("agon_stale_results_dropped_total", 5.0),
            ("agon_leases{owner=\"submission\",name=\"judgement\"}", 2.0),
            ("agon_outbox_rows{outbox=\"judge\",state=\"pending\"}", 7.0),
            ("agon_outbox_oldest_seconds{outbox=\"judge\"}", 1.0),
            ("agon_module_state{module=\"file_watch\",state=\"failed\"}", 1.0),
            ("agon_module_state{module=\"file_watch\",state=\"ready\"}", 0.0),
            ("agon_events_seq", 42.0),
        ];
        for (line, number) in expected {
            assert_eq!(value(&text, line), Some(number), "{line} in\n{text}");
        }
        assert_eq!(value(&text, "agon_queue_oldest_ready_seconds"), None, "nothing waits");
    }

    #[test]
    fn only_the_whole_token_opens() {
        let with =
            |value: &'static str| HeaderMap::from_iter([(header::AUTHORIZATION, HeaderValue::from_static(value))]);
        let token = MetricsToken::new("0123456789abcdef").expect("long enough");
        assert!(token.admits(&with("Bearer 0123456789abcdef")));
        for wrong in ["Bearer 0123456789abcdeF", "Bearer 0123456789abcde", "0123456789abcdef", "Bearer "] {
            assert!(!token.admits(&with(wrong)), "{wrong}");
        }
        assert!(!token.admits(&HeaderMap::new()));
        for weak in ["", "short", "0123456789abcde\n", "0123456789 abcdef"] {
            assert!(MetricsToken::new(weak).is_err(), "{weak:?}");
        }
    }
}
