//! One look at one package that has come to rest: copy, compare, offer, remember.

use std::io;
use std::path::{Path, PathBuf};

use agon_contract::ids::{ProblemId, UserId};

use super::{Means, Offered, content};
use crate::owner::catalog::{WatchedDecision, WatchedRow};
use crate::package::TOTAL_BYTES_CAP;
use crate::store::folder::{STAGING_PREFIX, free_bytes};
use crate::store::{StoreError, chain};

/// The copy that is looked at, and what the import keeps of it.
const COPIES: u64 = 2;
/// Stays free for submissions, as far as there is that much.
const ROOM_LEFT_BYTES: u64 = 256 << 20;

/// What a look came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    Decided(WatchedDecision),
    /// It changed while it was looked at.
    Moved,
    /// Not now; nothing is wrong with it.
    Later {
        reason: String,
    },
}

/// Looks at the package whose signature has been the same for a while.
///
/// # Errors
/// Only when the store does not answer; whatever is wrong with the package is an answer.
pub(super) async fn look(means: &Means, path: &Path, signature: &str, by: &UserId) -> Result<Looked, StoreError> {
    let key = path.to_string_lossy().into_owned();
    let row = means.catalog.watched_package(&key).await?;
    if let Some(row) = row.as_ref().filter(|row| row.signature == signature) {
        return Ok(Looked::Decided(row.decision.clone()));
    }
    match room_for(means, path).await {
        Ok(Room::Enough) => {}
        Ok(Room::TooLarge) => {
            let reason = format!("its files have more than {TOTAL_BYTES_CAP} bytes together");
            let own = row.and_then(|row| row.decision.problem_id);
            return Ok(Looked::Decided(refused(
                own,
                "too_large".into(),
                reason,
                "Take out what is no test data.".into(),
            )));
        }
        Ok(Room::Wanting { bytes }) => {
            return Ok(Looked::Later {
                reason: format!("there is no room on the disk for a copy of its {bytes} bytes"),
            });
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Looked::Moved),
        Err(error) => return Ok(unreadable(&error)),
    }
    let copied = match copy(means, path).await {
        Ok(copied) => copied,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Looked::Moved),
        Err(error) => return Ok(unreadable(&error)),
    };
    let still = signature_of(path.to_owned()).await;
    if still.ok().as_deref() != Some(signature) {
        return Ok(Looked::Moved);
    }
    if let Some(row) = row.as_ref().filter(|row| row.content_hash == copied.hash) {
        let row = WatchedRow { signature: signature.to_owned(), ..row.clone() };
        means.catalog.remember_watched(key, row.clone()).await?;
        return Ok(Looked::Decided(row.decision));
    }
    let own = row.and_then(|row| row.decision.problem_id);
    let decision = match means.intake.offer(&copied.path, own.clone(), by).await {
        Offered::TakenIn(problem_id) => WatchedDecision::taken_in(problem_id),
        Offered::Refused { code, reason, remedy } => refused(own, code, reason, remedy),
        Offered::Later { reason } => return Ok(Looked::Later { reason }),
    };
    let row = WatchedRow { signature: signature.to_owned(), content_hash: copied.hash, decision: decision.clone() };
    means.catalog.remember_watched(key, row).await?;
    Ok(Looked::Decided(decision))
}

/// A refusal keeps the problem that an earlier content became: a mended package takes its place again.
fn refused(own: Option<ProblemId>, code: String, reason: String, remedy: String) -> WatchedDecision {
    WatchedDecision { is_refused: true, problem_id: own, code, reason, remedy }
}

/// The reason is the disk's or a permission's: it may be gone the next time.
fn unreadable(error: &io::Error) -> Looked {
    Looked::Later { reason: format!("it cannot be read: {}", chain(error)) }
}

/// Whether a copy can be made without filling the disk that submissions need.
enum Room {
    Enough,
    TooLarge,
    Wanting { bytes: u64 },
}

async fn room_for(means: &Means, path: &Path) -> io::Result<Room> {
    let (staging, path) = (means.staging.clone(), path.to_owned());
    let work = move || {
        let bytes = content::size(&path)?;
        let free = free_bytes(&staging)?;
        Ok(if bytes > TOTAL_BYTES_CAP {
            Room::TooLarge
        } else if free < bytes.saturating_mul(COPIES).saturating_add(ROOM_LEFT_BYTES.min(free / 2)) {
            Room::Wanting { bytes }
        } else {
            Room::Enough
        })
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// A copy that goes with this value.
struct Copied {
    path: PathBuf,
    hash: String,
    _folder: tempfile::TempDir,
}

async fn copy(means: &Means, path: &Path) -> io::Result<Copied> {
    let (staging, path) = (means.staging.clone(), path.to_owned());
    let work = move || {
        let folder = tempfile::Builder::new().prefix(STAGING_PREFIX).tempdir_in(staging)?;
        let (path, hash) = content::copy(&path, folder.path())?;
        Ok(Copied { path, hash, _folder: folder })
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

pub(super) async fn signature_of(path: PathBuf) -> io::Result<String> {
    let work = move || content::signature(&path);
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
