//! A package as judging takes it: under its own time limit, or under one derived from its example submissions.

use agon_contract::problem::TimeLimitSource;
use judge_core::judging::JudgeableProblem;
use judge_core::package::CheckedPackage;

use crate::owned::{self, CommandError};
use crate::table;
use crate::workroom::Workroom;

/// Most seconds that can be asked for: longer runs are beyond what any problem states.
const ASKED_LIMIT_MAX_S: f64 = 600.0;

/// A time limit of the command line, seconds like `2` or `0.5`, as milliseconds.
pub(crate) fn asked_limit(text: &str) -> Result<u64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=ASKED_LIMIT_MAX_S).contains(seconds));
    let seconds = seconds.ok_or_else(|| format!("seconds are needed, more than 0 and at most {ASKED_LIMIT_MAX_S}"))?;
    Ok(std::time::Duration::from_secs_f64(seconds).as_millis().try_into().expect("600 s are few milliseconds"))
}

/// The problem under its time limit, or under the one that was asked for; a derived one is told on stderr, with what
/// it follows from, and so is that deriving takes a while.
///
/// # Errors
/// No limit is stated and none can be derived.
pub(crate) async fn with_time_limit(
    room: &Workroom,
    package: &CheckedPackage,
    asked_ms: Option<u64>,
) -> Result<JudgeableProblem, CommandError> {
    let limits = match (asked_ms, package.limits.time_limit_ms) {
        (Some(asked), _) => package.limits.effective(asked, TimeLimitSource::from("--time-limit")),
        (None, Some(stated)) => package.limits.effective(stated, TimeLimitSource::Package),
        (None, None) => {
            owned::note(format_args!(
                "{}: no time limit is stated; the package's submissions are run to derive one, which can take minutes \
                 (--time-limit SECONDS saves it)",
                package.slug
            ));
            let derived = room.derive_time_limit(package).await?;
            let (path, cpu_ms) = &derived.slowest;
            owned::note(format_args!(
                "{}: the time limit {} follows from {path}, which takes {}",
                package.slug,
                table::seconds(derived.time_limit_ms),
                table::seconds(*cpu_ms)
            ));
            for path in &derived.too_fast {
                owned::note(format_args!("{}: {path} should be too slow under this limit and is not", package.slug));
            }
            package.limits.effective(derived.time_limit_ms, TimeLimitSource::Derived)
        }
    };
    Ok(JudgeableProblem::of_package(package, limits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_asked_for_in_seconds() {
        let asked = ["2", "0.5", "600", "0", "-1", "601", "NaN", "1s"].map(|text| asked_limit(text).ok());
        assert_eq!(asked, [Some(2000), Some(500), Some(600_000), None, None, None, None, None]);
    }
}
