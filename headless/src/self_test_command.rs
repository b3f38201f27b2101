//! `agon self-test`: every trial as it ends, in one green or red report; the data folder may be in use by another program.

use agon_contract::sandbox::{SelfTestItem, SelfTestReport};
use judge_core::self_test;

use crate::exit::Exit;
use crate::owned::{self, CommandError};
use crate::table;

/// How to report.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Asked {
    /// One JSON report at the end instead of a line per trial.
    #[arg(long)]
    json: bool,
}

/// Columns of a name; the longest that is known has 29.
const NAME_COLUMNS: usize = 29;

/// Runs every trial; `Success` means that all passed.
pub(crate) async fn run(asked: Asked) -> Result<Exit, CommandError> {
    let parts = judge_core::self_test_parts(&owned::data_folder()?)?;
    let heard = |item: &SelfTestItem| {
        if !asked.json {
            // A reader that went away misses the rest; the exit code still tells.
            let _ = owned::say(line(item));
        }
    };
    let report = tokio::select! {
        report = self_test::run(&parts, &heard) => Ok(report),
        asked = owned::stop_asked() => Err(asked),
    };
    parts.sandbox.close().await;
    let report = match report {
        Ok(report) => report,
        Err(stopped) => return stopped.map(|()| Exit::Stopped).map_err(CommandError::Signals),
    };
    if asked.json {
        owned::say(serde_json::to_string(&report).expect("a report is text and numbers"))?;
    } else {
        owned::say(summary(&report))?;
    }
    Ok(if report.passed { Exit::Success } else { Exit::Negative })
}

/// What was seen, and under it what to do when it failed.
fn line(item: &SelfTestItem) -> String {
    let mark = if item.passed { "ok" } else { "FAIL" };
    let seen = format!("{mark:4}  {:NAME_COLUMNS$}  {}", item.name, item.detail);
    if item.passed || item.remedy.is_empty() {
        return seen;
    }
    format!("{seen}\n{:4}  {:NAME_COLUMNS$}  > {}", "", "", item.remedy)
}

fn summary(report: &SelfTestReport) -> String {
    let passed = report.items.iter().filter(|item| item.passed).count();
    let took_ms = report.items.iter().map(|item| item.duration_ms).sum();
    let total = report.items.len();
    let verdict = if report.passed { "This machine judges." } else { "Do not judge on this machine yet." };
    format!("\n{passed} of {total} passed in {}. {verdict}", table::seconds(took_ms))
}

#[cfg(test)]
mod tests {
    use agon_contract::sandbox::{SandboxHealth, SandboxStatus};

    use super::*;

    fn item(name: &str, passed: bool) -> SelfTestItem {
        let remedy = if passed { "" } else { "mend it" };
        SelfTestItem {
            name: name.into(),
            passed,
            detail: format!("{name} was seen"),
            remedy: remedy.into(),
            duration_ms: 700,
        }
    }

    fn report(items: Vec<SelfTestItem>) -> SelfTestReport {
        SelfTestReport {
            passed: items.iter().all(|item| item.passed),
            started_at_ms: 0,
            items,
            sandbox: SandboxStatus {
                backend: "docker".into(),
                health: SandboxHealth::Ready,
                message: String::new(),
                engine_version: String::new(),
                image: String::new(),
                image_id: String::new(),
                protections: Vec::new(),
                warm_boxes: 0,
            },
        }
    }

    #[test]
    fn details_stand_under_each_other_and_remedies_under_them() {
        let names = ["disk", "protection_no_user_namespaces"];
        let column = |text: &str, what: &str| text.find(what).expect("it is there");
        for name in names {
            let good = line(&item(name, true));
            let bad = line(&item(name, false));
            let (first, second) = bad.split_once('\n').expect("a remedy below");
            assert_eq!(column(&good, &format!("{name} was")), 6 + NAME_COLUMNS + 2, "{good}");
            assert_eq!(column(first, &format!("{name} was")), column(second, "> mend it"), "{bad}");
            assert!(good.starts_with("ok ") && bad.starts_with("FAIL "));
        }
    }

    #[test]
    fn the_summary_counts_and_concludes() {
        let red = summary(&report(vec![item("a", true), item("b", false)]));
        assert_eq!(red, "\n1 of 2 passed in 1.400 s. Do not judge on this machine yet.");
        assert!(summary(&report(vec![item("a", true)])).contains("1 of 1 passed in 0.700 s. This machine judges."));
    }
}
