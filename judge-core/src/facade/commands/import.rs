//! Looking at packages and taking them in.

use std::path::{Path, PathBuf};

use agon_contract::command::{ImportPackage, ImportReply, InspectPackage};
use agon_contract::ids::{ProblemId, UserId};
use agon_contract::package::{Finding, ImportReport, PackageSource, Severity};
use agon_contract::permission::Permission;
use agon_contract::problem::{LimitsView, TimeLimitSource};
use agon_contract::{ApiError, ErrorCode};
use tempfile::TempDir;

use crate::actor::Actor;
use crate::domain::limits::EffectiveLimits;
use crate::facade::Judge;
use crate::facade::refusal::require;
use crate::judging::{DeriveError, DerivedTimeLimit, Disposition, derive_time_limit};
use crate::owner::catalog::Import;
use crate::package::{self, CheckedPackage, Inspection, PackageError};
use crate::store::folder::STAGING_PREFIX;
use crate::store::{FolderError, chain};

impl Judge {
    /// Lets the doctor look; nothing is stored.
    ///
    /// # Errors
    /// `forbidden`, `unreadable`, `not_found` (upload), `bad_request` (a path where none may be named).
    pub async fn inspect_package(&self, actor: &Actor, req: InspectPackage) -> Result<ImportReport, ApiError> {
        let looked = self.look_into(actor, req.source).await?;
        Ok(self.rooms.shop.catalog.report(&looked.inspection).await?)
    }

    /// Takes a package in, whole or not at all.
    ///
    /// # Errors
    /// As [`inspect_package`](Self::inspect_package), and `package_refused` with the first error, `conflict` (the
    /// short name is taken), `sandbox_unavailable` (a missing time limit cannot be derived now).
    pub async fn import_package(&self, actor: &Actor, req: ImportPackage) -> Result<ImportReply, ApiError> {
        let looked = self.look_into(actor, req.source).await?;
        self.take_in(looked, req.replace_existing, Some(&actor.user_id)).await
    }

    /// Takes in a package that came with the program, wherever that lies: the host names it, not a request.
    ///
    /// # Errors
    /// As [`import_package`](Self::import_package).
    pub(in crate::facade) async fn import_own(&self, folder: &Path) -> Result<ImportReply, ApiError> {
        let looked = self.look_at(folder.to_path_buf()).await?;
        self.take_in(looked, false, None).await
    }

    /// Takes in a package that somebody put into the watched folder. It may take the place of `own` only. A refusal of
    /// the doctor is answered with the report.
    pub(in crate::facade) async fn import_watched(
        &self,
        path: &Path,
        own: Option<&ProblemId>,
        by: &UserId,
    ) -> Result<Result<ProblemId, ImportReport>, ApiError> {
        let looked = self.look_at(path.to_path_buf()).await?;
        let report = self.rooms.shop.catalog.report(&looked.inspection).await?;
        if looked.inspection.package.is_none() {
            return Ok(Err(report));
        }
        let present = report.problem.and_then(|problem| problem.existing).map(|existing| existing.problem_id);
        let replace_existing = present.is_some() && present.as_ref() == own;
        Ok(Ok(self.take_in(looked, replace_existing, Some(by)).await?.problem_id))
    }

    async fn take_in(
        &self,
        looked: Looked,
        replace_existing: bool,
        by: Option<&UserId>,
    ) -> Result<ImportReply, ApiError> {
        let catalog = &self.rooms.shop.catalog;
        let mut report = catalog.report(&looked.inspection).await?;
        let Inspection { format, findings, package, .. } = looked.inspection;
        let Some(package) = package else { return Err(refused(&report)) };
        if let Some(problem_id) = catalog.has_same(&package).await? {
            return Ok(ImportReply { problem_id, report });
        }
        let (limits, derived) = self.limits_of(&package).await?;
        let findings: Vec<Finding> = findings.into_iter().chain(derived).collect();
        report.findings.clone_from(&findings);
        if let Some(problem) = &mut report.problem {
            problem.limits = LimitsView::from(&limits);
        }
        let import = Import { package, format, findings, limits, replace_existing, by: by.cloned() };
        let problem_id = catalog.import(import).await?;
        tracing::info!(problem.id = %problem_id, source = %report.source_name, "a problem was taken in");
        Ok(ImportReply { problem_id, report })
    }

    async fn look_into(&self, actor: &Actor, source: PackageSource) -> Result<Looked, ApiError> {
        require(actor, &Permission::ManageProblems)?;
        let path = match source {
            PackageSource::Path { path } if self.takes_paths => PathBuf::from(path),
            PackageSource::Path { .. } => {
                return Err(ApiError::new(ErrorCode::BadRequest, "paths of this machine cannot be named here")
                    .with_hint("Upload the package instead."));
            }
            PackageSource::Upload { upload_id } => self.rooms.uploads.finished_path(actor, &upload_id)?,
        };
        self.look_at(path).await
    }

    async fn look_at(&self, path: PathBuf) -> Result<Looked, ApiError> {
        let staging = tempfile::Builder::new().prefix(STAGING_PREFIX).tempdir_in(self.rooms.folder.run());
        let staging =
            staging.map_err(|source| FolderError::access("making staging in", self.rooms.folder.run(), source))?;
        let read = tokio::task::spawn_blocking(move || {
            let inspection = package::read(&path, staging.path())?;
            Ok::<_, PackageError>(Looked { inspection, _staging: staging })
        });
        let looked = read.await.map_err(|_| FolderError::Interrupted { operation: "reading a package" })?;
        looked.map_err(unreadable)
    }

    /// The package's own time limit, or one derived from its accepted submissions on this machine, with what the
    /// setter should look at.
    async fn limits_of(&self, package: &CheckedPackage) -> Result<(EffectiveLimits, Vec<Finding>), ApiError> {
        if let Some(time_limit_ms) = package.limits.time_limit_ms {
            return Ok((package.limits.effective(time_limit_ms, TimeLimitSource::Package), Vec::new()));
        }
        let cancel = self.rooms.closing.child_token();
        let derived = derive_time_limit(&self.rooms.shop.judging, package, &cancel).await;
        let derived = derived.map_err(|error| self.not_derived(&error))?;
        let findings = derivation_findings(&derived);
        Ok((package.limits.effective(derived.time_limit_ms, TimeLimitSource::Derived), findings))
    }

    fn not_derived(&self, error: &DeriveError) -> ApiError {
        let message = format!("the package states no time limit, and none can be derived: {}", chain(error));
        match error {
            DeriveError::NothingToMeasure | DeriveError::Fails { .. } => {
                ApiError::new(ErrorCode::PackageRefused, message)
                    .with_hint("State `limits: time_limit` in problem.yaml, or mend the accepted submissions.")
            }
            DeriveError::ReadSubmission { .. } => ApiError::new(ErrorCode::Unreadable, message),
            DeriveError::Judge(fault) => match fault.disposition() {
                Disposition::BackendAway { reason } => {
                    self.rooms.shop.gate.pause(&reason);
                    ApiError::new(ErrorCode::SandboxUnavailable, message)
                        .with_hint("Import the package again when the sandbox is there; nothing was taken.")
                }
                Disposition::Retry { .. } | Disposition::GiveUp | Disposition::AskStaff => {
                    ApiError::new(ErrorCode::Internal, message)
                }
            },
        }
    }
}

fn derivation_findings(derived: &DerivedTimeLimit) -> Vec<Finding> {
    let (slowest, cpu_ms) = &derived.slowest;
    let note = Finding {
        severity: Severity::Note,
        code: "time_limit_derived".to_owned(),
        path: format!("submissions/{slowest}"),
        message: format!("it took {} here, so the time limit is {}", seconds(*cpu_ms), seconds(derived.time_limit_ms)),
        remedy: String::new(),
    };
    let too_fast = derived.too_fast.iter().map(|path| Finding {
        severity: Severity::Warning,
        code: "submission_too_fast".to_owned(),
        path: format!("submissions/{path}"),
        message: format!(
            "it should be too slow but is not under the derived limit of {}",
            seconds(derived.time_limit_ms)
        ),
        remedy: "Look at the test data, or state a time limit.".to_owned(),
    });
    std::iter::once(note).chain(too_fast).collect()
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03} s", ms / 1000, ms % 1000)
}

/// What the doctor saw; paths of the package point into the staging folder, which lives as long as this.
struct Looked {
    inspection: Inspection,
    _staging: TempDir,
}

fn unreadable(error: PackageError) -> ApiError {
    let message = chain(&error);
    match error {
        PackageError::OpenSource { .. } => ApiError::new(ErrorCode::Unreadable, message),
        PackageError::WriteStaging { .. } => ApiError::new(ErrorCode::StorageUnavailable, message)
            .with_hint("Make room on the disk and import again; nothing was taken."),
    }
}

fn refused(report: &ImportReport) -> ApiError {
    let first = report.findings.iter().find(|finding| finding.severity == Severity::Error);
    let Some(finding) = first else {
        return ApiError::new(ErrorCode::PackageRefused, "the package cannot be judged");
    };
    let place = if finding.path.is_empty() { String::new() } else { format!("{}: ", finding.path) };
    let error = ApiError::new(ErrorCode::PackageRefused, format!("{place}{}", finding.message));
    if finding.remedy.is_empty() { error } else { error.with_hint(finding.remedy.clone()) }
}
