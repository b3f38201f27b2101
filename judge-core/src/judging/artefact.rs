//! What compiling leaves: the files a run box gets, and how the cache writes them down.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::model::CompileReport;

/// A compiled program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Artefact {
    /// By their names in the run box's work folder.
    pub(super) files: Vec<ArtefactFile>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArtefactFile {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) is_executable: bool,
}

#[derive(Serialize, Deserialize)]
struct Header {
    files: Vec<HeaderFile>,
    text_bytes: usize,
    is_text_truncated: bool,
    cpu_ms: u64,
    wall_ms: u64,
    /// Hex sha256 of everything behind the header.
    body_hash: String,
}

#[derive(Serialize, Deserialize)]
struct HeaderFile {
    name: String,
    bytes: usize,
    is_executable: bool,
}

/// One file: a line of JSON, then the compiler's text and the files' bytes.
pub(super) fn encode(artefact: &Artefact, report: &CompileReport) -> Vec<u8> {
    let mut body = report.text.clone();
    for file in &artefact.files {
        body.extend_from_slice(&file.bytes);
    }
    let files = artefact.files.iter().map(|file| HeaderFile {
        name: file.name.clone(),
        bytes: file.bytes.len(),
        is_executable: file.is_executable,
    });
    let header = Header {
        files: files.collect(),
        text_bytes: report.text.len(),
        is_text_truncated: report.is_text_truncated,
        cpu_ms: report.cpu_ms,
        wall_ms: report.wall_ms,
        body_hash: format!("{:x}", Sha256::digest(&body)),
    };
    let mut bytes = serde_json::to_vec(&header).expect("a header has only text and numbers");
    bytes.push(b'\n');
    bytes.extend_from_slice(&body);
    bytes
}

/// Reads it back; `None` for anything that is not whole.
pub(super) fn decode(bytes: &[u8]) -> Option<(Artefact, CompileReport)> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (header, body) = (serde_json::from_slice::<Header>(&bytes[..end]).ok()?, &bytes[end + 1..]);
    if format!("{:x}", Sha256::digest(body)) != header.body_hash {
        return None;
    }
    let (text, mut rest) = body.split_at_checked(header.text_bytes)?;
    let mut files = Vec::new();
    for HeaderFile { name, bytes, is_executable } in header.files {
        let (content, after) = rest.split_at_checked(bytes)?;
        files.push(ArtefactFile { name, bytes: content.to_vec(), is_executable });
        rest = after;
    }
    let report = CompileReport {
        succeeded: true,
        text: text.to_vec(),
        is_text_truncated: header.is_text_truncated,
        reason: String::new(),
        cpu_ms: header.cpu_ms,
        wall_ms: header.wall_ms,
        from_cache: true,
    };
    Some((Artefact { files }, report))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_damage_is_seen() {
        let file =
            |name: &str, bytes: &[u8]| ArtefactFile { name: name.into(), bytes: bytes.to_vec(), is_executable: true };
        let artefact = Artefact { files: vec![file("program", b"\x7fELF\n\0"), file("classes/A.class", b"")] };
        let report =
            CompileReport { succeeded: true, text: b"\xffwarning\n".to_vec(), cpu_ms: 7, ..CompileReport::default() };
        let bytes = encode(&artefact, &report);
        let (read, read_report) = decode(&bytes).expect("whole");
        assert_eq!((read, read_report.text, read_report.from_cache), (artefact, report.text, true));
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert!(decode(&bytes[..cut]).is_none(), "cut at {cut}");
        }
        let mut damaged = bytes.clone();
        *damaged.last_mut().expect("not empty") ^= 1;
        assert!(decode(&damaged).is_none());
    }
}
