//! One run seen from the host: the order goes in with three descriptors, output is read as it flows, the report ends it.

use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use agon_supervisor::wire::{MOST_EXCUSED_WALLS, Received, Report, RunRequest, ToBox, ToHost, WireError};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, fcntl_setpipe_size, pipe_with};
use tokio::net::unix::pipe;
use tokio_util::sync::CancellationToken;

use super::control::Control;
use crate::sandbox::{KeepHead, Limits, OutputSink};

/// What a pipe may hold at most without privileges: eight times fewer switches than the default 64 KiB.
const STDOUT_PIPE_BYTES: usize = 1 << 20;
pub(super) const READ_BUFFER_BYTES: usize = 256 * 1024;
/// How long after its wall limit a run may stay unreported: killing, reaping and wiping on a busy machine.
pub(super) const REPORT_GRACE: Duration = Duration::from_secs(20);

/// How the exchange failed.
#[derive(Debug)]
pub(super) enum ExchangeError {
    /// Making pipes; the box is untouched.
    Prepare(std::io::Error),
    Wire(WireError),
    /// A frame that is no answer to a run.
    Unexpected(String),
    /// No report in time.
    Overdue,
}

impl From<WireError> for ExchangeError {
    fn from(error: WireError) -> Self {
        Self::Wire(error)
    }
}

/// What the host itself saw.
pub(super) struct Exchanged {
    pub(super) report: Report,
    pub(super) stdout_bytes: u64,
    pub(super) stderr: KeepHead,
    pub(super) stderr_overflown: bool,
    pub(super) stdout_overflown: bool,
}

/// Runs `request` with this standard input and feeds `sink`, until its end or `stop`.
pub(super) async fn exchange(
    control: &mut Control,
    request: RunRequest,
    stdin: OwnedFd,
    limits: &Limits,
    stop: &CancellationToken,
    buffer: &mut [u8],
    sink: &mut dyn OutputSink,
) -> Result<Exchanged, ExchangeError> {
    let run = request.run;
    let (stdout, stdout_write) = readable_pipe(Some(STDOUT_PIPE_BYTES))?;
    let (stderr, stderr_write) = readable_pipe(None)?;
    let descriptors = [stdin.as_fd(), stdout_write.as_fd(), stderr_write.as_fd()];
    control.send(&ToBox::Run(request), &descriptors).await?;
    drop((stdin, stdout_write, stderr_write));
    let mut stdout = Stream::new(stdout, limits.output_bytes);
    let mut stderr = Stream::new(stderr, limits.stderr_bytes);
    let mut kept = KeepHead::new(usize::try_from(limits.stderr_bytes).unwrap_or(usize::MAX));
    let mut small_buffer = [0_u8; 8 * 1024];
    let mut stop_sent = false;
    let overdue = tokio::time::sleep(longest(limits.wall_ms) + REPORT_GRACE);
    tokio::pin!(overdue);
    let report = loop {
        tokio::select! {
            biased;
            () = stdout.next(buffer, sink), if stdout.open => {}
            () = stderr.next(&mut small_buffer, &mut kept), if stderr.open => {}
            received = control.receive() => break answer(received?, run)?,
            () = &mut overdue => return Err(ExchangeError::Overdue),
            () = stop.cancelled(), if !stop_sent => {}
        }
        if (stdout.overflown() || stderr.overflown() || stop.is_cancelled()) && !stop_sent {
            control.send(&ToBox::Stop { run }, &[]).await?;
            stop_sent = true;
        }
    };
    // Everybody who could write is dead: what is in the pipes is all there is.
    stdout.drain(buffer, sink);
    stderr.drain(&mut small_buffer, &mut kept);
    Ok(Exchanged {
        report,
        stdout_bytes: stdout.seen,
        stdout_overflown: stdout.overflown(),
        stderr_overflown: stderr.overflown(),
        stderr: kept,
    })
}

/// How long the supervisor may let a run last on a machine that keeps it waiting.
fn longest(wall_ms: u64) -> Duration {
    Duration::from_millis(wall_ms.saturating_mul(MOST_EXCUSED_WALLS + 1))
}

fn answer(received: Received<ToHost>, run: u32) -> Result<Report, ExchangeError> {
    match received.frame {
        ToHost::Report(report) if report.run == run => Ok(report),
        other => Err(ExchangeError::Unexpected(format!("{other:?} is no report of run {run}"))),
    }
}

/// A pipe whose reading end the host polls. The program's end stays blocking.
fn readable_pipe(size: Option<usize>) -> Result<(pipe::Receiver, OwnedFd), ExchangeError> {
    let made = || -> std::io::Result<_> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
        if let Some(size) = size {
            // Refused when the user has many pipes; the default size is only slower.
            let _larger = fcntl_setpipe_size(&read, size);
        }
        Ok((pipe::Receiver::from_owned_fd(read)?, write))
    };
    made().map_err(ExchangeError::Prepare)
}

/// One of the program's output streams.
struct Stream {
    pipe: pipe::Receiver,
    cap: u64,
    seen: u64,
    open: bool,
    wanted: bool,
}

impl Stream {
    fn new(pipe: pipe::Receiver, cap: u64) -> Self {
        Self { pipe, cap, seen: 0, open: true, wanted: true }
    }

    fn overflown(&self) -> bool {
        self.seen > self.cap
    }

    /// Waits for output and hands on one buffer full. Dropping it while it waits loses nothing.
    async fn next(&mut self, buffer: &mut [u8], sink: &mut dyn OutputSink) {
        loop {
            if self.pipe.readable().await.is_err() {
                return self.end(sink);
            }
            match self.pipe.try_read(buffer) {
                Err(error) if is_not_yet(&error) => {}
                Ok(0) | Err(_) => return self.end(sink),
                Ok(length) => return self.hand_on(&buffer[..length], sink),
            }
        }
    }

    /// Hands on everything that is there, without waiting for more and without asking the runtime what it has noticed.
    fn drain(&mut self, buffer: &mut [u8], sink: &mut dyn OutputSink) {
        while self.open {
            match rustix::io::read(self.pipe.as_fd(), &mut *buffer) {
                Err(Errno::INTR) => {}
                Ok(0) | Err(_) => self.end(sink),
                Ok(length) => self.hand_on(&buffer[..length], sink),
            }
        }
    }

    fn end(&mut self, sink: &mut dyn OutputSink) {
        self.open = false;
        sink.ended();
    }

    /// A sink sees no byte past the cap, and none after it said that it wants no more.
    fn hand_on(&mut self, chunk: &[u8], sink: &mut dyn OutputSink) {
        let room = self.cap.saturating_sub(self.seen);
        let within = chunk.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        self.seen += chunk.len() as u64;
        if self.wanted && within > 0 {
            self.wanted = sink.accept(&chunk[..within]).is_continue();
        }
    }
}

fn is_not_yet(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::ops::ControlFlow;

    use super::*;

    fn stream(cap: u64) -> (Stream, std::fs::File) {
        let (read, write) = readable_pipe(None).expect("a pipe");
        (Stream::new(read, cap), std::fs::File::from(write))
    }

    #[tokio::test]
    async fn a_sink_sees_exactly_the_cap() {
        let (mut stream, mut write) = stream(5);
        let mut sink = KeepHead::new(100);
        let mut buffer = [0; 4];
        write.write_all(b"abcdefgh").expect("written");
        stream.next(&mut buffer, &mut sink).await;
        assert!(!stream.overflown());
        stream.next(&mut buffer, &mut sink).await;
        assert!(stream.overflown());
        assert_eq!((stream.seen, sink.into_bytes()), (8, b"abcde".to_vec()));
    }

    #[tokio::test]
    async fn a_full_cap_is_no_overflow_and_the_end_is_seen() {
        let (mut stream, mut write) = stream(3);
        let mut sink = KeepHead::new(3);
        write.write_all(b"abc").expect("written");
        drop(write);
        stream.next(&mut [0; 8], &mut sink).await;
        stream.next(&mut [0; 8], &mut sink).await;
        assert!(!stream.open && !stream.overflown());
    }

    struct OnlyOne(usize);

    impl OutputSink for OnlyOne {
        fn accept(&mut self, _chunk: &[u8]) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Break(())
        }
    }

    #[tokio::test]
    async fn a_sink_that_wants_no_more_is_left_alone_and_the_rest_counted() {
        let (mut stream, mut write) = stream(100);
        let mut sink = OnlyOne(0);
        write.write_all(b"abcdefgh").expect("written");
        stream.drain(&mut [0; 2], &mut sink);
        assert_eq!((sink.0, stream.seen), (1, 8));
    }
}
