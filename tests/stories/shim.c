/* Counts, fails, tears or ends the process at the N-th call that changes a file below one folder.
   With NO_SHARED_MEMORY set, no file of shared memory can be mapped, as on some network file systems. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COUNT, DIE, FAIL, TEAR_AND_DIE, TEAR_AND_FAIL };

static char below[PATH_MAX];
static long at, seen;
static int kind, code, diary = -1, armed, full;

void fault_arm(const char *folder, long number, int how, int error, int log) {
    snprintf(below, sizeof below, "%s", folder);
    at = number, kind = how, code = error, diary = log, seen = 0, full = 0, armed = 1;
}

long fault_disarm(void) {
    armed = 0;
    return seen;
}

static int inside(const char *path) {
    return path && strncmp(path, below, strlen(below)) == 0;
}

static int handle_inside(int handle, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t size = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    path[size < 0 ? 0 : size] = 0;
    return inside(path);
}

/* Nonzero: the call must fail with errno set. */
static int fault(const char *name, const char *path) {
    seen++;
    if (diary >= 0) {
        char line[PATH_MAX + 64];
        int size = snprintf(line, sizeof line, "%s %s\n", name, path + strlen(below));
        syscall(SYS_write, diary, line, size);
    }
    if (seen != at || kind == COUNT) return 0;
    if (kind == DIE) kill(getpid(), SIGKILL);
    if (kind == FAIL) {
        errno = code;
        return 1;
    }
    return 0;
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = dlsym(RTLD_NEXT, name)

#define ON_PATH(result, name, path, parameters, arguments) \
    result name parameters { \
        static result(*real) parameters; \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        if (armed && inside(path) && fault(#name, path)) return -1; \
        return real arguments; \
    }

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        static int (*real)(const char *, int, ...); \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        va_list rest; \
        va_start(rest, flags); \
        int mode = va_arg(rest, int); \
        va_end(rest); \
        if (armed && (flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC)) && inside(path) && fault("open", path)) return -1; \
        return real(path, flags, mode); \
    }

#define OPENS_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        static int (*real)(int, const char *, int, ...); \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        va_list rest; \
        va_start(rest, flags); \
        int mode = va_arg(rest, int); \
        va_end(rest); \
        if (armed && (flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC)) && inside(path) && fault("open", path)) return -1; \
        return real(folder, path, flags, mode); \
    }

OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)

ON_PATH(int, unlink, path, (const char *path), (path))
ON_PATH(int, rmdir, path, (const char *path), (path))
ON_PATH(int, mkdir, path, (const char *path, mode_t mode), (path, mode))
ON_PATH(int, chmod, path, (const char *path, mode_t mode), (path, mode))
ON_PATH(int, rename, to, (const char *from, const char *to), (from, to))
ON_PATH(int, link, to, (const char *from, const char *to), (from, to))

int unlinkat(int folder, const char *path, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    char home[PATH_MAX];
    if (armed && (inside(path) || (folder != AT_FDCWD && handle_inside(folder, home))) && fault("unlinkat", inside(path) ? path : home)) return -1;
    return real(folder, path, flags);
}

int linkat(int one, const char *from, int two, const char *to, int flags) {
    REAL(int, "linkat", int, const char *, int, const char *, int);
    if (armed && inside(to) && fault("link", to)) return -1;
    return real(one, from, two, to, flags);
}

int renameat2(int one, const char *from, int two, const char *to, unsigned flags) {
    REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
    if (armed && inside(to) && fault("renameat2", to)) return -1;
    return real(one, from, two, to, flags);
}

int fsync(int handle) {
    char path[PATH_MAX];
    if (armed && handle_inside(handle, path) && fault("fsync", path)) return -1;
    return 0; /* a killed process loses nothing that it has written: waiting for the disk would only cost time */
}

int fchmod(int handle, mode_t mode) {
    REAL(int, "fchmod", int, mode_t);
    char path[PATH_MAX];
    if (armed && handle_inside(handle, path) && fault("fchmod", path)) return -1;
    return real(handle, mode);
}

int ftruncate(int handle, off_t size) {
    REAL(int, "ftruncate", int, off_t);
    char path[PATH_MAX];
    if (armed && handle_inside(handle, path) && fault("ftruncate", path)) return -1;
    return real(handle, size);
}

ssize_t write(int handle, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    char path[PATH_MAX];
    if (!armed || !handle_inside(handle, path)) return real(handle, data, size);
    if (full) {
        errno = code;
        return -1;
    }
    if (fault("write", path)) return -1;
    if (seen != at || (kind != TEAR_AND_DIE && kind != TEAR_AND_FAIL)) return real(handle, data, size);
    ssize_t half = real(handle, data, (size + 1) / 2);
    if (kind == TEAR_AND_DIE) kill(getpid(), SIGKILL);
    full = 1;
    return half;
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t size) {
    REAL(ssize_t, "sendfile64", int, int, off64_t *, size_t);
    char path[PATH_MAX];
    if (armed && handle_inside(to, path) && fault("sendfile", path)) return -1;
    return real(to, from, offset, size);
}

void *mmap(void *start, size_t size, int access, int flags, int handle, off_t offset) {
    char path[PATH_MAX] = "";
    if (handle >= 0 && !(flags & MAP_PRIVATE) && getenv("NO_SHARED_MEMORY")) handle_inside(handle, path);
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, "-shm") == 0) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, start, size, access, flags, handle, offset);
}

void *mmap64(void *start, size_t size, int access, int flags, int handle, off64_t offset) {
    return mmap(start, size, access, flags, handle, offset);
}
