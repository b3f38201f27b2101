//! Small text files of a package: metadata, settings, statements.

use std::fs;

use super::facts::{ByteOrderMark, decode_utf16, mark};
use super::findings::{Findings, PackageError};
use super::tree::TreeFile;
use super::yaml::{self, Node};

/// No metadata or statement is longer; anything that is, is something else.
const TEXT_BYTES_CAP: u64 = 4 * 1024 * 1024;
const REMEDY: &str = "save it as UTF-8 without a byte order mark";

/// The text, without its byte order mark; `None` with an error finding when it is no UTF-8 or UTF-16.
pub(super) fn read(name: &str, file: &TreeFile, findings: &mut Findings) -> Result<Option<String>, PackageError> {
    if file.bytes > TEXT_BYTES_CAP {
        let message = format!("{} bytes are more than a text of this kind may have ({TEXT_BYTES_CAP})", file.bytes);
        findings.error("text_too_large", name, message, "");
        return Ok(None);
    }
    let text = decode(bytes_of(file)?, name, findings).ok();
    if text.is_none() {
        findings.error("not_utf8", name, "the text is not UTF-8", REMEDY);
    }
    Ok(text)
}

/// A text that is only shown: in another encoding it is read as Latin-1, with a warning; too large, it is passed over.
pub(super) fn read_shown(name: &str, file: &TreeFile, findings: &mut Findings) -> Result<Option<String>, PackageError> {
    if file.bytes > TEXT_BYTES_CAP {
        let message = format!("{} bytes are more than a statement may have ({TEXT_BYTES_CAP})", file.bytes);
        findings.warning("text_too_large", name, message, "it is not shown");
        return Ok(None);
    }
    let text = decode(bytes_of(file)?, name, findings).unwrap_or_else(|bytes| {
        findings.warning("not_utf8", name, "the text is not UTF-8; shown as Latin-1", REMEDY);
        bytes.into_iter().map(char::from).collect()
    });
    Ok(Some(text))
}

fn bytes_of(file: &TreeFile) -> Result<Vec<u8>, PackageError> {
    fs::read(&file.path).map_err(|source| PackageError::OpenSource { path: file.path.clone(), source })
}

/// UTF-8 or marked UTF-16; the bytes come back when they are neither.
fn decode(bytes: Vec<u8>, name: &str, findings: &mut Findings) -> Result<String, Vec<u8>> {
    let Some(mark) = mark(&bytes) else { return String::from_utf8(bytes).map_err(|error| error.into_bytes()) };
    findings.warning("bom_text", name, "the file begins with a byte order mark", REMEDY);
    let text = match mark {
        ByteOrderMark::Utf8 => String::from_utf8(bytes[3..].to_vec()).ok(),
        ByteOrderMark::Utf16LittleEndian | ByteOrderMark::Utf16BigEndian => decode_utf16(&bytes, mark),
    };
    text.ok_or(bytes)
}

/// The file as YAML; `None` with an error finding that names the line.
pub(super) fn read_yaml(name: &str, file: &TreeFile, findings: &mut Findings) -> Result<Option<Node>, PackageError> {
    let Some(text) = read(name, file, findings)? else { return Ok(None) };
    match yaml::parse(&text) {
        Ok(node) => Ok(Some(node)),
        Err(error) => {
            let message = format!("line {}: {}", error.line, error.message);
            findings.error("yaml_invalid", name, message, "correct the YAML");
            Ok(None)
        }
    }
}
