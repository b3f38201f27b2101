//! Whether a folder lies where the system does not tell of changes that others make.

use std::path::Path;

/// File systems of networks and of programs, by their magic number (statfs(2)).
#[cfg(target_os = "linux")]
const UNTOLD: [u64; 9] = [
    0x6969,      // NFS
    0x517b,      // SMB
    0xff53_4d42, // CIFS
    0xfe53_4d42, // SMB2
    0x6573_5546, // FUSE: sshfs, virtual machines' folders
    0x0102_1997, // 9P
    0x00c3_6400, // Ceph
    0x5346_414f, // AFS
    0x786f_4256, // VirtualBox
];

/// False where it cannot be known: then the setting decides.
pub(super) fn is_untold(folder: &Path) -> bool {
    #[cfg(target_os = "linux")]
    if let Ok(facts) = rustix::fs::statfs(folder) {
        // The type's width and sign differ between machines; its numbers have 32 bits.
        #[expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "a magic number, not a quantity")]
        return UNTOLD.contains(&u64::from(facts.f_type as u32));
    }
    let _ = folder;
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_this_machine_is_told_about() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(!is_untold(folder.path()));
        assert!(!is_untold(Path::new("/no/such/place")));
    }
}
