//! Takes a run's output: compares it as it flows and keeps its beginning for people.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;

use crate::domain::comparison::{Comparison, ComparisonResult, DefaultValidatorArgs, Difference};
use crate::sandbox::{KeepHead, OutputSink};

/// Output kept of each run. (Source: foundations, retention.)
pub(super) const OUTPUT_HEAD_BYTES: usize = 64 * 1024;

/// The sink of one run.
pub(super) struct Comparer {
    comparison: Option<Comparison<File>>,
    head: KeepHead,
}

impl Comparer {
    pub(super) fn with_answer(args: DefaultValidatorArgs, answer: File) -> Self {
        Self { comparison: Some(Comparison::new(args, answer)), head: KeepHead::new(OUTPUT_HEAD_BYTES) }
    }

    /// Nothing to compare with: only the beginning is kept.
    pub(super) fn without_answer() -> Self {
        Self { comparison: None, head: KeepHead::new(OUTPUT_HEAD_BYTES) }
    }

    /// The first difference, if the output is worth comparing and has one, and the output's beginning.
    pub(super) fn finish(self, is_compared: bool) -> io::Result<(Option<Difference>, Vec<u8>)> {
        let difference = match self.comparison {
            Some(comparison) if is_compared => match comparison.finish()? {
                ComparisonResult::Accepted => None,
                ComparisonResult::Rejected(difference) => Some(difference),
            },
            Some(_) | None => None,
        };
        Ok((difference, self.head.into_bytes()))
    }
}

impl OutputSink for Comparer {
    fn accept(&mut self, chunk: &[u8]) -> ControlFlow<()> {
        let head = if self.head.is_truncated() { ControlFlow::Break(()) } else { self.head.accept(chunk) };
        let compared = self.comparison.as_mut().map_or(ControlFlow::Break(()), |comparison| comparison.push(chunk));
        if head.is_break() && compared.is_break() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
