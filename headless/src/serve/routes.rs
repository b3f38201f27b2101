//! One route per contract command, made from the contract's list: `POST /api/v1/<command>`, JSON in, JSON out.

use std::sync::Arc;

use agon_contract::command::{self, Command, WaitEvents};
use agon_contract::{ApiError, ErrorCode};
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::post;
use axum::{Extension, Json, Router};
use tokio::task::JoinError;
use tower_http::limit::RequestBodyLimitLayer;

use super::Host;
use super::answer::Refusal;
use super::turns;
use super::visitor::Visitor;

/// Sources are at most 256 KiB and own inputs a few MiB; JSON may need six bytes for one. Packages are uploaded.
const REQUEST_BYTES_AT_MOST: usize = 32 << 20;

macro_rules! command_routes {
    ($($name:ident: $request:ident;)+) => {
        fn commands() -> Router<Arc<Host>> {
            Router::new()$(.route(concat!("/api/v1/", stringify!($name)), post($name)))+
        }

        $(async fn $name(
            State(host): State<Arc<Host>>,
            Extension(visitor): Extension<Visitor>,
            request: Result<Json<command::$request>, JsonRejection>,
        ) -> Result<Json<<command::$request as Command>::Response>, Refusal> {
            let Json(request) = request.map_err(malformed)?;
            // A browser that goes away must not stop half-way what it asked for.
            let work = {
                let host = Arc::clone(&host);
                tokio::spawn(async move { host.judge.$name(&visitor.actor, request).await })
            };
            Ok(Json(finished(work.await)??))
        })+
    };
}

agon_contract::for_each_command!(command_routes);

/// The commands' routes, each behind the session check.
pub(super) fn router(host: &Arc<Host>) -> Router<Arc<Host>> {
    commands()
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(REQUEST_BYTES_AT_MOST))
        .layer(middleware::from_fn_with_state(Arc::clone(host), end_waits_at_shutdown))
        .layer(middleware::from_fn_with_state(Arc::clone(host), turns::one_by_one))
}

/// Middleware: a long wait for events ends when the server stops, so that stopping takes no half minute.
async fn end_waits_at_shutdown(
    State(host): State<Arc<Host>>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    if !request.uri().path().ends_with(WaitEvents::NAME) {
        return Ok(next.run(request).await);
    }
    tokio::select! {
        response = next.run(request) => Ok(response),
        () = host.stopping.cancelled() => {
            Err(ApiError::new(ErrorCode::Stopping, "the server is stopping").with_hint("Start it again.").into())
        }
    }
}

pub(super) fn malformed(rejection: JsonRejection) -> Refusal {
    ApiError::new(ErrorCode::BadRequest, rejection.body_text()).into()
}

pub(super) fn finished<T>(joined: Result<T, JoinError>) -> Result<T, Refusal> {
    joined.map_err(|error| {
        tracing::error!(%error, "a command ended without an answer");
        ApiError::new(ErrorCode::Internal, "the command ended without an answer; the log says where").into()
    })
}
