//! The box's own cgroup counters, read from inside through the read-only mount: version 1 and version 2.

use std::fs::File;
use std::os::unix::fs::FileExt;

use rustix::time::{ClockId, clock_gettime};

/// The counters at one moment; `None` where the box cannot see one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// CPU of the whole box less the supervisor's own.
    pub cpu_us: Option<u64>,
    pub memory_bytes: Option<u64>,
    /// Highest since the box began: it cannot be reset from inside.
    pub memory_max_bytes: Option<u64>,
    pub oom_kills: Option<u64>,
    pub forks_refused: Option<u64>,
}

/// One counter file, kept open, and how to read a number out of it.
struct Counter {
    file: File,
    key: Option<&'static str>,
    divisor: u64,
}

/// All counters that this box shows.
pub struct Counters {
    version: u8,
    cpu: Option<Counter>,
    memory: Option<Counter>,
    memory_max: Option<Counter>,
    oom_kills: Option<Counter>,
    forks_refused: Option<Counter>,
}

const NANOSECONDS: u64 = 1000;

impl Counters {
    /// Opens what is there. Version 2 when the unified hierarchy has the memory counters, else version 1.
    pub fn open() -> Self {
        let unified = "/sys/fs/cgroup";
        if std::path::Path::new("/sys/fs/cgroup/memory.events").exists() {
            return Self {
                version: 2,
                cpu: Counter::open(&[unified], "cpu.stat", Some("usage_usec"), 1),
                memory: Counter::open(&[unified], "memory.current", None, 1),
                memory_max: Counter::open(&[unified], "memory.peak", None, 1),
                oom_kills: Counter::open(&[unified], "memory.events", Some("oom_kill"), 1),
                forks_refused: Counter::open(&[unified], "pids.events", Some("max"), 1),
            };
        }
        let cpu = ["/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup/cpu,cpuacct"];
        let memory = ["/sys/fs/cgroup/memory"];
        Self {
            version: 1,
            cpu: Counter::open(&cpu, "cpuacct.usage", None, NANOSECONDS),
            memory: Counter::open(&memory, "memory.usage_in_bytes", None, 1),
            memory_max: Counter::open(&memory, "memory.max_usage_in_bytes", None, 1),
            oom_kills: Counter::open(&memory, "memory.oom_control", Some("oom_kill"), 1),
            forks_refused: Counter::open(&["/sys/fs/cgroup/pids"], "pids.events", Some("max"), 1),
        }
    }

    pub fn version(&self) -> u8 {
        self.version
    }

    /// All counters now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            cpu_us: self.cpu_us(),
            memory_bytes: self.memory_bytes(),
            memory_max_bytes: self.memory_max.as_ref().and_then(Counter::read),
            oom_kills: self.oom_kills.as_ref().and_then(Counter::read),
            forks_refused: self.forks_refused(),
        }
    }

    pub fn forks_refused(&self) -> Option<u64> {
        self.forks_refused.as_ref()?.read()
    }

    /// CPU of the box less the supervisor's own, alone: cheap enough to watch.
    pub fn cpu_us(&self) -> Option<u64> {
        let all = self.cpu.as_ref()?.read()?;
        Some(all.saturating_sub(own_cpu_us()))
    }

    pub fn memory_bytes(&self) -> Option<u64> {
        self.memory.as_ref()?.read()
    }
}

fn own_cpu_us() -> u64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    let nanoseconds = u64::try_from(now.tv_nsec).unwrap_or(0);
    seconds * 1_000_000 + nanoseconds / NANOSECONDS
}

impl Counter {
    fn open(folders: &[&str], name: &str, key: Option<&'static str>, divisor: u64) -> Option<Self> {
        let file = folders.iter().find_map(|folder| File::open(format!("{folder}/{name}")).ok())?;
        let counter = Self { file, key, divisor };
        counter.read().map(|_| counter)
    }

    fn read(&self) -> Option<u64> {
        let mut buffer = [0_u8; 1024];
        let length = self.file.read_at(&mut buffer, 0).ok()?;
        let text = std::str::from_utf8(&buffer[..length]).ok()?;
        parse(text, self.key).map(|value| value / self.divisor)
    }
}

/// A lone number, or the number behind `key` at the beginning of a line.
fn parse(text: &str, key: Option<&str>) -> Option<u64> {
    let Some(key) = key else { return text.trim().parse().ok() };
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(' ')?;
        if name == key { value.trim().parse().ok() } else { None }
    })
}

/// How far a counter rose; a counter that is not there never rises.
pub fn rise(before: Option<u64>, after: Option<u64>) -> u64 {
    match (before, after) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        (Some(_) | None, None) | (None, Some(_)) => 0,
    }
}

/// Peak memory of a run.
///
/// The box's highest value cannot be reset from inside. When it rose during the run, the new value is this run's exact
/// peak; otherwise the run stayed below an older one, and the largest single process and the values seen while watching
/// say how far it came. `before.memory_bytes` is what the box itself held.
pub fn peak_memory(before: &Snapshot, after: &Snapshot, largest_process_bytes: u64, watched_bytes: u64) -> u64 {
    let base = before.memory_bytes.unwrap_or(0);
    let seen = largest_process_bytes.max(watched_bytes.saturating_sub(base));
    match (before.memory_max_bytes, after.memory_max_bytes) {
        (Some(old), Some(new)) if new > old => seen.max(new.saturating_sub(base)),
        (Some(_) | None, Some(_) | None) => seen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_layouts_are_read() {
        assert_eq!(parse("123456789\n", None), Some(123_456_789));
        let v1 = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
        assert_eq!(parse(v1, Some("oom_kill")), Some(3));
        let v2 = "low 0\nhigh 0\nmax 12\noom 2\noom_kill 2\noom_group_kill 0\n";
        assert_eq!(parse(v2, Some("oom_kill")), Some(2));
        assert_eq!(parse("max 15930\n", Some("max")), Some(15930));
        assert_eq!(parse("usage_usec 42\nuser_usec 40\n", Some("usage_usec")), Some(42));
        assert_eq!(parse("max\n", None), None);
        assert_eq!(parse("", Some("max")), None);
    }

    #[test]
    fn a_counter_that_cannot_be_seen_never_rises() {
        assert_eq!(rise(Some(1), Some(3)), 2);
        assert_eq!(rise(None, Some(3)), 0);
        assert_eq!(rise(Some(3), None), 0);
        assert_eq!(rise(Some(3), Some(1)), 0, "a counter that went back is not a rise");
    }

    #[test]
    fn a_new_highest_value_is_the_exact_peak() {
        let before = Snapshot { memory_bytes: Some(1_000), memory_max_bytes: Some(5_000), ..Snapshot::default() };
        let rose = Snapshot { memory_max_bytes: Some(90_000), ..before };
        assert_eq!(peak_memory(&before, &rose, 20_000, 0), 89_000);
        assert_eq!(peak_memory(&before, &before, 2_000, 4_500), 3_500, "what was watched, less the box");
        assert_eq!(peak_memory(&before, &before, 3_900, 0), 3_900, "the largest process");
        assert_eq!(peak_memory(&Snapshot::default(), &Snapshot::default(), 7, 0), 7);
    }
}
