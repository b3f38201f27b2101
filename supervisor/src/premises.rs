//! The proof that this process is PID 1 of a box of ours, without which nothing is killed or wiped.

use agon_supervisor::wire::{BOX_FOLDER, BOX_MARKER, WRITABLE_FOLDERS};
use rustix::process::{DumpableBehavior, getpid, getuid, set_dumpable_behavior};

/// Made only by [`prove`]; whoever holds one may kill everything in sight and wipe the writable folders.
pub struct OwnBox(());

/// Checks every premise and makes this process unreadable for others of its uid.
///
/// # Errors
/// The first premise that does not hold, in words.
pub fn prove(box_id: &str) -> Result<OwnBox, String> {
    if !getpid().is_init() {
        return Err("this is not PID 1".to_owned());
    }
    if getuid().is_root() {
        return Err("this is root".to_owned());
    }
    let marker =
        std::fs::read_to_string(BOX_MARKER).map_err(|error| format!("{BOX_MARKER} cannot be read: {error}"))?;
    if box_id.is_empty() || marker != box_id {
        return Err(format!("{BOX_MARKER} does not name this box"));
    }
    let mounts = std::fs::read_to_string("/proc/self/mountinfo")
        .map_err(|error| format!("the mount table cannot be read: {error}"))?;
    check_mounts(&mounts)?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .map_err(|errno| format!("staying unreadable failed: {errno}"))?;
    Ok(OwnBox(()))
}

/// The root and the box's folder are read-only; each writable folder is a tmpfs with a bound on its inodes, which no
/// host's own `/tmp` has by accident.
fn check_mounts(mountinfo: &str) -> Result<(), String> {
    for folder in ["/", BOX_FOLDER] {
        let mount = find(mountinfo, folder).ok_or(format!("{folder} is not a mount"))?;
        if !mount.options.split(',').any(|option| option == "ro") {
            return Err(format!("{folder} is writable"));
        }
    }
    for folder in WRITABLE_FOLDERS {
        let mount = find(mountinfo, folder).ok_or(format!("{folder} is not a mount"))?;
        if mount.kind != "tmpfs" {
            return Err(format!("{folder} is {}, not tmpfs", mount.kind));
        }
        if !mount.super_options.split(',').any(|option| option.starts_with("nr_inodes=")) {
            return Err(format!("{folder} has no bound on its inodes: it is not the box's own"));
        }
    }
    Ok(())
}

/// One line of `/proc/self/mountinfo` (proc(5)).
#[derive(Debug, PartialEq, Eq)]
struct Mount<'a> {
    options: &'a str,
    kind: &'a str,
    super_options: &'a str,
}

/// The mount on top at this folder: the last line that names it.
fn find<'a>(mountinfo: &'a str, folder: &str) -> Option<Mount<'a>> {
    mountinfo.lines().rev().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let mut fields = before.split(' ').skip(4);
        if fields.next()? != folder {
            return None;
        }
        let options = fields.next()?;
        let mut tail = after.split(' ');
        let kind = tail.next()?;
        Some(Mount { options, kind, super_options: tail.nth(1)? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: &str = "\
1 0 0:50 / / ro,relatime master:1 - overlay overlay rw,lowerdir=/x
2 1 0:51 / /proc rw - proc proc rw
3 1 8:1 /data/box /agon ro,relatime - ext4 /dev/vda rw
4 1 0:52 / /tmp rw,nosuid,nodev - tmpfs tmpfs rw,size=65536k,nr_inodes=4096
5 1 0:53 / /dev/shm rw,nosuid,nodev,noexec - tmpfs tmpfs rw,size=16384k,nr_inodes=1024
";

    #[test]
    fn a_box_of_ours_is_recognised() {
        assert_eq!(check_mounts(BOX), Ok(()));
    }

    #[test]
    fn every_missing_premise_is_refused() {
        let rows = [
            ("/ ro,relatime", "/ rw,relatime", "/ is writable"),
            ("/agon ro", "/agon rw", "/agon is writable"),
            ("/agon", "/elsewhere", "/agon is not a mount"),
            ("/tmp", "/elsewhere", "/tmp is not a mount"),
            ("- tmpfs tmpfs rw,size=65536k", "- ext4 x rw,size=65536k", "/tmp is ext4, not tmpfs"),
            (",nr_inodes=4096", "", "/tmp has no bound on its inodes: it is not the box's own"),
            (",nr_inodes=1024", "", "/dev/shm has no bound on its inodes: it is not the box's own"),
        ];
        for (from, to, reason) in rows {
            let changed = BOX.replace(from, to);
            assert_ne!(changed, BOX, "the row {from} changes something");
            assert_eq!(check_mounts(&changed), Err(reason.to_owned()));
        }
    }

    #[test]
    fn a_mount_on_top_hides_the_one_below() {
        let stacked = format!("{BOX}6 1 8:1 /tmp /tmp rw - ext4 /dev/vda rw\n");
        assert_eq!(check_mounts(&stacked), Err("/tmp is ext4, not tmpfs".to_owned()));
    }

    #[test]
    fn outside_of_a_box_nothing_is_proved() {
        assert!(prove("some-box").is_err(), "a test process is no PID 1 of a box");
    }
}
