//! Uploads: how a host without shared paths (a browser) hands in a package's bytes before `inspect_package`.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_contract::ids::{UploadId, UserId};
use agon_contract::permission::Permission;
use agon_contract::{ApiError, ErrorCode};

use super::Judge;
use super::refusal::{bad_request, not_found, require};
use crate::actor::Actor;
use crate::ids::new_id;
use crate::store::FolderError;

/// Uploads that may wait at one time, over all people.
const UPLOADS_MAX: usize = 16;
/// Bytes of one upload: the largest packages in use have some hundred MB.
const UPLOAD_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;
/// Bytes of a file name.
const NAME_BYTES_MAX: usize = 200;

/// The uploads of this process; gone with it.
pub(super) struct Uploads {
    folder: PathBuf,
    waiting: Mutex<HashMap<UploadId, Arc<Mutex<Upload>>>>,
}

#[derive(Debug)]
struct Upload {
    user_id: UserId,
    path: PathBuf,
    total_bytes: u64,
    received_bytes: u64,
    is_finished: bool,
}

impl Uploads {
    pub(super) fn at(folder: PathBuf) -> Self {
        Self { folder, waiting: Mutex::default() }
    }

    /// Where a finished upload's bytes are.
    pub(super) fn finished_path(&self, actor: &Actor, id: &UploadId) -> Result<PathBuf, ApiError> {
        let upload = self.find(actor, id)?;
        let upload = locked(&upload);
        if upload.is_finished {
            Ok(upload.path.clone())
        } else {
            Err(ApiError::new(ErrorCode::Conflict, "this upload is not finished"))
        }
    }

    fn create(&self, actor: &Actor, file_name: &str, total_bytes: u64) -> Result<UploadId, ApiError> {
        if total_bytes == 0 || total_bytes > UPLOAD_BYTES_MAX {
            return Err(bad_request(format!("an upload has 1 to {UPLOAD_BYTES_MAX} bytes, not {total_bytes}")));
        }
        let name = plain_name(file_name).ok_or_else(|| bad_request(format!("`{file_name}` is not a file name")))?;
        let mut waiting = locked(&self.waiting);
        if waiting.len() >= UPLOADS_MAX {
            return Err(ApiError::new(ErrorCode::Full, format!("{UPLOADS_MAX} uploads are waiting already"))
                .with_hint("Import or discard one of them."));
        }
        let id = UploadId(new_id());
        let folder = self.folder.join(id.as_str());
        fs::create_dir_all(&folder).map_err(|source| FolderError::access("making", &folder, source))?;
        let user_id = actor.user_id.clone();
        let upload = Upload { user_id, path: folder.join(name), total_bytes, received_bytes: 0, is_finished: false };
        waiting.insert(id.clone(), Arc::new(Mutex::new(upload)));
        Ok(id)
    }

    fn find(&self, actor: &Actor, id: &UploadId) -> Result<Arc<Mutex<Upload>>, ApiError> {
        let found = locked(&self.waiting).get(id).cloned();
        let found = found.filter(|upload| locked(upload).user_id == actor.user_id);
        found.ok_or_else(|| not_found("upload", id))
    }

    fn discard(&self, actor: &Actor, id: &UploadId) -> Result<(), ApiError> {
        if self.find(actor, id).is_err() {
            return Ok(());
        }
        locked(&self.waiting).remove(id);
        let folder = self.folder.join(id.as_str());
        fs::remove_dir_all(&folder).map_err(|source| FolderError::access("removing", &folder, source).into())
    }
}

impl Upload {
    fn append(&mut self, offset: u64, bytes: &[u8]) -> Result<u64, ApiError> {
        let end = offset.saturating_add(bytes.len() as u64);
        if end > self.total_bytes {
            return Err(bad_request(format!("{end} bytes are more than the announced {}", self.total_bytes)));
        }
        if end <= self.received_bytes {
            return Ok(self.received_bytes);
        }
        if offset != self.received_bytes || self.is_finished {
            let message = format!("{} bytes are here; the piece starts at {offset}", self.received_bytes);
            return Err(ApiError::new(ErrorCode::Conflict, message));
        }
        append_to(&self.path, offset, bytes)?;
        self.received_bytes = end;
        Ok(end)
    }
}

/// Writes at the offset, so that a piece that failed half-way is simply written again.
fn append_to(path: &Path, offset: u64, bytes: &[u8]) -> Result<(), FolderError> {
    use std::io::{Seek, SeekFrom};

    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    };
    write().map_err(|source| FolderError::access("writing", path, source))
}

/// The last component; it becomes the source's name in reports and, for old packages, the problem's short name.
fn plain_name(file_name: &str) -> Option<&str> {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_plain = !name.is_empty()
        && name.len() <= NAME_BYTES_MAX
        && !name.starts_with('.')
        && !name.chars().any(char::is_control);
    is_plain.then_some(name)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Judge {
    /// Begins an upload. `file_name` keeps its last component only; it names the source in reports.
    ///
    /// # Errors
    /// `bad_request` for a bad name or size, `full` when too many wait, `forbidden` without a staff role.
    pub async fn create_upload(&self, actor: &Actor, file_name: &str, total_bytes: u64) -> Result<UploadId, ApiError> {
        require(actor, &Permission::ManageProblems)?;
        self.rooms.uploads.create(actor, file_name, total_bytes)
    }

    /// Appends bytes at `offset` and answers how many are there now. An offset other than the present length is a
    /// `conflict`; a repeated piece that is already there is answered without writing.
    ///
    /// # Errors
    /// `not_found`, `conflict`, `bad_request` past the announced size, `storage_unavailable`.
    pub async fn append_upload(
        &self,
        actor: &Actor,
        upload_id: &UploadId,
        offset: u64,
        bytes: Vec<u8>,
    ) -> Result<u64, ApiError> {
        let upload = self.rooms.uploads.find(actor, upload_id)?;
        tokio::task::spawn_blocking(move || locked(&upload).append(offset, &bytes))
            .await
            .map_err(|_| FolderError::Interrupted { operation: "writing an upload" })?
    }

    /// Says that all bytes are there; only then a package source may name the upload.
    ///
    /// # Errors
    /// `not_found`, `conflict` when bytes are missing.
    pub async fn finish_upload(&self, actor: &Actor, upload_id: &UploadId) -> Result<(), ApiError> {
        let upload = self.rooms.uploads.find(actor, upload_id)?;
        let mut upload = locked(&upload);
        if upload.received_bytes != upload.total_bytes {
            let message = format!("{} of {} bytes are here", upload.received_bytes, upload.total_bytes);
            return Err(ApiError::new(ErrorCode::Conflict, message));
        }
        upload.is_finished = true;
        Ok(())
    }

    /// Throws an upload away; absent ones are fine.
    ///
    /// # Errors
    /// `storage_unavailable` when the file cannot be removed.
    pub async fn discard_upload(&self, actor: &Actor, upload_id: &UploadId) -> Result<(), ApiError> {
        self.rooms.uploads.discard(actor, upload_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actor(name: &str) -> Actor {
        Actor { user_id: UserId::from(name), roles: agon_contract::settings::Role::KNOWN.to_vec() }
    }

    fn append(uploads: &Uploads, who: &Actor, id: &UploadId, offset: u64, bytes: &[u8]) -> Result<u64, ErrorCode> {
        let upload = uploads.find(who, id).map_err(|error| error.code)?;
        let appended = locked(&upload).append(offset, bytes);
        appended.map_err(|error| error.code)
    }

    #[test]
    fn pieces_come_in_order_and_may_be_repeated() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let uploads = Uploads::at(folder.path().to_owned());
        let me = actor("me");
        let id = uploads.create(&me, "C:\\packages/sum.zip", 6).expect("taken");
        assert_eq!(append(&uploads, &me, &id, 0, b"abc"), Ok(3));
        assert_eq!(append(&uploads, &me, &id, 0, b"abc"), Ok(3), "a repeated piece");
        assert_eq!(append(&uploads, &me, &id, 4, b"ef"), Err(ErrorCode::Conflict), "a gap");
        assert_eq!(append(&uploads, &me, &id, 3, b"defg"), Err(ErrorCode::BadRequest), "more than announced");
        assert_eq!(append(&uploads, &me, &id, 3, b"def"), Ok(6));
        let path = locked(&uploads.find(&me, &id).expect("mine")).path.clone();
        assert!(path.ends_with("sum.zip"));
        assert_eq!(fs::read(path).expect("readable"), b"abcdef");
    }

    #[test]
    fn an_upload_is_its_owners_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let uploads = Uploads::at(folder.path().to_owned());
        let id = uploads.create(&actor("me"), "sum.zip", 1).expect("taken");
        assert_eq!(append(&uploads, &actor("you"), &id, 0, b"x"), Err(ErrorCode::NotFound));
        uploads.discard(&actor("you"), &id).expect("absent ones are fine");
        assert!(uploads.find(&actor("me"), &id).is_ok());
        uploads.discard(&actor("me"), &id).expect("discarded");
        assert_eq!(fs::read_dir(folder.path()).expect("listable").count(), 0);
    }

    #[test]
    fn names_and_sizes_are_checked() {
        assert_eq!(plain_name("../x/.."), None);
        assert_eq!(plain_name("a/b.zip"), Some("b.zip"));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let uploads = Uploads::at(folder.path().to_owned());
        for bytes in [0, UPLOAD_BYTES_MAX + 1] {
            assert_eq!(uploads.create(&actor("me"), "a.zip", bytes).expect_err("refused").code, ErrorCode::BadRequest);
        }
        for _ in 0..UPLOADS_MAX {
            uploads.create(&actor("me"), "a.zip", 1).expect("taken");
        }
        assert_eq!(uploads.create(&actor("me"), "a.zip", 1).expect_err("refused").code, ErrorCode::Full);
    }
}
