//! The power goes at any moment: whatever was answered with success before is there afterwards, on every disk that may
//! be left.

use std::sync::{Arc, Mutex};

use agon_contract::ids::ProblemId;
use agon_tests::client::Client;
use agon_tests::disk::Recording;
use agon_tests::programs::{RIGHT_IN_C, WRONG_IN_C};
use agon_tests::promises::Ledger;
use agon_tests::rooms::TempData;
use agon_tests::seed;
use agon_tests::serve::{JUDGED_WITHIN, Serve};
use agon_tests::shim::{Moment, Shim, Site};
use agon_tests::work::{Work, package};
use agon_tests::{part, parts, wait};

/// Disks looked at after cuts of the power.
const DISKS: usize = 300;
/// Disks looked at, at most, until a lie of the disk is noticed.
const DISKS_OF_A_LIAR: usize = 150;
/// Larger than what is kept inside the database.
const LARGE: usize = 300 * 1024;

/// Clients hand in, look, write and run, all at the same time, until they are done or the server is.
fn work_all_at_once(work: &Work, problem: &ProblemId, round: u64) {
    std::thread::scope(|scope| {
        for name in ["a", "b"] {
            scope.spawn(move || {
                for number in 0..6 {
                    let key = format!("{round}-{name}{number}");
                    let (program, filler) = match number % 4 {
                        0 => (RIGHT_IN_C, 10),
                        1 => (WRONG_IN_C, LARGE),
                        2 => (RIGHT_IN_C, 10_000),
                        _ => (WRONG_IN_C, 200 * 1024),
                    };
                    let id = work.submit(problem, &key, program, filler).expect("taken");
                    work.look(&id).expect("shown");
                }
            });
        }
        scope.spawn(move || {
            for serial in 1..=16 {
                let serial = 100 * round + serial;
                work.draft(problem, "cpp20", serial, 90_000).expect("journalled");
                work.draft(problem, "python3", serial, 10).expect("journalled");
                work.preview(problem, &format!("{round}-p{serial}")).expect("started");
            }
        });
    });
}

/// Runs the real program under the recorder: an import, work of several clients, `kill -9` in the middle of judging and
/// of a write, more work, verdicts, an orderly end.
fn record(place: &mut TempData, shim: &Shim) -> Recording {
    let root = place.path().join("disk");
    std::fs::create_dir(&root).expect("a folder can be made");
    let data = root.join("home/agon");
    place.keep_data_in(data.clone());
    shim.preload(place, &root);
    let log = shim.record(place);
    shim.kill(place, &Site { operation: "write", needle: "agon.db-wal", moment: Moment::Torn, nth: 7 });
    let ledger = Arc::new(Mutex::new(Ledger::default()));
    let (mut server, address) = Serve::start_unopened(place).expect("it was there a moment ago");
    let work = Work { client: Client::enter(&address).expect("a session"), ledger: Arc::clone(&ledger) };
    let problem = work.import(&package(&place.path().join("home"))).expect("taken in");
    work_all_at_once(&work, &problem, 1);
    shim.arm();
    server.wait();
    shim.disarm();
    assert_eq!(shim.said().len(), 1, "it died by our hand: {}", server.printed());
    drop(server);

    let (mut server, address) = Serve::start_unopened(place).expect("it was there a moment ago");
    let work = Work { client: Client::enter(&address).expect("a session"), ledger: Arc::clone(&ledger) };
    work_all_at_once(&work, &problem, 2);
    let last = work.submit(&problem, "last", RIGHT_IN_C, 1).expect("taken");
    wait::until("the last verdict", JUDGED_WITHIN, || {
        let finished = work.is_finished(&last).map_err(|broken| broken.to_string())?;
        if finished { Ok(()) } else { Err("not yet".into()) }
    });
    assert!(server.ask_to_end().success(), "{}", server.printed());
    let ledger = ledger.lock().expect("no panic").clone();
    Recording::new(&root, &data, &log, ledger)
}

#[test]
fn whatever_was_answered_survives_any_loss_of_power_and_a_disk_that_lies_is_found_out() {
    part!(parts::sandbox());
    part!(parts::headless());
    let seed = seed::of("power loss", 1);
    let mut place = TempData::new();
    let shim = part!(Shim::build(&place));
    let recording = record(&mut place, &shim);
    recording.assert_complete();
    eprintln!("{} changes of the disk, {} promises", recording.changes(), recording.promises());
    assert!(recording.promises() > 100, "{} promises are too few", recording.promises());

    let broken = recording.look_at(DISKS, &[], seed, false);
    assert!(broken.is_empty(), "{} of {DISKS} disks break promises:\n{}", broken.len(), broken.join("\n"));

    // Each sync is there for something: without it some disk must break a promise, or this story sees nothing.
    for lie in ["agon.db-wal", "agon.db", ".part", "/blobs", "/journal", ".drafts", "/agon", "/home"] {
        let broken = recording.look_at(DISKS_OF_A_LIAR, &[lie], seed, true);
        assert!(!broken.is_empty(), "no loss was noticed on a disk that does not sync {lie}");
        eprintln!("a disk that does not sync {lie}: {}", broken[0]);
    }
    place.assert_nothing_left();
}
