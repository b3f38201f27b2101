//! The facade: how a host opens the judge, and one method per contract command.

mod backend;
mod commands;
mod config;
mod holder;
mod intake;
mod open;
mod optional;
mod refusal;
mod restore;
mod sessions;
mod starters;
mod uploads;

use std::sync::{Arc, Mutex, OnceLock};

use agon_contract::ApiError;
use agon_contract::permission::Permission;
use agon_contract::reason::ReasonKind;
use agon_contract::sandbox::SelfTestProgress;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

pub use backend::{judging_in, self_test_parts};
pub use config::{JudgeConfig, OpenError, SandboxChoice};
pub use holder::{Holder, NewAddress};
pub use restore::{RestoreError, Restored, restore};
pub use sessions::Begun;

use crate::actor::Actor;
use crate::module::Modules;
use crate::owner::admin::Admin;
use crate::owner::auth::Auth;
use crate::owner::notification::Notifications;
use crate::owner::submission::page::Present;
use crate::store::folder::DataFolder;
use crate::store::journal::Journal;
use crate::store::lock::FolderLock;
use crate::store::{EventLog, Store};
use crate::watch::WatchBoard;
use crate::worker::{Backups, Crew, Mail, Workshop};

/// The judge on one data folder. Clones share it; the folder is freed when [`Judge::close`] has ended.
#[derive(Clone)]
pub struct Judge {
    rooms: Arc<Rooms>,
    /// Whether requests through this handle may name paths of this machine.
    takes_paths: bool,
}

/// What the facade hands work to.
struct Rooms {
    config: JudgeConfig,
    folder: DataFolder,
    lock: FolderLock,
    store: Store,
    events: EventLog,
    auth: Auth,
    notifications: Notifications,
    admin: Admin,
    mail: Mail,
    backups: Backups,
    journal: Arc<Journal>,
    uploads: uploads::Uploads,
    shop: Workshop,
    modules: Modules,
    watch: WatchBoard,
    /// One hand at a time on the switches of modules.
    module_turn: tokio::sync::Mutex<()>,
    /// How far the self-test that was started last is.
    self_test: Mutex<SelfTestProgress>,
    crew: Mutex<Option<Crew>>,
    local_actor: Actor,
    /// Submissions judged at one time.
    workers: usize,
    started_at_ms: i64,
    shows: Arc<watch::Sender<u64>>,
    /// How the host makes addresses for browsers, if it does.
    new_address: OnceLock<NewAddress>,
    /// Ends long polls when the judge closes.
    closing: CancellationToken,
}

impl Judge {
    /// The default local profile, which holds every role. For the desktop window and the local command line.
    #[must_use]
    pub fn local_actor(&self) -> Actor {
        self.rooms.local_actor.clone()
    }

    /// Whether no problem was ever imported: the host may then offer or import the bundled ones.
    ///
    /// # Errors
    /// `storage_unavailable` when the store cannot be read.
    pub async fn is_catalog_empty(&self) -> Result<bool, ApiError> {
        Ok(self.rooms.shop.catalog.is_empty().await?)
    }

    /// Moves whenever another start on the same folder asks this process to come to the front.
    #[must_use]
    pub fn show_requests(&self) -> watch::Receiver<u64> {
        self.rooms.shows.subscribe()
    }

    /// What only memory knows about running work, for reading submissions.
    fn present(&self, actor: &Actor) -> Arc<Present> {
        Arc::new(Present { live: self.rooms.shop.board.judgements(), paused_reason: self.paused_reason(actor) })
    }

    /// Why no work is taken: to who looks after the machine the reason, to everybody else that it is so.
    fn paused_reason(&self, actor: &Actor) -> Option<String> {
        let reason = self.rooms.shop.gate.paused_reason()?;
        let is_told = actor.may(&Permission::ReadOperations);
        Some(if is_told { reason } else { ReasonKind::JudgingPaused.words().to_owned() })
    }
}
