//! `POST /api/upload?name=<file name>`: a package's bytes, streamed to the core piece by piece.

use std::sync::Arc;

use agon_contract::ids::UploadId;
use agon_contract::{ApiError, ErrorCode};
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header::{self, HeaderMap};
use axum::{Extension, Json};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};

use super::Host;
use super::answer::Refusal;
use super::visitor::Visitor;

#[derive(Deserialize)]
pub(super) struct Named {
    name: String,
}

/// What the interface passes on as `PackageSource::Upload`.
#[derive(Serialize)]
pub(super) struct Uploaded {
    upload_id: UploadId,
}

/// Takes a whole file or nothing: whatever goes wrong, what has arrived is thrown away. The core bounds the size.
pub(super) async fn receive(
    State(host): State<Arc<Host>>,
    Extension(visitor): Extension<Visitor>,
    Query(named): Query<Named>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Uploaded>, Refusal> {
    let total_bytes = announced_length(&headers)?;
    let upload_id = host.judge.create_upload(&visitor.actor, &named.name, total_bytes).await?;
    match append_all(&host, &visitor, &upload_id, body).await {
        Ok(()) => Ok(Json(Uploaded { upload_id })),
        Err(error) => {
            if let Err(left) = host.judge.discard_upload(&visitor.actor, &upload_id).await {
                tracing::warn!(upload.id = %upload_id, error = %left, "a broken upload could not be thrown away");
            }
            Err(error.into())
        }
    }
}

async fn append_all(host: &Host, visitor: &Visitor, upload_id: &UploadId, body: Body) -> Result<(), ApiError> {
    let mut pieces = body.into_data_stream();
    let mut offset = 0;
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| {
            ApiError::new(ErrorCode::BadRequest, format!("the upload broke off after {offset} bytes: {error}"))
        })?;
        offset = host.judge.append_upload(&visitor.actor, upload_id, offset, piece.to_vec()).await?;
    }
    host.judge.finish_upload(&visitor.actor, upload_id).await
}

/// The core checks free room before the first byte, so the length must be known then.
fn announced_length(headers: &HeaderMap) -> Result<u64, ApiError> {
    headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| ApiError::new(ErrorCode::BadRequest, "an upload must announce its length (Content-Length)"))
}
