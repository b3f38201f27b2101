//! Collects what the doctor sees, bounded however broken the package is.

use std::collections::HashMap;
use std::path::PathBuf;

use agon_contract::package::{Finding, Severity};

/// Findings of one code that are listed; the rest is counted in one more.
const LISTED_PER_CODE: usize = 12;

/// Everything seen so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    listed: Vec<Finding>,
    per_code: HashMap<&'static str, (Severity, usize)>,
}

impl Findings {
    /// Refuses the package.
    pub(super) fn error(&mut self, code: &'static str, path: &str, message: impl Into<String>, remedy: &str) {
        self.push(Severity::Error, code, path, message.into(), remedy);
    }

    pub(super) fn warning(&mut self, code: &'static str, path: &str, message: impl Into<String>, remedy: &str) {
        self.push(Severity::Warning, code, path, message.into(), remedy);
    }

    pub(super) fn note(&mut self, code: &'static str, path: &str, message: impl Into<String>) {
        self.push(Severity::Note, code, path, message.into(), "");
    }

    fn push(&mut self, severity: Severity, code: &'static str, path: &str, message: String, remedy: &str) {
        let seen = self.per_code.entry(code).or_insert((severity.clone(), 0));
        seen.1 += 1;
        if seen.1 <= LISTED_PER_CODE {
            let (code, path, remedy) = (code.to_owned(), path.to_owned(), remedy.to_owned());
            self.listed.push(Finding { severity, code, path, message, remedy });
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.listed.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Errors first, then warnings, then notes, each in the order seen.
    pub(super) fn into_list(mut self) -> Vec<Finding> {
        for (code, (severity, count)) in self.per_code {
            if count > LISTED_PER_CODE {
                self.listed.push(Finding {
                    severity,
                    code: code.to_owned(),
                    path: String::new(),
                    message: format!("{} more of the same kind", count - LISTED_PER_CODE),
                    remedy: String::new(),
                });
            }
        }
        self.listed.sort_by_key(|finding| match finding.severity {
            Severity::Error => 0,
            Severity::Warning => 1,
            Severity::Note => 2,
            Severity::Unknown(_) => 3,
        });
        self.listed
    }
}

/// A fault of the machine while a file of the package was read or a copy of it written.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    #[error("{path} cannot be read")]
    OpenSource {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("{path} cannot be written while the package is unpacked")]
    WriteStaging {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_counted_and_errors_come_first() {
        let mut findings = Findings::default();
        for number in 0..100 {
            findings.note("junk", &format!("j{number}"), "ignored");
        }
        assert!(!findings.has_errors());
        findings.error("bad", "x", "broken", "mend it");
        assert!(findings.has_errors());
        let list = findings.into_list();
        assert_eq!(list[0].code, "bad");
        assert_eq!(list.len(), 1 + LISTED_PER_CODE + 1);
        assert_eq!(list[list.len() - 1].message, "88 more of the same kind");
    }
}
