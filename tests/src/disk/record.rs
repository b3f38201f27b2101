//! The shim's record, read back.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// One step of a recorded program, as the shim names them (`tests/shim/shim.h`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// An existing file or folder was opened.
    Seen {
        inode: u64,
        path: String,
    },
    Created {
        inode: u64,
        path: String,
    },
    Written {
        inode: u64,
        offset: u64,
        data: Arc<[u8]>,
    },
    Truncated {
        inode: u64,
        size: u64,
    },
    Synced {
        inode: u64,
    },
    SyncFailed {
        inode: u64,
    },
    Renamed {
        from: String,
        to: String,
    },
    Unlinked {
        path: String,
    },
    MadeFolder {
        path: String,
    },
    RemovedFolder {
        path: String,
    },
    /// An answer left for the client at this port.
    Answered {
        port: u16,
    },
}

/// A whole record.
#[derive(Clone, Debug)]
pub struct Record {
    pub changes: Vec<Change>,
}

const HEAD_BYTES: usize = 6 * 8;

impl Record {
    /// Reads a record that is no longer written.
    ///
    /// # Panics
    /// It is torn, or the program did something that the record cannot follow.
    #[must_use]
    pub fn read(file: &Path) -> Self {
        let bytes = std::fs::read(file).expect("the record can be read");
        let mut rest = &bytes[..];
        let mut changes = Vec::new();
        while !rest.is_empty() {
            // The process may have died while it wrote its last line.
            let Some((change, after)) = next(rest) else { break };
            changes.push(change);
            rest = after;
        }
        assert!(rest.len() < HEAD_BYTES + (2 << 20), "the record is torn in its middle: {} bytes", rest.len());
        Self { changes }
    }

    /// Where in the record the answer to each client's port begins to leave.
    ///
    /// # Panics
    /// A port was used twice, so that answers cannot be told apart.
    #[must_use]
    pub fn answers(&self) -> HashMap<u16, usize> {
        let mut found = HashMap::new();
        for (position, change) in self.changes.iter().enumerate() {
            if let Change::Answered { port } = change {
                found.entry(*port).or_insert(position);
            }
        }
        found
    }
}

fn next(bytes: &[u8]) -> Option<(Change, &[u8])> {
    let word = |index: usize| Some(u64::from_ne_bytes(bytes.get(index * 8..index * 8 + 8)?.try_into().ok()?));
    let length = |index| usize::try_from(word(index)?).ok();
    let (kind, inode, offset) = (word(0)?, word(1)?, word(2)?);
    let (path, path2, data) = (length(3)?, length(4)?, length(5)?);
    let rest = bytes.get(HEAD_BYTES..)?;
    let text = |from: usize, to: usize| rest.get(from..to).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let first = text(0, path)?;
    let second = text(path, path + path2)?;
    let data = rest.get(path + path2..path + path2 + data)?;
    let after = &rest[path + path2 + data.len()..];
    let change = match kind {
        1 => Change::Seen { inode, path: first },
        2 => Change::Created { inode, path: first },
        3 => Change::Written { inode, offset, data: data.into() },
        4 => Change::Truncated { inode, size: offset },
        5 => Change::Synced { inode },
        6 => Change::Renamed { from: first, to: second },
        7 => Change::Unlinked { path: first },
        8 => Change::MadeFolder { path: first },
        9 => Change::RemovedFolder { path: first },
        11 => Change::Answered { port: u16::try_from(inode).ok()? },
        13 => Change::SyncFailed { inode },
        other => panic!("the record cannot follow this (kind {other}: {first} {second})"),
    };
    Some((change, after))
}
