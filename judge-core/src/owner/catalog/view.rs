//! What people see of the catalogue: the list, one problem, statements, and byte ranges of what is public.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use agon_contract::command::{DataRef, DataSlice};
use agon_contract::ids::ProblemId;
use agon_contract::problem::{
    LimitsView, ProblemDetail, ProblemSummary, SAMPLE_PREVIEW_BYTES, SampleView, StatementView,
};
use base64::Engine;
use rusqlite::Connection;

use super::case::{self, Case};
use super::problem::{self, Version};
use super::statement;
use super::{CasesError, Catalog};
use crate::store::{FolderError, StoreError};

/// Something public in a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DataPiece {
    pub hash: String,
    pub total_bytes: u64,
    pub media_type: &'static str,
}

impl Catalog {
    /// Problems on the list whose title, short name or keyword contains the query, by title. What the person did with
    /// them is added by the caller.
    pub(crate) async fn list(&self, query: &str) -> Result<Vec<ProblemSummary>, StoreError> {
        let query = query.trim().to_lowercase();
        let listed = self.store.read("list problems", problem::listed).await?;
        let matching = listed.into_iter().filter(|(_, version)| matches(version, &query));
        let mut rows: Vec<ProblemSummary> = matching.map(|(id, version)| summary(id, &version)).collect();
        rows.sort_by_cached_key(|row| (sort_title(row), row.slug.clone()));
        Ok(rows)
    }

    /// One problem; `None` when it is not on the list.
    pub(crate) async fn detail(&self, id: &ProblemId) -> Result<Option<ProblemDetail>, CasesError> {
        let wanted = id.clone();
        let found = self
            .store
            .read("read a problem", move |connection| {
                let Some(version) = problem::current(connection, &wanted)? else { return Ok(None) };
                let cases = case::all(connection, &version.id)?;
                let statements = statement::refs(connection, &version.id)?;
                Ok(Some((version, cases, statements)))
            })
            .await?;
        let Some((version, cases, statements)) = found else { return Ok(None) };
        let (samples, secret): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|case| case.is_sample);
        let this = self.clone();
        let samples = tokio::task::spawn_blocking(move || {
            samples.iter().map(|sample| this.sample_view(sample)).collect::<Result<Vec<_>, _>>()
        })
        .await
        .map_err(|_| FolderError::Interrupted { operation: "reading samples" })??;
        Ok(Some(ProblemDetail {
            summary: summary(id.clone(), &version),
            limits: LimitsView::from(&version.limits),
            languages: version.languages,
            statements,
            samples,
            secret_case_count: u32::try_from(secret.len()).unwrap_or(u32::MAX),
            validator_args: version.validator.words(),
            credits: version.credits,
            license: version.license,
            source: version.source,
            findings: version.findings,
        }))
    }

    fn sample_view(&self, sample: &Case) -> Result<SampleView, FolderError> {
        if !sample.rules.interaction.is_empty() {
            return Ok(SampleView {
                name: sample.name.clone(),
                input: String::new(),
                input_bytes: 0,
                answer: String::new(),
                answer_bytes: 0,
                interaction: sample.rules.interaction.clone(),
            });
        }
        Ok(SampleView {
            interaction: String::new(),
            name: sample.name.clone(),
            input: self.head(&sample.input_hash)?,
            input_bytes: sample.input_bytes,
            answer: self.head(&sample.answer_hash)?,
            answer_bytes: sample.answer_bytes,
        })
    }

    fn head(&self, hash: &str) -> Result<String, FolderError> {
        let mut bytes = Vec::new();
        let read = self.blobs.open(hash)?.take(SAMPLE_PREVIEW_BYTES).read_to_end(&mut bytes);
        read.map_err(|source| FolderError::access("reading blob", hash, source))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The statement nearest to the language; `None` when the problem is not on the list or has none.
    pub(crate) async fn statement(&self, id: &ProblemId, language: &str) -> Result<Option<StatementView>, StoreError> {
        let (id, language) = (id.clone(), language.to_owned());
        let found = self
            .store
            .read("read a statement", move |connection| {
                let Some(version) = problem::current(connection, &id)? else { return Ok(None) };
                statement::nearest(connection, &version.id, &language)
            })
            .await?;
        Ok(found.map(|statement| statement.view))
    }

    /// Where a public piece of data is; `None` when there is no such piece. Secret data has no name here.
    pub(crate) async fn data(&self, data: DataRef) -> Result<Option<DataPiece>, StoreError> {
        self.store.read("look data up", move |connection| piece(connection, &data)).await
    }

    /// Opens a piece for [`slice_from`].
    pub(crate) fn open_piece(&self, piece: &DataPiece) -> Result<File, FolderError> {
        self.blobs.open(&piece.hash)
    }
}

fn piece(connection: &Connection, data: &DataRef) -> rusqlite::Result<Option<DataPiece>> {
    let (DataRef::SampleInput { problem_id, .. }
    | DataRef::SampleAnswer { problem_id, .. }
    | DataRef::StatementPdf { problem_id, .. }
    | DataRef::StatementFile { problem_id, .. }) = data;
    let Some(version) = problem::current(connection, problem_id)? else { return Ok(None) };
    let found = match data {
        DataRef::SampleInput { case_name, .. } => {
            let case = case::sample(connection, &version.id, case_name)?;
            case.map(|case| (case.input_hash, case.input_bytes, PLAIN_TEXT))
        }
        DataRef::SampleAnswer { case_name, .. } => {
            let case = case::sample(connection, &version.id, case_name)?;
            case.map(|case| (case.answer_hash, case.answer_bytes, PLAIN_TEXT))
        }
        DataRef::StatementPdf { language, .. } => {
            let pdf = statement::pdf(connection, &version.id, language)?;
            pdf.map(|(hash, bytes)| (hash, bytes, "application/pdf"))
        }
        DataRef::StatementFile { name, .. } => {
            let file = statement::file(connection, &version.id, name)?;
            file.map(|(hash, bytes)| (hash, bytes, media_type(name)))
        }
    };
    Ok(found.map(|(hash, total_bytes, media_type)| DataPiece { hash, total_bytes, media_type }))
}

const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

/// Reads a range; past the end it is empty.
pub(crate) fn slice_from(
    mut file: File,
    piece: &DataPiece,
    offset: u64,
    length: u32,
) -> Result<DataSlice, FolderError> {
    let mut bytes = Vec::new();
    // No file reaches the offsets that a seek refuses.
    let start = SeekFrom::Start(offset.min(piece.total_bytes));
    let read = file.seek(start).and_then(|_| file.take(u64::from(length)).read_to_end(&mut bytes));
    read.map_err(|source| FolderError::access("reading blob", &piece.hash, source))?;
    Ok(DataSlice {
        base64: base64::engine::general_purpose::STANDARD.encode(bytes),
        offset,
        total_bytes: piece.total_bytes,
        media_type: piece.media_type.to_owned(),
    })
}

fn summary(id: ProblemId, version: &Version) -> ProblemSummary {
    ProblemSummary {
        id,
        slug: version.slug.clone(),
        titles: version.titles.clone(),
        keywords: version.keywords.clone(),
        time_limit_ms: version.limits.time_limit_ms,
        memory_limit_bytes: version.limits.memory_bytes,
        best_verdict: None,
        attempts: 0,
        imported_at_ms: version.imported_at_ms,
    }
}

fn matches(version: &Version, query: &str) -> bool {
    let contains = |text: &str| text.to_lowercase().contains(query);
    query.is_empty()
        || contains(&version.slug)
        || version.titles.iter().any(|title| contains(&title.text))
        || version.keywords.iter().any(|keyword| contains(keyword))
}

/// English title where there is one, else the first.
fn sort_title(row: &ProblemSummary) -> String {
    let english = row.titles.iter().find(|title| title.language == "en");
    english.or(row.titles.first()).map(|title| title.text.to_lowercase()).unwrap_or_default()
}

/// Types that a statement may show. SVG is left out: it can carry scripts.
fn media_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).unwrap_or_default();
    match extension.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_images_without_scripts_get_an_image_type() {
        assert_eq!(media_type("a/b.PNG"), "image/png");
        assert_eq!(media_type("picture.svg"), "application/octet-stream");
        assert_eq!(media_type("page.html"), "application/octet-stream");
    }
}
