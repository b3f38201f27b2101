//! PID 1 of a box: takes orders over the control socket, runs one untrusted program at a time, and leaves nothing of it.
//!
//! Theory of operation. The engine starts this program as PID 1 of a box without network, capabilities or writable root,
//! with the same uid as the programs it will run. What keeps them off it: it is not dumpable (no ptrace, no
//! `/proc/1/mem`), PID 1 takes no signal from inside its PID namespace, and the box's seccomp profile lets nobody change
//! another process's limits. It has no threads, allocates nothing between clone and exec, and dies with its judge: the
//! end of the control stream ends the box. Killing everything and wiping folders would be a disaster anywhere else, so
//! both need an [`OwnBox`](premises::OwnBox), which only the checks of `premises` can make.

mod collect;
mod counters;
mod landlock;
mod launch;
mod premises;
mod probe;
mod reap;
mod run;
mod serve;
mod watch;
mod wipe;

use std::process::ExitCode;

use agon_supervisor::wire::{CONTROL_SOCKET, Channel, PROGRAM_MARK, ToHost};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

/// Kept in the program file, whatever the optimiser thinks of it: the judge looks for it there.
#[used]
static MARK: &str = PROGRAM_MARK;

fn main() -> ExitCode {
    let box_id = std::env::args().nth(1).unwrap_or_default();
    let own_box = match premises::prove(&box_id) {
        Ok(own_box) => own_box,
        Err(reason) => return refuse(&reason),
    };
    let Some(channel) = call_the_judge() else { return ExitCode::from(3) };
    match serve::serve(&own_box, &box_id, channel) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(4),
    }
}

/// Connects to the judge. There is nobody to tell when that fails: the judge sees a box that ended.
fn call_the_judge() -> Option<Channel> {
    let socket = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).ok()?;
    connect(&socket, &SocketAddrUnix::new(CONTROL_SOCKET).ok()?).ok()?;
    Some(Channel::new(socket))
}

/// Says why on both ways out: to the judge when there is one, and to whoever started this by hand.
fn refuse(reason: &str) -> ExitCode {
    if let Some(channel) = call_the_judge() {
        // The exit code says it too; a judge that cannot be told sees that.
        let _told = channel.send(&ToHost::Refused(reason.to_owned()), &[]);
    }
    eprintln!("agon-supervisor runs only as PID 1 of a box that the judge made: {reason}");
    ExitCode::from(2)
}
