//! Ends and reaps: nothing of a run outlives it.

use std::ffi::c_int;

use agon_supervisor::wire::End;

use crate::premises::OwnBox;

/// What reaping has seen so far in one run.
#[derive(Debug, Default)]
pub struct Reaped {
    pub main: Option<End>,
    pub processes: u32,
    pub cpu_us: u64,
    pub largest_process_bytes: u64,
}

/// Sends SIGKILL to every other process of the box. PID 1 is exempt by the kernel's rule for `kill(-1)`.
#[expect(unsafe_code, reason = "kill(-1) has no safe wrapper")]
pub fn kill_all(_proof: &OwnBox) {
    // SAFETY: the proof says that we are PID 1 of our own box, so "all" is the box.
    unsafe { libc::kill(-1, libc::SIGKILL) };
}

impl Reaped {
    /// Reaps every orphan that has ended, but leaves the main program for [`Self::rest`], whose traces are read first.
    /// Returns whether the main program has ended.
    pub fn orphans(&mut self, main_pid: i32) -> bool {
        while let Some(pid) = peek_ended() {
            if pid == main_pid {
                return true;
            }
            if !self.reap(pid, main_pid, libc::WNOHANG) {
                return false;
            }
        }
        false
    }

    /// Reaps until no child is left. All of them must have ended or been killed.
    pub fn rest(&mut self, main_pid: i32) {
        while self.reap(-1, main_pid, 0) {}
    }

    /// One `wait4`; false when there was nothing to reap.
    #[expect(unsafe_code, reason = "wait4 with resource usage has no safe wrapper")]
    fn reap(&mut self, which: i32, main_pid: i32, options: c_int) -> bool {
        let mut status: c_int = 0;
        // SAFETY: an all-zero rusage is a valid value.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        let pid = loop {
            // SAFETY: both pointers are to live values.
            let pid = unsafe { libc::wait4(which, &raw mut status, options | libc::__WALL, &raw mut usage) };
            if pid >= 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
                break pid;
            }
        };
        if pid <= 0 {
            return false;
        }
        self.processes += 1;
        self.cpu_us += microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
        let kilobytes = u64::try_from(usage.ru_maxrss).unwrap_or(0);
        self.largest_process_bytes = self.largest_process_bytes.max(kilobytes * 1024);
        if pid == main_pid {
            self.main = Some(end_of(status));
        }
        true
    }
}

/// A child that has ended, left in place.
#[expect(unsafe_code, reason = "waitid over all children that leaves them in place")]
fn peek_ended() -> Option<i32> {
    // SAFETY: an all-zero siginfo is a valid value, and the kernel fills it.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        let answer = libc::waitid(libc::P_ALL, 0, &raw mut info, options);
        (answer == 0 && info.si_pid() > 0).then(|| info.si_pid())
    }
}

fn microseconds(time: libc::timeval) -> u64 {
    u64::try_from(time.tv_sec * 1_000_000 + time.tv_usec).unwrap_or(0)
}

fn end_of(status: c_int) -> End {
    if libc::WIFSIGNALED(status) {
        End::Signalled(libc::WTERMSIG(status))
    } else {
        End::Exited(libc::WEXITSTATUS(status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_status_is_an_exit_or_a_signal() {
        assert_eq!(end_of(0), End::Exited(0));
        assert_eq!(end_of(137 << 8), End::Exited(137));
        assert_eq!(end_of(9), End::Signalled(9));
        assert_eq!(end_of(11 | 0x80), End::Signalled(11), "with a core flag");
    }
}
