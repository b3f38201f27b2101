//! The judge's end of a box's control socket, without blocking a thread.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use agon_supervisor::wire::{
    Hello, MAX_FRAME_BYTES, PROTOCOL_VERSION, Received, ToBox, ToHost, WireError, encode, receive_on, send_on,
};
use rustix::io::Errno;
use rustix::net::{Shutdown, shutdown};
use tokio::io::Interest;
use tokio::net::{UnixListener, UnixStream};

use crate::sandbox::SandboxError;

/// A connected supervisor. The socket is of kind `SEQPACKET`; the runtime only watches it, every frame is moved by
/// [`send_on`] and [`receive_on`].
pub(super) struct Control {
    socket: UnixStream,
    buffer: Vec<u8>,
}

/// Waits for the supervisor to call. `patience` bounds one wait, so that the caller can look whether the box still runs.
pub(super) async fn accept(listener: &UnixListener, patience: Duration) -> io::Result<Option<Control>> {
    match tokio::time::timeout(patience, listener.accept()).await {
        Ok(accepted) => Ok(Some(Control::new(accepted?.0))),
        Err(_elapsed) => Ok(None),
    }
}

impl Control {
    fn new(socket: UnixStream) -> Self {
        Self { socket, buffer: vec![0; MAX_FRAME_BYTES] }
    }

    /// The supervisor's first words.
    ///
    /// # Errors
    /// [`SandboxError::Handshake`] for silence or another box, [`SandboxError::SupervisorOutdated`] for another protocol,
    /// [`SandboxError::SupervisorRefused`] when it says why it will not work.
    pub(super) async fn hello(&mut self, box_id: &str, patience: Duration) -> Result<Hello, SandboxError> {
        let handshake = |detail: String| SandboxError::Handshake { box_id: box_id.to_owned(), detail };
        let received = tokio::time::timeout(patience, self.receive()).await;
        match received {
            Err(_elapsed) => Err(handshake("it called and said nothing".to_owned())),
            Ok(Err(error)) => Err(handshake(error.to_string())),
            Ok(Ok(Received { frame: ToHost::Refused(detail), .. })) => {
                Err(SandboxError::SupervisorRefused { box_id: box_id.to_owned(), detail })
            }
            Ok(Ok(Received { frame: ToHost::Hello(hello), .. })) => {
                if hello.protocol != PROTOCOL_VERSION {
                    let detail = format!("it speaks protocol {}, not {PROTOCOL_VERSION}", hello.protocol);
                    Err(SandboxError::SupervisorOutdated { detail })
                } else if hello.box_id != box_id {
                    Err(handshake(format!("it says that it is box {}", hello.box_id)))
                } else {
                    Ok(hello)
                }
            }
            Ok(Ok(Received { frame, .. })) => Err(handshake(format!("it began with {frame:?}"))),
        }
    }

    pub(super) async fn send(&self, frame: &ToBox, descriptors: &[BorrowedFd<'_>]) -> Result<(), WireError> {
        let bytes = encode(frame)?;
        let send = || would_block(send_on(self.socket.as_fd(), &bytes, descriptors));
        self.socket.async_io(Interest::WRITABLE, send).await.map_err(closed)?
    }

    /// The next frame. Dropping it while it waits loses none.
    pub(super) async fn receive(&mut self) -> Result<Received<ToHost>, WireError> {
        let Self { socket, buffer } = self;
        let receive = || would_block(receive_on(socket.as_fd(), buffer));
        socket.async_io(Interest::READABLE, receive).await.map_err(closed)?
    }

    /// Whether the supervisor is still there, as far as the socket knows. Nothing is expected from it.
    pub(super) fn is_open(&mut self) -> bool {
        matches!(receive_on::<ToHost>(self.socket.as_fd(), &mut self.buffer), Err(WireError::Socket(Errno::AGAIN)))
    }

    /// Ends the conversation at once: the supervisor kills everything and exits.
    pub(super) fn hang_up(&self) {
        // An error means that the other side hung up first.
        let _ended = shutdown(self.socket.as_fd(), Shutdown::Both);
    }
}

/// "Not yet" in the runtime's words, everything else as it is.
fn would_block<T>(result: Result<T, WireError>) -> io::Result<Result<T, WireError>> {
    match result {
        Err(WireError::Socket(Errno::AGAIN)) => Err(io::ErrorKind::WouldBlock.into()),
        other => Ok(other),
    }
}

fn closed(_error: io::Error) -> WireError {
    WireError::Closed
}

#[cfg(test)]
mod tests {
    use agon_supervisor::wire::Channel;
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

    use super::*;

    fn pair() -> (Control, Channel) {
        let (one, other) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .expect("a socket pair opens");
        let socket = std::os::unix::net::UnixStream::from(one);
        socket.set_nonblocking(true).expect("non-blocking");
        let socket = UnixStream::from_std(socket).expect("registered");
        (Control::new(socket), Channel::new(other))
    }

    async fn hello_after(frame: &ToHost) -> Result<Hello, SandboxError> {
        let (mut control, inside) = pair();
        inside.send(frame, &[]).expect("sent");
        control.hello("b", Duration::from_secs(60)).await
    }

    fn hello(protocol: u32, box_id: &str) -> ToHost {
        ToHost::Hello(Hello { protocol, box_id: box_id.to_owned(), probes: Vec::new() })
    }

    #[tokio::test]
    async fn only_the_right_supervisor_is_let_in() {
        assert!(hello_after(&hello(PROTOCOL_VERSION, "b")).await.is_ok());
        let code = |answer: Result<Hello, SandboxError>| answer.expect_err("refused").code();
        assert_eq!(code(hello_after(&hello(PROTOCOL_VERSION + 1, "b")).await), "supervisor_outdated");
        assert_eq!(code(hello_after(&hello(PROTOCOL_VERSION, "c")).await), "handshake");
        assert_eq!(code(hello_after(&ToHost::CollectEnd(None)).await), "handshake");
        assert_eq!(code(hello_after(&ToHost::Refused("no".into())).await), "supervisor_refused");
        let (mut control, inside) = pair();
        drop(inside);
        assert_eq!(code(control.hello("b", Duration::from_secs(60)).await), "handshake");
    }

    #[tokio::test]
    async fn hanging_up_is_heard_on_the_other_side() {
        let (mut control, mut inside) = pair();
        assert!(control.is_open());
        control.hang_up();
        assert!(matches!(inside.receive::<ToBox>(), Err(WireError::Closed)));
        assert!(!control.is_open());
    }
}
