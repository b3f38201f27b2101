//! Where a program's standard output goes while it is still running.

use std::ops::ControlFlow;

/// Takes output as it flows. The cap of [`Limits::output_bytes`](super::Limits::output_bytes) is kept outside of it:
/// a sink never sees a byte past the cap.
pub trait OutputSink: Send {
    /// The next bytes, in order, never empty. `Break` means "no more needed": the rest is counted and thrown away, the
    /// program goes on.
    fn accept(&mut self, chunk: &[u8]) -> ControlFlow<()>;

    /// Nothing more comes: every holder closed it or is dead. Said once, while the program may still run.
    fn ended(&mut self) {}
}

/// Keeps the first `cap` bytes.
#[derive(Debug)]
pub struct KeepHead {
    cap: usize,
    head: Vec<u8>,
    truncated: bool,
}

impl KeepHead {
    #[must_use]
    pub fn new(cap: usize) -> Self {
        Self { cap, head: Vec::new(), truncated: false }
    }

    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.head
    }

    /// More came than was kept.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.head
    }
}

impl OutputSink for KeepHead {
    fn accept(&mut self, chunk: &[u8]) -> ControlFlow<()> {
        let room = self.cap - self.head.len();
        self.head.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            self.truncated = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Takes nothing.
#[derive(Debug, Default)]
pub struct Discard;

impl OutputSink for Discard {
    fn accept(&mut self, _chunk: &[u8]) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_kept_exactly_up_to_its_cap() {
        let mut sink = KeepHead::new(5);
        assert!(sink.accept(b"abc").is_continue());
        assert!(sink.accept(b"de").is_continue());
        assert!(!sink.is_truncated());
        assert!(sink.accept(b"f").is_break());
        assert!(sink.is_truncated());
        assert_eq!(sink.into_bytes(), b"abcde");
    }
}
