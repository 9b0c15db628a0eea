/* Loaded before the C library (LD_PRELOAD), this lets one allocation or one call of the file system fail, or
 * kills the process before that call, as chosen by three environment variables:
 *
 *   FAULT_KIND   "memory": the allocation returns null. "call": the call returns -1, with an error number
 * that such a call can have. "kill": SIGKILL, before the call is made. Anything else: no fault FAULT_AT which
 * one, counted from 1 over the whole process FAULT_COUNT  a file that gets three numbers when the process
 * exits normally: of allocations before main(), of all allocations, and of calls
 *
 * A crash is told with the library whose code it happened in (of the C library, that of its caller), and ends
 * the process with code 250.
 *
 * Only what can leave something behind, or lose it, counts as a call: see the table at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* The C library's own allocator, under the names that it has for this purpose. */
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static atomic_ulong allocations, calls;
static unsigned long before_main;
static enum { UNKNOWN, NOTHING, MEMORY, CALL, KILL } kind;
static unsigned long chosen;

/* The environment is there before the first allocation: the loader sets it up. */
static void choose(void) {
  const char* const wanted = getenv("FAULT_KIND");
  const char* const at = getenv("FAULT_AT");
  kind = NOTHING;
  if (wanted == NULL || at == NULL) return;
  for (const char* digit = at; *digit != 0; digit++) chosen = chosen * 10 + (unsigned long)(*digit - '0');
  if (strcmp(wanted, "memory") == 0) kind = MEMORY;
  if (strcmp(wanted, "call") == 0) kind = CALL;
  if (strcmp(wanted, "kill") == 0) kind = KILL;
}

static int allocation_fails(void) {
  if (kind == UNKNOWN) choose();
  if (atomic_fetch_add(&allocations, 1) + 1 != chosen || kind != MEMORY) return 0;
  errno = ENOMEM;
  return 1;
}

static int call_fails(int error) {
  if (kind == UNKNOWN) choose();
  if (atomic_fetch_add(&calls, 1) + 1 != chosen) return 0;
  if (kind == KILL) kill(getpid(), SIGKILL);
  if (kind != CALL) return 0;
  errno = error;
  return 1;
}

void* malloc(size_t size) { return allocation_fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return allocation_fails() ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return allocation_fails() ? NULL : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) {
  return allocation_fails() ? NULL : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** made, size_t alignment, size_t size) {
  void* const memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *made = memory;
  return 0;
}

/* NAME(parameters) with the values `arguments` fails with `error`, or does what the C library's one does. */
#define FAILING(type, name, parameters, arguments, error)                 \
  type name parameters {                                                  \
    static type(*next) parameters;                                        \
    if (next == NULL) next = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
    if (call_fails(error)) return (type) - 1;                             \
    return next arguments;                                                \
  }

FAILING(int, open, (const char* path, int flags, mode_t mode), (path, flags, mode), EMFILE)
FAILING(int, open64, (const char* path, int flags, mode_t mode), (path, flags, mode), EMFILE)
FAILING(int, __open_2, (const char* path, int flags), (path, flags), EMFILE)
FAILING(int, __open64_2, (const char* path, int flags), (path, flags), EMFILE)
FAILING(int, openat, (int in, const char* path, int flags, mode_t mode), (in, path, flags, mode), EMFILE)
FAILING(int, openat64, (int in, const char* path, int flags, mode_t mode), (in, path, flags, mode), EMFILE)
FAILING(int, __openat_2, (int in, const char* path, int flags), (in, path, flags), EMFILE)
FAILING(int, __openat64_2, (int in, const char* path, int flags), (in, path, flags), EMFILE)
FAILING(ssize_t, read, (int file, void* into, size_t size), (file, into, size), EIO)
FAILING(ssize_t, pread, (int file, void* into, size_t size, off_t at), (file, into, size, at), EIO)
FAILING(ssize_t, pread64, (int file, void* into, size_t size, off_t at), (file, into, size, at), EIO)
FAILING(ssize_t, write, (int file, const void* from, size_t size), (file, from, size), ENOSPC)
FAILING(ssize_t, pwrite, (int file, const void* from, size_t size, off_t at), (file, from, size, at), ENOSPC)
FAILING(ssize_t, pwrite64, (int file, const void* from, size_t size, off_t at), (file, from, size, at),
        ENOSPC)
FAILING(int, fsync, (int file), (file), EIO)
FAILING(int, syncfs, (int file), (file), EIO)
FAILING(int, sync_file_range, (int file, off64_t at, off64_t bytes, unsigned flags), (file, at, bytes, flags),
        EIO)
FAILING(int, ftruncate, (int file, off_t size), (file, size), ENOSPC)
FAILING(int, ftruncate64, (int file, off_t size), (file, size), ENOSPC)
FAILING(int, fallocate, (int file, int mode, off_t at, off_t size), (file, mode, at, size), ENOSPC)
FAILING(int, fallocate64, (int file, int mode, off_t at, off_t size), (file, mode, at, size), ENOSPC)
FAILING(int, fchmod, (int file, mode_t mode), (file, mode), EPERM)
FAILING(int, fstat, (int file, struct stat* into), (file, into), EIO)
FAILING(int, stat, (const char* path, struct stat* into), (path, into), EACCES)
FAILING(int, lstat, (const char* path, struct stat* into), (path, into), EACCES)
FAILING(int, fstatat, (int in, const char* path, struct stat* into, int flags), (in, path, into, flags),
        EACCES)
FAILING(int, fstatvfs, (int file, struct statvfs* into), (file, into), EIO)
FAILING(int, linkat, (int a, const char* from, int b, const char* to, int flags), (a, from, b, to, flags),
        EPERM)
FAILING(int, renameat, (int a, const char* from, int b, const char* to), (a, from, b, to), EACCES)
FAILING(int, rename, (const char* from, const char* to), (from, to), EACCES)
FAILING(int, renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
        (a, from, b, to, flags), EINVAL)
FAILING(int, unlink, (const char* path), (path), EBUSY)
FAILING(int, unlinkat, (int in, const char* path, int flags), (in, path, flags), EBUSY)
FAILING(int, mkdir, (const char* path, mode_t mode), (path, mode), ENOSPC)
FAILING(int, mkostemp, (char* path, int flags), (path, flags), EMFILE)
FAILING(int, poll, (struct pollfd * files, nfds_t count, int timeout), (files, count, timeout), ENOMEM)
FAILING(int, pipe2, (int files[2], int flags), (files, flags), EMFILE)
FAILING(int, eventfd, (unsigned value, int flags), (value, flags), EMFILE)
FAILING(int, close, (int file), (file), EIO)

static void tell_crash(int signal_number) {
  void* frames[32];
  const int depth = backtrace(frames, 32);
  const char* library = "?";
  for (int i = 0; i < depth; i++) {
    Dl_info place;
    if (dladdr(frames[i], &place) == 0 || place.dli_fname == NULL) continue;
    library = place.dli_fname;
    if (strstr(library, "fault_injector") == NULL && strstr(library, "libc.so") == NULL) break;
  }
  dprintf(STDERR_FILENO, "signal %d in %s\n", signal_number, library);
  _exit(250);
}

static int (*real_main)(int, char**, char**);

static int counted_main(int argc, char** argv, char** environment) {
  before_main = allocations;
  void* frame;
  (void)backtrace(&frame, 1); /* which allocates when it is called for the first time */
  const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], tell_crash);
  return real_main(argc, argv, environment);
}

/* The C library's start of a program, which initialises its static objects and calls main(). */
int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*begin)(void),
                      void (*end)(void), void (*loader_end)(void), void* stack_end) {
  typeof(&__libc_start_main) const next = (typeof(&__libc_start_main))dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return next(counted_main, argc, argv, begin, end, loader_end, stack_end);
}

static void count(void) {
  const char* const path = getenv("FAULT_COUNT");
  if (path == NULL) return;
  kind = NOTHING;
  const unsigned long all_allocations = allocations, all_calls = calls;
  FILE* const file = fopen(path, "w");
  if (file == NULL) abort();
  fprintf(file, "%lu %lu %lu\n", before_main, all_allocations, all_calls);
  fclose(file);
}

/* How the programs end; and how those do that return from main(). */
void _exit(int code) {
  count();
  syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

__attribute__((destructor)) static void count_at_exit(void) { count(); }
