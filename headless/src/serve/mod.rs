//! `agon serve`: the same interface for a browser, over HTTP on this machine only.
//!
//! Layers, from outside in: Host and Origin checks and the security headers ([`guard`]), who sends the request
//! ([`visitor`]: the local person by a printed address, see [`session`], or an account that logged in), one route per
//! command ([`routes`]), the interface's files ([`assets`]). Nothing is decided here. Beside them stands `/metrics`
//! ([`metrics`]), which a scraper reads with a token of its own.

mod answer;
pub mod assets;
mod connections;
pub mod guard;
pub mod metrics;
mod routes;
pub mod session;
mod turns;
mod upload;
mod visitor;

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use agon_contract::ApiError;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap};
use axum::middleware;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{any, get, post};
use judge_core::{Actor, Judge};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use answer::Refusal;
use metrics::MetricsToken;
use session::{NoRandomness, Sessions};

/// How long open connections may finish after a stop was asked for; then they are cut.
const GRACE: Duration = Duration::from_secs(5);

/// Why the server could not start or ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("{0} is not a loopback address; this server is for this machine only")]
    NotLoopback(SocketAddr),
    #[error("cannot listen on {address}: {source}; `--listen 127.0.0.1:0` lets the system choose a free port")]
    Listen { address: SocketAddr, source: io::Error },
    #[error(transparent)]
    Token(#[from] NoRandomness),
}

/// What every request sees.
pub(crate) struct Host {
    judge: Judge,
    /// Whom a printed address lets in.
    local: Actor,
    sessions: Sessions,
    metrics_token: OnceLock<MetricsToken>,
    stopping: CancellationToken,
    turns: turns::Turns,
}

/// A server that listens and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    host: Arc<Host>,
}

impl Server {
    /// Listens on a loopback address; port 0 lets the system choose.
    ///
    /// # Errors
    /// The address is not loopback or is taken.
    pub async fn bind(judge: Judge, address: SocketAddr) -> Result<Self, ServeError> {
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let listen = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let local = judge.local_actor();
        let sessions = Sessions::new(address.port());
        Ok(Self {
            listener,
            address,
            host: Arc::new(Host {
                judge,
                local,
                sessions,
                metrics_token: OnceLock::new(),
                stopping: CancellationToken::new(),
                turns: turns::Turns::default(),
            }),
        })
    }

    /// Lets whoever sends this token read `/metrics` without a session. Said once, before the server runs.
    #[must_use]
    pub fn with_metrics_token(self, token: MetricsToken) -> Self {
        let first = self.host.metrics_token.set(token);
        debug_assert!(first.is_ok(), "said once");
        self
    }

    /// Makes further addresses while the server runs.
    #[must_use]
    pub fn doors(&self) -> Doors {
        Doors { address: self.address, host: Arc::clone(&self.host) }
    }

    /// Cancel it and the server stops: no new connection, open ones finish, long waits end at once.
    #[must_use]
    pub fn stop_handle(&self) -> CancellationToken {
        self.host.stopping.clone()
    }

    /// Serves until the stop handle is cancelled.
    pub async fn run(self) {
        let stopping = self.host.stopping.clone();
        let app = application(self.host, self.address);
        let serving = connections::serve(self.listener, app, stopping.clone());
        let cut = async {
            stopping.cancelled().await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            () = serving => {}
            () = cut => tracing::warn!("connections that were still open have been cut"),
        }
    }
}

/// Makes addresses that let one browser in.
pub struct Doors {
    address: SocketAddr,
    host: Arc<Host>,
}

impl Doors {
    /// An address with a fresh one-time token.
    ///
    /// # Errors
    /// The random source failed.
    pub fn new_address(&self) -> Result<String, NoRandomness> {
        Ok(format!("http://{}/?token={}", self.address, self.host.sessions.new_token()?))
    }
}

fn application(host: Arc<Host>, address: SocketAddr) -> Router {
    let uploads = Router::new().route("/api/upload", post(upload::receive)).layer(DefaultBodyLimit::disable());
    Router::new()
        .merge(routes::router(&host))
        .merge(uploads)
        .route("/api/{*rest}", any(|| async { (StatusCode::NOT_FOUND, "No such command.\n") }))
        .route_layer(middleware::from_fn_with_state(Arc::clone(&host), visitor::require))
        .route("/metrics", get(metrics::answer))
        .merge(visitor::router())
        .fallback(page_or_file)
        .layer(middleware::from_fn_with_state(guard::Guard::new(address), guard::check))
        .with_state(host)
}

/// The interface's files are public, they are in every copy of this program. Its pages need a session; where accounts
/// exist, they are shown without one too, because the interface has the log-in.
async fn page_or_file(State(host): State<Arc<Host>>, request: Request) -> Response {
    if request.method() != axum::http::Method::GET && request.method() != axum::http::Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    if let Some(token) = request.uri().query().and_then(|query| query.strip_prefix("token=")) {
        return enter(&host, token);
    }
    if assets::is_page(request.uri()) {
        match may_see_pages(&host, request.headers()).await {
            Ok(true) => {}
            Ok(false) => return (StatusCode::UNAUTHORIZED, Html(include_str!("no_session.html"))).into_response(),
            Err(error) => return Refusal(error).into_response(),
        }
    }
    assets::answer(request.uri(), request.headers())
}

async fn may_see_pages(host: &Host, headers: &HeaderMap) -> Result<bool, ApiError> {
    Ok(host.visitor(headers).await?.is_some() || host.judge.has_accounts().await?)
}

/// Trades the token of a printed address for the session's cookie and leaves an address without a secret in it.
fn enter(host: &Host, token: &str) -> Response {
    match host.sessions.redeem(token) {
        Ok(Some(cookie)) => ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response(),
        Ok(None) => (StatusCode::UNAUTHORIZED, Html(include_str!("no_session.html"))).into_response(),
        Err(error) => {
            tracing::error!(%error, "no session could be made");
            (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response()
        }
    }
}
