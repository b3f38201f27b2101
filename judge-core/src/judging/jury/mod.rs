//! Jury programs: built once per content, run in boxes of their own, never beside the submission.
//!
//! ```text
//! JudgingRules.checker ──built (program)──> BuiltProgram ──┐
//! the submission's run ──kept (output)────> Output ────────┼─> Jury (room) ─> Said { verdict, score, messages }
//! the case's files ────────────────────────────────────────┘   how it is called: call
//!                                                               what its end means: answer
//! ```
//!
//! What a jury program does wrong (does not compile, crashes, runs out of its limits, breaks its protocol) is the
//! package's fault: a judge error of this submission alone, with the program and the case named. It is never the
//! contestant's and never tried again: it would do the same.

mod answer;
mod call;
pub(super) mod output;
pub(super) mod program;
mod room;

pub(super) use answer::Said;
pub(super) use program::BuiltProgram;
pub(super) use room::{Jury, OPERATION, Turn};
