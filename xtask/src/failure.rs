//! A thing that could not be done, together with what a person has to do about it.

use std::fmt;
use std::path::Path;

/// What failed and the exact fix. Every failure of this program carries both.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    fix: Option<String>,
}

impl Failure {
    /// A failure whose message already says everything.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), fix: None }
    }

    /// Adds the command or action that repairs it; an earlier, more exact one is kept.
    pub(crate) fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix.get_or_insert(fix.into());
        self
    }

    /// A file operation that failed, with the file's name.
    pub(crate) fn file(doing: &str, path: &Path, source: &std::io::Error) -> Self {
        Self::new(format!("{doing} {}: {source}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.what)?;
        match &self.fix {
            Some(fix) => write!(out, "\n  fix: {}", fix.replace('\n', "\n       ")),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_exact_fix_is_kept_and_shown() {
        let failure = Failure::new("no engine").fix("sudo systemctl start docker").fix("see the README");
        assert_eq!(failure.to_string(), "no engine\n  fix: sudo systemctl start docker");
    }
}
