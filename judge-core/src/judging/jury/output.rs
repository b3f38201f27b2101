//! The whole output of a run, for a checker that comes after it; large ones go to a file.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::ops::ControlFlow;

use super::super::comparer::OUTPUT_HEAD_BYTES;
use crate::sandbox::{KeepHead, OutputSink, Stdin};

/// Kept in memory up to this size.
const IN_MEMORY_BYTES: usize = 1 << 20;

/// A whole output, from its beginning.
#[derive(Debug)]
pub(in crate::judging) enum Output {
    Memory(Vec<u8>),
    /// Without a name.
    File(File),
}

impl Output {
    pub(in crate::judging) fn into_stdin(self) -> Stdin {
        match self {
            Self::Memory(bytes) => Stdin::Bytes(bytes),
            Self::File(file) => Stdin::File(file),
        }
    }

    pub(in crate::judging) fn into_bytes(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Memory(bytes) => Ok(bytes),
            Self::File(mut file) => {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }

    pub(in crate::judging) fn into_reader(self) -> Box<dyn Read + Send> {
        match self {
            Self::Memory(bytes) => Box::new(io::Cursor::new(bytes)),
            Self::File(file) => Box::new(file),
        }
    }
}

/// Keeps everything; what it keeps is bounded by the run's output limit.
pub(in crate::judging) struct Kept {
    memory: Vec<u8>,
    /// Everything, once it is too much for the memory.
    file: Option<File>,
    failed: Option<io::Error>,
    head: KeepHead,
}

impl Kept {
    pub(in crate::judging) fn new() -> Self {
        Self { memory: Vec::new(), file: None, failed: None, head: KeepHead::new(OUTPUT_HEAD_BYTES) }
    }

    fn write(&mut self, chunk: &[u8]) -> io::Result<()> {
        if self.file.is_none() && self.memory.len() + chunk.len() <= IN_MEMORY_BYTES {
            self.memory.extend_from_slice(chunk);
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let mut file = tempfile::tempfile()?;
                file.write_all(&std::mem::take(&mut self.memory))?;
                self.file.insert(file)
            }
        };
        file.write_all(chunk)
    }

    /// The output from its beginning, and its first bytes for people.
    pub(in crate::judging) fn finish(self) -> io::Result<(Output, Vec<u8>)> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let all = match self.file {
            Some(mut file) => {
                file.rewind()?;
                Output::File(file)
            }
            None => Output::Memory(self.memory),
        };
        Ok((all, self.head.into_bytes()))
    }
}

impl OutputSink for Kept {
    fn accept(&mut self, chunk: &[u8]) -> ControlFlow<()> {
        if !self.head.is_truncated() {
            let _enough = self.head.accept(chunk);
        }
        match self.write(chunk) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_outputs_come_back_whole() {
        for chunks in [1_usize, 7] {
            let mut kept = Kept::new();
            for n in 0..chunks {
                assert!(kept.accept(&vec![b'a' + n as u8; 300_000]).is_continue());
            }
            let (all, head) = kept.finish().expect("kept");
            let bytes = all.into_bytes().expect("readable");
            assert_eq!((bytes.len(), head.len()), (chunks * 300_000, OUTPUT_HEAD_BYTES));
            assert_eq!((bytes[0], *bytes.last().expect("bytes")), (b'a', b'a' + chunks as u8 - 1));
        }
    }
}
