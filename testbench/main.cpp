// Entry point of every test program. libsystemc defines main() itself and calls sc_main(); here
// GoogleTest's main comes first, and sc_main exists only so that the library links.
#include <gtest/gtest.h>

#include "testbench/sanitized.hpp"

extern "C" int sc_main(int, char**) { return 0; }

#ifdef ANNELID_SANITIZED
// libsystemc allocates timed events in blocks that it never frees, and forgets where they begin.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:sc_core::sc_event_timed::allocate\n";
}
#endif

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
