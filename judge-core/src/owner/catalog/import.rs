//! Taking a checked package in: blobs first, then every row in one transaction.

use agon_contract::audit::AuditAction;
use agon_contract::ids::{ProblemId, UserId};
use agon_contract::package::{ExistingProblem, Finding, ImportReport, PackageOverview};
use agon_contract::problem::{LimitsView, StatementFormat, StatementView, TimeLimitSource};
use agon_contract::{ApiError, ErrorCode};

use super::Catalog;
use super::case::{self, Case};
use super::problem::{self, Existing, Version};
use super::rules::{self, Content};
use super::statement::{self, Statement};
use super::{emit, note};
use crate::domain::limits::EffectiveLimits;
use crate::ids::new_id;
use crate::package::{CheckedPackage, Inspection, PackageStatement};
use crate::store::blobs::{BlobRef, Blobs};
use crate::store::{FolderError, StoreError, WriteTx};

/// Why a package was not taken in. Nothing of it was kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImportError {
    #[error("a problem called `{slug}` is already there with other content")]
    Exists { slug: String },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl From<ImportError> for ApiError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Exists { .. } => ApiError::new(ErrorCode::Conflict, error.to_string())
                .with_hint("Import it again and choose to replace the present one; its submissions stay."),
            ImportError::Store(error) => error.into(),
            ImportError::Folder(error) => error.into(),
        }
    }
}

/// A package with what only judging could tell.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub package: CheckedPackage,
    pub format: String,
    pub findings: Vec<Finding>,
    pub limits: EffectiveLimits,
    pub replace_existing: bool,
    /// Who asked for it; `None` for problems that came with the program.
    pub by: Option<UserId>,
}

/// The rows of one version, blobs already stored.
struct Rows {
    version: Version,
    cases: Vec<Case>,
    statements: Vec<Statement>,
    files: Vec<(String, BlobRef)>,
    contents: Vec<Content>,
}

impl Catalog {
    /// The doctor's report, with what the catalogue knows about the short name.
    pub(crate) async fn report(&self, inspection: &Inspection) -> Result<ImportReport, StoreError> {
        let problem = match &inspection.package {
            Some(package) => Some(overview(package, self.existing(&package.slug).await?)),
            None => None,
        };
        Ok(ImportReport {
            format: inspection.format.clone(),
            source_name: inspection.source_name.clone(),
            findings: inspection.findings.clone(),
            problem,
        })
    }

    async fn existing(&self, slug: &str) -> Result<Option<Existing>, StoreError> {
        let slug = slug.to_owned();
        self.store.read("look a short name up", move |connection| problem::by_slug(connection, &slug)).await
    }

    /// Whether the catalogue has exactly this package on its list.
    pub(crate) async fn has_same(&self, package: &CheckedPackage) -> Result<Option<ProblemId>, StoreError> {
        let existing = self.existing(&package.slug).await?;
        let is_same = |existing: &Existing| !existing.is_removed && existing.package_hash == package.package_hash;
        Ok(existing.filter(is_same).map(|existing| existing.id))
    }

    /// Takes a package in, whole or not at all. The same content again changes nothing.
    pub(crate) async fn import(&self, import: Import) -> Result<ProblemId, ImportError> {
        let (replace_existing, by) = (import.replace_existing, import.by.clone());
        self.refuse_unwanted(&import).await?;
        let blobs = self.blobs.clone();
        let _content_stays = blobs.pin().await;
        let rows = tokio::task::spawn_blocking(move || store_content(&blobs, import))
            .await
            .map_err(|_| FolderError::Interrupted { operation: "storing a package" })??;
        self.store.write("take a problem in", move |tx| insert(tx, rows, replace_existing, by.as_ref())).await?
    }

    /// Refuses early, before gigabytes are copied; [`insert`] asks again.
    async fn refuse_unwanted(&self, import: &Import) -> Result<(), ImportError> {
        let existing = self.existing(&import.package.slug).await?;
        match existing {
            Some(existing) if is_in_the_way(&existing, &import.package.package_hash) && !import.replace_existing => {
                Err(ImportError::Exists { slug: import.package.slug.clone() })
            }
            _ => Ok(()),
        }
    }
}

fn is_in_the_way(existing: &Existing, package_hash: &str) -> bool {
    !existing.is_removed && existing.package_hash != package_hash
}

/// Every blob is durable when this returns.
fn store_content(blobs: &Blobs, import: Import) -> Result<Rows, FolderError> {
    let Import { package, format, findings, limits, .. } = import;
    let mut cases = Vec::with_capacity(package.cases.len());
    for source in &package.cases {
        let input = blobs.put_file(&source.input)?;
        let answer = blobs.put_file(&source.answer)?;
        cases.push(Case {
            name: source.name.clone(),
            is_sample: source.is_sample,
            input_hash: input.hash,
            input_bytes: input.bytes,
            answer_hash: answer.hash,
            answer_bytes: answer.bytes,
            validator: source.validator.clone(),
            rules: source.rules.clone(),
        });
    }
    let mut statements = Vec::new();
    let mut files = Vec::new();
    for source in &package.statements {
        statements.push(store_statement(blobs, source)?);
        for file in &source.files {
            files.push((file.name.clone(), blobs.put_file(&file.path)?));
        }
    }
    let mut contents = Vec::with_capacity(package.contents.len());
    for (hash, path) in &package.contents {
        let blob = blobs.put_file(path)?;
        if blob.hash != *hash {
            return Err(FolderError::ChangedMeanwhile { path: path.clone() });
        }
        contents.push(Content { hash: blob.hash, bytes: blob.bytes });
    }
    Ok(Rows { version: version_of(package, format, findings, limits), cases, statements, files, contents })
}

fn store_statement(blobs: &Blobs, source: &PackageStatement) -> Result<Statement, FolderError> {
    let pdf = match source.format {
        StatementFormat::Pdf => {
            let blob = blobs.put_file(&source.path)?;
            Some((blob.hash, blob.bytes))
        }
        StatementFormat::Html | StatementFormat::LatexText | StatementFormat::Unknown(_) => None,
    };
    let view = StatementView {
        language: source.language.clone(),
        format: source.format.clone(),
        html: source.html.clone(),
        placed_samples: source.placed_samples,
    };
    Ok(Statement { view, pdf })
}

fn version_of(package: CheckedPackage, format: String, findings: Vec<Finding>, limits: EffectiveLimits) -> Version {
    Version {
        id: new_id(),
        slug: package.slug,
        format,
        titles: package.titles,
        keywords: package.keywords,
        limits,
        validator: package.validator,
        rules: package.rules,
        languages: package.languages,
        compile_time_ms: package.limits.compilation.time_ms,
        compile_memory_bytes: package.limits.compilation.memory_bytes,
        credits: package.credits,
        license: package.license,
        source: package.source,
        package_uuid: package.uuid,
        package_version: package.version,
        package_hash: package.package_hash,
        data_hash: package.data_hash,
        findings,
        imported_at_ms: 0,
    }
}

fn insert(
    tx: &WriteTx<'_>,
    mut rows: Rows,
    replace_existing: bool,
    by: Option<&UserId>,
) -> rusqlite::Result<Result<ProblemId, ImportError>> {
    let slug = rows.version.slug.clone();
    rows.version.imported_at_ms = tx.wall_ms();
    let version_id = rows.version.id.clone();
    let details = serde_json::json!({ "slug": slug, "package_hash": rows.version.package_hash });
    let (id, action) = match problem::by_slug(tx, &slug)? {
        Some(existing) if existing.package_hash == rows.version.package_hash => {
            if existing.is_removed {
                problem::restore(tx, &existing.id)?;
                emit(tx, "ProblemImported", &existing.id)?;
                note(tx, AuditAction::ProblemImported, &existing.id, by, details)?;
            }
            return Ok(Ok(existing.id));
        }
        Some(existing) if !existing.is_removed && !replace_existing => {
            return Ok(Err(ImportError::Exists { slug }));
        }
        Some(existing) => {
            problem::insert_version(tx, &existing.id, &rows.version)?;
            problem::set_current(tx, &existing.id, &version_id)?;
            (existing.id, AuditAction::ProblemReplaced)
        }
        None => {
            let id = ProblemId(new_id());
            problem::insert(tx, &id, &slug, &version_id, tx.wall_ms())?;
            problem::insert_version(tx, &id, &rows.version)?;
            (id, AuditAction::ProblemImported)
        }
    };
    insert_parts(tx, &version_id, &rows)?;
    emit(tx, "ProblemImported", &id)?;
    note(tx, action, &id, by, details)?;
    Ok(Ok(id))
}

fn insert_parts(tx: &WriteTx<'_>, version_id: &str, rows: &Rows) -> rusqlite::Result<()> {
    for (ordinal, row) in (1..).zip(&rows.cases) {
        case::insert(tx, version_id, ordinal, row)?;
    }
    for (ordinal, row) in (1..).zip(&rows.statements) {
        statement::insert(tx, version_id, ordinal, row)?;
    }
    for (name, blob) in &rows.files {
        statement::insert_file(tx, version_id, name, &blob.hash, blob.bytes)?;
    }
    for content in &rows.contents {
        rules::insert(tx, version_id, content)?;
    }
    Ok(())
}

fn overview(package: &CheckedPackage, existing: Option<Existing>) -> PackageOverview {
    let source = match package.limits.time_limit_ms {
        Some(_) => TimeLimitSource::Package,
        None => TimeLimitSource::Derived,
    };
    let limits = package.limits.effective(package.limits.time_limit_ms.unwrap_or(0), source);
    let samples = package.cases.iter().filter(|case| case.is_sample).count();
    let count = |items: usize| u32::try_from(items).unwrap_or(u32::MAX);
    PackageOverview {
        slug: package.slug.clone(),
        titles: package.titles.clone(),
        limits: LimitsView::from(&limits),
        sample_case_count: count(samples),
        secret_case_count: count(package.cases.len() - samples),
        data_bytes: package.cases.iter().map(|case| case.input_bytes + case.answer_bytes).sum(),
        statement_languages: package.statements.iter().map(|statement| statement.language.clone()).collect(),
        submission_count: count(package.submissions.len()),
        package_hash: package.package_hash.clone(),
        existing: existing.filter(|existing| !existing.is_removed).map(|existing| ExistingProblem {
            same_content: existing.package_hash == package.package_hash,
            problem_id: existing.id,
        }),
    }
}
