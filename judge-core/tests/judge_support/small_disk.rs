//! A small file system of the test's own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Gone with the test.
pub(crate) struct SmallDisk(pub(crate) PathBuf);

impl SmallDisk {
    /// Mounts one of so many kilobytes. `None` is a skip that was told: an ordinary user cannot mount, whatever is set up.
    ///
    /// # Panics
    /// With `AGON_REQUIRE_PARTS=1`, when root cannot mount.
    #[expect(clippy::print_stderr, reason = "a skip must be seen")]
    pub(crate) fn mount(at: PathBuf, kilobytes: u32) -> Option<Self> {
        if !rustix::process::getuid().is_root() {
            eprintln!("SKIPPED: a file system of the test's own needs root");
            return None;
        }
        fs::create_dir_all(&at).expect("a folder");
        let size = format!("size={kilobytes}k");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "agon-test"]).arg(&at).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(at));
        }
        let missing = "mounting a small file system (needs to be root outside of a container)";
        assert!(std::env::var_os("AGON_REQUIRE_PARTS").is_none_or(|value| value != "1"), "missing: {missing}");
        eprintln!("SKIPPED: {missing}");
        None
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).output();
    }
}
