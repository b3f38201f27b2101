//! The comparison itself: output is pushed as it flows, the answer is read alongside, memory stays constant.
//!
//! Both streams are walked in step. Where their bytes are equal nothing is looked at but line ends and token
//! beginnings (equal bytes are equal tokens in every mode). Where they part, the rules decide: separators are skipped,
//! letters folded, or both tokens read to their ends and compared as numbers.

use std::io::{self, Read};
use std::ops::ControlFlow;

use super::args::DefaultValidatorArgs;
use super::difference::{Difference, DifferenceKind};
use super::text::{common_prefix, count, is_space, leading};
use super::token::Token;

/// Bytes of the answer held at a time.
const ANSWER_BUFFER_BYTES: usize = 64 * 1024;

/// What the comparison came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparisonResult {
    Accepted,
    Rejected(Difference),
}

/// A comparison under way.
#[derive(Debug)]
pub struct Comparison<R> {
    args: DefaultValidatorArgs,
    /// A tolerance is set, so the tokens' values are followed.
    numbers: bool,
    answer: Answer<R>,
    /// The tokens that the two streams are in; only their common beginning while in step.
    output_token: Token,
    answer_token: Token,
    /// The last byte in step belongs to a token on both sides.
    in_token: bool,
    phase: Phase,
    output_offset: u64,
    output_line: u64,
    tokens: u64,
    token_offset: u64,
}

#[derive(Debug)]
enum Phase {
    InStep,
    /// The two tokens differ as text; the output's is still being read, the answer's is complete.
    TokensDiffer,
    Rejected(Difference),
    AnswerUnreadable(io::Error),
}

impl<R: Read> Comparison<R> {
    /// Compares with the answer that `answer` yields.
    pub fn new(args: DefaultValidatorArgs, answer: R) -> Self {
        Self {
            numbers: args.has_tolerance(),
            args,
            answer: Answer { reader: answer, buffer: vec![0; ANSWER_BUFFER_BYTES], start: 0, end: 0 },
            output_token: Token::default(),
            answer_token: Token::default(),
            in_token: false,
            phase: Phase::InStep,
            output_offset: 0,
            output_line: 1,
            tokens: 0,
            token_offset: 0,
        }
    }

    /// The next bytes of output. `Break`: the result is settled, further bytes change nothing.
    pub fn push(&mut self, chunk: &[u8]) -> ControlFlow<()> {
        let mut rest = chunk;
        while !rest.is_empty() {
            let taken = match &self.phase {
                Phase::InStep => self.step(rest),
                Phase::TokensDiffer => Ok(self.read_differing_token(rest)),
                Phase::Rejected(_) | Phase::AnswerUnreadable(_) => return ControlFlow::Break(()),
            };
            match taken {
                Ok(taken) => rest = &rest[taken..],
                Err(error) => self.phase = Phase::AnswerUnreadable(error),
            }
        }
        match &self.phase {
            Phase::InStep | Phase::TokensDiffer => ControlFlow::Continue(()),
            Phase::Rejected(_) | Phase::AnswerUnreadable(_) => ControlFlow::Break(()),
        }
    }

    /// The output has ended.
    ///
    /// # Errors
    /// The answer could not be read.
    pub fn finish(mut self) -> io::Result<ComparisonResult> {
        loop {
            match self.phase {
                Phase::Rejected(difference) => return Ok(ComparisonResult::Rejected(difference)),
                Phase::AnswerUnreadable(error) => return Err(error),
                Phase::TokensDiffer => self.settle_tokens(),
                Phase::InStep => match self.answer.peek()? {
                    None => return Ok(ComparisonResult::Accepted),
                    Some(byte) if is_space(byte) => self.answer_space_at_end()?,
                    Some(_) if self.in_token => self.tokens_part()?,
                    Some(_) => {
                        self.begin_token();
                        self.read_answer_token()?;
                        let expected = self.answer_token.shown();
                        self.reject(DifferenceKind::MissingToken { expected });
                    }
                },
            }
        }
    }

    /// One step of the walk; returns how many output bytes it took.
    fn step(&mut self, output: &[u8]) -> io::Result<usize> {
        let answer = self.answer.fill()?;
        let Some(expected) = answer.first().copied() else { return self.step_past_answer(output) };
        let equal = common_prefix(output, answer);
        if equal > 0 {
            self.take_equal(&output[..equal]);
            self.answer.consume(equal);
            return Ok(equal);
        }
        let spaces = (is_space(output[0]), is_space(expected));
        match spaces {
            (false, false) if self.folds_equal(output[0], expected) => {
                self.take_folded(output[0], expected);
                Ok(1)
            }
            (false, false) => self.tokens_part().map(|()| 0),
            (true, false) | (false, true) if self.in_token => self.tokens_part().map(|()| 0),
            _ if self.args.space_change_sensitive => {
                self.reject_whitespace();
                Ok(0)
            }
            (true, _) => {
                self.answer.skip_spaces()?;
                Ok(self.take_spaces(output))
            }
            (false, true) => {
                self.answer.skip_spaces()?;
                self.in_token = false;
                Ok(0)
            }
        }
    }

    /// Output after the answer's end.
    fn step_past_answer(&mut self, output: &[u8]) -> io::Result<usize> {
        if !is_space(output[0]) {
            // Inside a token the output's is longer; elsewhere it is one too many. Either way read it to show it.
            self.tokens_part()?;
            return Ok(0);
        }
        if self.args.space_change_sensitive {
            self.reject_whitespace();
            return Ok(0);
        }
        Ok(self.take_spaces(output))
    }

    fn folds_equal(&self, output: u8, answer: u8) -> bool {
        !self.args.case_sensitive && output.eq_ignore_ascii_case(&answer)
    }

    fn take_equal(&mut self, bytes: &[u8]) {
        let counts = count(bytes, self.in_token);
        let tail = bytes.iter().rposition(|byte| is_space(*byte)).map_or(0, |last_space| last_space + 1);
        if tail > 0 || !self.in_token {
            self.output_token.reset();
            self.answer_token.reset();
            self.token_offset = self.output_offset + tail as u64;
        }
        self.output_token.feed(&bytes[tail..], self.numbers);
        self.answer_token.feed(&bytes[tail..], self.numbers);
        self.in_token = tail < bytes.len();
        self.tokens += counts.tokens;
        self.output_line += counts.lines;
        self.output_offset += bytes.len() as u64;
    }

    fn take_folded(&mut self, output: u8, answer: u8) {
        self.begin_token();
        self.output_token.feed(&[output], self.numbers);
        self.answer_token.feed(&[answer], self.numbers);
        self.answer.consume(1);
        self.output_offset += 1;
    }

    fn take_spaces(&mut self, output: &[u8]) -> usize {
        let length = leading(output, true);
        self.output_line += count(&output[..length], false).lines;
        self.output_offset += length as u64;
        self.in_token = false;
        length
    }

    fn begin_token(&mut self) {
        if !self.in_token {
            self.output_token.reset();
            self.answer_token.reset();
            self.token_offset = self.output_offset;
            self.tokens += 1;
            self.in_token = true;
        }
    }

    /// The tokens differ as text from here on: reads the answer's to its end, the output's follows as it comes.
    fn tokens_part(&mut self) -> io::Result<()> {
        self.begin_token();
        self.read_answer_token()?;
        self.phase = Phase::TokensDiffer;
        Ok(())
    }

    fn read_answer_token(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.answer.fill()?;
            let length = leading(bytes, false);
            if length == 0 {
                return Ok(());
            }
            self.answer_token.feed(&bytes[..length], self.numbers);
            self.answer.consume(length);
        }
    }

    /// More of the output's differing token; returns how many bytes it took.
    fn read_differing_token(&mut self, output: &[u8]) -> usize {
        let length = leading(output, false);
        self.output_token.feed(&output[..length], self.numbers);
        self.output_offset += length as u64;
        let may_match = self.answer_token.number().is_some();
        if length < output.len() || (!may_match && self.output_token.is_full()) {
            self.settle_tokens();
        }
        length
    }

    /// Both tokens are complete (or cannot match any more) and differ as text.
    fn settle_tokens(&mut self) {
        let (expected, found) = (self.answer_token.shown(), self.output_token.shown());
        let kind = match self.answer_token.number() {
            Some(answer) => {
                if self.output_token.number().is_some_and(|output| self.is_within_tolerance(output, answer)) {
                    self.phase = Phase::InStep;
                    return;
                }
                DifferenceKind::Number { expected, found, tolerance: self.tolerance_text() }
            }
            None if expected.is_empty() => DifferenceKind::ExtraToken { found },
            None => DifferenceKind::Token { expected, found },
        };
        self.reject(kind);
    }

    fn is_within_tolerance(&self, output: f64, answer: f64) -> bool {
        let difference = (output - answer).abs();
        let absolute = self.args.float_absolute_tolerance.is_some_and(|tolerance| difference <= tolerance);
        let relative =
            self.args.float_relative_tolerance.is_some_and(|tolerance| difference <= tolerance * answer.abs());
        absolute || relative
    }

    fn tolerance_text(&self) -> String {
        let named = |name: &str, tolerance: Option<f64>| tolerance.map(|value| format!("{name} tolerance {value:e}"));
        let absolute = named("absolute", self.args.float_absolute_tolerance);
        let relative = named("relative", self.args.float_relative_tolerance);
        absolute.into_iter().chain(relative).collect::<Vec<_>>().join(" or ")
    }

    fn answer_space_at_end(&mut self) -> io::Result<()> {
        if self.args.space_change_sensitive {
            self.reject_whitespace();
            return Ok(());
        }
        self.in_token = false;
        self.answer.skip_spaces()
    }

    fn reject_whitespace(&mut self) {
        self.token_offset = self.output_offset;
        self.reject(DifferenceKind::Whitespace);
    }

    fn reject(&mut self, kind: DifferenceKind) {
        self.phase = Phase::Rejected(Difference {
            kind,
            output_offset: self.token_offset,
            output_line: self.output_line,
            token: self.tokens,
        });
    }
}

/// The answer's bytes, a buffer at a time.
#[derive(Debug)]
struct Answer<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl<R: Read> Answer<R> {
    /// What is buffered; empty only at the end.
    fn fill(&mut self) -> io::Result<&[u8]> {
        while self.start == self.end {
            match self.reader.read(&mut self.buffer) {
                Ok(0) => return Ok(&[]),
                Ok(length) => (self.start, self.end) = (0, length),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.fill()?.first().copied())
    }

    fn consume(&mut self, length: usize) {
        self.start += length;
    }

    fn skip_spaces(&mut self) -> io::Result<()> {
        loop {
            let length = leading(self.fill()?, true);
            if length == 0 {
                return Ok(());
            }
            self.consume(length);
        }
    }
}
