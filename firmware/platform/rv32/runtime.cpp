// What the compiler and the C++ headers expect of a C library.
#include <cstddef>
#include <cstdint>

#include "firmware/platform/stop.hpp"

namespace {

using Word = std::uint32_t;
// Words that may alias objects of any type.
using AliasWord = Word __attribute__((may_alias));
constexpr std::size_t kWord = sizeof(Word);

bool aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % kWord == 0; }

}  // namespace

extern "C" {

[[noreturn]] void abort() {
  asm volatile("ebreak");
  __builtin_unreachable();
}

// Copies run a word at a time where both ends allow it: a load costs 2 cycles, of whatever size.
void* memcpy(void* __restrict to, const void* __restrict from, std::size_t bytes) {
  auto* t = static_cast<unsigned char*>(to);
  const auto* f = static_cast<const unsigned char*>(from);
  if (aligned(t) && aligned(f)) {
    for (; bytes >= kWord; bytes -= kWord, t += kWord, f += kWord) {
      *reinterpret_cast<AliasWord*>(t) = *reinterpret_cast<const AliasWord*>(f);
    }
  }
  for (; bytes > 0; --bytes) *t++ = *f++;
  return to;
}

void* memmove(void* to, const void* from, std::size_t bytes) {
  auto* t = static_cast<unsigned char*>(to);
  const auto* f = static_cast<const unsigned char*>(from);
  if (t <= f || t >= f + bytes) return memcpy(to, from, bytes);
  while (bytes > 0) {
    --bytes;
    t[bytes] = f[bytes];
  }
  return to;
}

void* memset(void* to, int value, std::size_t bytes) {
  auto* t = static_cast<unsigned char*>(to);
  const auto byte = static_cast<unsigned char>(value);
  if (aligned(t)) {
    const Word word = byte * Word{0x01010101};
    for (; bytes >= kWord; bytes -= kWord, t += kWord) *reinterpret_cast<AliasWord*>(t) = word;
  }
  for (; bytes > 0; --bytes) *t++ = byte;
  return to;
}

int memcmp(const void* a, const void* b, std::size_t bytes) {
  const auto* p = static_cast<const unsigned char*>(a);
  const auto* q = static_cast<const unsigned char*>(b);
  for (; bytes > 0; --bytes, ++p, ++q) {
    if (*p != *q) return *p < *q ? -1 : 1;
  }
  return 0;
}

}  // extern "C"

namespace annelid::firmware {

void stop(const char*) { abort(); }

}  // namespace annelid::firmware
