// A library for LD_PRELOAD: the n-th call of one kind fails, once, in the program or its children.
//
//   ANNELID_FAULT=KIND:N   KIND is write, open, rename, mmap or alloc; N counts from 1; 0: none fails
//   ANNELID_FAULT_COUNT=FILE   the number of calls of that kind is written there when main() returns
//
// Calls count from the beginning of main() on. What the C library calls within itself is not seen.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { kWrite, kOpen, kRename, kMmap, kAlloc, kKinds };
static const char* const kNames[kKinds] = {"write", "open", "rename", "mmap", "alloc"};

static struct {
  atomic_int armed;
  atomic_long calls;
} * shared;  // with the children
static int chosen = -1;
static long fails_at;

static int fails(enum kind kind) {
  if (shared == NULL || (int)kind != chosen || !atomic_load(&shared->armed)) return 0;
  return atomic_fetch_add(&shared->calls, 1) + 1 == fails_at;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int (*real_main)(int, char**, char**);

static int counted_main(int argc, char** argv, char** environment) {
  const char* fault = getenv("ANNELID_FAULT");
  const char* colon = fault == NULL ? NULL : strchr(fault, ':');
  if (colon != NULL) {
    for (int k = 0; k < kKinds; ++k) {
      if (strncmp(fault, kNames[k], (size_t)(colon - fault)) == 0) chosen = k;
    }
    fails_at = atol(colon + 1);
    shared = (void*)syscall(SYS_mmap, NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    atomic_store(&shared->armed, 1);
  }
  unsetenv("LD_PRELOAD");  // gnuplot's faults are its own
  const int status = real_main(argc, argv, environment);
  if (shared == NULL) return status;
  atomic_store(&shared->armed, 0);
  const char* count = getenv("ANNELID_FAULT_COUNT");
  FILE* file = count == NULL ? NULL : fopen(count, "w");
  if (file != NULL) {
    fprintf(file, "%ld\n", atomic_load(&shared->calls));
    fclose(file);
  }
  return status;
}

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void* stack_end) {
  typedef int (*Start)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void),
                       void (*)(void), void*);
  real_main = main;
  const Start start = (Start)dlsym(RTLD_NEXT, "__libc_start_main");
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

// ---- Writing ------------------------------------------------------------------------------------

ssize_t write(int descriptor, const void* text, size_t count) {
  if (!fails(kWrite)) return syscall(SYS_write, descriptor, text, count);
  errno = ENOSPC;
  return -1;
}

ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  if (!fails(kWrite)) return syscall(SYS_writev, descriptor, parts, count);
  errno = ENOSPC;
  return -1;
}

size_t fwrite(const void* text, size_t size, size_t count, FILE* file) {
  if (!fails(kWrite)) return REAL(fwrite)(text, size, count, file);
  errno = ENOSPC;
  return 0;
}

int fflush(FILE* file) {
  if (file == NULL || !fails(kWrite)) return REAL(fflush)(file);
  errno = ENOSPC;
  return EOF;
}

// ---- Opening ------------------------------------------------------------------------------------

static int open_at(int folder, const char* path, int flags, mode_t mode) {
  if (!fails(kOpen)) return (int)syscall(SYS_openat, folder, path, flags, mode);
  errno = EMFILE;
  return -1;
}

#define MODE(flags)                                       \
  mode_t mode = 0;                                        \
  if (((flags) & (O_CREAT | O_TMPFILE)) != 0) {           \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    mode = (mode_t)va_arg(rest, int);                     \
    va_end(rest);                                         \
  }

int open(const char* path, int flags, ...) {
  MODE(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE(flags)
  return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE(flags)
  return open_at(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  if (!fails(kOpen)) return REAL(fopen)(path, mode);
  errno = EMFILE;
  return NULL;
}
FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

int memfd_create(const char* name, unsigned flags) {
  if (!fails(kOpen)) return (int)syscall(SYS_memfd_create, name, flags);
  errno = EMFILE;
  return -1;
}

// ---- Giving names -------------------------------------------------------------------------------

int rename(const char* from, const char* to) {
  if (!fails(kRename)) return (int)syscall(SYS_rename, from, to);
  errno = EIO;
  return -1;
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (!fails(kRename)) return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
  errno = EIO;
  return -1;
}

int mkdir(const char* path, mode_t mode) {
  if (!fails(kRename)) return (int)syscall(SYS_mkdir, path, mode);
  errno = ENOSPC;
  return -1;
}

// ---- Memory -------------------------------------------------------------------------------------

void* mmap(void* place, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  if (!fails(kMmap)) {
    return (void*)syscall(SYS_mmap, place, bytes, protection, flags, descriptor, offset);
  }
  errno = ENOMEM;
  return MAP_FAILED;
}
void* mmap64(void* place, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  return mmap(place, bytes, protection, flags, descriptor, offset);
}

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* block, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);

/// SystemC's library takes every block that it asks for itself as given.
static int is_systemc(void* caller) {
  Dl_info from;
  return dladdr(caller, &from) != 0 && from.dli_fname != NULL &&
         strstr(from.dli_fname, "libsystemc") != NULL;
}

static int no_memory(void* caller) {
  if (!fails(kAlloc)) return 0;
  if (is_systemc(caller)) {
    ++fails_at;  // the next one, then
    return 0;
  }
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t bytes) { return no_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) { return no_memory(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes); }
void* realloc(void* block, size_t bytes) {
  return no_memory(__builtin_return_address(0)) ? NULL : __libc_realloc(block, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  return no_memory(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** block, size_t alignment, size_t bytes) {
  if (no_memory(__builtin_return_address(0))) return ENOMEM;
  *block = __libc_memalign(alignment, bytes);
  return *block == NULL ? ENOMEM : 0;
}
