//! A package as judging takes it: under its own time limit, or under one derived from its example submissions.

use agon_contract::problem::TimeLimitSource;
use judge_core::judging::JudgeableProblem;
use judge_core::package::CheckedPackage;

use crate::owned::{self, CommandError};
use crate::table;
use crate::workroom::Workroom;

/// The problem under its time limit; a derived one is told on stderr, with what it follows from.
///
/// # Errors
/// No limit is stated and none can be derived.
pub(crate) async fn with_time_limit(
    room: &Workroom,
    package: &CheckedPackage,
) -> Result<JudgeableProblem, CommandError> {
    let limits = match package.limits.time_limit_ms {
        Some(stated) => package.limits.effective(stated, TimeLimitSource::Package),
        None => {
            let derived = room.derive_time_limit(package).await?;
            let (path, cpu_ms) = &derived.slowest;
            owned::note(format_args!(
                "{}: no time limit is stated; {} follows from {path}, which takes {}",
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
