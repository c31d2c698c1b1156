// Prints the digest and the number of plans, under user-mode QEMU (Linux system calls).
#include "testbench/firmware/plan_digest.hpp"

namespace {

long system_call(long number, long a, long b, long c) {
  register long a0 asm("a0") = a;
  register long a1 asm("a1") = b;
  register long a2 asm("a2") = c;
  register long a7 asm("a7") = number;
  asm volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}

void print(std::uint32_t value, char end) {
  char text[9];
  for (int i = 0; i < 8; ++i) text[i] = "0123456789abcdef"[(value >> (28 - 4 * i)) & 15];
  text[8] = end;
  system_call(64, 1, reinterpret_cast<long>(text), sizeof text);  // write
}

}  // namespace

extern "C" [[noreturn]] void _start() {
  std::uint32_t plans = 0;
  const std::uint32_t digest = annelid::firmware::plan_digest(plans);
  print(digest, ' ');
  print(plans, '\n');
  for (;;) system_call(93, 0, 0, 0);  // exit
}
