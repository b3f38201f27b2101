//! Standard input as a sealed copy in memory, where it is no pipe.
//!
//! The host's own file never enters a box: a program with the host user's uid could re-open it for writing through
//! `/proc/self/fd/0`. A memfd with every seal can be read, mapped and sought in, and changed by nobody.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::OwnedFd;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

use super::{SandboxError, Stdin};

/// Files from this size on are copied on a thread that may block.
const COPY_ELSEWHERE_BYTES: u64 = 1 << 20;

/// The descriptor for the box, positioned at its beginning.
pub(super) async fn sealed(stdin: Stdin) -> Result<OwnedFd, SandboxError> {
    let prepared = match stdin {
        Stdin::Empty => File::open("/dev/null").map(OwnedFd::from),
        Stdin::Bytes(bytes) => sealed_copy(|memory| memory.write_all(&bytes)),
        Stdin::File(file) => copy_file(file).await,
        Stdin::Pipe(read) => Ok(read),
    };
    prepared.map_err(|source| SandboxError::PrepareRun { what: "standard input", source })
}

async fn copy_file(mut file: File) -> io::Result<OwnedFd> {
    let length = file.metadata()?.len();
    let mut copy = move || sealed_copy(|memory| io::copy(&mut file, memory).map(|_| ()));
    if length < COPY_ELSEWHERE_BYTES {
        return copy();
    }
    tokio::task::spawn_blocking(copy).await.map_err(io::Error::other)?
}

fn sealed_copy(fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<OwnedFd> {
    let mut memory = File::from(memfd_create("input", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
    fill(&mut memory)?;
    memory.rewind()?;
    fcntl_add_seals(&memory, SealFlags::SEAL | SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE)?;
    Ok(OwnedFd::from(memory))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[tokio::test]
    async fn the_copy_reads_from_the_files_position_and_nobody_can_change_it() {
        let mut file = tempfile::tempfile().expect("a temp file opens");
        file.write_all(b"skip 3 4\n").expect("written");
        file.seek(io::SeekFrom::Start(5)).expect("sought");
        let mut copy = File::from(sealed(Stdin::File(file)).await.expect("copied"));
        let mut text = String::new();
        copy.read_to_string(&mut text).expect("it reads");
        assert_eq!(text, "3 4\n");
        assert!(copy.write_all(b"x").is_err(), "a sealed copy refuses writes");
        assert!(copy.set_len(0).is_err(), "and truncation");
        let again =
            File::options().write(true).open(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&copy)));
        if let Ok(mut again) = again {
            assert!(again.write_all(b"x").is_err(), "re-opening it changes nothing");
        }
    }

    #[tokio::test]
    async fn a_large_file_arrives_whole() {
        let mut file = tempfile::tempfile().expect("a temp file opens");
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
        file.write_all(&bytes).expect("written");
        file.rewind().expect("rewound");
        let mut copy = File::from(sealed(Stdin::File(file)).await.expect("copied"));
        let mut seen = Vec::new();
        copy.read_to_end(&mut seen).expect("it reads");
        assert_eq!(seen, bytes);
    }

    #[tokio::test]
    async fn empty_means_end_of_file_at_once() {
        let mut empty = File::from(sealed(Stdin::Empty).await.expect("opened"));
        assert_eq!(empty.read(&mut [0; 8]).expect("it reads"), 0);
    }
}
