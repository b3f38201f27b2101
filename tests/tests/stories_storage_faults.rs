//! A disk that fails under the running program: nothing is answered with success that is not kept, the refusal has a
//! name and a way out, and when the disk works again so does the program.

use std::sync::{Arc, Mutex};

use agon_contract::ErrorCode;
use agon_contract::ids::ProblemId;
use agon_tests::client::{Broken, Client};
use agon_tests::disk::Recording;
use agon_tests::programs::RIGHT_IN_C;
use agon_tests::promises::Ledger;
use agon_tests::rooms::TempData;
use agon_tests::seed;
use agon_tests::serve::Serve;
use agon_tests::shim::{EIO, ENOSPC, Fault, Shim};
use agon_tests::work::{Work, package};
use agon_tests::{part, parts};

/// Disks looked at after each fault.
const DISKS: usize = 21;
/// Larger than what is kept inside the database.
const LARGE: usize = 300 * 1024;

/// What a client does while the disk fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Small,
    Large,
    Draft,
}
use Act::{Draft, Large, Small};

/// A call that fails while the fault lasts, and the acts that cannot succeed meanwhile.
struct Case {
    operation: &'static str,
    needle: &'static str,
    errno: i32,
    refused: &'static [Act],
}

const CASES: [Case; 10] = [
    Case { operation: "sync", needle: "agon.db-wal", errno: EIO, refused: &[Small, Large] },
    Case { operation: "write", needle: "agon.db-wal", errno: EIO, refused: &[Small, Large] },
    Case { operation: "write", needle: "agon.db-wal", errno: ENOSPC, refused: &[Small, Large] },
    Case { operation: "write", needle: ".part", errno: ENOSPC, refused: &[Large] },
    Case { operation: "sync", needle: ".part", errno: EIO, refused: &[Large] },
    Case { operation: "rename", needle: "/blobs/", errno: EIO, refused: &[Large] },
    Case { operation: "folder", needle: "/blobs", errno: EIO, refused: &[Large] },
    Case { operation: "write", needle: ".drafts", errno: ENOSPC, refused: &[Draft] },
    Case { operation: "sync", needle: ".drafts", errno: EIO, refused: &[Draft] },
    Case { operation: "folder", needle: "/journal", errno: EIO, refused: &[Draft] },
];

impl Act {
    fn carry_out(self, work: &Work, problem: &ProblemId, round: u64) -> Result<(), Broken> {
        match self {
            Self::Small => work.submit(problem, &format!("small-{round}"), RIGHT_IN_C, 10).map(drop),
            Self::Large => work.submit(problem, &format!("large-{round}"), RIGHT_IN_C, LARGE).map(drop),
            Self::Draft => work.draft(problem, "c", round, 10),
        }
    }
}

/// A refusal names the storage and says what to do.
fn assert_named(name: &str, act: Act, outcome: Result<(), Broken>) {
    match outcome {
        Ok(()) => panic!("{name}: {act:?} was answered with success"),
        Err(Broken::Refused(error)) => {
            assert_eq!(error.code, ErrorCode::StorageUnavailable, "{name}: {act:?}: {error:?}");
            assert!(error.hint.is_some(), "{name}: {act:?} has no way out: {error:?}");
        }
        Err(gone @ Broken::Gone(_)) => panic!("{name}: {act:?}: {gone}"),
    }
}

/// Acts with and without the fault on a recorded server without an engine, then disks after cuts of the power.
fn tell(case: &Case, seed: u64) {
    let name = format!("{} {} errno {}", case.operation, case.needle, case.errno);
    let mut place = TempData::new();
    place.use_engine("unix:///nonexistent/engine.sock");
    let shim = Shim::build(&place).expect("it was built before");
    let root = place.path().join("disk");
    std::fs::create_dir(&root).expect("a folder can be made");
    place.keep_data_in(root.join("agon"));
    shim.preload(&mut place, &root);
    let log = shim.record(&mut place);
    let Case { operation, needle, errno, refused } = *case;
    shim.fail(&mut place, &Fault { operation, needle, nth: 1, errno, times: 0 });

    let (mut server, address) = Serve::start_unopened(&place).expect("it was there a moment ago");
    let ledger = Arc::new(Mutex::new(Ledger::default()));
    let work = Work { client: Client::enter(&address).expect("a session"), ledger: Arc::clone(&ledger) };
    let problem = work.import(&package(&place.path().join("home"))).expect("taken in");
    Small.carry_out(&work, &problem, 1).expect("the disk works");
    shim.arm();
    for act in [Small, Large, Draft] {
        let outcome = act.carry_out(&work, &problem, 2);
        if refused.contains(&act) {
            assert_named(&name, act, outcome);
        } else if let Err(broken) = outcome {
            panic!("{name}: {act:?} does not need that: {broken}");
        }
    }
    assert!(!shim.said().is_empty(), "{name}: the fault never happened");
    shim.disarm();
    // The same intents again: what was refused is taken now, what was taken is the same.
    for act in [Small, Large, Draft] {
        act.carry_out(&work, &problem, 2).unwrap_or_else(|broken| panic!("{name}: {act:?} later: {broken}"));
    }
    assert!(server.ask_to_end().success(), "{name}: {}", server.printed());
    let ledger = ledger.lock().expect("no panic").clone();
    let recording = Recording::new(&root, &place.data(), &log, ledger);
    recording.assert_complete();
    let broken = recording.look_at(DISKS, &[], seed, false);
    assert!(broken.is_empty(), "{name}: {} disks break promises:\n{}", broken.len(), broken.join("\n"));
    place.assert_nothing_left();
}

#[test]
fn a_failing_disk_is_never_answered_with_success() {
    part!(parts::headless());
    part!(Shim::build(&TempData::new()));
    let seed = seed::of("storage faults", 1);
    for case in &CASES {
        tell(case, seed);
    }
}
