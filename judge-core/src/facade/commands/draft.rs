//! The editor's text, journalled.

use std::sync::Arc;

use agon_contract::ApiError;
use agon_contract::command::{DraftSaved, DraftView, LoadDraft, SaveDraft};
use agon_contract::ids::LanguageId;

use super::catalog::no_problem;
use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::bad_request;
use crate::judging::language_by_id;
use crate::store::FolderError;
use crate::store::journal::Draft;

/// Bytes of a draft; far more than any problem takes.
const DRAFT_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Bytes of an id in a journal: ours have 36.
const ID_BYTES_MAX: usize = 64;

impl Judge {
    /// Journals the text; on disk when this answers. A text of another window that it does not know is kept as a version
    /// and told.
    ///
    /// # Errors
    /// `bad_request` for more than 4 MiB or an unknown language, `not_found` for a problem that never was there,
    /// `storage_unavailable`.
    pub async fn save_draft(&self, actor: &Actor, req: SaveDraft) -> Result<DraftSaved, ApiError> {
        if req.text.len() > DRAFT_BYTES_MAX {
            return Err(bad_request(format!("a draft may have at most {DRAFT_BYTES_MAX} bytes")));
        }
        if req.problem_id.as_str().len() > ID_BYTES_MAX || req.language_id.as_str().len() > ID_BYTES_MAX {
            return Err(bad_request(format!("an id has at most {ID_BYTES_MAX} bytes")));
        }
        // Each pair is a file: only those that there are.
        if language_by_id(&req.language_id).is_none() {
            return Err(bad_request(format!("there is no language {}", req.language_id)));
        }
        if !self.rooms.shop.catalog.is_known(&req.problem_id).await? {
            return Err(no_problem(&req.problem_id));
        }
        let saved_at_ms = self.rooms.config.clock.wall_ms();
        let draft = Draft::typed(req.language_id.0, req.text, saved_at_ms);
        let (journal, user) = (Arc::clone(&self.rooms.journal), actor.user_id.clone());
        let append = move || journal.append(user.as_str(), req.problem_id.as_str(), &draft, req.based_on_ms);
        let appended = tokio::task::spawn_blocking(append).await;
        let took_place_of = appended.map_err(|_| FolderError::Interrupted { operation: "journalling" })??;
        Ok(DraftSaved { saved_at_ms, took_place_of })
    }

    /// The last journalled text.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn load_draft(&self, actor: &Actor, req: LoadDraft) -> Result<DraftView, ApiError> {
        let (journal, user) = (Arc::clone(&self.rooms.journal), actor.user_id.clone());
        let load = move || {
            let language = req.language_id.as_ref().map(LanguageId::as_str);
            journal.newest(user.as_str(), req.problem_id.as_str(), language)
        };
        let loaded = tokio::task::spawn_blocking(load).await;
        let draft = loaded.map_err(|_| FolderError::Interrupted { operation: "reading the journal" })??;
        Ok(match draft {
            Some(draft) => DraftView {
                language_id: Some(LanguageId(draft.language_id)),
                text: Some(draft.text),
                saved_at_ms: Some(draft.saved_at_ms),
            },
            None => DraftView { language_id: None, text: None, saved_at_ms: None },
        })
    }
}
