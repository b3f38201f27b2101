//! Landlock, where the kernel has it: writes only below the writable folders, no signals out of the run.
//!
//! A second wall behind the read-only root: it also refuses writing through `/proc/self/fd` to anything of the host
//! that a descriptor might name. (Numbers: linux/landlock.h; a rule set of version N names only what version N knows.)

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use agon_supervisor::wire::WRITABLE_FOLDERS;
use rustix::fs::{Mode, OFlags, open};

const CREATE_RULESET_VERSION: u32 = 1;
const RULE_PATH_BENEATH: libc::c_int = 1;

const WRITE_FILE: u64 = 1 << 1;
/// `REMOVE_DIR` (bit 4) to `MAKE_SYM` (bit 12): everything of version 1 that changes a tree.
const CHANGE_TREE: u64 = 0x1ff0;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const BIND_AND_CONNECT_TCP: u64 = 3;
const SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS: u64 = 3;

/// Devices that a program may write to although they are in no writable folder.
const WRITABLE_DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

#[repr(C)]
struct RulesetAttributes {
    handled_access_fs: u64,
    handled_access_net: u64,
    scoped: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    allowed_access: u64,
    parent_fd: i32,
}

/// A rule set that each launched program puts on itself.
pub struct Ruleset {
    pub version: u32,
    pub descriptor: OwnedFd,
}

/// Builds the rule set; `None` where the kernel has no Landlock or the profile refuses it.
pub fn build() -> Option<Ruleset> {
    let version = kernel_version()?;
    let attributes = attributes(version);
    let descriptor = create(&attributes)?;
    let everything = attributes.handled_access_fs;
    for folder in WRITABLE_FOLDERS {
        allow(&descriptor, folder, everything)?;
    }
    for device in WRITABLE_DEVICES {
        allow(&descriptor, device, everything & (WRITE_FILE | TRUNCATE))?;
    }
    Some(Ruleset { version, descriptor })
}

/// What a rule set of this version handles.
fn attributes(version: u32) -> RulesetAttributes {
    let mut handled_access_fs = WRITE_FILE | CHANGE_TREE;
    if version >= 2 {
        handled_access_fs |= REFER;
    }
    if version >= 3 {
        handled_access_fs |= TRUNCATE;
    }
    RulesetAttributes {
        handled_access_fs,
        handled_access_net: if version >= 4 { BIND_AND_CONNECT_TCP } else { 0 },
        scoped: if version >= 6 { SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS } else { 0 },
    }
}

#[expect(unsafe_code, reason = "landlock has no wrapper in libc or rustix")]
fn kernel_version() -> Option<u32> {
    let null = std::ptr::null::<RulesetAttributes>();
    // SAFETY: with a null attribute and size 0 the call only answers a number.
    let answer = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, null, 0_usize, CREATE_RULESET_VERSION) };
    u32::try_from(answer).ok().filter(|version| *version >= 1)
}

#[expect(unsafe_code, reason = "landlock has no wrapper in libc or rustix")]
fn create(attributes: &RulesetAttributes) -> Option<OwnedFd> {
    let size = if attributes.scoped != 0 {
        24_usize
    } else if attributes.handled_access_net != 0 {
        16
    } else {
        8
    };
    // SAFETY: `attributes` is a live repr(C) struct of at least `size` bytes.
    let answer =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::from_ref(attributes), size, 0_u32) };
    let raw = i32::try_from(answer).ok().filter(|raw| *raw >= 0)?;
    // SAFETY: the kernel has just made this descriptor for us (close-on-exec).
    Some(unsafe { OwnedFd::from_raw_fd(raw) })
}

#[expect(unsafe_code, reason = "landlock has no wrapper in libc or rustix")]
fn allow(ruleset: &OwnedFd, path: &str, allowed_access: u64) -> Option<()> {
    let parent = open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let rule = PathBeneath { allowed_access, parent_fd: parent.as_raw_fd() };
    // SAFETY: both descriptors are open and `rule` is a live packed struct of the kernel's layout.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_landlock_add_rule,
            ruleset.as_raw_fd(),
            RULE_PATH_BENEATH,
            std::ptr::from_ref(&rule),
            0_u32,
        )
    };
    (answer == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_names_only_what_it_knows() {
        assert_eq!(attributes(1).handled_access_fs, 0x1ff2);
        assert_eq!(attributes(2).handled_access_fs, 0x3ff2);
        assert_eq!(attributes(3).handled_access_fs, 0x7ff2);
        assert_eq!((attributes(3).handled_access_net, attributes(4).handled_access_net), (0, 3));
        assert_eq!((attributes(5).scoped, attributes(6).scoped, attributes(9).scoped), (0, 3, 3));
    }
}
