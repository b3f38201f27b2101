//! Who sends a request: the local person, an account, or nobody. Nothing in the request but its cookie says so.

use std::net::SocketAddr;
use std::sync::Arc;

use agon_contract::command::{Done, LogIn, LogOut};
use agon_contract::settings::SessionView;
use agon_contract::{ApiError, ErrorCode};
use axum::extract::rejection::JsonRejection;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::post;
use axum::{Json, Router};
use judge_core::Actor;

use super::Host;
use super::answer::Refusal;
use super::routes::{finished, malformed};

/// A name and a password, each bounded by the core, in JSON.
const REQUEST_BYTES_AT_MOST: usize = 16 << 10;

/// The acting person of a request.
#[derive(Clone, Debug)]
pub(super) struct Visitor {
    pub actor: Actor,
}

impl Host {
    /// Who sends these headers; `None` when their session has ended or there never was one. Roles are as of now.
    pub(super) async fn visitor(&self, headers: &HeaderMap) -> Result<Option<Visitor>, ApiError> {
        let Some(secret) = self.sessions.offered(headers) else { return Ok(None) };
        if self.sessions.is_local(secret) {
            return Ok(Some(Visitor { actor: self.local.clone() }));
        }
        Ok(self.judge.session_actor(secret).await?.map(|actor| Visitor { actor }))
    }
}

/// Middleware: nothing behind it is answered without a session.
pub(super) async fn require(
    State(host): State<Arc<Host>>,
    mut request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let Some(visitor) = host.visitor(request.headers()).await? else {
        let error = ApiError::new(ErrorCode::Unauthenticated, "this browser has no session with the running server");
        return Err(error.with_hint("Log in, or open the address that the server printed in its terminal.").into());
    };
    request.extensions_mut().insert(visitor);
    Ok(next.run(request).await)
}

macro_rules! session_routes {
    ($($name:ident: $request:ident;)+) => {
        /// The commands that begin or end a session: they need none.
        pub(super) fn router() -> Router<Arc<Host>> {
            Router::new()
                $(.route(concat!("/api/v1/", stringify!($name)), post($name)))+
                .layer(DefaultBodyLimit::max(REQUEST_BYTES_AT_MOST))
        }
    };
}

agon_contract::for_each_session_command!(session_routes);

type Entered<T> = ([(HeaderName, String); 1], Json<T>);

/// A new secret for each log-in; whatever session the browser had ends, so that none can be planted beforehand.
async fn log_in(
    State(host): State<Arc<Host>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    request: Result<Json<LogIn>, JsonRejection>,
) -> Result<Entered<SessionView>, Refusal> {
    let Json(request) = request.map_err(malformed)?;
    let before = host.sessions.offered(&headers).map(str::to_owned);
    // A browser that goes away must not stop half-way what it asked for.
    let work = {
        let (host, before) = (Arc::clone(&host), before.clone());
        tokio::spawn(async move { host.judge.log_in(&peer.ip().to_string(), request, before.as_deref()).await })
    };
    let begun = finished(work.await)??;
    if let Some(before) = before {
        host.sessions.end(&before);
    }
    Ok(([(header::SET_COOKIE, host.sessions.cookie(begun.token.expose()))], Json(begun.view)))
}

/// Ends the browser's session, whosever it is; without one there is nothing to do.
async fn log_out(
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    request: Result<Json<LogOut>, JsonRejection>,
) -> Result<Entered<Done>, Refusal> {
    let Json(LogOut {}) = request.map_err(malformed)?;
    if let Some(secret) = host.sessions.offered(&headers) {
        host.sessions.end(secret);
        host.judge.log_out(secret).await?;
    }
    Ok(([(header::SET_COOKIE, host.sessions.forgotten())], Json(Done {})))
}
