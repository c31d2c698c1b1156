// What the programs of the nodes have of the C library's texts and numbers.
#include "firmware/kit/include/stdlib.h"
#include "firmware/kit/include/string.h"

extern "C" {

size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

int strncmp(const char* a, const char* b, size_t most) {
  for (; most > 0; --most, ++a, ++b) {
    const auto x = static_cast<unsigned char>(*a), y = static_cast<unsigned char>(*b);
    if (x != y) return x < y ? -1 : 1;
    if (x == 0) return 0;
  }
  return 0;
}

int strcmp(const char* a, const char* b) { return strncmp(a, b, ~size_t{0}); }

char* strcpy(char* to, const char* from) {
  return static_cast<char*>(memcpy(to, from, strlen(from) + 1));
}

char* strchr(const char* text, int c) {
  for (;; ++text) {
    if (*text == static_cast<char>(c)) return const_cast<char*>(text);
    if (*text == 0) return nullptr;
  }
}

long strtol(const char* text, char** end, int base) {
  const char* at = text;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) ++at;
  const bool negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  const bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  if ((base == 0 || base == 16) && hex) {
    at += 2;
    base = 16;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  // The largest magnitude is taken for numbers that are too large, as everywhere.
  const unsigned long most = negative ? 0x80000000UL : 0x7FFFFFFFUL;
  unsigned long value = 0;
  bool any = false, too_large = false;
  for (;; ++at) {
    const char c = *at;
    int digit = 99;
    if (c >= '0' && c <= '9') digit = c - '0';
    if (c >= 'a' && c <= 'z') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') digit = c - 'A' + 10;
    if (digit >= base) break;
    any = true;
    const unsigned long long next =
        static_cast<unsigned long long>(value) * static_cast<unsigned long long>(base) +
        static_cast<unsigned long long>(digit);
    if (next > most) too_large = true;
    value = too_large ? most : static_cast<unsigned long>(next);
  }
  if (end != nullptr) *end = const_cast<char*>(any ? at : text);
  return negative ? static_cast<long>(0UL - value) : static_cast<long>(value);
}

int atoi(const char* text) { return static_cast<int>(strtol(text, nullptr, 10)); }
long labs(long value) { return value < 0 ? -value : value; }
int abs(int value) { return value < 0 ? -value : value; }

}  // extern "C"
