//! A machine that misbehaves: a clock that steps, a full disk, a database that is locked, newer or damaged. Each ends in
//! a named state or message with a way out, and nothing is lost.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use agon_contract::ErrorCode;
use agon_contract::ids::{ProblemId, SubmissionId};
use agon_contract::submission::Stage;
use agon_contract::verdict::Verdict;
use agon_tests::children::Group;
use agon_tests::cli::{Said, agon};
use agon_tests::client::{Broken, Client};
use agon_tests::parts::Missing;
use agon_tests::programs::RIGHT_IN_C;
use agon_tests::promises::{self, Ledger, Promise};
use agon_tests::rooms::TempData;
use agon_tests::serve::{JUDGED_WITHIN, Serve};
use agon_tests::shim::Shim;
use agon_tests::work::{Work, package};
use agon_tests::{part, parts, wait};
use rusqlite::Connection;

const DAY_SECONDS: i64 = 86_400;
/// Room of the small disk: an empty data folder and some submissions.
const SMALL_DISK: &str = "size=12m";

/// A server and one client of it.
struct Open {
    server: Group,
    work: Work,
}

fn open(place: &TempData, ledger: &Arc<Mutex<Ledger>>) -> Open {
    let (server, address) = Serve::start_unopened(place).expect("it was there a moment ago");
    let work = Work { client: Client::enter(&address).expect("a session"), ledger: Arc::clone(ledger) };
    Open { server, work }
}

/// A place without an engine, with one problem and `count` submissions, closed in good order.
fn closed_folder(place: &mut TempData, count: usize) -> Arc<Mutex<Ledger>> {
    place.use_engine("unix:///nonexistent/engine.sock");
    let ledger = Arc::default();
    let Open { mut server, work } = open(place, &ledger);
    let problem = work.import(&package(&place.path().join("home"))).expect("taken in");
    for number in 0..count {
        work.submit(&problem, &format!("key-{number}"), RIGHT_IN_C, 2_000).expect("taken");
    }
    work.draft(&problem, "c", 1, 10).expect("journalled");
    assert!(server.ask_to_end().success(), "{}", server.printed());
    ledger
}

/// Every promise so far is kept.
fn assert_kept(place: &TempData, ledger: &Mutex<Ledger>) {
    let ledger = ledger.lock().expect("no panic").clone();
    let promises: Vec<&Promise> = ledger.promises.iter().collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let broken = runtime.block_on(promises::check(&place.data(), &ledger, &promises));
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

fn assert_judged(work: &Work, id: &SubmissionId) {
    wait::until("a verdict", JUDGED_WITHIN, || {
        let finished = work.is_finished(id).map_err(|broken| broken.to_string())?;
        if finished { Ok(()) } else { Err("not yet".into()) }
    });
    assert_eq!(work.look(id).expect("shown").summary.verdict, Some(Verdict::Accepted));
}

fn assert_refused(outcome: Result<SubmissionId, Broken>, hint: &str) {
    match outcome {
        Err(Broken::Refused(error)) => {
            assert_eq!(error.code, ErrorCode::StorageUnavailable, "{error:?}");
            assert!(error.hint.as_ref().is_some_and(|text| text.contains(hint)), "{error:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_clock_that_steps_by_a_day_costs_nothing() {
    part!(parts::sandbox());
    part!(parts::headless());
    let mut place = TempData::new();
    let shim = part!(Shim::build(&place));
    let root = place.path().to_owned();
    shim.preload(&mut place, &root);
    shim.own_clock(&mut place);
    let ledger = Arc::default();
    let Open { mut server, work } = open(&place, &ledger);
    let problem = work.import(&package(&place.path().join("home"))).expect("taken in");
    let submit = |work: &Work, key: &str| work.submit(&problem, key, RIGHT_IN_C, 10).expect("taken");

    let before = submit(&work, "before");
    shim.set_clock(-DAY_SECONDS);
    let back = submit(&work, "back");
    work.draft(&problem, "c", 1, 10).expect("journalled");
    for id in [&before, &back] {
        assert_judged(&work, id);
    }
    // Dies while something waits or is judged; the next start is two days later.
    let waiting = submit(&work, "waiting");
    server.crash();
    shim.set_clock(DAY_SECONDS);
    let Open { mut server, work } = open(&place, &ledger);
    assert_judged(&work, &waiting);
    let forward = submit(&work, "forward");
    work.draft(&problem, "c", 2, 10).expect("journalled");
    server.crash();
    // And back again: leases, retry times and drafts of that life lie in the future now.
    shim.set_clock(-DAY_SECONDS);
    let Open { mut server, work } = open(&place, &ledger);
    work.draft(&problem, "c", 3, 10).expect("journalled");
    assert_judged(&work, &forward);
    assert_judged(&work, &submit(&work, "last"));
    assert!(server.ask_to_end().success(), "{}", server.printed());
    place.unset("LD_PRELOAD");
    assert_kept(&place, &ledger);
    place.assert_nothing_left();
}

/// A small file system of its own; unmounted when dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Result<Self, Missing> {
        if !parts::is_root() {
            return Err(Missing(parts::NEEDS_ROOT.into()));
        }
        std::fs::create_dir(at).expect("a folder can be made");
        let mut mount = Command::new(parts::tool("mount", "install util-linux")?);
        let done = mount.args(["-t", "tmpfs", "-o", SMALL_DISK, "agon-small-disk"]).arg(at).output();
        let done = done.expect("mount can be started");
        let refused = || Missing(format!("no file system can be mounted: {}", String::from_utf8_lossy(&done.stderr)));
        if done.status.success() { Ok(Self(at.to_owned())) } else { Err(refused()) }
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }

    fn fill(&self) {
        use std::io::Write;
        let mut file = std::fs::File::create(self.filler()).expect("a file can be made");
        for size in [64 * 1024, 4096] {
            while file.write_all(&vec![1; size]).is_ok() {}
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_named_and_what_was_saved_stays() {
    part!(parts::headless());
    let mut place = TempData::new();
    let disk = part!(SmallDisk::mount(&place.path().join("small")));
    place.keep_data_in(disk.0.join("agon"));
    place.use_engine("unix:///nonexistent/engine.sock");
    let ledger = Arc::default();
    let Open { mut server, work } = open(&place, &ledger);
    let problem = work.import(&package(&place.path().join("home"))).expect("taken in");
    let submit = |key: &str, filler| work.submit(&problem, key, RIGHT_IN_C, filler);
    submit("before", 10).expect("taken");
    disk.fill();
    assert_refused(submit("full", 300 * 1024), "Make room");
    let draft = work.draft(&problem, "c", 1, 100_000);
    assert!(matches!(&draft, Err(Broken::Refused(error)) if error.code == ErrorCode::StorageUnavailable), "{draft:?}");
    std::fs::remove_file(disk.filler()).expect("removable");
    submit("full", 300 * 1024).expect("taken, now that there is room");
    submit("after", 10).expect("taken");
    work.draft(&problem, "c", 2, 10).expect("journalled");
    assert!(server.ask_to_end().success(), "{}", server.printed());
    assert_kept(&place, &ledger);

    disk.fill();
    let said = agon(&place, &["submissions"]).expect("it was there a moment ago");
    assert!(said.code == 3 && said.stderr.contains("Make room"), "a start on a full disk: {said:#?}");
    std::fs::remove_file(disk.filler()).expect("removable");
    assert_kept(&place, &ledger);
    drop(disk);
    place.assert_nothing_left();
}

/// Right, after half a second of work per case, so that a story can come in between.
const SLOW_IN_C: &str = "\
#include <stdio.h>
#include <time.h>
int main(void) {
    long long a, b;
    if (scanf(\"%lld %lld\", &a, &b) != 2) return 1;
    while (clock() < CLOCKS_PER_SEC / 2) {}
    printf(\"%lld\\n\", a + b);
    return 0;
}
";

#[test]
fn a_disk_that_fills_up_in_mid_judging_costs_no_more_than_the_time_it_is_full() {
    part!(parts::sandbox());
    part!(parts::headless());
    let mut place = TempData::new();
    let disk = part!(SmallDisk::mount(&place.path().join("small")));
    place.keep_data_in(disk.0.join("agon"));
    let ledger = Arc::default();
    let Open { mut server, work } = open(&place, &ledger);
    let problem = work.import(&package(&place.path().join("home"))).expect("taken in");
    let id = work.submit(&problem, "slow", SLOW_IN_C, 10).expect("taken");
    let until_stage = |wanted: &Stage| {
        wait::until("the stage", JUDGED_WITHIN, || {
            let detail = work.look(&id).map_err(|broken| broken.to_string())?;
            let progress = detail.summary.progress.clone();
            if progress.stage == *wanted { Ok(detail) } else { Err(format!("{progress:?}")) }
        })
    };
    until_stage(&Stage::Running);
    disk.fill();
    let waiting = until_stage(&Stage::WaitingForSandbox);
    assert!(waiting.summary.progress.reason.contains("disk is full"), "{:?}", waiting.summary.progress);
    assert_eq!(waiting.summary.verdict, None);

    std::fs::remove_file(disk.filler()).expect("removable");
    assert_judged(&work, &id);
    let judged = work.look(&id).expect("shown");
    let lost: Vec<_> = judged.judgements.iter().filter(|judgement| judgement.reason.contains("lease")).collect();
    assert!(lost.is_empty(), "nobody had to wait for a lease to end: {lost:#?}");
    assert!(server.ask_to_end().success(), "{}", server.printed());
    assert_kept(&place, &ledger);
    drop(disk);
    place.assert_nothing_left();
}

fn database(place: &TempData) -> Connection {
    Connection::open(place.data().join("agon.db")).expect("the database opens")
}

/// The command that opens the folder ends as a fault of the machine and says `words`.
fn assert_says(said: &Said, words: &[&str]) {
    assert_eq!(said.code, 3, "{said:#?}");
    for word in words {
        assert!(said.stderr.contains(word), "{word}: {said:#?}");
    }
}

#[test]
fn a_database_that_another_program_holds_is_named_and_waited_for() {
    part!(parts::headless());
    let mut place = TempData::new();
    let ledger = closed_folder(&mut place, 2);
    let other = database(&place);
    other.execute_batch("BEGIN IMMEDIATE").expect("nobody else has it");
    let said = agon(&place, &["submissions"]).expect("it was there a moment ago");
    assert_says(&said, &["Another program holds the database"]);
    other.execute_batch("ROLLBACK").expect("ours");

    let Open { mut server, work } = open(&place, &ledger);
    let problem: ProblemId = work.import(&package(&place.path().join("home"))).expect("the same again");
    other.execute_batch("BEGIN IMMEDIATE").expect("between two writes");
    assert_refused(work.submit(&problem, "locked out", RIGHT_IN_C, 10), "Another program holds the database");
    other.execute_batch("ROLLBACK").expect("ours");
    drop(other);
    work.submit(&problem, "locked out", RIGHT_IN_C, 10).expect("taken, now that it is free");
    assert!(server.ask_to_end().success(), "{}", server.printed());
    assert_kept(&place, &ledger);
    place.assert_nothing_left();
}

#[test]
fn a_database_of_a_newer_program_is_left_alone() {
    part!(parts::headless());
    let mut place = TempData::new();
    let ledger = closed_folder(&mut place, 2);
    let newer = "INSERT INTO store_migration (owner, number, name, hash, applied_at_ms)
                 VALUES ('submission', 999, 'later', printf('%064d', 0), 1)";
    database(&place).execute_batch(newer).expect("a row more");
    let before = std::fs::read(place.data().join("agon.db")).expect("readable");
    let said = agon(&place, &["submissions"]).expect("it was there a moment ago");
    assert_says(&said, &["newer than this program knows", "update Agon"]);
    let after = std::fs::read(place.data().join("agon.db")).expect("readable");
    assert!(before == after, "not a byte was changed");
    database(&place).execute_batch("DELETE FROM store_migration WHERE number = 999").expect("a row less");
    assert_kept(&place, &ledger);
    place.assert_nothing_left();
}

/// Where a table or index has its first page.
fn root_page(place: &TempData, name: &str) -> u64 {
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    database(place).query_row(sql, [name], |row| row.get(0)).expect("it has pages")
}

const PAGE_BYTES: u64 = 4096;

#[test]
fn a_damaged_page_is_named_and_nothing_is_made_worse() {
    part!(parts::headless());
    let mut place = TempData::new();
    let ledger = closed_folder(&mut place, 40);
    let file = place.data().join("agon.db");
    let whole = std::fs::read(&file).expect("readable");
    let damages = [
        ("the header", 0, 64),
        ("a table", (root_page(&place, "submission_submission") - 1) * PAGE_BYTES, PAGE_BYTES),
        ("an index", (root_page(&place, "submission_submission_by_user") - 1) * PAGE_BYTES, PAGE_BYTES),
    ];
    for (what, offset, length) in damages {
        let mut damaged = whole.clone();
        let offset = usize::try_from(offset).expect("a small file");
        damaged[offset..offset + usize::try_from(length).expect("a page")].fill(0xa5);
        std::fs::write(&file, &damaged).expect("writable");
        let said = agon(&place, &["submissions", "--json"]).expect("it was there a moment ago");
        // What does not need the page works; what needs it is refused with a way out.
        let listed = (0..40).filter(|number| said.stdout.contains(&format!("\"number\":{}", number + 1))).count();
        let works = said.code == 0 && listed == 40;
        let named = said.code == 3 && said.stderr.contains("restore a backup");
        assert!(works || named, "{what}: {said:#?}");
        eprintln!("{what}: exit {} {}", said.code, said.stderr.trim());
        std::fs::write(&file, &whole).expect("writable");
        for companion in ["agon.db-wal", "agon.db-shm"] {
            // Belongs to the damaged file.
            let _ = std::fs::remove_file(place.data().join(companion));
        }
        assert_kept(&place, &ledger);
    }
    place.assert_nothing_left();
}
