/* What the programs of the nodes have of the C library. */
#ifndef ANNELID_STRING_H
#define ANNELID_STRING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void* memcpy(void* to, const void* from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* a, const void* b, size_t bytes);
size_t strlen(const char* text);
int strcmp(const char* a, const char* b);
int strncmp(const char* a, const char* b, size_t most);
char* strcpy(char* to, const char* from);
char* strchr(const char* text, int c);

#ifdef __cplusplus
}
#endif
#endif
