//! The local socket of a held data folder: others ask its holder to come forward, or to do something for them.
//!
//! A peer says one word of four bytes. `show` is answered `ok`. `call` is answered `here` at once, so that a holder that
//! works long is told from one that is stopped or stuck; then follows one message up to the end of the peer's side, and
//! one message is the answer. What the messages say is the facade's business. Only the folder's own user can connect:
//! the folder and the socket are private.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::FolderError;

const SHOW: &[u8; 4] = b"show";
const CALL: &[u8; 4] = b"call";
const HERE: &[u8; 4] = b"here";
/// How long a peer may take for its word, and for its message.
const PEER_PATIENCE: Duration = Duration::from_secs(2);
/// How long a holder may take to say that it is there. It does nothing for that, but its machine may be busy.
const HOLDER_PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of a call: it names a command and a path, never data.
const CALL_BYTES_MAX: u64 = 1024 * 1024;
/// Peers served at one time; more wait in the system's queue.
const PEERS_MAX: usize = 16;

/// What a peer asked, and where its answer goes. Dropped unanswered, the peer sees the end of the connection.
#[derive(Debug)]
pub(crate) struct Call {
    pub message: Vec<u8>,
    pub answer: oneshot::Sender<Vec<u8>>,
}

/// Where requests of peers go.
pub(crate) struct Heard {
    /// Counts each request to come forward.
    pub shows: Arc<watch::Sender<u64>>,
    pub calls: mpsc::Sender<Call>,
}

/// Serves the socket at `path` until `stop`.
#[cfg(unix)]
pub(super) fn listen(path: &Path, heard: Heard, stop: CancellationToken) -> Result<(), FolderError> {
    use std::os::unix::fs::PermissionsExt;

    let access = |action: &'static str| move |source| FolderError::access(action, path, source);
    let listener = tokio::net::UnixListener::bind(path).map_err(access("listening on"))?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(access("keeping private"))?;
    let (heard, places) = (Arc::new(heard), Arc::new(tokio::sync::Semaphore::new(PEERS_MAX)));
    tokio::spawn(async move {
        loop {
            let place = Arc::clone(&places).acquire_owned().await.expect("nobody closes the places");
            let accepted = tokio::select! {
                () = stop.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            let Ok((peer, _)) = accepted else { return };
            let (heard, stop) = (Arc::clone(&heard), stop.clone());
            tokio::spawn(async move {
                tokio::select! {
                    () = stop.cancelled() => {}
                    served = serve_peer(peer, &heard) => {
                        if let Err(error) = served {
                            tracing::debug!(%error, "a peer of the data folder's socket was not answered");
                        }
                    }
                }
                drop(place);
            });
        }
    });
    Ok(())
}

#[cfg(unix)]
async fn serve_peer(mut peer: tokio::net::UnixStream, heard: &Heard) -> std::io::Result<()> {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let mut word = [0_u8; 4];
    tokio::time::timeout(PEER_PATIENCE, peer.read_exact(&mut word)).await??;
    if &word == SHOW {
        heard.shows.send_modify(|count| *count += 1);
        return peer.write_all(b"ok").await;
    }
    if &word != CALL {
        return Ok(());
    }
    peer.write_all(HERE).await?;
    let mut message = Vec::new();
    let mut bounded = (&mut peer).take(CALL_BYTES_MAX + 1);
    let bytes = tokio::time::timeout(PEER_PATIENCE, bounded.read_to_end(&mut message)).await??;
    if bytes as u64 > CALL_BYTES_MAX {
        return Ok(());
    }
    let (answer, answered) = oneshot::channel();
    if heard.calls.send(Call { message, answer }).await.is_err() {
        return Ok(());
    }
    match answered.await {
        Ok(message) => peer.write_all(&message).await,
        Err(_) => Ok(()),
    }
}

#[cfg(not(unix))]
pub(super) fn listen(_path: &Path, _heard: Heard, _stop: CancellationToken) -> Result<(), FolderError> {
    Ok(())
}

/// Asks the process that listens on `socket` to come to the front; true when it answered.
#[cfg(unix)]
pub(crate) fn ask_to_show(socket: &Path) -> bool {
    use std::io::{Read, Write};

    let ask = || -> std::io::Result<bool> {
        let mut stream = std::os::unix::net::UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(PEER_PATIENCE))?;
        stream.write_all(SHOW)?;
        let mut answer = [0_u8; 2];
        stream.read_exact(&mut answer)?;
        Ok(&answer == b"ok")
    };
    ask().unwrap_or(false)
}

#[cfg(not(unix))]
pub(crate) fn ask_to_show(_socket: &Path) -> bool {
    false
}

/// Sends one message to the process that listens on `socket`; its answer, or `None` when nobody listens. Waits for as
/// long as the other side works, once it has said that it is there.
///
/// # Errors
/// `TimedOut`: the other side does not say that it is there; nothing was asked of it. Otherwise the connection broke, or
/// the other side ended before it answered.
#[cfg(unix)]
pub(crate) async fn call(socket: &Path, message: &[u8]) -> std::io::Result<Option<Vec<u8>>> {
    call_patiently(socket, message, HOLDER_PATIENCE).await
}

#[cfg(unix)]
async fn call_patiently(socket: &Path, message: &[u8], patience: Duration) -> std::io::Result<Option<Vec<u8>>> {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let Ok(mut stream) = tokio::net::UnixStream::connect(socket).await else { return Ok(None) };
    stream.write_all(CALL).await?;
    let mut here = [0_u8; 4];
    tokio::time::timeout(patience, stream.read_exact(&mut here)).await??;
    if &here != HERE {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "it is another version"));
    }
    stream.write_all(message).await?;
    stream.shutdown().await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    if answer.is_empty() { Err(std::io::ErrorKind::UnexpectedEof.into()) } else { Ok(Some(answer)) }
}

#[cfg(not(unix))]
pub(crate) async fn call(_socket: &Path, _message: &[u8]) -> std::io::Result<Option<Vec<u8>>> {
    Ok(None)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn serving(folder: &Path) -> (std::path::PathBuf, mpsc::Receiver<Call>, watch::Receiver<u64>, CancellationToken) {
        let socket = folder.join("owner.sock");
        let (shows, (calls, received)) = (Arc::new(watch::Sender::new(0)), mpsc::channel(1));
        let (shown, stop) = (shows.subscribe(), CancellationToken::new());
        listen(&socket, Heard { shows, calls }, stop.clone()).expect("it listens");
        (socket, received, shown, stop)
    }

    #[tokio::test]
    async fn a_call_is_answered_and_an_unanswered_one_is_an_error() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (socket, mut received, _shown, stop) = serving(folder.path());
        let holder = async {
            let first = received.recv().await.expect("a call");
            assert_eq!(first.message, b"what?");
            first.answer.send(b"that".to_vec()).expect("the peer waits");
            drop(received.recv().await.expect("another call"));
        };
        let peer = async {
            assert_eq!(call(&socket, b"what?").await.expect("answered").as_deref(), Some(b"that".as_slice()));
            call(&socket, b"again?").await.expect_err("dropped unanswered");
        };
        tokio::join!(holder, peer);
        stop.cancel();
    }

    #[tokio::test]
    async fn a_holder_that_is_stopped_is_waited_for_only_shortly() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let socket = folder.path().join("owner.sock");
        // The system takes the connection and the word for a process that does not move.
        let _stopped = std::os::unix::net::UnixListener::bind(&socket).expect("it listens");
        let failed = call_patiently(&socket, b"what?", Duration::from_millis(20)).await.expect_err("nobody is there");
        assert_eq!(failed.kind(), std::io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn other_words_and_endless_calls_reach_nobody() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (socket, mut received, shown, stop) = serving(folder.path());
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut stranger = tokio::net::UnixStream::connect(&socket).await.expect("it listens");
        stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").await.expect("taken");
        let mut answer = Vec::new();
        let _ = stranger.read_to_end(&mut answer).await;
        assert_eq!(answer, b"");
        let endless = vec![b'x'; usize::try_from(CALL_BYTES_MAX).expect("it fits") + 1];
        call(&socket, &endless).await.expect_err("too long");
        received.try_recv().expect_err("nobody was asked");
        assert_eq!(*shown.borrow(), 0);
        stop.cancel();
    }

    #[tokio::test]
    async fn nobody_listening_is_not_an_error_and_strangers_cannot_connect() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(!ask_to_show(Path::new("/nonexistent/socket")));
        assert_eq!(call(&folder.path().join("nobody"), b"x").await.expect("no fault"), None);
        let (socket, _received, _shown, stop) = serving(folder.path());
        let mode = std::fs::metadata(&socket).expect("a socket").permissions().mode();
        assert_eq!(mode & 0o077, 0, "for its own user only");
        stop.cancel();
    }
}
