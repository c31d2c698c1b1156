// A program for the core that compares its memcpy, memmove, memset and memcmp with loops over
// bytes, and leaves what it found in node memory: cases, failures, then cycles of 1,024 bytes each.
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "interface/registers.hpp"

extern "C" {
void* memcpy(void* __restrict to, const void* __restrict from, std::size_t bytes);
void* memmove(void* to, const void* from, std::size_t bytes);
void* memset(void* to, int value, std::size_t bytes);
int memcmp(const void* a, const void* b, std::size_t bytes);
}

namespace {

using Byte = unsigned char;

std::uint32_t cycle() {
  std::uint32_t now = 0;
  asm volatile("csrr %0, mcycle" : "=r"(now)::"memory");
  return now;
}

class Check {
 public:
  void run() {
    for (std::size_t bytes = 0; bytes < 100; bytes += bytes < 40 ? 1 : 7) {
      for (std::size_t to = 0; to < 4; ++to) {
        for (std::size_t from = 0; from < 4; ++from) copy(16 + to, 128 + from, bytes);
        for (int value : {0, 0x5A, 0x1FF}) set(16 + to, value, bytes);
      }
      // Ends that overlap by all numbers of bytes, either way.
      for (std::size_t to = 24; to < 42; ++to) move(to, 33, bytes);
      compare(bytes);
    }
  }
  std::uint32_t cases = 0, failures = 0;

 private:
  void prepare() {
    std::uint32_t value = cases;
    for (std::size_t i = 0; i < sizeof found_; ++i) {
      found_[i] = expected_[i] = static_cast<Byte>((value = value * 1664525 + 1013904223) >> 24);
    }
  }
  /// Every byte, those around what was written included.
  void judge(bool as_returned) {
    ++cases;
    bool same = as_returned;
    for (std::size_t i = 0; i < sizeof found_; ++i) same = same && found_[i] == expected_[i];
    failures += same ? 0 : 1;
  }
  void copy(std::size_t to, std::size_t from, std::size_t bytes) {
    prepare();
    for (std::size_t i = 0; i < bytes; ++i) expected_[to + i] = expected_[from + i];
    judge(memcpy(found_ + to, found_ + from, bytes) == found_ + to);
  }
  void move(std::size_t to, std::size_t from, std::size_t bytes) {
    prepare();
    Byte copy[100];
    for (std::size_t i = 0; i < bytes; ++i) copy[i] = expected_[from + i];
    for (std::size_t i = 0; i < bytes; ++i) expected_[to + i] = copy[i];
    judge(memmove(found_ + to, found_ + from, bytes) == found_ + to);
  }
  void set(std::size_t to, int value, std::size_t bytes) {
    prepare();
    for (std::size_t i = 0; i < bytes; ++i) expected_[to + i] = static_cast<Byte>(value);
    judge(memset(found_ + to, value, bytes) == found_ + to);
  }
  void compare(std::size_t bytes) {
    prepare();
    for (std::size_t i = 0; i < bytes; ++i) found_[101 + i] = expected_[101 + i] = found_[i];
    judge(memcmp(found_, found_ + 101, bytes) == 0);
    for (std::size_t at = 0; at < bytes; at += 3) {
      prepare();
      for (std::size_t i = 0; i < bytes; ++i) found_[101 + i] = expected_[101 + i] = found_[i];
      expected_[101 + at] = found_[101 + at] = static_cast<Byte>(found_[at] ^ 0x80);
      const int result = memcmp(found_, found_ + 101, bytes);
      judge(found_[at] < found_[101 + at] ? result < 0 : result > 0);
    }
  }

  Byte found_[256], expected_[256];
};

volatile std::uint32_t* results() {
  return reinterpret_cast<volatile std::uint32_t*>(annelid::reg::kMemoryBase);
}

}  // namespace

extern "C" [[noreturn]] void firmware_main() {
  Check check;
  check.run();
  results()[0] = check.cases;
  results()[1] = check.failures;

  constexpr std::size_t kBytes = 1024;
  alignas(4) Byte a[kBytes + 4], b[kBytes + 4];
  auto* node_memory = reinterpret_cast<Byte*>(annelid::reg::kMemoryBase + 4096);
  memset(b, 1, sizeof b);
  std::uint32_t start = cycle();
  memcpy(a, b, kBytes);
  results()[2] = cycle() - start;
  start = cycle();
  memcpy(a + 3, b + 3, kBytes);
  results()[3] = cycle() - start;
  start = cycle();
  memcpy(a + 1, b + 3, kBytes);
  results()[4] = cycle() - start;
  start = cycle();
  memcpy(a, node_memory + 2, kBytes);
  results()[5] = cycle() - start;
  start = cycle();
  memmove(a + 4, a, kBytes);
  results()[6] = cycle() - start;
  start = cycle();
  memset(a, 7, kBytes);
  results()[7] = cycle() - start;
  memset(b, 7, kBytes);
  start = cycle();
  results()[9] = static_cast<std::uint32_t>(memcmp(a, b, kBytes));
  results()[8] = cycle() - start;
  for (;;) asm volatile("wfi");
}
