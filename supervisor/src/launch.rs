//! Starts the program: `clone(VM|VFORK)`, a few plain system calls in the child, `execve`.
//!
//! Between clone and exec the child shares the supervisor's memory and the supervisor stands still, so the child calls
//! only thin system-call wrappers, allocates nothing, and leaves its errno in the plan.

use std::ffi::{CString, NulError, c_char, c_int, c_void};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;

use agon_supervisor::wire::RunRequest;

/// Grace of the kernel's own CPU limit over ours: it only matters if the supervisor could not act.
const CPU_BACKSTOP_SECONDS: u64 = 2;
/// Not 0: at 0 a `core_pattern` that is a pipe still dumps, and a crash would wait for it; 1 means never.
const NO_CORE_DUMP: u64 = 1;
/// Counted per user of the host, who may be the person at the machine.
const MOST_PENDING_SIGNALS: u64 = 1024;
const CHILD_STACK_BYTES: usize = 64 * 1024;

/// A program that runs.
pub struct Launched {
    pub pid: i32,
    pub pidfd: OwnedFd,
}

/// Reusable parts of launching.
pub struct Launcher {
    stack: Vec<u128>,
    landlock: Option<OwnedFd>,
}

/// Everything the child needs, ready made.
struct Plan {
    program: *const c_char,
    argv: Vec<*const c_char>,
    envp: Vec<*const c_char>,
    working_dir: *const c_char,
    stdio: [c_int; 3],
    limits: [(libc::__rlimit_resource_t, libc::rlimit); 7],
    landlock: c_int,
    failed_errno: c_int,
}

impl Launcher {
    pub fn new(landlock: Option<OwnedFd>) -> Self {
        Self { stack: vec![0; CHILD_STACK_BYTES / size_of::<u128>()], landlock }
    }

    /// Starts the program of `request` with these standard descriptors.
    ///
    /// # Errors
    /// The errno of the step that failed; the child is then gone, though not yet reaped.
    pub fn launch(&mut self, request: &RunRequest, stdio: &[OwnedFd; 3]) -> Result<Launched, c_int> {
        let argv = c_strings(&request.argv).map_err(|_| libc::EINVAL)?;
        let envp = c_strings(&request.env).map_err(|_| libc::EINVAL)?;
        let working_dir = CString::new(request.working_dir.as_str()).map_err(|_| libc::EINVAL)?;
        let Some(program) = argv.first() else { return Err(libc::EINVAL) };
        let mut plan = Plan {
            program: program.as_ptr(),
            argv: pointers(&argv),
            envp: pointers(&envp),
            working_dir: working_dir.as_ptr(),
            stdio: [stdio[0].as_raw_fd(), stdio[1].as_raw_fd(), stdio[2].as_raw_fd()],
            limits: limits(request),
            landlock: self.landlock.as_ref().map_or(-1, AsRawFd::as_raw_fd),
            failed_errno: 0,
        };
        let launched = self.clone_child(&mut plan)?;
        if plan.failed_errno == 0 { Ok(launched) } else { Err(plan.failed_errno) }
    }

    #[expect(unsafe_code, reason = "vfork semantics with an own stack and a pidfd exist only as clone")]
    fn clone_child(&mut self, plan: &mut Plan) -> Result<Launched, c_int> {
        let mut pidfd: c_int = -1;
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
        // SAFETY: the stack is ours alone, aligned to 16 and grows down from its end; CLONE_VFORK holds this thread until
        // the child has exec'ed or exited, so `plan`, the strings it points to and the stack outlive the child's use.
        let pid = unsafe {
            let top = self.stack.as_mut_ptr().add(self.stack.len()).cast::<c_void>();
            libc::clone(child, top, flags, ptr::from_mut(plan).cast(), ptr::from_mut(&mut pidfd))
        };
        if pid < 0 {
            return Err(errno());
        }
        // SAFETY: the kernel has just made this descriptor for us.
        let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
        Ok(Launched { pid, pidfd })
    }
}

fn c_strings(texts: &[String]) -> Result<Vec<CString>, NulError> {
    texts.iter().map(|text| CString::new(text.as_str())).collect()
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

/// The limits the program gets, each at most what the box itself may have.
fn limits(request: &RunRequest) -> [(libc::__rlimit_resource_t, libc::rlimit); 7] {
    let cpu_seconds = request.cpu_limit_us.div_ceil(1_000_000) + CPU_BACKSTOP_SECONDS;
    [
        (libc::RLIMIT_CPU, cpu_seconds, cpu_seconds + 1),
        (libc::RLIMIT_FSIZE, request.file_bytes, request.file_bytes),
        (libc::RLIMIT_CORE, NO_CORE_DUMP, NO_CORE_DUMP),
        (libc::RLIMIT_SIGPENDING, MOST_PENDING_SIGNALS, MOST_PENDING_SIGNALS),
        (libc::RLIMIT_MSGQUEUE, 0, 0),
        (libc::RLIMIT_STACK, request.stack_bytes, request.stack_bytes),
        (libc::RLIMIT_NOFILE, request.open_files, request.open_files),
    ]
    .map(|(resource, soft, hard)| {
        let most = hard_limit(resource);
        (resource, libc::rlimit { rlim_cur: soft.min(most), rlim_max: hard.min(most) })
    })
}

#[expect(unsafe_code, reason = "the resource numbers of libc are used on both sides of the clone")]
fn hard_limit(resource: libc::__rlimit_resource_t) -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: writes into a live struct; a failure leaves 0, the strictest limit.
    unsafe { libc::getrlimit(resource, &raw mut limit) };
    limit.rlim_max
}

#[expect(unsafe_code, reason = "reads the thread's errno")]
fn errno() -> c_int {
    // SAFETY: always a valid pointer in a running thread.
    unsafe { *libc::__errno_location() }
}

/// Runs on its own stack in the supervisor's memory; see the module's rule.
#[expect(unsafe_code, reason = "the child side of clone is system calls only")]
extern "C" fn child(argument: *mut c_void) -> c_int {
    // SAFETY: `argument` is the plan that `clone_child` keeps alive; every pointer in it is to a live C string or array,
    // and each call below is a plain system call.
    unsafe {
        let plan = &mut *argument.cast::<Plan>();
        if prepare(plan) {
            libc::execve(plan.program, plan.argv.as_ptr(), plan.envp.as_ptr());
        }
        plan.failed_errno = errno();
        libc::_exit(127)
    }
}

/// Everything between clone and exec; false leaves the reason in errno.
#[expect(unsafe_code, reason = "the child side of clone is system calls only")]
unsafe fn prepare(plan: &Plan) -> bool {
    // SAFETY: see `child`. Signal handlers are the child's own copy (no CLONE_SIGHAND), so the supervisor keeps its own.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
        libc::umask(0o022);
        libc::setsid() >= 0
            && libc::dup2(plan.stdio[0], 0) == 0
            && libc::dup2(plan.stdio[1], 1) == 1
            && libc::dup2(plan.stdio[2], 2) == 2
            && libc::chdir(plan.working_dir) == 0
            && plan.limits.iter().all(|(resource, limit)| libc::setrlimit(*resource, limit) == 0)
            && (plan.landlock < 0 || libc::syscall(libc::SYS_landlock_restrict_self, plan.landlock, 0_u32) == 0)
            && libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, 0_u32) == 0
    }
}
