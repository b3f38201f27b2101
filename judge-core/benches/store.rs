//! What durable intake, start and a list page cost with ten thousand submissions in the store.
//!
//! Judging is real but for the box: a scripted sandbox answers at once, so the store holds what a store holds after ten
//! thousand judged submissions – judgements, runs, manifests, messages, events.
#![expect(clippy::print_stdout, reason = "a bench reports to its reader")]

#[path = "../tests/judge_support/mod.rs"]
mod judge_support;
mod report;

use std::path::Path;
use std::time::{Duration, Instant};

use agon_contract::command::{GetOutboxCounts, ListSubmissions};
use agon_contract::ids::ProblemId;
use futures_util::StreamExt;
use judge_core::Judge;
use judge_core::sandbox::fake::FakeSandbox;
use rusqlite::Connection;

use crate::judge_support::{RIGHT, WRONG, config, import, obedient, submission};
use crate::report::{cores, load, show, target, timed};

const SUBMISSIONS: u32 = 10_000;
/// Submissions measured one by one, in turn with as many commits of the floor.
const INTAKES: u32 = 1_000;
const ROUNDS: u32 = 20;
/// Clients that submit at one time in a hall's last minute.
const CLIENTS: usize = 16;
const STARTS: usize = 5;
const PAGES: u64 = 100;
const PAGE_ROWS: u32 = 50;
/// Targets of the delivery issue.
const LEAST_INTAKE_RATIO: f64 = 0.2;
const START_TARGET_MS: f64 = 1_000.0;
const PAGE_TARGET_MS: f64 = 50.0;

fn main() {
    println!("{} cores, load {}", cores(), load());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    // Not in /tmp, which may be memory: commits have to reach a disk.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temp folder");
    let data = folder.path().join("data");
    let problem = intake(&data, folder.path()).await;
    fill(&data, &problem).await;
    starts(&data).await;
    pages(&data).await;
    let bytes = std::fs::metadata(data.join("agon.db")).expect("the database").len();
    println!("{:34} {:>8} MiB for {SUBMISSIONS} submissions", "database", bytes >> 20);
}

async fn open(data: &Path, sandbox: &FakeSandbox) -> Judge {
    Judge::open(config(data, sandbox)).await.expect("the judge opens")
}

/// Floor and intake in turn, so that a busy moment hits both; nothing is judged meanwhile.
async fn intake(data: &Path, folder: &Path) -> ProblemId {
    let away = obedient();
    away.set_away(Some("the bench measures intake"));
    let judge = open(data, &away).await;
    let problem = import(&judge, folder).await;
    let raw = raw_store(&folder.join("raw.db"));
    let (mut floor, mut ours) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        for number in 0..INTAKES / ROUNDS {
            floor.push(timed(|| commit(&raw, number)));
        }
        for number in 0..INTAKES / ROUNDS {
            let request = submission(&format!("one-{round}-{number}"), &problem, RIGHT);
            let start = Instant::now();
            judge.submit(&judge.local_actor(), request).await.expect("it is saved");
            ours.push(start.elapsed());
        }
    }
    let floor = show("single-row commit, WAL + FULL", floor);
    let ours = show("durable intake", ours);
    target("floor / intake", floor / ours, ">=", LEAST_INTAKE_RATIO);
    let start = Instant::now();
    submit_many(&judge, &problem, "many", INTAKES).await;
    let each = start.elapsed() / INTAKES;
    println!("{:34} {:>8.3} ms each, {CLIENTS} clients at a time", "durable intake", each.as_secs_f64() * 1e3);
    judge.close().await;
    problem
}

/// Fills the store up and waits until all is judged.
async fn fill(data: &Path, problem: &ProblemId) {
    let judge = open(data, &obedient()).await;
    let start = Instant::now();
    submit_many(&judge, problem, "fill", SUBMISSIONS - 2 * INTAKES).await;
    loop {
        let counts = judge.outbox_counts(&judge.local_actor(), GetOutboxCounts {}).await.expect("counted");
        assert_eq!(counts.needs_attention, 0, "nothing goes wrong with a scripted sandbox");
        if counts.saved + counts.queued + counts.judging == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("{:34} {:>8.1} s", "taken in and judged, the rest", start.elapsed().as_secs_f64());
    judge.close().await;
}

async fn submit_many(judge: &Judge, problem: &ProblemId, name: &str, count: u32) {
    let submits = (0..count).map(async |number| {
        let text = if number % 3 == 0 { WRONG } else { RIGHT };
        let request = submission(&format!("{name}-{number}"), problem, text);
        judge.submit(&judge.local_actor(), request).await.expect("it is saved");
    });
    futures_util::stream::iter(submits).buffer_unordered(CLIENTS).collect::<Vec<()>>().await;
}

/// From nothing to the first page of the list, as whoever opens the app waits for it.
async fn starts(data: &Path) {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let start = Instant::now();
        let judge = open(data, &obedient()).await;
        assert_eq!(page(&judge, None).await, u64::from(SUBMISSIONS));
        times.push(start.elapsed());
        judge.close().await;
    }
    target("start, ms", show("start to the first page", times), "<=", START_TARGET_MS);
}

async fn pages(data: &Path) {
    let judge = open(data, &obedient()).await;
    let step = u64::from(SUBMISSIONS) / PAGES;
    let mut times = Vec::new();
    for number in 1..PAGES {
        let before = u64::from(PAGE_ROWS) + number * step;
        let start = Instant::now();
        let newest = page(&judge, Some(before)).await;
        times.push(start.elapsed());
        assert_eq!(newest, before.min(u64::from(SUBMISSIONS) + 1) - 1, "the page that was asked for");
    }
    target("list page, ms", show("list page of 50", times), "<=", PAGE_TARGET_MS);
    judge.close().await;
}

/// Number of the page's newest row.
async fn page(judge: &Judge, before_number: Option<u64>) -> u64 {
    let request = ListSubmissions { problem_id: None, user_id: None, before_number, limit: PAGE_ROWS };
    let page = judge.list_submissions(&judge.local_actor(), request).await.expect("a page");
    assert_eq!(page.rows.len(), PAGE_ROWS as usize);
    page.rows[0].number
}

fn raw_store(path: &Path) -> Connection {
    let raw = Connection::open(path).expect("a database");
    raw.pragma_update(None, "journal_mode", "WAL").expect("a write-ahead log");
    raw.pragma_update(None, "synchronous", "FULL").expect("every commit reaches the disk");
    raw.execute_batch("CREATE TABLE row (number INTEGER PRIMARY KEY, text TEXT NOT NULL)").expect("a table");
    raw
}

fn commit(raw: &Connection, number: u32) {
    raw.execute("INSERT INTO row (text) VALUES (?1)", [format!("a row of the floor, number {number}")]).expect("a row");
}
