//! Uploads: how a host without shared paths (a browser) hands in a package's bytes before `inspect_package`.

use agon_contract::ApiError;
use agon_contract::ids::UploadId;

use super::Judge;
use super::commands::not_built;
use crate::actor::Actor;

impl Judge {
    /// Begins an upload. `file_name` keeps its last component only; it names the source in reports.
    ///
    /// # Errors
    /// `bad_request` for a bad name or size, `full` when too many wait, `forbidden` without a staff role.
    pub async fn create_upload(
        &self,
        _actor: &Actor,
        _file_name: &str,
        _total_bytes: u64,
    ) -> Result<UploadId, ApiError> {
        Err(not_built("create_upload"))
    }

    /// Appends bytes at `offset` and answers how many are there now. An offset other than the present length is a
    /// `conflict`; a repeated piece that is already there is answered without writing.
    ///
    /// # Errors
    /// `not_found`, `conflict`, `bad_request` past the announced size, `storage_unavailable`.
    pub async fn append_upload(
        &self,
        _actor: &Actor,
        _upload_id: &UploadId,
        _offset: u64,
        _bytes: Vec<u8>,
    ) -> Result<u64, ApiError> {
        Err(not_built("append_upload"))
    }

    /// Says that all bytes are there; only then a package source may name the upload.
    ///
    /// # Errors
    /// `not_found`, `conflict` when bytes are missing.
    pub async fn finish_upload(&self, _actor: &Actor, _upload_id: &UploadId) -> Result<(), ApiError> {
        Err(not_built("finish_upload"))
    }

    /// Throws an upload away; absent ones are fine.
    ///
    /// # Errors
    /// `storage_unavailable` when the file cannot be removed.
    pub async fn discard_upload(&self, _actor: &Actor, _upload_id: &UploadId) -> Result<(), ApiError> {
        Err(not_built("discard_upload"))
    }
}
