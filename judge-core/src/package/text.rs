//! Small text files of a package: metadata, settings, statements.

use std::fs;

use super::facts::{ByteOrderMark, decode_utf16, mark};
use super::findings::{Findings, PackageError};
use super::tree::TreeFile;
use super::yaml::{self, Node};

/// No metadata or statement is longer; anything that is, is something else.
const TEXT_BYTES_CAP: u64 = 4 * 1024 * 1024;

/// The text, without its byte order mark; `None` with an error finding when it is no UTF-8 or UTF-16.
pub(super) fn read(name: &str, file: &TreeFile, findings: &mut Findings) -> Result<Option<String>, PackageError> {
    if file.bytes > TEXT_BYTES_CAP {
        let message = format!("{} bytes are more than a text of this kind may have ({TEXT_BYTES_CAP})", file.bytes);
        findings.error("text_too_large", name, message, "");
        return Ok(None);
    }
    let bytes = fs::read(&file.path).map_err(|source| PackageError::OpenSource { path: file.path.clone(), source })?;
    let remedy = "save it as UTF-8 without a byte order mark";
    let text = match mark(&bytes) {
        None => String::from_utf8(bytes).ok(),
        Some(mark) => {
            findings.warning("bom_text", name, "the file begins with a byte order mark", remedy);
            match mark {
                ByteOrderMark::Utf8 => String::from_utf8(bytes[3..].to_vec()).ok(),
                ByteOrderMark::Utf16LittleEndian | ByteOrderMark::Utf16BigEndian => decode_utf16(&bytes, mark),
            }
        }
    };
    if text.is_none() {
        findings.error("not_utf8", name, "the text is not UTF-8", remedy);
    }
    Ok(text)
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
