// Everything a program might try against its judge and its host. Each attempt runs in a child of its own and says
// whether it SUCCEEDED or was blocked; a child killed by the kernel was blocked. Built static, run in a box.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SYS(...) (syscall(__VA_ARGS__) >= 0)

static int opens(const char *path, int flags) { int fd = open(path, flags, 0600); if (fd >= 0) close(fd); return fd >= 0; }
static int writes(const char *path, const char *text) { int fd = open(path, O_WRONLY | O_CREAT, 0600); return fd >= 0 && write(fd, text, strlen(text)) > 0; }
static int reads(const char *path) { char c; int fd = open(path, O_RDONLY); return fd >= 0 && read(fd, &c, 1) == 1; }
static int lists(const char *path) { DIR *d = opendir(path); return d && readdir(d); }
static int links(const char *path) { char b[256]; return readlink(path, b, sizeof b) > 0; }
static int sock(int family, int type) { return socket(family, type, 0) >= 0; }
static int limit(int pid, int what) { struct rlimit r = {0, 0}; return SYS(SYS_prlimit64, pid, what, &r, NULL); }
static int raises(int what) { struct rlimit r; getrlimit(what, &r); rlim_t old = r.rlim_max; r.rlim_cur = r.rlim_max = RLIM_INFINITY; return old != RLIM_INFINITY && setrlimit(what, &r) == 0; }
static int vm(int nr) { char b[8]; struct iovec l = {b, 8}, r = {(void *)0x400000, 8}; return SYS(nr, 1, &l, 1, &r, 1, 0); }
static int unix_connect(const char *path) { struct sockaddr_un a = {AF_UNIX, ""}; strcpy(a.sun_path, path); int s = socket(AF_UNIX, SOCK_SEQPACKET, 0); int t = socket(AF_UNIX, SOCK_STREAM, 0); return connect(s, (void *)&a, sizeof a) == 0 || connect(t, (void *)&a, sizeof a) == 0; }
static int unix_bind(const char *name) { struct sockaddr_un a = {AF_UNIX, ""}; memcpy(a.sun_path + (*name == '@'), name + (*name == '@'), strlen(name)); int s = socket(AF_UNIX, SOCK_STREAM, 0); return bind(s, (void *)&a, sizeof a) == 0; }
static int stack_child(void *p) { return 0; }
static int clones(int flags) { static char stack[65536]; int pid = clone(stack_child, stack + sizeof stack, flags | SIGCHLD, NULL); return pid >= 0; }
static int clone3_user(void) { uint64_t a[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD}; long r = syscall(SYS_clone3, a, sizeof a); if (r == 0) _exit(0); return r > 0; }
static int own_ns(const char *path) { int fd = open(path, O_RDONLY); return fd >= 0 && setns(fd, 0) == 0; }
static int device(void) { return mknod("/tmp/dev", S_IFCHR | 0600, (1 << 8) | 1) == 0 && opens("/tmp/dev", O_RDONLY); }
static int getfd(void) { int p = syscall(SYS_pidfd_open, 1, 0); for (int i = 0; i < 16; i++) if (SYS(SYS_pidfd_getfd, p, i, 0)) return 1; return 0; }
static int int80(void) { long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(20)); return r > 0; }
static int host_tmp(void) { return access("/var/run/docker.sock", F_OK) == 0 || access("/run/docker.sock", F_OK) == 0; }
static int others(void) { int n = 0; DIR *d = opendir("/proc"); struct dirent *e; while ((e = readdir(d))) { int p = atoi(e->d_name); if (p > 1 && p != getpid() && p != getppid()) n++; } return n; }
static int interfaces(void) { char l[512]; int n = 0; FILE *f = fopen("/proc/net/dev", "r"); while (f && fgets(l, sizeof l, f)) if (strchr(l, ':') && !strstr(l, "lo:")) n++; return n; }
static int answers(void) { struct stat s; return stat("/agon/work/answer", &s) == 0 || lists("/agon"); }

struct attempt { const char *name; int (*run)(void); };
#define TRY(label, expression) static int try_##label(void) { return (expression); }
#define ATTEMPTS \
    A(ptrace_attach_1, ptrace(PTRACE_ATTACH, 1, 0, 0) == 0) A(ptrace_seize_1, ptrace(PTRACE_SEIZE, 1, 0, 0) == 0) \
    A(ptrace_traceme, ptrace(PTRACE_TRACEME, 0, 0, 0) == 0) A(ptrace_parent, ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0) \
    A(process_vm_readv, vm(SYS_process_vm_readv)) A(process_vm_writev, vm(SYS_process_vm_writev)) \
    A(proc_1_mem, opens("/proc/1/mem", O_RDONLY)) A(proc_1_mem_write, opens("/proc/1/mem", O_WRONLY)) \
    A(proc_1_task_mem, opens("/proc/1/task/1/mem", O_RDWR)) A(proc_1_maps, reads("/proc/1/maps")) \
    A(proc_1_environ, reads("/proc/1/environ")) A(proc_1_auxv, reads("/proc/1/auxv")) A(proc_1_fd, lists("/proc/1/fd")) \
    A(proc_1_fd_3, opens("/proc/1/fd/3", O_RDWR)) A(proc_1_root, links("/proc/1/root")) A(proc_1_cwd, links("/proc/1/cwd")) \
    A(proc_1_exe, links("/proc/1/exe")) A(proc_1_ns, links("/proc/1/ns/mnt")) A(proc_1_io, reads("/proc/1/io")) \
    A(proc_1_syscall, reads("/proc/1/syscall")) A(proc_1_stack, reads("/proc/1/stack")) A(proc_1_pagemap, reads("/proc/1/pagemap")) \
    A(proc_1_clear_refs, writes("/proc/1/clear_refs", "1")) A(proc_1_oom, writes("/proc/1/oom_score_adj", "1000")) \
    A(proc_1_comm, writes("/proc/1/comm", "x")) A(proc_1_coredump, writes("/proc/1/coredump_filter", "1")) \
    A(proc_1_uid_map, writes("/proc/1/uid_map", "0 1000 1")) A(proc_1_timerslack, writes("/proc/1/timerslack_ns", "1")) \
    A(pidfd_getfd, getfd()) A(prlimit_1_nofile, limit(1, RLIMIT_NOFILE)) A(prlimit_1_cpu, limit(1, RLIMIT_CPU)) \
    A(prlimit_1_as, limit(1, RLIMIT_AS)) A(prlimit_parent, limit(getppid(), RLIMIT_NOFILE)) \
    A(setpriority_1, setpriority(PRIO_PROCESS, 1, 19) == 0) A(setpriority_user, setpriority(PRIO_USER, getuid(), 19) == 0) \
    A(sched_setscheduler_1, ({ struct sched_param p = {0}; sched_setscheduler(1, SCHED_IDLE, &p) == 0; })) \
    A(sched_setparam_1, ({ struct sched_param p = {0}; sched_setparam(1, &p) == 0; })) \
    A(ioprio_set_1, SYS(SYS_ioprio_set, 1, 1, (3 << 13))) A(rt_priority, ({ struct sched_param p = {50}; sched_setscheduler(0, SCHED_FIFO, &p) == 0; })) \
    A(inet_stream, sock(AF_INET, SOCK_STREAM)) A(inet_dgram, sock(AF_INET, SOCK_DGRAM)) A(inet_raw, sock(AF_INET, SOCK_RAW)) \
    A(inet6, sock(AF_INET6, SOCK_STREAM)) A(netlink, sock(AF_NETLINK, SOCK_RAW)) A(packet, sock(AF_PACKET, SOCK_RAW)) \
    A(vsock, sock(40, SOCK_STREAM)) A(alg, sock(38, SOCK_SEQPACKET)) A(bluetooth, sock(31, SOCK_RAW)) \
    A(unix_bind_abstract, unix_bind("@agon")) A(unix_bind_path, unix_bind("/tmp/s")) A(control_socket, unix_connect("/agon/control")) \
    A(engine_socket, unix_connect("/var/run/docker.sock")) A(host_run, host_tmp()) A(interfaces, interfaces()) \
    A(io_uring, ({ char p[120] = {0}; SYS(SYS_io_uring_setup, 4, p); })) A(aio, ({ unsigned long c = 0; SYS(SYS_io_setup, 4, &c); })) \
    A(unshare_user, unshare(CLONE_NEWUSER) == 0) A(unshare_mount, unshare(CLONE_NEWNS) == 0) A(unshare_pid, unshare(CLONE_NEWPID) == 0) \
    A(unshare_net, unshare(CLONE_NEWNET) == 0) A(unshare_ipc, unshare(CLONE_NEWIPC) == 0) A(unshare_uts, unshare(CLONE_NEWUTS) == 0) \
    A(unshare_cgroup, unshare(CLONE_NEWCGROUP) == 0) A(unshare_time, unshare(0x80) == 0) A(unshare_files, unshare(CLONE_FILES) == 0) \
    A(clone_user, clones(CLONE_NEWUSER)) A(clone_pid, clones(CLONE_NEWPID)) A(clone_user_all, clones(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID)) \
    A(clone3_user, clone3_user()) A(setns_user, own_ns("/proc/self/ns/user")) A(setns_mnt, own_ns("/proc/self/ns/mnt")) \
    A(mount_tmpfs, mount("x", "/tmp", "tmpfs", 0, "") == 0) A(mount_bind, mount("/", "/tmp", NULL, MS_BIND, NULL) == 0) \
    A(remount_root, mount("", "/", NULL, MS_REMOUNT | MS_BIND, NULL) == 0) A(umount_proc, umount2("/proc", MNT_DETACH) == 0) \
    A(pivot_root, SYS(SYS_pivot_root, "/tmp", "/tmp")) A(chroot, chroot("/tmp") == 0) A(fsopen, SYS(430, "tmpfs", 0)) \
    A(open_tree, SYS(428, AT_FDCWD, "/", 1)) A(move_mount, SYS(429, AT_FDCWD, "/tmp", AT_FDCWD, "/dev/shm", 0)) \
    A(keyctl, SYS(SYS_keyctl, 0, -3, 1)) A(add_key, SYS(SYS_add_key, "user", "k", "v", 1, -3)) A(request_key, SYS(SYS_request_key, "user", "k", NULL, -3)) \
    A(bpf, SYS(SYS_bpf, 0, "", 0)) A(userfaultfd, SYS(SYS_userfaultfd, 1)) A(perf, ({ char a[128] = {0}; SYS(SYS_perf_event_open, a, 0, -1, -1, 0); })) \
    A(shmget, SYS(SYS_shmget, 42, 4096, 01666)) A(msgget, SYS(SYS_msgget, 42, 01666)) A(semget, SYS(SYS_semget, 42, 1, 01666)) \
    A(mq_open, SYS(SYS_mq_open, "q", O_CREAT | O_RDWR, 0600, NULL)) A(mq_file, opens("/dev/mqueue/q", O_CREAT | O_RDWR)) \
    A(setuid_0, setuid(0) == 0) A(setgid_0, setgid(0) == 0) A(setresuid, setresuid(0, 0, 0) == 0) A(setgroups, SYS(SYS_setgroups, 0, NULL)) \
    A(capset, ({ uint32_t h[2] = {0x20080522, 0}, d[6] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u}; SYS(SYS_capset, h, d); })) \
    A(write_root, opens("/x", O_CREAT | O_WRONLY)) A(write_etc, opens("/etc/passwd", O_WRONLY)) A(write_usr, opens("/usr/bin/x", O_CREAT | O_WRONLY)) \
    A(write_agon, opens("/agon/x", O_CREAT | O_WRONLY)) A(write_work, opens("/agon/work/x", O_CREAT | O_WRONLY)) \
    A(write_supervisor, opens("/agon/supervisor", O_WRONLY)) A(write_self, opens("/agon/work/escape", O_WRONLY)) \
    A(unlink_work, unlink("/agon/work/behave") == 0) A(chmod_work, chmod("/agon/work/behave", 0777) == 0) A(write_dev, opens("/dev/x", O_CREAT | O_WRONLY)) \
    A(core_pattern, opens("/proc/sys/kernel/core_pattern", O_WRONLY)) A(sysrq, opens("/proc/sysrq-trigger", O_WRONLY)) \
    A(sysctl, opens("/proc/sys/vm/overcommit_memory", O_WRONLY)) A(kcore, reads("/proc/kcore")) A(kmsg, reads("/dev/kmsg")) A(dev_mem, opens("/dev/mem", O_RDONLY)) \
    A(dev_kvm, opens("/dev/kvm", O_RDWR)) A(dev_disk, opens("/dev/vda", O_RDONLY)) A(device_node, device()) \
    A(cgroup_v1_memory, writes("/sys/fs/cgroup/memory/memory.limit_in_bytes", "-1")) A(cgroup_v1_pids, writes("/sys/fs/cgroup/pids/pids.max", "max")) \
    A(cgroup_v1_release, writes("/sys/fs/cgroup/memory/release_agent", "/x")) A(cgroup_v1_mkdir, mkdir("/sys/fs/cgroup/memory/x", 0700) == 0) \
    A(cgroup_v2_memory, writes("/sys/fs/cgroup/memory.max", "max")) A(cgroup_v2_procs, writes("/sys/fs/cgroup/cgroup.procs", "0")) \
    A(raise_nofile, raises(RLIMIT_NOFILE)) A(raise_core, raises(RLIMIT_CORE)) A(raise_fsize, raises(RLIMIT_FSIZE)) A(raise_cpu, raises(RLIMIT_CPU)) \
    A(raise_stack, raises(RLIMIT_STACK)) A(init_module, SYS(SYS_init_module, "", 0, "")) A(kexec, SYS(SYS_kexec_load, 0, 0, NULL, 0)) \
    A(reboot, SYS(SYS_reboot, 0xfee1dead, 672274793, 0, NULL)) A(swapon, SYS(SYS_swapon, "/tmp/x", 0)) A(syslog, SYS(SYS_syslog, 3, "", 0)) \
    A(quotactl, SYS(SYS_quotactl, 0, NULL, 0, NULL)) A(acct, SYS(SYS_acct, NULL)) A(settimeofday, ({ struct timespec t = {0, 0}; clock_settime(CLOCK_REALTIME, &t) == 0; })) \
    A(sethostname, SYS(SYS_sethostname, "x", 1)) A(iopl, SYS(SYS_iopl, 3)) A(ioperm, SYS(SYS_ioperm, 0, 1, 1)) A(no_aslr, SYS(SYS_personality, 0x0040000)) \
    A(name_to_handle, ({ char b[200] = {0}; int m; *(int *)b = 128; SYS(SYS_name_to_handle_at, AT_FDCWD, "/", b, &m, 0); })) \
    A(open_by_handle, ({ char b[200] = {0}; SYS(SYS_open_by_handle_at, AT_FDCWD, b, 0); })) A(fanotify, SYS(SYS_fanotify_init, 0, 0)) \
    A(kcmp, SYS(SYS_kcmp, 1, getpid(), 0, 0, 0)) A(move_pages, SYS(SYS_move_pages, 1, 0, NULL, NULL, NULL, 0)) A(process_madvise, SYS(440, 3, NULL, 0, 0, 0)) \
    A(set_mempolicy, SYS(SYS_set_mempolicy, 0, NULL, 0)) A(vhangup, SYS(SYS_vhangup)) A(sync_host, SYS(SYS_syncfs, 0)) A(inotify, SYS(SYS_inotify_init1, 0)) A(chown, chown("/tmp", 0, 0) == 0) \
    A(x32, SYS(0x40000000 | 39)) A(int80, int80()) A(other_processes, others()) A(answers, answers())
#define A(label, expression) TRY(label, expression)
ATTEMPTS
#undef A
#define A(label, expression) {#label, try_##label},
static const struct attempt attempts[] = {ATTEMPTS};
#undef A

int main(void) {
    int count = sizeof attempts / sizeof *attempts;
    for (int i = 0; i < count; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) _exit(attempts[i].run() ? 1 : 0);
        int status = 0;
        waitpid(child, &status, 0);
        int blocked = WIFSIGNALED(status) || WEXITSTATUS(status) == 0;
        printf("%s %s\n", blocked ? "blocked" : "SUCCEEDED", attempts[i].name);
    }
    // Signals to PID 1 return 0 and must have no effect: the suite runs another program afterwards.
    for (int signal = 1; signal < 64; signal++) { kill(1, signal); int p = syscall(SYS_pidfd_open, 1, 0); syscall(SYS_pidfd_send_signal, p, signal, NULL, 0); close(p); }
    printf("attempts %d\n", count);
    return 0;
}
