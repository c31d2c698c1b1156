// A library for LD_PRELOAD: the system lacks what ANNELID_WITHOUT names, with commas between the names.
//
//   flock    the file system has no locks, as many of those of clusters
//   linkat   it has files without a name, but cannot give them one
//   proc     there is no /proc
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

static int lacks(const char* what) {
  const char* all = getenv("ANNELID_WITHOUT");
  return all != NULL && strstr(all, what) != NULL;
}

static int refuse(int error) {
  errno = error;
  return -1;
}

static int is_gone(const char* path) { return strncmp(path, "/proc", 5) == 0 && lacks("proc"); }

int flock(int descriptor, int operation) {
  if (lacks("flock")) return refuse(ENOSYS);
  return (int)syscall(SYS_flock, descriptor, operation);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (lacks("linkat")) return refuse(EOPNOTSUPP);
  if (is_gone(from)) return refuse(ENOENT);
  return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

ssize_t readlink(const char* path, char* target, size_t bytes) {
  if (is_gone(path)) return refuse(ENOENT);
  return syscall(SYS_readlinkat, AT_FDCWD, path, target, bytes);
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = (mode_t)va_arg(rest, int);
    va_end(rest);
  }
  if (is_gone(path)) return refuse(ENOENT);
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  if (is_gone(path)) {
    errno = ENOENT;
    return NULL;
  }
  return ((FILE * (*)(const char*, const char*)) dlsym(RTLD_NEXT, "fopen"))(path, mode);
}

int open64(const char* path, int flags, ...) __attribute__((alias("open")));
FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));
