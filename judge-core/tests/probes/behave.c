// What programs do to a judge, one behaviour per argument. Built static, run in a box.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *arg(int argc, char **argv, int i, const char *fallback) { return argc > i ? argv[i] : fallback; }

static void burn_ms(long ms) {
    struct timespec t;
    do {
        for (volatile int i = 0; i < 100000; i++) {}
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
}

static void touch(size_t bytes) {
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) exit(3);
    for (size_t i = 0; i < bytes; i += 4096) p[i] = 1;
}

static double big[100000000]; // 10^8 * 8 bytes

static volatile int depth_guard;
static int deep(int n) {
    volatile char pad[4096];
    pad[0] = (char)n;
    depth_guard += pad[0];
    return n == 0 ? 0 : deep(n - 1) + 1;
}

int main(int argc, char **argv) {
    const char *what = arg(argc, argv, 1, "");
    long n = atol(arg(argc, argv, 2, "0"));
#define IS(s) (strcmp(what, s) == 0)
    if (IS("sum")) { long a, b; if (scanf("%ld %ld", &a, &b) != 2) return 2; printf("%ld\n", a + b); return 0; }
    if (IS("cat")) { static char buf[1 << 16]; ssize_t r; while ((r = read(0, buf, sizeof buf)) > 0) for (ssize_t o = 0; o < r;) { ssize_t w = write(1, buf + o, r - o); if (w < 0) return 4; o += w; } return 0; }
    if (IS("exit")) return (int)n;
    if (IS("print-exit")) { puts(arg(argc, argv, 3, "")); fputs(arg(argc, argv, 3, ""), stderr); return (int)n; }
    if (IS("burn")) { burn_ms(n); return 0; }
    if (IS("spin")) for (;;) {}
    if (IS("spin-many")) { for (int i = 0; i < n; i++) if (fork() == 0) for (;;) {} for (;;) pause(); }
    if (IS("sleep")) { struct timespec t = {n / 1000, n % 1000 * 1000000}; nanosleep(&t, NULL); return 0; }
    if (IS("segv")) { *(volatile int *)0 = 1; return 0; }
    if (IS("fpe")) { volatile int a = 100, z = 0; return a / z; }
    if (IS("abort")) abort();
    if (IS("raise")) { raise((int)n); pause(); }
    if (IS("touch")) { touch((size_t)n << 20); return 0; }
    if (IS("touch-print")) { touch((size_t)n << 20); puts("ok"); return 0; }
    if (IS("static-array")) { for (size_t i = 0; i < sizeof big / sizeof *big; i++) big[i] = (double)i; printf("%f\n", big[12345]); return 0; }
    if (IS("child-oom")) { if (fork() == 0) { touch((size_t)n << 20); _exit(0); } wait(NULL); return 0; }
    if (IS("child-touch")) { // four children that all hold n MiB at one time
        int done[2], go[2]; char c; if (pipe(done) || pipe(go)) return 8;
        for (int i = 0; i < 4; i++) if (fork() == 0) { close(go[1]); touch((size_t)n << 20); if (write(done[1], "x", 1) != 1) _exit(8); close(done[1]); if (read(go[0], &c, 1) < 0) _exit(8); _exit(0); }
        close(done[1]); for (int i = 0; i < 4; i++) if (read(done[0], &c, 1) != 1) break;
        close(go[1]); while (wait(NULL) > 0) {}
        return 0; }
    if (IS("malloc-huge")) { void *p = malloc((size_t)4 << 40); if (!p) abort(); return 0; }
    if (IS("stack")) { deep((int)(n << 8)); return 0; } // n MiB of 4 KiB frames
    if (IS("flood")) { static char line[4096]; memset(line, 'x', sizeof line); for (;;) if (write(1, line, sizeof line) < 0) return 5; }
    if (IS("flood-lines")) for (;;) { putchar('\n'); }
    if (IS("flood-err")) { static char line[4096]; memset(line, 'e', sizeof line); for (;;) if (write(2, line, sizeof line) < 0) return 5; }
    if (IS("print-bytes")) { static char line[1 << 16]; memset(line, 'x', sizeof line); while (n > 0) { long k = n < (long)sizeof line ? n : (long)sizeof line; ssize_t w = write(1, line, k); if (w < 0) return 5; n -= w; } return 0; }
    if (IS("big-file")) { int fd = open("/tmp/big", O_CREAT | O_WRONLY, 0600); static char b[1 << 16]; for (long i = 0; i < n << 4; i++) if (write(fd, b, sizeof b) < 0) { perror("write"); return 6; } return 0; }
    if (IS("fork-bomb")) for (;;) fork();
    if (IS("fork-try")) { int ok = 0; for (int i = 0; i < n; i++) { pid_t p = fork(); if (p == 0) { sleep(5); _exit(0); } if (p < 0) { fprintf(stderr, "Cannot fork\n"); return 1; } ok++; } printf("%d\n", ok); return 0; }
    if (IS("fork-ok")) { for (int i = 0; i < n; i++) { pid_t p = fork(); if (p == 0) _exit(0); if (p < 0) return 7; waitpid(p, NULL, 0); } return 0; }
    if (IS("daemon")) { if (fork() == 0) { setsid(); if (fork() == 0) { signal(SIGTERM, SIG_IGN); signal(SIGHUP, SIG_IGN); for (;;) { int fd = open("/tmp/daemon-was-here", O_CREAT | O_WRONLY, 0600); if (fd >= 0) close(fd); usleep(1000); } } _exit(0); } usleep(50000); puts("left a daemon"); return 0; }
    if (IS("zombies")) { // orphans that end at once: who reaps them?
        for (int i = 0; i < n; i++) { pid_t p = fork(); if (p < 0) return 7; if (p == 0) { if (fork() < 0) _exit(1); _exit(0); } int st; waitpid(p, &st, 0); if (st) return 7; usleep(3000); }
        return 0; }
    if (IS("hold-stdout")) { if (fork() == 0) { for (;;) pause(); } puts("parent ends"); return 0; }
    if (IS("close-stdin")) { close(0); puts("closed"); return 0; }
    if (IS("close-stdout")) { close(1); close(2); return 0; }
    if (IS("litter")) {
        char p[64]; int fd;
        for (int i = 0; i < n; i++) { snprintf(p, sizeof p, "/tmp/f%d", i); fd = open(p, O_CREAT | O_WRONLY, 0000); if (fd < 0) break; close(fd); }
        mkdir("/tmp/locked", 0700); fd = open("/tmp/locked/in", O_CREAT | O_WRONLY, 0000); close(fd); chmod("/tmp/locked", 0000);
        symlink("/etc/passwd", "/tmp/link"); mkfifo("/tmp/fifo", 0600); mkdir("/dev/shm/d", 0000); symlink("/tmp", "/tmp/up");
        open("/dev/mqueue/q", O_CREAT | O_RDWR, 0600);
        puts("littered"); return 0; }
    if (IS("deep-dirs")) { if (chdir("/tmp")) return 8; char name[201]; memset(name, 'd', 200); name[200] = 0; int i = 0; for (; i < n; i++) { if (mkdir(name, 0700) || chdir(name)) break; int fd = open("leaf", O_CREAT | O_WRONLY, 0600); if (fd >= 0) close(fd); } printf("%d\n", i); return i == n ? 0 : 9; }
    if (IS("leftovers")) { // prints what it finds of earlier tests
        const char *folders[] = {"/tmp", "/dev/shm", "/dev/mqueue"};
        for (int i = 0; i < 3; i++) { DIR *d = opendir(folders[i]); struct dirent *e; while (d && (e = readdir(d))) if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) printf("%s/%s\n", folders[i], e->d_name); }
        DIR *d = opendir("/proc"); struct dirent *e;
        while ((e = readdir(d))) { int p = atoi(e->d_name); if (p > 1 && p != getpid()) printf("process %d\n", p); }
        return 0; }
    if (IS("limits")) { struct rlimit r; getrlimit(RLIMIT_NOFILE, &r); printf("nofile %ld\n", (long)r.rlim_max); getrlimit(RLIMIT_CORE, &r); printf("core %ld\n", (long)r.rlim_max); getrlimit(RLIMIT_STACK, &r); printf("stack %ld\n", (long)r.rlim_cur); getrlimit(RLIMIT_FSIZE, &r); printf("fsize %ld\n", (long)r.rlim_cur); return 0; }
    if (IS("fds")) { for (int fd = 3; fd < 1024; fd++) if (fcntl(fd, F_GETFD) >= 0) printf("fd %d is open\n", fd); return 0; }
    if (IS("many-files")) { int i = 0; while (i < 1000 && open("/dev/null", O_RDONLY) >= 0) i++; printf("%d\n", i); return 0; }
    if (IS("env")) { for (char **e = environ; *e; e++) puts(*e); char d[256]; puts(getcwd(d, sizeof d)); printf("%d %d\n", getpid() == getsid(0), (int)getuid()); return 0; }
    if (IS("write-stdin")) { int fd = open("/proc/self/fd/0", O_RDWR); ssize_t w = fd < 0 ? -1 : write(fd, "evil", 4); int c = fchmod(0, 0777); int t = ftruncate(0, 0); printf("%s %s %d\n", w > 0 ? "wrote" : "refused", t == 0 ? "truncated" : "refused", c); return 0; }
    if (IS("flush-lines")) { for (long i = 0; i < n; i++) { char c[2] = "1\n"; if (write(1, c, 2) < 0) return 5; } return 0; }
    if (IS("sigpipe")) { struct sigaction sa; sigaction(SIGPIPE, NULL, &sa); sigset_t s; sigprocmask(SIG_BLOCK, NULL, &s); int blocked = 0; for (int i = 1; i < 32; i++) blocked += sigismember(&s, i); printf("%s %d\n", sa.sa_handler == SIG_DFL ? "default" : "changed", blocked); return 0; }
    fprintf(stderr, "no behaviour %s\n", what);
    return 99;
}
