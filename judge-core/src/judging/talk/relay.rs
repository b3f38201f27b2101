//! One direction of a conversation: what one side prints, on its way into the other side's pipe.
//!
//! Chunks wait in a queue that the speaker's output limit bounds, so neither side is ever held up by the other's
//! reading. Whoever listens no more is talked to in vain: what is left is thrown away, and the speaker never notices.

use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::io::ioctl_fionread;
use rustix::pipe::{PipeFlags, pipe_with};
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::transcript::{Side, Transcript};
use crate::sandbox::OutputSink;

/// How often a patient end looks whether the listener has read everything.
const LOOK: Duration = Duration::from_millis(10);
/// Looks in a row at an empty pipe: the time that a listener who has read everything gets to answer it.
const QUIET_LOOKS: u32 = 25;
/// A listener that does not read is waited for no longer than this many looks.
const MOST_LOOKS: u32 = 1000;

enum Parcel {
    Bytes(Vec<u8>),
    End { is_patient: bool },
}

/// Takes what one side prints.
pub(super) struct Mouth {
    side: Side,
    parcels: UnboundedSender<Parcel>,
    transcript: Arc<Mutex<Transcript>>,
    /// The other side hears of the end as soon as this side closes its output.
    tells_end_at_once: bool,
}

/// Writes into the other side's pipe, which is closed with it.
pub(super) struct Ear {
    parcels: UnboundedReceiver<Parcel>,
    pipe: pipe::Sender,
    gone: CancellationToken,
    told_end: CancellationToken,
}

/// What the coordinator knows of a listener.
pub(super) struct Listener {
    /// Cancelled when the listener's program has ended.
    pub(super) gone: CancellationToken,
    told_end: CancellationToken,
}

impl Listener {
    /// Passes this long after it was told that nothing more comes, or that it will be within what an end waits at most.
    pub(super) async fn wait_after_end(&self, more: Duration) {
        // Not told: it closed its own input.
        let _told = tokio::time::timeout(LOOK * MOST_LOOKS, self.told_end.cancelled()).await;
        tokio::time::sleep(more).await;
    }

    /// It was told that nothing more comes.
    pub(super) fn was_told_end(&self) -> bool {
        self.told_end.is_cancelled()
    }
}

/// A direction, with the reading end for the listener's program.
pub(super) fn direction(
    side: Side,
    transcript: &Arc<Mutex<Transcript>>,
    tells_end_at_once: bool,
) -> std::io::Result<(Mouth, Ear, Listener, OwnedFd)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    let (sender, receiver) = unbounded_channel();
    let (gone, told_end) = (CancellationToken::new(), CancellationToken::new());
    let mouth = Mouth { side, parcels: sender, transcript: Arc::clone(transcript), tells_end_at_once };
    let listener = Listener { gone: gone.clone(), told_end: told_end.clone() };
    let ear = Ear { parcels: receiver, pipe: pipe::Sender::from_owned_fd(write)?, gone, told_end };
    Ok((mouth, ear, listener, read))
}

impl Mouth {
    /// Nothing more comes. Patiently: the listener hears of it once it has read everything and had time to answer.
    pub(super) fn end(&self, is_patient: bool) {
        // A listener that is gone needs no end.
        let _listens = self.parcels.send(Parcel::End { is_patient });
    }
}

impl OutputSink for Mouth {
    fn accept(&mut self, chunk: &[u8]) -> ControlFlow<()> {
        self.transcript.lock().unwrap_or_else(PoisonError::into_inner).say(self.side, chunk);
        let _listens = self.parcels.send(Parcel::Bytes(chunk.to_vec()));
        ControlFlow::Continue(())
    }

    fn ended(&mut self) {
        if self.tells_end_at_once {
            self.end(false);
        }
    }
}

impl Ear {
    /// Passes everything on, until the end or until the listener is gone.
    pub(super) async fn listen(self) {
        let Self { mut parcels, mut pipe, gone, told_end } = self;
        let pass_on = async {
            while let Some(parcel) = parcels.recv().await {
                match parcel {
                    // The program closed its input, which is its own affair.
                    Parcel::Bytes(bytes) if pipe.write_all(&bytes).await.is_err() => return,
                    Parcel::Bytes(_) => {}
                    Parcel::End { is_patient } => {
                        if is_patient {
                            is_read_and_thought_about(&pipe).await;
                        }
                        told_end.cancel();
                        return;
                    }
                }
            }
        };
        tokio::select! {
            biased;
            () = gone.cancelled() => {}
            () = pass_on => {}
        }
    }
}

async fn is_read_and_thought_about(pipe: &pipe::Sender) {
    let mut quiet = 0;
    for _ in 0..MOST_LOOKS {
        tokio::time::sleep(LOOK).await;
        quiet = if ioctl_fionread(pipe).is_ok_and(|unread| unread > 0) { 0 } else { quiet + 1 };
        if quiet >= QUIET_LOOKS {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Read;

    use super::*;

    fn line() -> (Mouth, Ear, Listener, File) {
        let transcript = Arc::new(Mutex::new(Transcript::new(100)));
        let (mouth, ear, listener, read) = direction(Side::Jury, &transcript, true).expect("a pipe");
        (mouth, ear, listener, File::from(read))
    }

    #[tokio::test]
    async fn everything_arrives_and_then_the_end() {
        let (mut mouth, ear, listener, mut read) = line();
        assert!(mouth.accept(b"one ").is_continue() && mouth.accept(b"two").is_continue());
        mouth.ended();
        ear.listen().await;
        let mut text = String::new();
        read.read_to_string(&mut text).expect("an end");
        assert_eq!((text.as_str(), listener.was_told_end()), ("one two", true));
    }

    #[tokio::test]
    async fn whoever_listens_no_more_is_talked_to_in_vain() {
        let (mut mouth, ear, listener, read) = line();
        drop(read);
        assert!(mouth.accept(b"one").is_continue());
        ear.listen().await;
        assert!(mouth.accept(b"two").is_continue(), "the speaker does not notice");
        assert!(!listener.was_told_end());
        let (mut mouth, ear, listener, _read) = line();
        listener.gone.cancel();
        assert!(mouth.accept(&[b'x'; 1 << 20]).is_continue());
        ear.listen().await;
        assert!(!listener.was_told_end());
    }
}
