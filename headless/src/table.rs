//! Numbers as people read them, and columns that line up.

use agon_contract::submission::RunView;

/// Seconds with milliseconds: `1.250 s`.
pub(crate) fn seconds(ms: u64) -> String {
    format!("{}.{:03} s", ms / 1000, ms % 1000)
}

/// Binary megabytes with one decimal: `12.5 MiB`.
pub(crate) fn mebibytes(bytes: u64) -> String {
    let tenths = bytes / (1024 * 1024 / 10);
    format!("{}.{} MiB", tenths / 10, tenths % 10)
}

/// A limit, which is usually whole: `2 GiB`, `512 MiB`, else as [`mebibytes`].
pub(crate) fn limit_of_bytes(bytes: u64) -> String {
    const GIB: u64 = 1 << 30;
    const MIB: u64 = 1 << 20;
    match bytes {
        _ if bytes >= GIB && bytes.is_multiple_of(GIB) => format!("{} GiB", bytes / GIB),
        _ if bytes.is_multiple_of(MIB) => format!("{} MiB", bytes / MIB),
        _ => mebibytes(bytes),
    }
}

/// A table of runs whose lines are written one by one, so that its columns line up before all runs are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunTable {
    widest_name: usize,
}

impl RunTable {
    /// A table for runs of test cases with these names.
    pub(crate) fn of<'a>(case_names: impl Iterator<Item = &'a str>) -> Self {
        Self { widest_name: case_names.map(|name| name.chars().count()).max().unwrap_or(0).max("test".len()) }
    }

    pub(crate) fn heading(self) -> String {
        let widest = self.widest_name;
        format!("  {:widest$}  {:4}  {:>10}  {:>10}  {:>12}", "test", "", "cpu", "wall", "memory")
    }

    /// One run; a failure says why on its line.
    pub(crate) fn line(self, run: &RunView) -> String {
        let widest = self.widest_name;
        let line = format!(
            "  {:widest$}  {:4}  {:>10}  {:>10}  {:>12}  {}",
            run.case_name,
            run.verdict.as_str(),
            seconds(run.cpu_ms),
            seconds(run.wall_ms),
            mebibytes(run.peak_memory_bytes),
            if run.verdict.is_accepted() { "" } else { first_line(&run.message, &run.outcome) },
        );
        line.trim_end().to_owned()
    }
}

/// The message's first line, or the outcome where there is no message.
fn first_line<'a>(message: &'a str, outcome: &'a str) -> &'a str {
    message.lines().next().filter(|line| !line.is_empty()).unwrap_or(outcome)
}

#[cfg(test)]
pub(crate) mod tests {
    use agon_contract::verdict::Verdict;

    use super::*;

    pub(crate) fn run(case_name: &str, verdict: Verdict, message: &str) -> RunView {
        RunView {
            ordinal: 1,
            case_name: case_name.to_owned(),
            is_sample: false,
            verdict,
            outcome: "exit 0".to_owned(),
            cpu_ms: 7,
            wall_ms: 1250,
            peak_memory_bytes: 3 << 19,
            output_bytes: 3,
            message: message.to_owned(),
            output_head: String::new(),
            stderr_head: String::new(),
            disturbed: false,
            score: None,
            team_message: String::new(),
        }
    }

    #[test]
    fn units_are_exact() {
        assert_eq!((seconds(0), seconds(7), seconds(61_005)), ("0.000 s".into(), "0.007 s".into(), "61.005 s".into()));
        assert_eq!(
            (mebibytes(0), mebibytes(3 << 19), mebibytes(1 << 30)),
            ("0.0 MiB".into(), "1.5 MiB".into(), "1024.0 MiB".into())
        );
    }

    #[test]
    fn a_whole_limit_is_written_whole() {
        let written = [2 << 30, 1536 << 20, 3 << 19].map(limit_of_bytes);
        assert_eq!(written, ["2 GiB", "1536 MiB", "1.5 MiB"]);
    }

    #[test]
    fn columns_line_up_and_a_failure_says_why_on_its_line() {
        let runs = [
            run("sample/1", Verdict::Accepted, "not shown"),
            run("secret/long-name", Verdict::WrongAnswer, "token 1: 3 instead of 4\nmore"),
            run("secret/2", Verdict::RunTimeError, ""),
        ];
        let table = RunTable::of(runs.iter().map(|run| run.case_name.as_str()));
        let lines = std::iter::once(table.heading()).chain(runs.iter().map(|run| table.line(run)));
        assert_eq!(
            lines.collect::<Vec<_>>().join("\n"),
            "  test                           cpu        wall        memory\n\
             \x20 sample/1          AC       0.007 s     1.250 s       1.5 MiB\n\
             \x20 secret/long-name  WA       0.007 s     1.250 s       1.5 MiB  token 1: 3 instead of 4\n\
             \x20 secret/2          RTE      0.007 s     1.250 s       1.5 MiB  exit 0"
        );
    }
}
