//! Plain comparisons of other judges: lines, white diff, byte for byte.
//!
//! Both sides are read once, through the same normal form, and held against each other byte by byte.

use std::io::{self, BufRead, BufReader, Bytes, Read};

/// What is taken for equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalForm {
    /// Byte for byte.
    Exact,
    /// Blanks at line ends and empty last lines do not count. (Hydro, Luogu, QDUOJ)
    Lines,
    /// Runs of blanks are one, those at both ends of a line and empty last lines do not count. (CMS white diff)
    WhiteDiff,
}

impl NormalForm {
    /// The line, from 1, with the first difference; `None` when there is none.
    ///
    /// # Errors
    /// One of the two cannot be read.
    pub fn first_difference(self, output: impl Read, answer: impl Read) -> io::Result<Option<u64>> {
        let mut output = Normalised::new(self, BufReader::new(output));
        let mut answer = Normalised::new(self, BufReader::new(answer));
        let mut line = 1;
        loop {
            match (output.next_byte()?, answer.next_byte()?) {
                (None, None) => return Ok(None),
                (Some(a), Some(b)) if a == b => line += u64::from(a == b'\n'),
                (Some(_) | None, Some(_) | None) => return Ok(Some(line)),
            }
        }
    }
}

/// A text's bytes in normal form.
struct Normalised<R: BufRead> {
    form: NormalForm,
    bytes: Bytes<R>,
    /// Line ends and blanks that count only if something follows them.
    lines_held: u64,
    blanks_held: Vec<u8>,
    blanks_given: usize,
    /// The byte that made them count.
    next: Option<u8>,
    is_at_line_start: bool,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

impl<R: BufRead> Normalised<R> {
    fn new(form: NormalForm, text: R) -> Self {
        Self {
            form,
            bytes: text.bytes(),
            lines_held: 0,
            blanks_held: Vec::new(),
            blanks_given: 0,
            next: None,
            is_at_line_start: true,
        }
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        if self.form == NormalForm::Exact {
            return self.bytes.next().transpose();
        }
        if self.next.is_none() {
            self.find_next()?;
        }
        if self.next.is_none() {
            return Ok(None);
        }
        if self.lines_held > 0 {
            self.lines_held -= 1;
            return Ok(Some(b'\n'));
        }
        if let Some(blank) = self.blanks_held.get(self.blanks_given) {
            self.blanks_given += 1;
            return Ok(Some(*blank));
        }
        self.blanks_held.clear();
        self.blanks_given = 0;
        Ok(self.next.take())
    }

    /// Reads up to the next byte that is neither blank nor line end.
    fn find_next(&mut self) -> io::Result<()> {
        while let Some(byte) = self.bytes.next().transpose()? {
            if byte == b'\n' {
                self.lines_held += 1;
                self.blanks_held.clear();
                self.is_at_line_start = true;
            } else if is_blank(byte) {
                match self.form {
                    NormalForm::Exact | NormalForm::Lines => self.blanks_held.push(byte),
                    NormalForm::WhiteDiff if self.blanks_held.is_empty() && !self.is_at_line_start => {
                        self.blanks_held.push(b' ');
                    }
                    NormalForm::WhiteDiff => {}
                }
            } else {
                self.is_at_line_start = false;
                self.next = Some(byte);
                return Ok(());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_in_which_form() {
        let rows: [(&str, &str, [bool; 3]); 12] = [
            ("1 2\n3\n", "1 2\n3\n", [true, true, true]),
            ("1 2 \r\n3", "1 2\n3\n\n", [false, true, true]),
            ("1  2\n", "1 2\n", [false, false, true]),
            ("1\t2\n", "1 2\n", [false, false, true]),
            (" 1\n", "1\n", [false, false, true]),
            ("1\n\n2\n", "1\n2\n", [false, false, false]),
            ("\n1\n", "1\n", [false, false, false]),
            ("1\n \n\n", "1", [false, true, true]),
            ("", " \n", [false, true, true]),
            ("12\n", "1 2\n", [false, false, false]),
            ("1\n", "1\n2\n", [false, false, false]),
            ("1\n2\n", "1\n", [false, false, false]),
        ];
        for (output, answer, equal) in rows {
            for (form, equal) in [NormalForm::Exact, NormalForm::Lines, NormalForm::WhiteDiff].into_iter().zip(equal) {
                let difference = form.first_difference(output.as_bytes(), answer.as_bytes()).expect("in memory");
                assert_eq!(difference.is_none(), equal, "{form:?} {output:?} {answer:?}");
            }
        }
    }

    #[test]
    fn the_line_of_the_difference_is_told() {
        let line =
            |output: &str| NormalForm::Lines.first_difference(output.as_bytes(), &b"1\n2\n3\n"[..]).expect("in memory");
        assert_eq!((line("1\n2\n3\n"), line("1\n2\n4\n"), line("1\n"), line("9")), (None, Some(3), Some(1), Some(1)));
    }
}
