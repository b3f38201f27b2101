/* The record of what reached the disk, and which files are on it. */
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES_MAX 65536

static pthread_mutex_t turn = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static const char *root;
static size_t root_length;
static int log_file = -1;
static ssize_t (*real_write)(int, const void *, size_t);

struct file {
    ino_t inode;
    char *path;
};
static struct file files[FILES_MAX];

__attribute__((constructor)) static void start(void) {
    real_write = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    root = getenv("AGON_SHIM_ROOT");
    root_length = root ? strlen(root) : 0;
    const char *log = getenv("AGON_SHIM_LOG");
    if (log) log_file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log && log_file < 0) abort();
    /* Programs that ours starts are not watched. */
    unsetenv("LD_PRELOAD");
}

void shim_lock(void) { pthread_mutex_lock(&turn); }
void shim_unlock(void) { pthread_mutex_unlock(&turn); }
int shim_records(void) { return log_file >= 0; }

static int has_part(const char *path, const char *part) { return strstr(path + root_length, part) != NULL; }

static int ends_with(const char *path, const char *end) {
    size_t length = strlen(path), wanted = strlen(end);
    return length >= wanted && strcmp(path + length - wanted, end) == 0;
}

int shim_is_below_root(const char *path) {
    if (!root || !path || strncmp(path, root, root_length) != 0) return 0;
    return path[root_length] == '/' || path[root_length] == 0;
}

int shim_watches(const char *path) {
    if (!shim_is_below_root(path)) return 0;
    return !ends_with(path, "-shm") && !has_part(path, "/run/") && !has_part(path, "/cache");
}

static struct file *slot(ino_t inode) {
    for (size_t at = inode % FILES_MAX, tried = 0; tried < FILES_MAX; at = (at + 1) % FILES_MAX, tried++)
        if (files[at].inode == inode || files[at].inode == 0) return &files[at];
    abort();
}

const char *shim_path(ino_t inode) {
    struct file *found = slot(inode);
    return found->inode ? found->path : NULL;
}

void shim_remember(ino_t inode, const char *path) {
    struct file *found = slot(inode);
    free(found->path);
    *found = (struct file){inode, strdup(path)};
}

void shim_forget(ino_t inode) {
    struct file *found = slot(inode);
    free(found->path);
    found->path = NULL;
}

static void put(const void *bytes, size_t length) {
    for (const char *from = bytes; length > 0;) {
        ssize_t wrote = real_write(log_file, from, length);
        if (wrote <= 0) abort();
        from += wrote;
        length -= (size_t)wrote;
    }
}

void shim_record(enum kind kind, ino_t inode, uint64_t offset, const char *path, const char *path2, const void *data,
                 size_t length) {
    if (log_file < 0) return;
    size_t first = path ? strlen(path) : 0, second = path2 ? strlen(path2) : 0;
    uint64_t head[6] = {kind, inode, offset, first, second, data ? length : 0};
    put(head, sizeof head);
    put(path, first);
    put(path2, second);
    if (data) put(data, length);
}
