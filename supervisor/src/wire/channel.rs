//! One end of the conversation: sends and receives whole frames with their descriptors, in safe code.

use std::fmt;
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{MAX_DESCRIPTORS, MAX_FRAME_BYTES};

/// Why a frame did not pass.
#[derive(Debug)]
pub enum WireError {
    /// The socket's own error; `EAGAIN` on a non-blocking end means "not yet".
    Socket(Errno),
    /// The other end is gone.
    Closed,
    /// Longer than [`MAX_FRAME_BYTES`], or the kernel cut it.
    TooLong,
    /// Not a frame of this protocol.
    Malformed(postcard::Error),
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(errno) => write!(f, "the control socket failed: {errno}"),
            Self::Closed => f.write_str("the other end is gone"),
            Self::TooLong => write!(f, "a frame is longer than {MAX_FRAME_BYTES} bytes"),
            Self::Malformed(error) => write!(f, "a frame makes no sense: {error}"),
        }
    }
}

impl std::error::Error for WireError {}

/// A frame and what came beside it.
#[derive(Debug)]
pub struct Received<F> {
    pub frame: F,
    pub descriptors: Vec<OwnedFd>,
}

/// A connected `SEQPACKET` socket.
#[derive(Debug)]
pub struct Channel {
    socket: OwnedFd,
    buffer: Vec<u8>,
}

impl Channel {
    #[must_use]
    pub fn new(socket: OwnedFd) -> Self {
        Self { socket, buffer: vec![0; MAX_FRAME_BYTES] }
    }

    /// Sends one frame whole.
    ///
    /// # Errors
    /// [`WireError::TooLong`], or the socket's error.
    pub fn send<F: Serialize>(&self, frame: &F, descriptors: &[BorrowedFd<'_>]) -> Result<(), WireError> {
        send_on(self.socket.as_fd(), &encode(frame)?, descriptors)
    }

    /// Receives one frame. Descriptors arrive close-on-exec.
    ///
    /// # Errors
    /// [`WireError::Closed`] at the end of the stream, else what is wrong with the frame.
    pub fn receive<F: DeserializeOwned>(&mut self) -> Result<Received<F>, WireError> {
        receive_on(self.socket.as_fd(), &mut self.buffer)
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// A frame's bytes.
///
/// # Errors
/// [`WireError::TooLong`] past [`MAX_FRAME_BYTES`].
pub fn encode<F: Serialize>(frame: &F) -> Result<Vec<u8>, WireError> {
    let bytes = postcard::to_allocvec(frame).map_err(WireError::Malformed)?;
    if bytes.len() > MAX_FRAME_BYTES { Err(WireError::TooLong) } else { Ok(bytes) }
}

/// The frame of these bytes; nothing may be left over.
///
/// # Errors
/// [`WireError::Malformed`].
pub fn decode<F: DeserializeOwned>(bytes: &[u8]) -> Result<F, WireError> {
    match postcard::take_from_bytes(bytes) {
        Ok((frame, [])) => Ok(frame),
        Ok(_) => Err(WireError::Malformed(postcard::Error::DeserializeBadEncoding)),
        Err(error) => Err(WireError::Malformed(error)),
    }
}

/// Sends encoded bytes on any socket of this kind.
///
/// # Errors
/// As [`Channel::send`].
pub fn send_on(socket: BorrowedFd<'_>, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> Result<(), WireError> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(WireError::TooLong);
    }
    match rustix::io::retry_on_intr(|| sendmsg(socket, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)) {
        Ok(_) => Ok(()),
        Err(Errno::PIPE | Errno::CONNRESET) => Err(WireError::Closed),
        Err(errno) => Err(WireError::Socket(errno)),
    }
}

/// Receives one frame on any socket of this kind into a buffer of [`MAX_FRAME_BYTES`].
///
/// # Errors
/// As [`Channel::receive`].
pub fn receive_on<F: DeserializeOwned>(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<Received<F>, WireError> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let message = rustix::io::retry_on_intr(|| {
        recvmsg(socket, &mut [IoSliceMut::new(buffer)], &mut control, RecvFlags::CMSG_CLOEXEC)
    });
    let message = match message {
        Ok(message) if message.bytes == 0 => return Err(WireError::Closed),
        Ok(message) => message,
        Err(Errno::CONNRESET) => return Err(WireError::Closed),
        Err(errno) => return Err(WireError::Socket(errno)),
    };
    let mut descriptors = Vec::new();
    for ancillary in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = ancillary {
            descriptors.extend(rights);
        }
    }
    if message.flags.intersects(ReturnFlags::TRUNC | ReturnFlags::CTRUNC) {
        return Err(WireError::TooLong);
    }
    Ok(Received { frame: decode(&buffer[..message.bytes])?, descriptors })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek, Write};

    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

    use super::super::{End, Report, RunRequest, ToBox, ToHost};
    use super::*;

    fn pair() -> (Channel, Channel) {
        let (one, other) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .expect("a socket pair opens");
        (Channel::new(one), Channel::new(other))
    }

    fn request() -> RunRequest {
        RunRequest {
            run: 7,
            argv: vec!["/agon/work/main".into(), "line\nfeed".into()],
            env: vec!["PATH=/usr/bin".into()],
            working_dir: "/tmp".into(),
            cpu_limit_us: 1_000_000,
            wall_limit_us: 3_000_000,
            stack_bytes: 1 << 28,
            file_bytes: 1 << 26,
            open_files: 128,
            keep_files: false,
        }
    }

    #[test]
    fn a_run_arrives_whole_with_its_descriptors() {
        let (host, mut inside) = pair();
        let mut file = tempfile::tempfile().expect("a temp file opens");
        file.write_all(b"3 4\n").expect("it takes bytes");
        file.rewind().expect("it rewinds");
        let frame = ToBox::Run(request());
        host.send(&frame, &[file.as_fd(), file.as_fd(), file.as_fd()]).expect("it is sent");
        let received = inside.receive::<ToBox>().expect("it arrives");
        assert_eq!(received.frame, frame);
        assert_eq!(received.descriptors.len(), 3);
        let mut text = String::new();
        let mut copy = std::fs::File::from(received.descriptors.into_iter().next().expect("one"));
        copy.read_to_string(&mut text).expect("the descriptor reads");
        assert_eq!(text, "3 4\n");
    }

    #[test]
    fn a_report_survives_the_wire() {
        let report = ToHost::Report(Report {
            run: 7,
            end: End::Signalled(9),
            stopped: None,
            cpu_us: 17,
            wall_us: u64::MAX,
            peak_memory_bytes: 1 << 40,
            oom_kills: 1,
            forks_refused: 0,
            processes_seen: 3,
            held_up_us: 0,
            unclean: Some("/tmp".into()),
        });
        let bytes = encode(&report).expect("it encodes");
        assert_eq!(decode::<ToHost>(&bytes).expect("it decodes"), report);
    }

    #[test]
    fn the_end_of_the_stream_is_named() {
        let (host, mut inside) = pair();
        drop(host);
        assert!(matches!(inside.receive::<ToBox>(), Err(WireError::Closed)));
        assert!(matches!(inside.send(&ToHost::CollectEnd(None), &[]), Err(WireError::Closed)));
    }

    #[test]
    fn a_frame_that_is_too_long_is_refused_before_it_is_sent() {
        let (host, _inside) = pair();
        let frame = ToBox::Run(RunRequest { argv: vec!["x".repeat(MAX_FRAME_BYTES)], ..request() });
        assert!(matches!(host.send(&frame, &[]), Err(WireError::TooLong)));
    }

    #[test]
    fn bytes_that_are_no_frame_are_refused() {
        assert!(matches!(decode::<ToBox>(&[200, 1, 2]), Err(WireError::Malformed(_))));
        let mut shutdown = encode(&ToBox::Shutdown).expect("it encodes");
        shutdown.push(0);
        assert!(matches!(decode::<ToBox>(&shutdown), Err(WireError::Malformed(_))));
    }
}
