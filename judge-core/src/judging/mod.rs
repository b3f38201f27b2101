//! One submission, one verdict: compile, run the cases in order, compare, aggregate.
//!
//! No queue, no store, no lease: whoever calls owns those. A preview is the same work over other cases.

mod cache;
mod error;
mod judge;
mod language;
mod model;

pub use cache::CompileCache;
pub use error::{Disposition, JudgeError, PackageFault};
pub use judge::Judging;
pub use language::{Language, language_by_id, language_for_files, languages};
pub use model::{
    CompileReport, Expected, JudgeCase, JudgeMode, JudgeableProblem, Judged, JudgedRun, JudgingProgress, NoProgress,
    Program, ProgramFile,
};
