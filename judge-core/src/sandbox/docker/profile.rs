//! The seccomp profile: an allow-list of our own, checked before the engine sees it.

use std::path::PathBuf;

use crate::sandbox::SandboxError;

const OWN_PROFILE: &str = include_str!("../seccomp/profile.json");

/// Where the profile comes from.
#[derive(Clone, Debug, Default)]
pub enum SeccompProfile {
    /// The one that is part of this program.
    #[default]
    Own,
    /// A stricter one of the administrator's.
    File(PathBuf),
}

impl SeccompProfile {
    /// The profile as compact JSON.
    ///
    /// # Errors
    /// [`SandboxError::ProfileRefused`] when it cannot be read, is no JSON, or allows by default: a box is never opened
    /// without one.
    pub(super) fn load(&self) -> Result<String, SandboxError> {
        let text = match self {
            Self::Own => OWN_PROFILE.to_owned(),
            Self::File(path) => std::fs::read_to_string(path)
                .map_err(|error| refused(format!("{} cannot be read: {error}", path.display())))?,
        };
        let profile: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| refused(format!("it is no JSON: {error}")))?;
        if profile["defaultAction"] != "SCMP_ACT_ERRNO" {
            return Err(refused("it is no allow-list".to_owned()));
        }
        Ok(profile.to_string())
    }
}

fn refused(detail: String) -> SandboxError {
    SandboxError::ProfileRefused { detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unconditional() -> Vec<String> {
        let profile: serde_json::Value = serde_json::from_str(OWN_PROFILE).expect("it parses");
        profile["syscalls"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|rule| rule["action"] == "SCMP_ACT_ALLOW" && rule.get("args").is_none())
            .flat_map(|rule| rule["names"].as_array().expect("names").clone())
            .map(|name| name.as_str().expect("a name").to_owned())
            .collect()
    }

    #[test]
    fn what_breaks_out_or_cripples_is_not_on_the_list() {
        let allowed = unconditional();
        let forbidden = "ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp unshare setns clone clone3 mount \
             umount2 pivot_root chroot bpf userfaultfd perf_event_open keyctl add_key request_key io_uring_setup \
             io_uring_enter io_uring_register io_setup shmget msgget semget mq_open socket socketpair bind listen \
             accept accept4 setuid setgid setresuid setgroups capset chown fchown lchown fchownat setxattr prlimit64 \
             setpriority sched_setscheduler ioprio_set personality sync syncfs fanotify_init open_by_handle_at \
             name_to_handle_at inotify_init inotify_init1 init_module kexec_load reboot swapon quotactl acct settimeofday clock_settime";
        for name in forbidden.split_whitespace() {
            assert!(!allowed.iter().any(|allowed| allowed == name), "{name} is allowed to everybody");
        }
    }

    #[test]
    fn no_name_is_listed_twice() {
        let mut allowed = unconditional();
        let all = allowed.len();
        allowed.sort_unstable();
        allowed.dedup();
        assert_eq!(allowed.len(), all);
        assert!(all > 200, "a list cut to what one program used breaks larger ones");
    }

    #[test]
    fn a_profile_that_is_absent_broken_or_lax_is_refused() {
        let folder = tempfile::tempdir().expect("a temp folder");
        let path = folder.path().join("profile.json");
        let load = || SeccompProfile::File(path.clone()).load().expect_err("refused").code();
        assert_eq!(load(), "profile_refused");
        std::fs::write(&path, "{").expect("written");
        assert_eq!(load(), "profile_refused");
        std::fs::write(&path, r#"{"defaultAction":"SCMP_ACT_ALLOW"}"#).expect("written");
        assert_eq!(load(), "profile_refused");
        assert!(SeccompProfile::Own.load().is_ok());
    }
}
