/* The C library's calls that change a disk or speak to somebody, each recorded, failed or made fatal on its way. */
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <netinet/in.h>
#include <unistd.h>

/* The C library's own, behind ours. */
#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int refuse(int error) {
    errno = error;
    return -1;
}

/* ---- files ---- */

typedef int (*opens)(const char *, int, ...);

static int open_watched(opens real, const char *path, int flags, mode_t mode) {
    struct stat found;
    shim_lock();
    int was_there = lstat(path, &found) == 0;
    struct verdict verdict = {0, 0, 0};
    if (!was_there && (flags & O_CREAT)) verdict = shim_judge(OP_CREATE, path, strlen(path));
    int file = verdict.error ? refuse(verdict.error) : real(path, flags, mode);
    int error = errno;
    if (file >= 0 && fstat(file, &found) == 0) {
        shim_remember(found.st_ino, path);
        shim_record(was_there ? SEEN : CREATED, found.st_ino, 0, path, NULL, NULL, 0);
        if (was_there && (flags & O_TRUNC)) shim_record(TRUNCATED, found.st_ino, 0, NULL, NULL, NULL, 0);
    }
    if (verdict.dies_after || verdict.is_torn) shim_die();
    shim_unlock();
    errno = error;
    return file;
}

/* A file that is not watched may have got the number of one that was and is gone. */
static int open_other(opens real, const char *path, int flags, mode_t mode) {
    struct stat found;
    int file = real(path, flags, mode);
    int error = errno;
    if (file >= 0 && shim_is_below_root(path) && fstat(file, &found) == 0) {
        shim_lock();
        shim_forget(found.st_ino);
        shim_unlock();
    }
    errno = error;
    return file;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        return shim_watches(path) ? open_watched(real, path, flags, mode) : open_other(real, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

/* What a descriptor is: a file of the disk, a client, the engine, or nothing of ours. */
enum target { NOTHING, ON_DISK, CLIENT, ENGINE, TERMINAL };

static enum target target_of(int fd, struct stat *found, uint16_t *port) {
    if (fd == STDERR_FILENO) return TERMINAL;
    if (fstat(fd, found) != 0) return NOTHING;
    if (S_ISREG(found->st_mode) || S_ISDIR(found->st_mode)) return shim_path(found->st_ino) ? ON_DISK : NOTHING;
    if (!S_ISSOCK(found->st_mode)) return NOTHING;
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    if (getpeername(fd, (struct sockaddr *)&peer, &length) != 0) return NOTHING;
    if (peer.ss_family == AF_UNIX) return ENGINE;
    if (peer.ss_family != AF_INET) return NOTHING;
    *port = ntohs(((struct sockaddr_in *)&peer)->sin_port);
    return CLIENT;
}

static size_t joined(const struct iovec *parts, int count, char *to, size_t room) {
    size_t length = 0;
    for (int at = 0; at < count; at++)
        for (size_t byte = 0; byte < parts[at].iov_len && length < room; byte++)
            to[length++] = ((const char *)parts[at].iov_base)[byte];
    return length;
}

/* What is being sent, whole; used under the lock. */
static char bytes[1 << 20];

static uint64_t offset_before(int fd, ssize_t wrote) { return (uint64_t)(lseek(fd, 0, SEEK_CUR) - wrote); }

/* A call that sends bytes: `DO(n)` does it with the first n of them only (SIZE_MAX: all). */
#define SENDING(fd, parts, count, offset, DO) \
    struct stat found; \
    uint16_t port = 0; \
    enum target target = target_of(fd, &found, &port); \
    if (target == NOTHING) return DO(SIZE_MAX); \
    shim_lock(); \
    size_t length = joined(parts, count, bytes, sizeof bytes); \
    const char *path = target == ON_DISK ? shim_path(found.st_ino) : bytes; \
    enum operation operation = target == ON_DISK  ? OP_WRITE \
                               : target == CLIENT ? OP_ANSWER \
                               : target == ENGINE ? OP_ENGINE \
                                                  : OP_SAY; \
    struct verdict verdict = shim_judge(operation, path, target == ON_DISK ? strlen(path) : length); \
    if (target == CLIENT) shim_record(ANSWERED, port, 0, NULL, NULL, bytes, length < 4096 ? length : 4096); \
    ssize_t wrote = verdict.error ? refuse(verdict.error) : DO(verdict.is_torn ? length / 2 : SIZE_MAX); \
    int error = errno; \
    if (target == ON_DISK && wrote > 0) { \
        if ((size_t)wrote > length) shim_record(UNSUPPORTED, 0, 0, "a write of more than a MiB", NULL, NULL, 0); \
        shim_record(WRITTEN, found.st_ino, offset, NULL, NULL, bytes, (size_t)wrote); \
    } \
    if (verdict.is_torn || verdict.dies_after) shim_die(); \
    shim_unlock(); \
    errno = error; \
    return wrote

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

ssize_t write(int fd, const void *from, size_t size) {
    REAL(write);
    struct iovec part = {(void *)from, size};
#define DO(n) real(fd, from, least(least(n, size), 1 << 20))
    SENDING(fd, &part, 1, offset_before(fd, wrote), DO);
#undef DO
}

#define PWRITE(name) \
    ssize_t name(int fd, const void *from, size_t size, off64_t at) { \
        REAL(name); \
        struct iovec part = {(void *)from, size}; \
        SENDING(fd, &part, 1, (uint64_t)at, PWRITE_DO); \
    }
#define PWRITE_DO(n) real(fd, from, least(least(n, size), 1 << 20), at)
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(writev);
    /* A torn one sends its first part only. */
#define DO(n) real(fd, parts, (n) == SIZE_MAX ? count : 1)
    SENDING(fd, parts, count, offset_before(fd, wrote), DO);
#undef DO
}

ssize_t send(int fd, const void *from, size_t size, int flags) {
    REAL(send);
    struct iovec part = {(void *)from, size};
#define DO(n) real(fd, from, least(n, size), flags)
    SENDING(fd, &part, 1, 0, DO);
#undef DO
}

ssize_t sendto(int fd, const void *from, size_t size, int flags, const struct sockaddr *to, socklen_t to_length) {
    REAL(sendto);
    struct iovec part = {(void *)from, size};
#define DO(n) real(fd, from, least(n, size), flags, to, to_length)
    SENDING(fd, &part, 1, 0, DO);
#undef DO
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    REAL(sendmsg);
    /* A torn message is not sent at all. */
#define DO(n) ((n) == SIZE_MAX ? real(fd, message, flags) : 0)
    SENDING(fd, message->msg_iov, (int)message->msg_iovlen, 0, DO);
#undef DO
}

/* ---- durability ---- */

static int sync_watched(int fd, int (*real)(int)) {
    struct stat found;
    uint16_t port;
    if (target_of(fd, &found, &port) != ON_DISK) return real(fd);
    shim_lock();
    const char *path = shim_path(found.st_ino);
    struct verdict verdict = shim_judge(S_ISDIR(found.st_mode) ? OP_FOLDER : OP_SYNC, path, strlen(path));
    if (verdict.is_torn) shim_die();
    /* Where the disk is rebuilt from the record, the real one need not keep anything. */
    int result = verdict.error ? refuse(verdict.error) : shim_records() ? 0 : real(fd);
    int error = errno;
    shim_record(result == 0 ? SYNCED : SYNC_FAILED, found.st_ino, 0, NULL, NULL, NULL, 0);
    if (verdict.dies_after) shim_die();
    shim_unlock();
    errno = error;
    return result;
}

int fsync(int fd) {
    REAL(fsync);
    return sync_watched(fd, real);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    return sync_watched(fd, real);
}

static int truncate_watched(int fd, off64_t size, int (*real)(int, off64_t)) {
    struct stat found;
    uint16_t port;
    if (target_of(fd, &found, &port) != ON_DISK) return real(fd, size);
    shim_lock();
    const char *path = shim_path(found.st_ino);
    struct verdict verdict = shim_judge(OP_TRUNCATE, path, strlen(path));
    int result = verdict.error ? refuse(verdict.error) : real(fd, size);
    int error = errno;
    if (result == 0) shim_record(TRUNCATED, found.st_ino, (uint64_t)size, NULL, NULL, NULL, 0);
    if (verdict.is_torn || verdict.dies_after) shim_die();
    shim_unlock();
    errno = error;
    return result;
}

int ftruncate(int fd, off_t size) {
    REAL(ftruncate);
    return truncate_watched(fd, size, real);
}

int ftruncate64(int fd, off64_t size) {
    REAL(ftruncate64);
    return truncate_watched(fd, size, real);
}

/* ---- names ---- */

#define NAMING(kind_, operation, path, path2, subject, CALL) \
    if (!shim_watches(path)) return CALL; \
    shim_lock(); \
    struct verdict verdict = shim_judge(operation, subject, strlen(subject)); \
    int result = verdict.error ? refuse(verdict.error) : CALL; \
    int error = errno; \
    if (result == 0) shim_record(kind_, 0, 0, path, path2, NULL, 0); \
    if (verdict.is_torn || verdict.dies_after) shim_die(); \
    shim_unlock(); \
    errno = error; \
    return result

int rename(const char *from, const char *to) {
    REAL(rename);
    NAMING(RENAMED, OP_RENAME, from, to, to, real(from, to));
}

int link(const char *from, const char *to) {
    REAL(link);
    NAMING(LINKED, OP_RENAME, from, to, to, real(from, to));
}

int unlink(const char *path) {
    REAL(unlink);
    NAMING(UNLINKED, OP_UNLINK, path, NULL, path, real(path));
}

int rmdir(const char *path) {
    REAL(rmdir);
    NAMING(REMOVED_FOLDER, OP_UNLINK, path, NULL, path, real(path));
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    NAMING(MADE_FOLDER, OP_CREATE, path, NULL, path, real(path, mode));
}

/* ---- what the record could not follow: refused where the caller has another way, noted where not ---- */

ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t size, unsigned flags) {
    REAL(copy_file_range);
    struct stat found;
    uint16_t port;
    return target_of(out, &found, &port) == ON_DISK ? refuse(EXDEV) : real(in, in_at, out, out_at, size, flags);
}

#define SENDFILE(name, offset) \
    ssize_t name(int out, int in, offset *at, size_t size) { \
        REAL(name); \
        struct stat found; \
        uint16_t port; \
        return target_of(out, &found, &port) == ON_DISK ? refuse(EINVAL) : real(out, in, at, size); \
    }
SENDFILE(sendfile, off_t)
SENDFILE(sendfile64, off64_t)

#define MMAP(name) \
    void *name(void *at, size_t size, int protection, int flags, int fd, off64_t offset) { \
        REAL(name); \
        struct stat found; \
        uint16_t port; \
        if (fd >= 0 && (flags & MAP_SHARED) && (protection & PROT_WRITE) && target_of(fd, &found, &port) == ON_DISK) \
            shim_record(UNSUPPORTED, found.st_ino, 0, "mmap", NULL, NULL, 0); \
        return real(at, size, protection, flags, fd, offset); \
    }
MMAP(mmap)
MMAP(mmap64)

#define FALLOCATE(name) \
    int name(int fd, off64_t at, off64_t size) { \
        REAL(name); \
        struct stat found; \
        uint16_t port; \
        return target_of(fd, &found, &port) == ON_DISK ? EOPNOTSUPP : real(fd, at, size); \
    }
FALLOCATE(posix_fallocate)
FALLOCATE(posix_fallocate64)
