// Entry point of every test program. libsystemc defines main() itself and calls sc_main(); here
// GoogleTest's main comes first, and sc_main exists only so that the library links.
#include <gtest/gtest.h>

extern "C" int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
