//! The machine around the boxes: its clocks and the disk under the data folder.

use std::path::Path;

use super::Parts;
use super::ledger::{Finding, Ledger};
use crate::store::folder::free_bytes;

/// 2025-01-01 UTC: this program is younger.
const EARLIEST_WALL_MS: i64 = 1_735_689_600_000;
/// 2100-01-01 UTC.
const LATEST_WALL_MS: i64 = 4_102_444_800_000;
/// Wall and steady clock may part by so much while the self-test runs; more is a step or a clock that races.
const DRIFT_ALLOWED_MS: i64 = 1_000;
/// Room for outputs, artefacts and the database; below it judging would soon pause.
const LEAST_FREE_BYTES: u64 = 1 << 30;
const MIB: u64 = 1 << 20;

/// Both clocks at the start of the self-test, in milliseconds.
#[derive(Clone, Copy)]
pub(super) struct ClocksBefore {
    pub(super) wall_ms: i64,
    pub(super) steady_ms: i64,
}

impl ClocksBefore {
    pub(super) fn read(parts: &Parts) -> Self {
        Self { wall_ms: parts.clock.wall_ms(), steady_ms: parts.clock.steady_ms() }
    }
}

/// Enters `clock`, over the time since `before`, and `disk`.
pub(super) fn look(parts: &Parts, before: ClocksBefore, ledger: &mut Ledger<'_>) {
    ledger.enter("clock", ledger.start(), clock(before, ClocksBefore::read(parts)));
    ledger.enter("disk", ledger.start(), disk(&parts.data_folder));
}

fn clock(before: ClocksBefore, now: ClocksBefore) -> Finding {
    if !(EARLIEST_WALL_MS..LATEST_WALL_MS).contains(&now.wall_ms) {
        let seen = format!("the machine believes it is {} s after 1970", now.wall_ms / 1000);
        return Finding::bad(seen, "Set the date: `sudo timedatectl set-ntp true`, or by hand with `sudo date -s`.");
    }
    let steady_ms = now.steady_ms - before.steady_ms;
    let drift_ms = (now.wall_ms - before.wall_ms) - steady_ms;
    if steady_ms < 0 || drift_ms.abs() > DRIFT_ALLOWED_MS {
        let seen = format!("in {steady_ms} ms the wall clock was stepped by {drift_ms} ms");
        return Finding::bad(seen, "Let the time service finish setting the clock, then run the self-test again.");
    }
    Finding::Good(format!("wall and steady clock parted by {drift_ms} ms in {steady_ms} ms"))
}

fn disk(folder: &Path) -> Finding {
    let shown = folder.display();
    match free_bytes(folder) {
        Err(error) => {
            Finding::bad(format!("{shown}: {error}"), "Make the data folder, or name another one with AGON_DATA.")
        }
        Ok(free) => free_space(&shown.to_string(), free),
    }
}

fn free_space(folder: &str, free_bytes: u64) -> Finding {
    let seen = format!("{} MiB free in {folder}", free_bytes / MIB);
    if free_bytes < LEAST_FREE_BYTES {
        let remedy =
            format!("Free at least {} MiB there, or name another folder with AGON_DATA.", LEAST_FREE_BYTES / MIB);
        return Finding::bad(seen, remedy);
    }
    Finding::Good(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_800_000_000_000;

    fn clocks(wall_ms: i64, steady_ms: i64) -> ClocksBefore {
        ClocksBefore { wall_ms, steady_ms }
    }

    fn is_good(finding: &Finding) -> bool {
        matches!(finding, Finding::Good(_))
    }

    #[test]
    fn a_clock_is_red_when_it_is_absurd_or_was_stepped() {
        let before = clocks(NOW_MS, 50);
        for (now, good) in [
            (clocks(NOW_MS + 9_000, 9_050), true),
            (clocks(NOW_MS + 9_900, 9_050), true),
            (clocks(NOW_MS + 9_000 + 3_600_000, 9_050), false),
            (clocks(NOW_MS - 86_400_000, 9_050), false),
            (clocks(NOW_MS, 0), false),
        ] {
            let finding = clock(before, now);
            assert_eq!(is_good(&finding), good, "{finding:?}");
        }
        for wall_ms in [0, EARLIEST_WALL_MS - 1, LATEST_WALL_MS] {
            assert!(!is_good(&clock(clocks(wall_ms, 0), clocks(wall_ms, 0))), "{wall_ms}");
        }
    }

    #[test]
    fn little_space_is_red_and_says_how_much_is_wanted() {
        assert!(is_good(&free_space("/d", LEAST_FREE_BYTES)));
        let Finding::Bad { seen, remedy } = free_space("/d", LEAST_FREE_BYTES - 1) else { panic!("it is too little") };
        assert!(seen.contains("1023 MiB free in /d"), "{seen}");
        assert!(remedy.contains("1024 MiB") && remedy.contains("AGON_DATA"), "{remedy}");
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let Finding::Bad { seen, .. } = disk(Path::new("/no/such/folder")) else { panic!("there is none") };
        assert!(seen.contains("/no/such/folder"), "{seen}");
    }
}
