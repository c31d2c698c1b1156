// Copies of buffers in RAM. A load takes the core 2 cycles and a store 1, whatever their width up
// to a word (docs/internals/nic/core.md), so a byte takes 3/4 of a cycle at least. memcpy takes
// 15/16: its loop costs 6 cycles for each 32 bytes. This one is for long buffers, and costs 5 for
// each 128.
#include "firmware/kit/include/string.h"
#include "firmware/kit/kit.hpp"

namespace annelid::firmware::kit {

#if defined(__riscv)

namespace {

using Word = std::uint32_t __attribute__((may_alias));
constexpr std::size_t kWords = 32, kBlock = kWords * sizeof(Word);

}  // namespace

void copy_words(void* to, const void* from, std::size_t bytes) {
  auto* t = static_cast<unsigned char*>(to);
  const auto* f = static_cast<const unsigned char*>(from);
  // Stores are aligned, as in memcpy.
  const std::size_t head = -reinterpret_cast<std::uintptr_t>(t) % sizeof(Word);
  if (bytes >= kBlock + head) {
    memcpy(t, f, head);
    t += head;
    f += head;
    bytes -= head;
    for (const auto* end = f + bytes / kBlock * kBlock; f != end; f += kBlock, t += kBlock) {
#pragma GCC unroll 32
      for (std::size_t i = 0; i < kWords; ++i) {
        reinterpret_cast<Word*>(t)[i] = reinterpret_cast<const Word*>(f)[i];
      }
    }
    bytes %= kBlock;
  }
  memcpy(t, f, bytes);
}

#else

void copy_words(void* to, const void* from, std::size_t bytes) { memcpy(to, from, bytes); }

#endif

}  // namespace annelid::firmware::kit
