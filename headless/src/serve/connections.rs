//! Accepts connections: a bounded number at one time, none of which may take its time over a request's head.
//!
//! Descriptors are shared with judging. Whoever opens connections and says nothing must neither take those nor keep
//! others out for long.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// A quarter of the descriptors that a process usually may have; a browser opens six.
const CONNECTIONS_MAX: usize = 256;
/// A head that is not whole after this is not coming. Also bounds how long an idle connection is kept.
const HEAD_WITHIN: Duration = Duration::from_secs(15);
/// Pause after an accept that failed: a descriptor may come free.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

/// Serves until `stopping` is cancelled and every open request has been answered.
pub(super) async fn serve(listener: TcpListener, app: Router, stopping: CancellationToken) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_WITHIN);
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let open = GracefulShutdown::new();
    while let Some((stream, peer, held)) = stopping.run_until_cancelled(accept(&listener, &room)).await {
        // Whoever guesses passwords is counted by address.
        let service = app.clone().map_request(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            request
        });
        let service = TowerToHyperService::new(service);
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            let _held = held;
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke");
            }
        });
    }
    drop(listener);
    open.shutdown().await;
}

/// The next connection, once there is room for one; those beyond wait with the system.
async fn accept(listener: &TcpListener, room: &Arc<Semaphore>) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
    let held = Arc::clone(room).acquire_owned().await.expect("the room is never closed");
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer, held),
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}
