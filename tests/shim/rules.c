/* Calls that fail and the place where the process dies. */
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const NAMES[] = {"write",  "sync",   "truncate", "create", "rename",
                                    "unlink", "folder", "answer",   "engine", "say"};

struct rule {
    enum operation operation;
    char needle[200];
    long nth, seen, error, times;
    char moment[16];
    char text[300];
    int is_set;
};
static struct rule fault, death;
static const char *arm, *said;

static void read_rule(struct rule *rule, const char *variable, int is_fault) {
    const char *text = getenv(variable);
    if (!text) return;
    char operation[16] = "";
    const char *form = is_fault ? "%15[^:]:%199[^:]:%ld:%ld:%ld" : "%15[^:]:%199[^:]:%ld:%15s";
    int read = is_fault ? sscanf(text, form, operation, rule->needle, &rule->nth, &rule->error, &rule->times)
                        : sscanf(text, form, operation, rule->needle, &rule->nth, rule->moment);
    if (read != (is_fault ? 5 : 4)) abort();
    for (size_t at = 0; at < sizeof NAMES / sizeof *NAMES; at++)
        if (strcmp(operation, NAMES[at]) == 0) rule->operation = (enum operation)at, rule->is_set = 1;
    if (!rule->is_set) abort();
    snprintf(rule->text, sizeof rule->text, "%s", text);
}

__attribute__((constructor)) static void start(void) {
    read_rule(&fault, "AGON_SHIM_FAULT", 1);
    read_rule(&death, "AGON_SHIM_KILL", 0);
    arm = getenv("AGON_SHIM_ARM");
    said = getenv("AGON_SHIM_SAID");
}

static void say(const struct rule *rule) {
    if (!said) return;
    int file = open(said, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    dprintf(file, "%s\n", rule->text);
    close(file);
}

/* Whether the rule's needle is in the subject; one that ends in `$` must be at its end. */
static int fits(const struct rule *rule, const char *subject, size_t length) {
    size_t wanted = strlen(rule->needle);
    if (wanted == 0 || rule->needle[wanted - 1] != '$') return memmem(subject, length, rule->needle, wanted) != NULL;
    wanted--;
    return length >= wanted && memcmp(subject + length - wanted, rule->needle, wanted) == 0;
}

/* Whether this call is the rule's n-th. */
static int is_due(struct rule *rule, enum operation operation, const void *subject, size_t length) {
    if (!rule->is_set || rule->operation != operation) return 0;
    if (!fits(rule, subject, length)) return 0;
    if (arm && access(arm, F_OK) != 0) return 0;
    rule->seen++;
    return rule->seen >= rule->nth;
}

struct verdict shim_judge(enum operation operation, const void *subject, size_t length) {
    struct verdict verdict = {0, 0, 0};
    if (is_due(&death, operation, subject, length) && death.seen == death.nth) {
        if (strcmp(death.moment, "before") == 0) shim_die();
        verdict.is_torn = strcmp(death.moment, "torn") == 0;
        verdict.dies_after = !verdict.is_torn;
    }
    if (is_due(&fault, operation, subject, length)) {
        if (fault.times == 0 || fault.seen < fault.nth + fault.times) {
            say(&fault);
            verdict.error = (int)fault.error;
        }
    }
    return verdict;
}

_Noreturn void shim_die(void) {
    say(&death);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}
