//! Who is there: handshake, session, preferences, languages.

use agon_contract::command::{GetSession, Handshake, HandshakeReply, ListLanguages, SetPreferences};
use agon_contract::language::LanguageSummary;
use agon_contract::permission::Permission;
use agon_contract::settings::{SessionView, Theme};
use agon_contract::{ApiError, CONTRACT_VERSION, ErrorCode};

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::bad_request;
use crate::judging::languages;

/// Bytes of a locale or a language id.
const NAME_BYTES_MAX: usize = 35;

impl Judge {
    /// Compares contract versions.
    ///
    /// # Errors
    /// `version_mismatch` with both numbers.
    pub async fn handshake(&self, actor: &Actor, req: Handshake) -> Result<HandshakeReply, ApiError> {
        tracing::info!(client = %req.client, contract_version = req.contract_version, "a client says hello");
        if req.contract_version != CONTRACT_VERSION {
            let message =
                format!("{} speaks contract {}, this side {CONTRACT_VERSION}", req.client, req.contract_version);
            return Err(ApiError::new(ErrorCode::VersionMismatch, message).with_hint("Update the older side."));
        }
        // Where the folder lies is for who looks after it.
        let root = actor.may(&Permission::ReadOperations).then(|| self.rooms.folder.root().display().to_string());
        Ok(HandshakeReply {
            contract_version: CONTRACT_VERSION,
            app_version: env!("CARGO_PKG_VERSION").to_owned(),
            data_folder: root.unwrap_or_default(),
            takes_paths: self.takes_paths,
        })
    }

    /// The acting person with roles and preferences.
    ///
    /// # Errors
    /// `unauthenticated` when there is no such person.
    pub async fn get_session(&self, actor: &Actor, _req: GetSession) -> Result<SessionView, ApiError> {
        let session = self.rooms.auth.session(actor).await?;
        session.ok_or_else(|| ApiError::new(ErrorCode::Unauthenticated, "this person is not known here"))
    }

    /// Stores the acting person's preferences.
    ///
    /// # Errors
    /// `bad_request` for a theme this version does not know or an impossible locale.
    pub async fn set_preferences(&self, actor: &Actor, req: SetPreferences) -> Result<SessionView, ApiError> {
        let preferences = req.preferences;
        if let Theme::Unknown(theme) = &preferences.theme {
            return Err(bad_request(format!("there is no theme `{theme}`")));
        }
        if preferences.locale.is_empty() || preferences.locale.len() > NAME_BYTES_MAX {
            return Err(bad_request("a locale is a language tag such as `en`, or `system`"));
        }
        if preferences.default_language.len() > NAME_BYTES_MAX {
            return Err(bad_request("a default language is an id of the language table, or empty"));
        }
        if !self.rooms.auth.user_exists(&actor.user_id).await? {
            return Err(ApiError::new(ErrorCode::Unauthenticated, "this person is not known here"));
        }
        self.rooms.auth.set_preferences(&actor.user_id, preferences).await?;
        self.get_session(actor, GetSession {}).await
    }

    /// The language table.
    ///
    /// # Errors
    /// None today.
    pub async fn list_languages(&self, _actor: &Actor, _req: ListLanguages) -> Result<Vec<LanguageSummary>, ApiError> {
        Ok(languages().iter().map(|language| language.summary()).collect())
    }
}
