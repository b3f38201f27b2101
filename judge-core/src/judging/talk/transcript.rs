//! What was said, as people read it: `<` before a line of the jury's program, `>` before one of the submission, as in
//! the format's `.interaction` files.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Jury,
    Submission,
}

/// The beginning of a conversation.
#[derive(Debug)]
pub(super) struct Transcript {
    text: Vec<u8>,
    cap: usize,
    /// Whose line is unfinished.
    open: Option<Side>,
}

impl Transcript {
    pub(super) fn new(cap: usize) -> Self {
        Self { text: Vec::new(), cap, open: None }
    }

    pub(super) fn say(&mut self, side: Side, chunk: &[u8]) {
        for line in chunk.split_inclusive(|byte| *byte == b'\n') {
            if self.text.len() >= self.cap {
                return;
            }
            if self.open.is_some_and(|open| open != side) {
                self.text.push(b'\n');
                self.open = None;
            }
            if self.open.is_none() {
                self.text.push(match side {
                    Side::Jury => b'<',
                    Side::Submission => b'>',
                });
            }
            self.text.extend_from_slice(line);
            self.open = if line.ends_with(b"\n") { None } else { Some(side) };
        }
        self.text.truncate(self.cap);
    }

    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_says_whose_it_is() {
        let mut transcript = Transcript::new(100);
        for (side, chunk) in [
            (Side::Jury, "7\n"),
            (Side::Submission, "rea"),
            (Side::Submission, "d 1\nread 2\n"),
            (Side::Jury, "no "),
            (Side::Submission, "x\n"),
        ] {
            transcript.say(side, chunk.as_bytes());
        }
        assert_eq!(String::from_utf8_lossy(&transcript.take()), "<7\n>read 1\n>read 2\n<no \n>x\n");
    }

    #[test]
    fn it_keeps_the_beginning_only() {
        let mut transcript = Transcript::new(5);
        transcript.say(Side::Jury, b"123456789");
        transcript.say(Side::Submission, b"1\n");
        assert_eq!(transcript.take(), b"<1234");
    }
}
