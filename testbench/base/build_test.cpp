// What the build has written about its commit. State space: no file, clean, changed, anything else.
#include "base/build.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "testbench/base/scratch.hpp"

namespace annelid {
namespace {

TEST(BuildCommit, IsWhatTheFileSays) {
  const Scratch scratch;
  const auto file = scratch / "commit";
  EXPECT_FALSE(read_build_commit(file)) << "no file";
  write_file(file, "0123456789 clean\n");
  const auto clean = read_build_commit(file);
  ASSERT_TRUE(clean);
  EXPECT_TRUE(clean->clean);
  EXPECT_EQ(clean->text(), "0123456789");
  write_file(file, "fedcba9876 changed\n");
  const auto changed = read_build_commit(file);
  ASSERT_TRUE(changed);
  EXPECT_FALSE(changed->clean);
  EXPECT_EQ(changed->text(), "fedcba9876 with changes");
}

TEST(BuildCommit, IsUnknownIfTheFileSaysAnythingElse) {
  const Scratch scratch;
  const auto file = scratch / "commit";
  for (const char* text : {"", "0123456789", "012345678 clean", "012345678g clean",
                           "0123456789 dirty", "clean 0123456789"}) {
    write_file(file, text);
    EXPECT_FALSE(read_build_commit(file)) << text;
  }
}

}  // namespace
}  // namespace annelid
