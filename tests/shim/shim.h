/* Shared by the parts of the shim that is preloaded under a real `agon`: it records what reaches the disk, makes calls
 * fail or the process die at chosen places, and shifts the wall clock. Nothing of it is in the program itself.
 *
 * Environment, all optional:
 *   AGON_SHIM_ROOT   absolute folder; only files below it count as "the disk"
 *   AGON_SHIM_LOG    file that gets a record of every change to the disk and of every answer to a client
 *   AGON_SHIM_FAULT  operation:needle:nth:errno:times  the n-th matching call fails, `times` of them (0: from then on)
 *   AGON_SHIM_KILL   operation:needle:nth:moment       SIGKILL at the n-th matching call; moment: before, torn, after
 *   AGON_SHIM_ARM    file; while it does not exist, faults and kills wait and count nothing
 *   AGON_SHIM_SAID   file that gets a line when a fault or the kill happened
 *   AGON_SHIM_CLOCK  file with eight bytes: nanoseconds added to the wall clock, read anew at every look
 */
#ifndef AGON_SHIM_H
#define AGON_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum kind {
    SEEN = 1, CREATED, WRITTEN, TRUNCATED, SYNCED, RENAMED, UNLINKED, MADE_FOLDER, REMOVED_FOLDER, LINKED, ANSWERED,
    UNSUPPORTED, SYNC_FAILED,
};

enum operation { OP_WRITE, OP_SYNC, OP_TRUNCATE, OP_CREATE, OP_RENAME, OP_UNLINK, OP_FOLDER, OP_ANSWER, OP_ENGINE, OP_SAY };

/* One lock over everything that is recorded, so that the record has the order in which things happened. */
void shim_lock(void);
void shim_unlock(void);

/* Whether the path lies on the disk that is watched. SQLite's shared-memory index, sockets, staging and caches do not:
 * each is made anew at every start. */
int shim_watches(const char *path);
int shim_is_below_root(const char *path);
/* The path under which a watched file was opened first, by its inode; NULL for any other file. */
const char *shim_path(ino_t inode);
void shim_remember(ino_t inode, const char *path);
/* The file that had this number is gone, and another one has it. */
void shim_forget(ino_t inode);

/* Whether anything is recorded; then syncs need not reach the real disk. */
int shim_records(void);
void shim_record(enum kind kind, ino_t inode, uint64_t offset, const char *path, const char *path2, const void *data,
                 size_t length);

/* What the rules say about a call on `subject` (a path, or the bytes that are sent). */
struct verdict {
    int error;    /* not 0: fail with it */
    int is_torn;  /* do half of it, then die */
    int dies_after;
};
struct verdict shim_judge(enum operation operation, const void *subject, size_t length);
_Noreturn void shim_die(void);

#endif
