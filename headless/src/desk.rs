//! Where a command of the command line gets its answers: from the program that holds the data folder, else from a judge
//! that is opened for the command.

use std::path::Path;
use std::time::Duration;

use agon_contract::command::{Command, Handshake, ListSubmissions};
use agon_contract::ids::SubmissionId;
use agon_contract::{ApiError, CONTRACT_VERSION, ErrorCode};
use judge_core::{Holder, Judge, JudgeConfig, OpenError};
use tempfile::TempDir;

use crate::owned::{self, CommandError};

/// How often, and how long each time, a program that is just starting is waited for.
const STARTING_WAITS: u32 = 20;
const STARTING_WAIT: Duration = Duration::from_millis(200);

/// Somebody who does the contract's commands.
pub(crate) enum Desk {
    /// The window or the server that runs on the folder.
    Holder(Holder),
    /// A judge of our own, and the folder that goes with it when it is a throw-away one.
    Own { judge: Judge, _folder: Option<TempDir> },
}

impl Desk {
    /// The desk of the data folder, which is made when absent.
    ///
    /// # Errors
    /// The folder cannot be opened, or its holder is another version.
    pub(crate) async fn open(program: &str) -> Result<Self, CommandError> {
        Self::open_with(JudgeConfig::new(owned::data_folder()?, program)).await
    }

    async fn open_with(config: JudgeConfig) -> Result<Self, CommandError> {
        if let Some(holder) = present_holder(&config.data_folder, &config.program).await? {
            return Ok(Self::Holder(holder));
        }
        let mut waits = STARTING_WAITS;
        loop {
            match Judge::open(config.clone()).await {
                Ok(judge) => return Ok(Self::Own { judge, _folder: None }),
                // Somebody takes the folder in this moment and will listen in the next.
                Err(OpenError::Occupied { .. }) if waits > 0 => waits -= 1,
                Err(error) => return Err(error.into()),
            }
            tokio::time::sleep(STARTING_WAIT).await;
            if let Some(holder) = present_holder(&config.data_folder, &config.program).await? {
                return Ok(Self::Holder(holder));
            }
        }
    }

    /// As [`open`](Self::open), but a folder that is not there stays so: `None`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) async fn present(program: &str) -> Result<Option<Self>, CommandError> {
        let config = JudgeConfig::new(owned::data_folder()?, program);
        if config.has_data() { Self::open_with(config).await.map(Some) } else { Ok(None) }
    }

    /// As [`present`](Self::present), for a command that only reads: without a holder nothing on the folder moves.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) async fn look(program: &str) -> Result<Option<Self>, CommandError> {
        let mut config = JudgeConfig::new(owned::data_folder()?, program);
        config.only_looks = true;
        if config.has_data() { Self::open_with(config).await.map(Some) } else { Ok(None) }
    }

    /// As [`present`](Self::present), for what makes no sense without data: a mistyped folder must not look like an empty
    /// one, least of all to whoever backs it up.
    ///
    /// # Errors
    /// [`CommandError::NoData`]; as [`open`](Self::open).
    pub(crate) async fn existing(program: &str) -> Result<Self, CommandError> {
        Self::present(program).await?.ok_or(CommandError::NoData(owned::data_folder()?))
    }

    /// As [`look`](Self::look), for what makes no sense without data.
    ///
    /// # Errors
    /// As [`existing`](Self::existing).
    pub(crate) async fn look_at_existing(program: &str) -> Result<Self, CommandError> {
        Self::look(program).await?.ok_or(CommandError::NoData(owned::data_folder()?))
    }

    /// A desk over nothing, for a look at something else.
    ///
    /// # Errors
    /// No temporary folder can be made.
    pub(crate) async fn throw_away(program: &str) -> Result<Self, CommandError> {
        let folder = tempfile::Builder::new().prefix("agon-").tempdir()?;
        let judge = Judge::open(JudgeConfig::new(folder.path().join("data"), program)).await?;
        Ok(Self::Own { judge, _folder: Some(folder) })
    }

    /// Has a command done for the local profile.
    ///
    /// # Errors
    /// What the command refuses; the holder ended.
    pub(crate) async fn ask<C: Command>(&self, request: &C) -> Result<C::Response, CommandError> {
        match self {
            Self::Holder(holder) => {
                holder.ask(request).await?.ok_or_else(|| CommandError::HolderGone(holder.program.clone()))
            }
            Self::Own { judge, .. } => Ok(judge.ask(request).await?),
        }
    }

    /// The id of the submission with this short number.
    ///
    /// # Errors
    /// `not_found`; as [`ask`](Self::ask).
    pub(crate) async fn submission_numbered(&self, number: u64) -> Result<SubmissionId, CommandError> {
        let request = ListSubmissions {
            problem_id: None,
            user_id: None,
            before_number: Some(number.saturating_add(1)),
            limit: 1,
        };
        let found = self.ask(&request).await?.rows.into_iter().find(|row| row.number == number);
        let absent = || ApiError::new(ErrorCode::NotFound, format!("there is no submission #{number}"));
        Ok(found.ok_or_else(absent)?.id)
    }

    /// Frees what was opened.
    pub(crate) async fn close(self) {
        match self {
            Self::Holder(_) => {}
            Self::Own { judge, .. } => judge.close().await,
        }
    }
}

/// A holder is only noted; whether it lives shows when it answers.
async fn present_holder(folder: &Path, program: &str) -> Result<Option<Holder>, CommandError> {
    let Some(holder) = Holder::of(folder) else { return Ok(None) };
    let hello = Handshake { contract_version: CONTRACT_VERSION, client: program.to_owned() };
    Ok(holder.ask(&hello).await?.map(|_| holder))
}

#[cfg(test)]
mod tests {
    use agon_contract::command::ListProblems;

    use super::*;

    #[tokio::test]
    async fn a_holder_that_was_only_noted_is_nobody() {
        let folder = tempfile::tempdir().expect("a temp folder");
        assert!(present_holder(folder.path(), "test").await.expect("no fault").is_none());
        let judge = Judge::open(JudgeConfig::new(folder.path(), "holder")).await.expect("it opens");
        let holder = present_holder(folder.path(), "test").await.expect("it answers").expect("it lives");
        assert_eq!(holder.program, "holder");
        judge.close().await;
        assert!(present_holder(folder.path(), "test").await.expect("no fault").is_none());
        let gone = Desk::Holder(holder).ask(&ListProblems { query: String::new() }).await.expect_err("it is gone");
        assert!(matches!(gone, CommandError::HolderGone(program) if program == "holder"));
    }
}
