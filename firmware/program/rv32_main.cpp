// The core's entry, called by crt0.S on a fresh stack.
#include "firmware/collectives/collective.hpp"
#include "firmware/platform/node.hpp"
#include "firmware/platform/registers.hpp"

extern "C" [[noreturn]] void firmware_main() {
  using namespace annelid::firmware;
  // With the stack it shares what the program leaves of 256 KiB: link.ld keeps 4 KiB for that.
  static_assert(sizeof(Node) <= 36 * 1024);
  Node node{Registers{}, Memory{}, serve};
  start_collectives(node);
  node.run_for_ever();
}
