//! Intake: from a contestant's intent to a receipt, in one commit.

use agon_contract::command::Submit;
use agon_contract::ids::{SubmissionId, UserId};
use agon_contract::submission::{SourceFile, SubmissionContext, SubmitReceipt};
use agon_contract::{ApiError, ErrorCode};

use super::fence::Now;
use super::judgement::{self, NewJudgement, Origin};
use super::manifest::{Manifest, fingerprint};
use super::saved::{self, Known, NewSubmission, StoredSource};
use super::succession::{self, Next};
use super::{Submissions, basis};
use crate::domain::facts::{FactsSnapshot, LanguageFacts, NotAdmitted};
use crate::ids::new_id;
use crate::judging::NAME_BYTES_MAX;
use crate::store::{FolderError, NewEvent, StoreError, WriteTx};

/// Files of one submission; more is nobody's program.
const FILES_MAX: usize = 64;
/// Bytes of an idempotency key; ours are 36.
const KEY_BYTES_MAX: usize = 128;
/// Larger sources are kept as blobs (foundations, "Data folder and blobs").
const INLINE_BYTES_MAX: usize = 256 * 1024;

/// Why a submission was not taken. Nothing of it was kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum IntakeError {
    #[error("the idempotency key must have 1 to {KEY_BYTES_MAX} bytes")]
    BadKey,
    #[error("this key was used for something else; nothing was taken")]
    KeyReused,
    #[error("the facts do not admit this submission: {0:?}")]
    NotAdmitted(NotAdmitted),
    #[error("this problem does not admit the language {language}")]
    LanguageNotAdmitted { language: String },
    #[error("hand in 1 to {FILES_MAX} files, not {count}")]
    FileCount { count: usize },
    #[error("`{name}` is not a plain file name")]
    FileName { name: String },
    #[error("the file name `{name}` comes twice")]
    FileNameTwice { name: String },
    #[error("the sources have {bytes} bytes; the problem takes at most {limit_bytes}")]
    CodeLimit { bytes: u64, limit_bytes: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl From<IntakeError> for ApiError {
    fn from(error: IntakeError) -> Self {
        let code = match &error {
            IntakeError::KeyReused => ErrorCode::Conflict,
            IntakeError::NotAdmitted(reason) => match reason {
                NotAdmitted::UserUnknown | NotAdmitted::OtherUser => ErrorCode::Forbidden,
                NotAdmitted::OtherProblem => ErrorCode::NotFound,
                NotAdmitted::SchemaOutdated | NotAdmitted::FactsTooOld => ErrorCode::Conflict,
            },
            IntakeError::BadKey
            | IntakeError::LanguageNotAdmitted { .. }
            | IntakeError::FileCount { .. }
            | IntakeError::FileName { .. }
            | IntakeError::FileNameTwice { .. }
            | IntakeError::CodeLimit { .. } => ErrorCode::BadRequest,
            IntakeError::Store(_) | IntakeError::Folder(_) => return stored(error),
        };
        ApiError::new(code, error.to_string())
    }
}

fn stored(error: IntakeError) -> ApiError {
    match error {
        IntakeError::Store(error) => error.into(),
        IntakeError::Folder(error) => error.into(),
        other => ApiError::new(ErrorCode::Internal, other.to_string()),
    }
}

/// The fingerprint that ties a key to its payload.
pub(crate) fn submit_fingerprint(request: &Submit) -> String {
    fingerprint(&["submit", request.problem_id.as_str(), request.language_id.as_str()], &request.files)
}

/// Checks what any program handed in must keep to; answers the language's facts.
pub(crate) fn check_program<'f>(
    facts: &'f FactsSnapshot,
    language: &agon_contract::ids::LanguageId,
    files: &[SourceFile],
) -> Result<&'f LanguageFacts, IntakeError> {
    if files.is_empty() || files.len() > FILES_MAX {
        return Err(IntakeError::FileCount { count: files.len() });
    }
    let mut names = std::collections::BTreeSet::new();
    for file in files {
        if !is_plain_name(&file.name) {
            return Err(IntakeError::FileName { name: file.name.clone() });
        }
        if !names.insert(&file.name) {
            return Err(IntakeError::FileNameTwice { name: file.name.clone() });
        }
    }
    let bytes: u64 = files.iter().map(|file| file.text.len() as u64).sum();
    let limit_bytes = facts.problem.limits.code_bytes;
    if bytes > limit_bytes {
        return Err(IntakeError::CodeLimit { bytes, limit_bytes });
    }
    facts.language(language).ok_or_else(|| IntakeError::LanguageNotAdmitted { language: language.to_string() })
}

/// A name that is one component everywhere, and no option of a compiler.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= NAME_BYTES_MAX
        && !name.starts_with(['-', '.'])
        && !name.chars().any(|character| matches!(character, '/' | '\\' | ':') || character.is_control())
}

pub(crate) fn check_key(key: &str) -> Result<(), IntakeError> {
    if key.is_empty() || key.len() > KEY_BYTES_MAX { Err(IntakeError::BadKey) } else { Ok(()) }
}

impl Submissions {
    /// The receipt of a known key, asked before anything else; the same key with another payload is refused.
    pub(crate) async fn known_receipt(
        &self,
        user_id: &UserId,
        request: &Submit,
    ) -> Result<Option<SubmitReceipt>, IntakeError> {
        check_key(request.idempotency_key.as_str())?;
        let (user_id, key) = (user_id.clone(), request.idempotency_key.clone());
        let known =
            self.store.read("look a key up", move |connection| saved::by_key(connection, &user_id, &key)).await?;
        known.map(|known| receipt_of(&known, &submit_fingerprint(request))).transpose()
    }

    /// Saves a submission: when this answers, it is on disk and will be judged.
    pub(crate) async fn submit(
        &self,
        user_id: &UserId,
        request: Submit,
        facts: FactsSnapshot,
    ) -> Result<SubmitReceipt, IntakeError> {
        check_key(request.idempotency_key.as_str())?;
        let now_ms = self.clock.wall_ms();
        facts.admits(user_id, &request.problem_id, now_ms).map_err(IntakeError::NotAdmitted)?;
        let language = check_program(&facts, &request.language_id, &request.files)?;
        let fingerprint = submit_fingerprint(&request);
        let _content_stays = self.blobs.pin().await;
        let new = NewSubmission {
            id: SubmissionId(new_id()),
            user_id: user_id.clone(),
            idempotency_key: request.idempotency_key,
            fingerprint,
            manifest: Manifest::seal(&facts, language, &request.files, &self.image),
            language_id: request.language_id,
            context: SubmissionContext::Practice,
            sources: self.store_sources(request.files).await?,
            facts,
        };
        self.store.write("save the submission", move |tx| save(tx, &new, Now::of(tx))).await?
    }

    /// Puts large sources into blobs, which are durable before the row that names them.
    pub(super) async fn store_sources(&self, files: Vec<SourceFile>) -> Result<Vec<StoredSource>, FolderError> {
        if files.iter().all(|file| file.text.len() <= INLINE_BYTES_MAX) {
            return Ok(files.into_iter().map(StoredSource::Text).collect());
        }
        let blobs = self.blobs.clone();
        let store = move || {
            files
                .into_iter()
                .map(|file| {
                    if file.text.len() <= INLINE_BYTES_MAX {
                        return Ok(StoredSource::Text(file));
                    }
                    let blob = blobs.put_bytes(file.text.as_bytes())?;
                    Ok(StoredSource::Blob { name: file.name, hash: blob.hash, bytes: blob.bytes })
                })
                .collect()
        };
        tokio::task::spawn_blocking(store)
            .await
            .map_err(|_| FolderError::Interrupted { operation: "storing sources" })?
    }
}

/// Everything a saved submission consists of, in the caller's transaction.
pub(super) fn save(
    tx: &WriteTx<'_>,
    new: &NewSubmission,
    now: Now,
) -> rusqlite::Result<Result<SubmitReceipt, IntakeError>> {
    if let Some(known) = saved::by_key(tx, &new.user_id, &new.idempotency_key)? {
        return Ok(receipt_of(&known, &new.fingerprint));
    }
    let saved_at_ms = tx.wall_ms();
    let number = saved::insert(tx, new, saved_at_ms)?;
    basis::keep_language(tx, &new.language_id, &new.manifest.language_hash)?;
    let judgement = NewJudgement::new(new.id.clone(), 1, Origin::default());
    judgement::insert(tx, &judgement, saved_at_ms)?;
    succession::wish(tx, &judgement, &Next::now("", now))?;
    tx.emit(&NewEvent {
        event_type: "SubmissionSaved",
        aggregate_id: new.id.as_str(),
        aggregate_version: judgement.generation,
        causation_id: Some(new.idempotency_key.as_str()),
        payload: serde_json::json!({ "number": number, "problem_id": new.facts.problem.id }).to_string(),
    })?;
    Ok(Ok(SubmitReceipt { submission_id: new.id.clone(), number, saved_at_ms, repeated: false }))
}

fn receipt_of(known: &Known, fingerprint: &str) -> Result<SubmitReceipt, IntakeError> {
    if known.fingerprint != fingerprint {
        return Err(IntakeError::KeyReused);
    }
    Ok(SubmitReceipt {
        submission_id: known.id.clone(),
        number: known.number,
        saved_at_ms: known.submitted_at_ms,
        repeated: true,
    })
}

#[cfg(test)]
mod tests {
    use agon_contract::ids::LanguageId;

    use super::*;
    use crate::domain::facts::tests::facts;

    fn check(files: &[(&str, &str)]) -> Result<(), IntakeError> {
        let files: Vec<SourceFile> =
            files.iter().map(|(name, text)| SourceFile { name: (*name).into(), text: (*text).into() }).collect();
        check_program(&facts(), &LanguageId::from("cpp20"), &files).map(drop)
    }

    #[test]
    fn a_plain_program_passes() {
        check(&[("main.cpp", "int main() {}"), ("näh er.h", "")]).expect("admitted");
    }

    #[test]
    fn names_that_could_reach_elsewhere_are_refused() {
        let long = format!("{}.cpp", "é".repeat(NAME_BYTES_MAX / 2));
        for name in
            [long.as_str(), "", "../a.cpp", "a/b.cpp", "c:a.cpp", "a\\b.cpp", "-o.cpp", ".hidden", "a\n.cpp", "."]
        {
            assert!(matches!(check(&[(name, "")]), Err(IntakeError::FileName { .. })), "{name:?}");
        }
    }

    #[test]
    fn too_much_too_little_and_twice_are_refused() {
        assert!(matches!(check(&[]), Err(IntakeError::FileCount { count: 0 })));
        assert!(matches!(check(&[("a.cpp", ""), ("a.cpp", "")]), Err(IntakeError::FileNameTwice { .. })));
        let long = "x".repeat((1 << 17) + 1);
        assert!(matches!(check(&[("a.cpp", &long)]), Err(IntakeError::CodeLimit { .. })));
        let facts = facts();
        let unknown = check_program(
            &facts,
            &LanguageId::from("cobol"),
            &[SourceFile { name: "a.cob".into(), text: String::new() }],
        );
        assert!(matches!(unknown, Err(IntakeError::LanguageNotAdmitted { .. })));
    }
}
