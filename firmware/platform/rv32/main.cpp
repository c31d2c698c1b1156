// The core's entry, called by crt0.S on a fresh stack.
#include "firmware/collectives/collective.hpp"
#include "firmware/platform/node.hpp"
#include "firmware/platform/registers.hpp"

extern "C" [[noreturn]] void firmware_main() {
  using namespace annelid::firmware;
  Node node{Registers{}, Memory{}, serve};
  for (;;) {
    node.run();
    asm volatile("wfi" ::: "memory");
  }
}
