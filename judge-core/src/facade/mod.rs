//! The facade: how a host opens the judge, and one method per contract command.

mod commands;
mod config;
mod uploads;

use std::sync::Arc;

use agon_contract::ids::UserId;
use agon_contract::settings::Role;

pub use config::{JudgeConfig, OpenError, SandboxChoice};

use crate::actor::Actor;

/// The judge on one data folder. Clones share it; the folder is freed when [`Judge::close`] has ended.
#[derive(Clone)]
pub struct Judge {
    rooms: Arc<Rooms>,
}

/// What the facade hands out work to.
struct Rooms {
    config: JudgeConfig,
}

impl Judge {
    /// Takes the data folder, brings its schema up to date, recovers what a crash left and starts the workers.
    ///
    /// # Errors
    /// [`OpenError`]; `Occupied` when another process owns the folder.
    pub async fn open(config: JudgeConfig) -> Result<Self, OpenError> {
        Ok(Self { rooms: Arc::new(Rooms { config }) })
    }

    /// Stops dispatch, hands running work back to the queue, removes every box and frees the folder.
    pub async fn close(&self) {}

    /// The default local profile, which holds every role. For the desktop window and the local command line.
    #[must_use]
    pub fn local_actor(&self) -> Actor {
        let roles = Role::KNOWN.to_vec();
        Actor { user_id: UserId::from("local"), roles }
    }

    /// Whether no problem was ever imported: the host may then offer or import the bundled ones.
    ///
    /// # Errors
    /// `storage_unavailable` when the store cannot be read.
    pub async fn is_catalog_empty(&self) -> Result<bool, agon_contract::ApiError> {
        Err(commands::not_built("is_catalog_empty"))
    }

    /// Moves whenever another start on the same folder asks this process to come to the front.
    #[must_use]
    pub fn show_requests(&self) -> tokio::sync::watch::Receiver<u64> {
        tokio::sync::watch::Sender::new(0).subscribe()
    }
}
