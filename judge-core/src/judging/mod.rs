//! One submission, one verdict: compile, run the cases in order, compare, aggregate.
//!
//! No queue, no store, no lease: whoever calls owns those. A preview is the same work over other cases.

mod artefact;
mod cache;
mod cases;
mod comparer;
mod compile;
mod control;
mod error;
mod java;
mod judge;
mod jury;
mod layout;
mod model;
mod pass;
mod talk;
mod time_limit;
mod verdict;

pub use crate::domain::language::{Language, language_by_id, language_for_files, languages};
pub use cache::CompileCache;
pub use error::{Disposition, JudgeError, PackageFault};
pub use judge::Judging;
pub(crate) use layout::NAME_BYTES_MAX;
pub use model::{
    CompileReport, Expected, JudgeCase, JudgeMode, JudgeableProblem, Judged, JudgedRun, JudgingProgress, NoProgress,
    Program, ProgramFile,
};
pub use time_limit::{DeriveError, DerivedTimeLimit, derive_time_limit};

#[cfg(test)]
mod tests;
