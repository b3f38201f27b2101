//! Commands from another process of the same person: who cannot open the data folder asks the process that holds it.
//!
//! A call names a contract command and brings its request; the holder acts for the local profile, as the caller could
//! by opening the folder itself. Besides commands it is asked for one thing that only some hosts have: a new one-time
//! address for a browser.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_contract::command::{self, Command};
use agon_contract::{ApiError, CONTRACT_VERSION, ErrorCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::mpsc;

use super::{Judge, Rooms};
use crate::store::lock::noted_holder;
use crate::store::owner_socket::{self, Call};

/// What is asked through the folder's socket.
#[derive(Debug, Serialize, Deserialize)]
struct Asked {
    contract_version: u32,
    what: What,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum What {
    Command { name: String, request: Value },
    Address,
}

type Answered = Result<Value, ApiError>;

/// Makes a new one-time address; the error is the host's own.
pub type NewAddress = Arc<dyn Fn() -> Result<String, ApiError> + Send + Sync>;

/// The process that holds a data folder, seen from another one.
#[derive(Clone, Debug)]
pub struct Holder {
    /// Its program, as it named itself.
    pub program: String,
    socket: PathBuf,
}

impl Holder {
    /// Who noted last that it holds the folder at `root`. It may be gone: [`ask`](Self::ask) then answers `None`.
    #[must_use]
    pub fn of(root: &Path) -> Option<Self> {
        let noted = noted_holder(root)?;
        noted.socket.map(|socket| Self { program: noted.program, socket })
    }

    /// Lets the holder do a command for its local profile; paths in the request are this machine's. `None`: it is gone.
    ///
    /// # Errors
    /// What the command refuses; `version_mismatch` when the holder is another version; `internal` when it ended midway.
    pub async fn ask<C: Command>(&self, request: &C) -> Result<Option<C::Response>, ApiError> {
        let request = serde_json::to_value(request).map_err(|error| self.unreadable(&error))?;
        let answer = self.say(What::Command { name: C::NAME.to_owned(), request }).await?;
        answer.map(serde_json::from_value).transpose().map_err(|error| self.unreadable(&error))
    }

    /// A new one-time address for a browser. `None`: the holder is gone.
    ///
    /// # Errors
    /// `not_found` when the holder serves no browser; otherwise as [`ask`](Self::ask).
    pub async fn new_address(&self) -> Result<Option<String>, ApiError> {
        let answer = self.say(What::Address).await?;
        answer.map(serde_json::from_value).transpose().map_err(|error| self.unreadable(&error))
    }

    async fn say(&self, what: What) -> Result<Option<Value>, ApiError> {
        let asked = Asked { contract_version: CONTRACT_VERSION, what };
        let message = serde_json::to_vec(&asked).map_err(|error| self.unreadable(&error))?;
        let answer = owner_socket::call(&self.socket, &message).await.map_err(|error| {
            let program = &self.program;
            if error.kind() == std::io::ErrorKind::TimedOut {
                let message = format!("{program} holds the data folder and does not answer; nothing was asked of it");
                return ApiError::new(ErrorCode::Internal, message)
                    .with_hint("It is stopped (`kill -CONT` wakes it) or stuck: end it, and try again.");
            }
            let message = format!("{program} holds the data folder and ended before it answered: {error}");
            ApiError::new(ErrorCode::Internal, message)
                .with_hint("Start it again and look whether it was done before you repeat it.")
        })?;
        let Some(answer) = answer else { return Ok(None) };
        serde_json::from_slice::<Answered>(&answer).map_err(|error| self.unreadable(&error))?.map(Some)
    }

    fn unreadable(&self, error: &serde_json::Error) -> ApiError {
        ApiError::new(ErrorCode::VersionMismatch, format!("{} speaks another language: {error}", self.program))
            .with_hint("Use one version of Agon for both.")
    }
}

macro_rules! dispatch {
    ($($name:ident: $request:ident;)+) => {
        impl Judge {
            /// Does the command called `name` for the local profile.
            async fn do_named(&self, name: &str, request: Value) -> Answered {
                let actor = self.local_actor();
                match name {
                    $(stringify!($name) => {
                        let request: command::$request = serde_json::from_value(request).map_err(|error| malformed(&error))?;
                        let response = self.$name(&actor, request).await?;
                        serde_json::to_value(response).map_err(|error| malformed(&error))
                    })+
                    other => Err(ApiError::new(ErrorCode::NotFound, format!("there is no command {other}"))),
                }
            }
        }
    };
}

agon_contract::for_each_command!(dispatch);

fn malformed(error: &serde_json::Error) -> ApiError {
    ApiError::new(ErrorCode::BadRequest, error.to_string())
}

impl Judge {
    /// Does a command for the local profile; the same way in as [`Holder::ask`].
    ///
    /// # Errors
    /// What the command refuses.
    pub async fn ask<C: Command>(&self, request: &C) -> Result<C::Response, ApiError> {
        let request = serde_json::to_value(request).map_err(|error| malformed(&error))?;
        serde_json::from_value(self.do_named(C::NAME, request).await?).map_err(|error| malformed(&error))
    }

    /// Tells how this host makes addresses for browsers. The first way stays.
    pub fn offer_addresses(&self, new_address: NewAddress) {
        let _ = self.rooms.new_address.set(new_address);
    }

    /// Answers calls until the judge is gone; a call that is being answered is finished first.
    pub(super) fn answer_calls(&self, mut calls: mpsc::Receiver<Call>) {
        let rooms = Arc::downgrade(&self.rooms);
        tokio::spawn(async move {
            while let Some(Call { message, answer }) = calls.recv().await {
                let Some(rooms) = rooms.upgrade() else { return };
                let judge = Self { rooms, takes_paths: true };
                tokio::spawn(async move {
                    let answered = judge.answered(&message).await;
                    let text = serde_json::to_vec(&answered).expect("an answer is text and numbers");
                    // Nobody waits any more when the peer has gone.
                    let _ = answer.send(text);
                });
            }
        });
    }

    async fn answered(&self, message: &[u8]) -> Answered {
        let asked: Asked = serde_json::from_slice(message).map_err(|error| malformed(&error))?;
        if asked.contract_version != CONTRACT_VERSION {
            let message =
                format!("the caller speaks contract {}, the holder {CONTRACT_VERSION}", asked.contract_version);
            return Err(
                ApiError::new(ErrorCode::VersionMismatch, message).with_hint("Use one version of Agon for both.")
            );
        }
        match asked.what {
            What::Command { name, request } => self.do_named(&name, request).await,
            What::Address => Ok(Value::String(self.rooms.browser_address()?)),
        }
    }
}

impl Rooms {
    fn browser_address(&self) -> Result<String, ApiError> {
        match self.new_address.get() {
            Some(new_address) => new_address(),
            None => Err(ApiError::new(ErrorCode::NotFound, format!("{} serves no browser", self.config.program))
                .with_hint("Close it and start `agon serve`.")),
        }
    }
}
