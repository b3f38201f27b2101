//! How a bench reports: rows of medians, and ratios or bounds that hold or do not.
#![expect(clippy::print_stdout, reason = "a bench reports to its reader")]

use std::time::{Duration, Instant};

/// Prints a row and answers its median in milliseconds.
pub(crate) fn show(name: &str, mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    let ms = |time: &Duration| time.as_secs_f64() * 1e3;
    let median = ms(&times[times.len() / 2]);
    let p95 = ms(&times[times.len() * 95 / 100]);
    println!("{name:34} median {median:>8.3} ms  min {:>8.3}  p95 {p95:>8.3}  n {}", ms(&times[0]), times.len());
    median
}

/// Prints whether `value` is on the right side of `bound`.
pub(crate) fn target(name: &str, value: f64, sign: &str, bound: f64) {
    let holds = if sign == "<=" { value <= bound } else { value >= bound };
    println!("{name:34} {value:>8.2}  (target {sign} {bound}): {}", if holds { "holds" } else { "MISSED" });
}

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Of this machine while the bench runs: figures of a busy machine are worth less.
pub(crate) fn load() -> String {
    std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim().to_owned()
}

pub(crate) fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}
