//! What the file watch asks of the judge: look at a package and take it in.

use std::path::Path;
use std::sync::{Arc, Weak};

use agon_contract::ids::{ProblemId, UserId};
use agon_contract::package::{ImportReport, Severity};
use agon_contract::{ApiError, ErrorCode};
use async_trait::async_trait;

use super::{Judge, Rooms};
use crate::watch::{Intake, Offered};

/// The judge, as long as it is open: a module must not keep it alive.
pub(super) struct WatchIntake {
    rooms: Weak<Rooms>,
}

impl WatchIntake {
    pub(super) fn of(rooms: Weak<Rooms>) -> Arc<dyn Intake> {
        Arc::new(Self { rooms })
    }
}

#[async_trait]
impl Intake for WatchIntake {
    async fn offer(&self, path: &Path, own: Option<ProblemId>, by: &UserId) -> Offered {
        let Some(rooms) = self.rooms.upgrade() else {
            return Offered::Later { reason: "the program is closing".to_owned() };
        };
        let takes_paths = rooms.config.takes_paths;
        let judge = Judge { rooms, takes_paths };
        match judge.import_watched(path, own.as_ref(), by).await {
            Ok(Ok(problem_id)) => Offered::TakenIn(problem_id),
            Ok(Err(report)) => refused_by_the_doctor(&report),
            Err(error) => not_taken_in(error),
        }
    }
}

fn refused_by_the_doctor(report: &ImportReport) -> Offered {
    let first = report.findings.iter().find(|finding| finding.severity == Severity::Error);
    match first {
        Some(finding) => Offered::Refused {
            code: finding.code.clone(),
            reason: if finding.path.is_empty() {
                finding.message.clone()
            } else {
                format!("{}: {}", finding.path, finding.message)
            },
            remedy: finding.remedy.clone(),
        },
        None => Offered::Refused {
            code: "package_refused".to_owned(),
            reason: "the package cannot be judged".to_owned(),
            remedy: String::new(),
        },
    }
}

/// What has to do with the package is a refusal; a machine that cannot do it now is tried again.
fn not_taken_in(error: ApiError) -> Offered {
    match error.code {
        // A folder asks nobody whether to replace.
        ErrorCode::Conflict => Offered::Refused {
            code: error.code.as_str().to_owned(),
            reason: error.message,
            remedy: "Rename it here, or import it by hand and choose to replace.".to_owned(),
        },
        ErrorCode::PackageRefused | ErrorCode::BadRequest => Offered::Refused {
            code: error.code.as_str().to_owned(),
            reason: error.message,
            remedy: error.hint.unwrap_or_default(),
        },
        ErrorCode::Unauthenticated
        | ErrorCode::Forbidden
        | ErrorCode::NotFound
        | ErrorCode::Full
        | ErrorCode::TooManyAttempts
        | ErrorCode::SandboxUnavailable
        | ErrorCode::StorageUnavailable
        | ErrorCode::VersionMismatch
        | ErrorCode::Unreadable
        | ErrorCode::ModuleOff
        | ErrorCode::Stopping
        | ErrorCode::Internal
        | ErrorCode::Unknown(_) => Offered::Later { reason: error.message },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_to_do_with_the_package_is_refused() {
        for code in ErrorCode::KNOWN {
            let is_about_it = matches!(code, ErrorCode::PackageRefused | ErrorCode::Conflict | ErrorCode::BadRequest);
            let offered = not_taken_in(ApiError::new(code.clone(), "why"));
            assert_eq!(matches!(offered, Offered::Refused { .. }), is_about_it, "{code}");
        }
    }
}
