// What the compiler and the C++ headers expect of a C library's memory.
//
// A load costs 2 cycles of whatever size, a store 1, a taken branch 3, and a word that crosses a
// 4-byte boundary of RAM one more (docs/internals/nic/core.md). So everything runs a word at
// a time, with the stores aligned and the loads as they come: a misaligned load is still cheaper
// than four loads of bytes.
#include <cstddef>
#include <cstdint>

namespace {

// Words at any address, that may alias objects of any type.
using Word = std::uint32_t __attribute__((may_alias));
using Byte = unsigned char;
constexpr std::size_t kWord = sizeof(Word), kBlock = 8 * kWord;

std::size_t misalignment(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % kWord; }

Word load(const Byte* p) { return *reinterpret_cast<const Word*>(p); }
void store(Byte* p, Word value) { *reinterpret_cast<Word*>(p) = value; }

/// Words i..i+3 of a block, all loaded before one is stored: so the ends may overlap by any number
/// of bytes, as long as the blocks come in the right order.
template <int I>
void copy_four(Byte* to, const Byte* from) {
  const Word a = load(from + 4 * I), b = load(from + 4 * I + 4);
  const Word c = load(from + 4 * I + 8), d = load(from + 4 * I + 12);
  store(to + 4 * I, a);
  store(to + 4 * I + 4, b);
  store(to + 4 * I + 8, c);
  store(to + 4 * I + 12, d);
}

/// From the first byte to the last; right for ends that overlap if `to` is below `from`.
void copy_up(Byte* to, const Byte* from, std::size_t bytes) {
  for (; bytes > 0 && misalignment(to) != 0; --bytes) *to++ = *from++;
  for (; bytes >= kBlock; bytes -= kBlock, to += kBlock, from += kBlock) {
    copy_four<0>(to, from);
    copy_four<4>(to, from);
  }
  for (; bytes >= kWord; bytes -= kWord, to += kWord, from += kWord) store(to, load(from));
  for (; bytes > 0; --bytes) *to++ = *from++;
}

/// From the last byte to the first; right for ends that overlap if `to` is above `from`.
void copy_down(Byte* to, const Byte* from, std::size_t bytes) {
  to += bytes;
  from += bytes;
  for (; bytes > 0 && misalignment(to) != 0; --bytes) *--to = *--from;
  for (; bytes >= kBlock; bytes -= kBlock) {
    to -= kBlock;
    from -= kBlock;
    copy_four<4>(to, from);
    copy_four<0>(to, from);
  }
  for (; bytes >= kWord; bytes -= kWord) {
    to -= kWord;
    from -= kWord;
    store(to, load(from));
  }
  for (; bytes > 0; --bytes) *--to = *--from;
}

}  // namespace

extern "C" {

void* memcpy(void* __restrict to, const void* __restrict from, std::size_t bytes) {
  copy_up(static_cast<Byte*>(to), static_cast<const Byte*>(from), bytes);
  return to;
}

void* memmove(void* to, const void* from, std::size_t bytes) {
  auto* t = static_cast<Byte*>(to);
  const auto* f = static_cast<const Byte*>(from);
  if (t <= f || t >= f + bytes) {
    copy_up(t, f, bytes);
  } else {
    copy_down(t, f, bytes);
  }
  return to;
}

void* memset(void* to, int value, std::size_t bytes) {
  auto* t = static_cast<Byte*>(to);
  const auto byte = static_cast<Byte>(value);
  const Word word = byte * Word{0x01010101};
  for (; bytes > 0 && misalignment(t) != 0; --bytes) *t++ = byte;
  for (; bytes >= kBlock; bytes -= kBlock, t += kBlock) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kBlock; i += kWord) store(t + i, word);
  }
  for (; bytes >= kWord; bytes -= kWord, t += kWord) store(t, word);
  for (; bytes > 0; --bytes) *t++ = byte;
  return to;
}

int memcmp(const void* a, const void* b, std::size_t bytes) {
  const auto* p = static_cast<const Byte*>(a);
  const auto* q = static_cast<const Byte*>(b);
  for (; bytes >= kWord && load(p) == load(q); bytes -= kWord, p += kWord, q += kWord) {
  }
  for (; bytes > 0; --bytes, ++p, ++q) {
    if (*p != *q) return *p < *q ? -1 : 1;
  }
  return 0;
}

}  // extern "C"
