/* What the programs of the nodes have of the C library. */
#ifndef ANNELID_STDLIB_H
#define ANNELID_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

#ifdef __cplusplus
#define ANNELID_NOEXCEPT noexcept
extern "C" {
#else
#define ANNELID_NOEXCEPT
#endif

__attribute__((noreturn)) void exit(int status) ANNELID_NOEXCEPT;
__attribute__((noreturn)) void abort(void) ANNELID_NOEXCEPT;
/* The function runs when main returns or the program calls exit. */
int atexit(void (*function)(void)) ANNELID_NOEXCEPT;
int atoi(const char* text);
long strtol(const char* text, char** end, int base);
int abs(int value);
long labs(long value);

#ifdef __cplusplus
}
#endif
#endif
