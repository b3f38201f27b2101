//! The frames between judge and supervisor: one frame is one datagram of an `AF_UNIX` `SEQPACKET` socket, in postcard,
//! with file descriptors beside it.
//!
//! The judge listens at `/agon/control`, the supervisor connects and says [`Hello`]; from then on every [`ToBox`] frame
//! is answered by exactly the [`ToHost`] frames its documentation names. Either side treats the other's silence or
//! end of stream as the end of the box. Nothing here knows problems, answers or verdicts.

mod channel;
mod frames;

pub use channel::{Channel, Received, WireError, decode, encode, receive_on, send_on};
pub use frames::{CollectRequest, CollectedEntry, End, Hello, Probe, Report, RunRequest, Stopped, ToBox, ToHost};

macro_rules! protocol {
    () => {
        2
    };
}

/// Raised with every change of a frame; both sides refuse any other number.
pub const PROTOCOL_VERSION: u32 = protocol!();
/// Stands in the supervisor's program file, so that the judge can tell an outdated one before it opens a box.
pub const PROGRAM_MARK: &str = concat!("<agon-supervisor, protocol ", protocol!(), ">");
/// How many wall limits of waiting for a core a run is forgiven at most: a run lasts at most one limit more than that.
pub const MOST_EXCUSED_WALLS: u64 = 3;
/// Longest frame. Arguments and environment must fit; data travels in descriptors.
pub const MAX_FRAME_BYTES: usize = 64 * 1024;
/// Most descriptors beside one frame: standard input, output and error.
pub const MAX_DESCRIPTORS: usize = 3;
/// The box's own folder as the box sees it.
pub const BOX_FOLDER: &str = "/agon";
/// The folder below it that holds the files of the judge, read-only.
pub const BOX_WORK_NAME: &str = "work";
/// The judge's listening socket as the box sees it, gone once accepted.
pub const CONTROL_SOCKET: &str = "/agon/control";
/// Holds the box's id; without it the supervisor refuses to work.
pub const BOX_MARKER: &str = "/agon/box";
/// The supervisor itself as the box sees it.
pub const SUPERVISOR_PROGRAM: &str = "/agon/supervisor";
/// The box's own writable file systems, all tmpfs: wiped after each run. The judge mounts them with `nr_inodes`, and the
/// supervisor refuses to wipe a file system that lacks it.
pub const WRITABLE_FOLDERS: [&str; 2] = ["/tmp", "/dev/shm"];
