/* What the programs of the nodes have of the C library. `annelid firmware run` prints each line behind the name of its
   node, in the order of cycles and nodes.

   Conversions: %d %i %u %x %X %o %c %s %p %f %e %g %%, also %F %E %G, with the flags - 0 + # and space, width and
   precision (a number or *), and the lengths hh h l ll z j t. All digits of real numbers are right, and ties round to the
   even digit. A conversion that is not served is printed as it stands; those of C (%a %n %lc %ls %Lf) take their
   argument. */
#ifndef ANNELID_STDIO_H
#define ANNELID_STDIO_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct annelid_file FILE;
#define stdout ((FILE*)1)
#define stderr ((FILE*)2)
#define EOF (-1)

int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE* file, const char* format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char* to, size_t room, const char* format, ...) __attribute__((format(printf, 3, 4)));
int vprintf(const char* format, va_list values) __attribute__((format(printf, 1, 0)));
int vfprintf(FILE* file, const char* format, va_list values) __attribute__((format(printf, 2, 0)));
int vsnprintf(char* to, size_t room, const char* format, va_list values) __attribute__((format(printf, 3, 0)));
int puts(const char* text);
int fputs(const char* text, FILE* file);
int putchar(int c);
int fflush(FILE* file); /* nothing is kept back */

#ifdef __cplusplus
}
#endif
#endif
