//! What one pass over a file tells: its hash, and how its text is written.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::findings::PackageError;

const BUFFER_BYTES: usize = 128 * 1024;
/// A Git LFS pointer is a small text with this beginning.
const LFS_BEGINNING: &[u8] = b"version https://git-lfs.github.com/spec/v1";
const LFS_BYTES_CAP: u64 = 1024;

/// Beginning of a text that says how it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrderMark {
    Utf8,
    Utf16LittleEndian,
    Utf16BigEndian,
}

/// One pass over one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileFacts {
    pub(super) bytes: u64,
    /// Hex sha256.
    pub(super) hash: String,
    pub(super) mark: Option<ByteOrderMark>,
    /// Some line ends in CR LF.
    pub(super) has_crlf: bool,
    pub(super) has_nul: bool,
    /// Empty, or ends in a line feed.
    pub(super) ends_line: bool,
    pub(super) is_lfs_pointer: bool,
}

/// Reads `path` once, in constant memory.
pub(super) fn examine(path: &Path) -> Result<FileFacts, PackageError> {
    let unreadable = |source| PackageError::OpenSource { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(unreadable)?;
    let mut buffer = vec![0; BUFFER_BYTES];
    let (mut hasher, mut head) = (Sha256::new(), Vec::new());
    let (mut bytes, mut last, mut has_crlf, mut has_nul) = (0u64, b'\n', false, false);
    loop {
        let chunk = match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => &buffer[..length],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unreadable(error)),
        };
        hasher.update(chunk);
        has_crlf = has_crlf || (last == b'\r' && chunk[0] == b'\n') || has_pair(chunk);
        has_nul = has_nul || chunk.contains(&0);
        if head.len() < LFS_BEGINNING.len() {
            let missing = (LFS_BEGINNING.len() - head.len()).min(chunk.len());
            head.extend_from_slice(&chunk[..missing]);
        }
        last = chunk[chunk.len() - 1];
        bytes += chunk.len() as u64;
    }
    Ok(FileFacts {
        bytes,
        hash: format!("{:x}", hasher.finalize()),
        mark: mark(&head),
        has_crlf,
        has_nul,
        ends_line: last == b'\n',
        is_lfs_pointer: bytes <= LFS_BYTES_CAP && head == LFS_BEGINNING,
    })
}

fn has_pair(chunk: &[u8]) -> bool {
    chunk.contains(&b'\r') && chunk.windows(2).any(|pair| pair == b"\r\n")
}

pub(super) fn mark(head: &[u8]) -> Option<ByteOrderMark> {
    match head {
        [0xef, 0xbb, 0xbf, ..] => Some(ByteOrderMark::Utf8),
        [0xff, 0xfe, ..] => Some(ByteOrderMark::Utf16LittleEndian),
        [0xfe, 0xff, ..] => Some(ByteOrderMark::Utf16BigEndian),
        _ => None,
    }
}

/// Text from UTF-16 with a mark; `None` when it is not well formed.
pub(super) fn decode_utf16(bytes: &[u8], mark: ByteOrderMark) -> Option<String> {
    let unit = |pair: &[u8]| match mark {
        ByteOrderMark::Utf16BigEndian => u16::from_be_bytes([pair[0], pair[1]]),
        ByteOrderMark::Utf16LittleEndian | ByteOrderMark::Utf8 => u16::from_le_bytes([pair[0], pair[1]]),
    };
    let body = bytes.get(2..).filter(|body| body.len().is_multiple_of(2))?;
    let units: Vec<u16> = body.chunks_exact(2).map(unit).collect();
    String::from_utf16(&units).ok()
}

/// Writes a copy as the format wants it: UTF-8 without a mark, lines ended by LF. `Ok(false)`: not well-formed UTF-16.
pub(super) fn normalise(source: &Path, facts: &FileFacts, copy: &PathBuf) -> Result<bool, PackageError> {
    let mut bytes =
        std::fs::read(source).map_err(|error| PackageError::OpenSource { path: source.to_owned(), source: error })?;
    match facts.mark {
        None => {}
        Some(ByteOrderMark::Utf8) => {
            bytes.drain(..3);
        }
        Some(mark @ (ByteOrderMark::Utf16LittleEndian | ByteOrderMark::Utf16BigEndian)) => {
            let Some(text) = decode_utf16(&bytes, mark) else { return Ok(false) };
            bytes = text.into_bytes();
        }
    }
    let mut kept = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if !(*byte == b'\r' && bytes.get(at + 1) == Some(&b'\n')) {
            kept.push(*byte);
        }
    }
    let unwritable = |error| PackageError::WriteStaging { path: copy.clone(), source: error };
    let mut file = File::create_new(copy).map_err(unwritable)?;
    file.write_all(&kept).map_err(unwritable)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(bytes: &[u8]) -> FileFacts {
        let folder = tempfile::tempdir().expect("a temp folder");
        let path = folder.path().join("f");
        std::fs::write(&path, bytes).expect("written");
        examine(&path).expect("readable")
    }

    #[test]
    fn texts_are_told_apart() {
        let plain = facts(b"1 2\n");
        assert!(plain.ends_line && !plain.has_crlf && plain.mark.is_none());
        assert!(facts(b"1\r\n2\n").has_crlf);
        assert!(!facts(b"1\r2\n").has_crlf, "a lone CR is data");
        assert!(!facts(b"1").ends_line);
        assert!(facts(b"").ends_line);
        assert_eq!(facts(b"\xef\xbb\xbf1").mark, Some(ByteOrderMark::Utf8));
        assert_eq!(facts(b"\xff\xfe1\0").mark, Some(ByteOrderMark::Utf16LittleEndian));
        assert!(facts(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n").is_lfs_pointer);
        assert_eq!(facts(b"abc").hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_pair_across_two_reads_is_seen() {
        let mut bytes = vec![b'x'; BUFFER_BYTES - 1];
        bytes.extend_from_slice(b"\r\ny");
        assert!(facts(&bytes).has_crlf);
    }

    #[test]
    fn copies_are_normal() {
        let folder = tempfile::tempdir().expect("a temp folder");
        let (source, copy) = (folder.path().join("s"), folder.path().join("c"));
        for (bytes, expected) in [
            (&b"\xef\xbb\xbf1\r\n\r2\r\r\n"[..], Some(&b"1\n\r2\r\n"[..])),
            (&b"\xff\xfe1\0\r\0\n\0"[..], Some(&b"1\n"[..])),
            (&b"\xfe\xff\x001\x00\n"[..], Some(&b"1\n"[..])),
            (&b"\xff\xfe1"[..], None),
        ] {
            std::fs::write(&source, bytes).expect("written");
            let done = normalise(&source, &examine(&source).expect("readable"), &copy).expect("writable");
            assert_eq!(done, expected.is_some());
            if let Some(expected) = expected {
                assert_eq!(std::fs::read(&copy).expect("there"), expected);
                std::fs::remove_file(&copy).expect("there");
            }
        }
    }
}
