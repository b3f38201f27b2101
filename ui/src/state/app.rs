//! The context every component can reach: session, host, languages, connection and wake-ups.

use agon_contract::command::{GetSession, Handshake, HandshakeReply, ListLanguages, SetPreferences};
use agon_contract::ids::{LanguageId, UserId};
use agon_contract::language::LanguageSummary;
use agon_contract::permission::Permission;
use agon_contract::settings::{Preferences, SessionView};
use agon_contract::{ApiError, CONTRACT_VERSION, ErrorCode};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::browser::reload;
use super::wake::Topic;
use crate::backend::call;

/// Whether the host answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// Nothing was heard yet.
    Connecting,
    Connected,
    /// Attempts go on in the background.
    Lost,
    /// The host answers and does not know this page's session; attempts go on, another tab may sign in.
    SignedOut,
}

/// Handles to the shared signals; cheap to copy.
#[derive(Clone, Copy)]
pub struct App {
    pub connection: RwSignal<Connection>,
    /// The first answers: `None` until they came.
    pub host: RwSignal<Option<HandshakeReply>>,
    /// Why the first answers did not come.
    pub start_failure: RwSignal<Option<ApiError>>,
    pub session: RwSignal<Option<SessionView>>,
    pub preferences: RwSignal<Preferences>,
    pub languages: RwSignal<Vec<LanguageSummary>>,
    catalog: RwSignal<u32>,
    submissions: RwSignal<u32>,
    progress: RwSignal<u32>,
    notices: RwSignal<u32>,
    /// Whether a write of the preferences is on its way; a second one beside it could overtake it.
    keeps_preferences: StoredValue<bool>,
}

/// The application's context.
///
/// # Panics
/// Outside of the component tree below `Root`.
#[must_use]
pub fn use_app() -> App {
    use_context::<App>().expect("Root provides App")
}

impl App {
    /// Signals without content, in the reactive owner of the root.
    #[must_use]
    pub fn new(preferences: Preferences) -> Self {
        Self {
            connection: RwSignal::new(Connection::Connecting),
            host: RwSignal::new(None),
            start_failure: RwSignal::new(None),
            session: RwSignal::new(None),
            preferences: RwSignal::new(preferences),
            languages: RwSignal::new(Vec::new()),
            catalog: RwSignal::new(0),
            submissions: RwSignal::new(0),
            progress: RwSignal::new(0),
            notices: RwSignal::new(0),
            keeps_preferences: StoredValue::new(false),
        }
    }

    /// Subscribes the running computation to a topic.
    pub fn track(&self, topic: Topic) {
        self.signal(topic).track();
    }

    /// Makes everything that subscribed to a topic read again.
    pub fn wake(&self, topic: Topic) {
        self.signal(topic).update(|count| *count = count.wrapping_add(1));
    }

    /// After a gap nothing is known to be fresh.
    pub fn wake_all(&self) {
        Topic::ALL.into_iter().for_each(|topic| self.wake(topic));
    }

    /// Whether the log-in is shown: nobody is there yet, or the session of an account has ended. The local person comes
    /// back by an address instead, and the window never has to.
    #[must_use]
    pub fn needs_log_in(&self) -> bool {
        let is_accounts =
            self.session.with(|session| session.as_ref().is_none_or(|known| known.account_name.is_some()));
        self.connection.get() == Connection::SignedOut && is_accounts
    }

    fn signal(&self, topic: Topic) -> RwSignal<u32> {
        match topic {
            Topic::Catalog => self.catalog,
            Topic::Submissions => self.submissions,
            Topic::Progress => self.progress,
            Topic::Notices => self.notices,
        }
    }

    /// Whether the session permits something. The host refuses by itself; this is for showing only what would work.
    #[must_use]
    pub fn may(&self, permission: &Permission) -> bool {
        self.session.with(|session| session.as_ref().is_some_and(|session| session.permissions.contains(permission)))
    }

    /// Whose session this is; `None` until it is known.
    #[must_use]
    pub fn own_id(&self) -> Option<UserId> {
        self.session.with(|session| session.as_ref().map(|session| session.user_id.clone()))
    }

    /// A language of the table, which is read before any screen is shown and does not change.
    #[must_use]
    pub fn language(&self, id: &LanguageId) -> Option<LanguageSummary> {
        self.languages.with_untracked(|languages| languages.iter().find(|language| language.id == *id).cloned())
    }

    /// A language's name, or its id while the table is not there.
    #[must_use]
    pub fn language_name(&self, id: &LanguageId) -> String {
        self.language(id).map_or_else(|| id.0.clone(), |language| language.name)
    }

    /// Says hello, then reads the session and the languages. May be called again after a failure.
    pub fn start(self) {
        self.start_failure.set(None);
        spawn_local(async move {
            match self.first_answers().await {
                Ok(()) => {}
                Err(error) if error.code == ErrorCode::Unauthenticated && !crate::backend::is_desktop() => {
                    self.connection.set(Connection::SignedOut);
                }
                Err(error) => self.start_failure.set(Some(error)),
            }
        });
    }

    async fn first_answers(self) -> Result<(), ApiError> {
        let client = if crate::backend::is_desktop() { "window" } else { "browser" };
        let hello = Handshake { contract_version: CONTRACT_VERSION, client: client.to_owned() };
        let host = call(hello).await?;
        let session = call(GetSession {}).await?;
        let languages = call(ListLanguages {}).await?;
        self.languages.set(languages);
        if self.preferences.with_untracked(|known| *known != session.preferences) {
            self.preferences.set(session.preferences.clone());
        }
        self.session.set(Some(session));
        self.host.set(Some(host));
        Ok(())
    }

    /// After a sign-in elsewhere in this browser: the page of one person must not go on as another's, so that it is
    /// loaded anew.
    pub async fn leave_to_another_person(self) {
        let known = self.session.with_untracked(|session| session.as_ref().map(|session| session.user_id.clone()));
        let (Some(known), Ok(now)) = (known, call(GetSession {}).await) else { return };
        if known != now.user_id {
            reload();
        }
    }

    /// Applies preferences at once and stores them; a failure to store is logged, the choice stays for this session.
    pub fn set_preferences(self, preferences: Preferences) {
        self.preferences.set(preferences);
        if !self.keeps_preferences.get_value() {
            self.keeps_preferences.set_value(true);
            spawn_local(self.keep_preferences());
        }
    }

    /// One write after the other until the host has what is shown: of quick choices the last one stays.
    async fn keep_preferences(self) {
        loop {
            let preferences = self.preferences.get_untracked();
            match call(SetPreferences { preferences: preferences.clone() }).await {
                Ok(session) => self.session.set(Some(session)),
                Err(error) => leptos::logging::warn!("preferences were not stored: {error}"),
            }
            if self.preferences.with_untracked(|shown| *shown == preferences) {
                self.keeps_preferences.set_value(false);
                return;
            }
        }
    }
}
