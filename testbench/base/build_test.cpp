// What the build has written about its commit. State space: no file, clean, changed, anything else.
// The name of a build. State space: files that differ in one byte, at the first and last words and
// around the end of what is read at once, or in their length.
#include "base/build.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/files.hpp"
#include "base/input_error.hpp"
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

TEST(BuildName, DiffersForEachByteAndLength) {
  const Scratch scratch;
  const auto file = scratch / "program";
  constexpr std::size_t kChunk = 1 << 16;
  std::set<std::string> names;
  std::size_t files = 0;
  const auto add = [&](const std::string& text) {
    write_file(file, text);
    const std::string name = build_name_of(file);
    EXPECT_EQ(name.size(), 16U);
    EXPECT_EQ(build_name_of(file), name);
    EXPECT_TRUE(names.insert(name).second) << files << ": " << text.size() << " bytes";
    ++files;
  };
  for (std::size_t length = 0; length < 20; ++length) add(std::string(length, '\0'));
  for (const std::size_t length : {kChunk - 1, kChunk, kChunk + 1, 2 * kChunk, 2 * kChunk + 5}) {
    const std::string text(length, 'a');
    add(text);
    const std::set<std::size_t> places = {0,          7,      8,          kChunk - 9,
                                          kChunk - 2, kChunk, length - 2, length - 1};
    for (const std::size_t at : places) {
      if (at >= length) continue;
      for (const char change : {'\1', '\x80'}) {
        std::string changed = text;
        changed[at] = static_cast<char>(changed[at] ^ change);
        add(changed);
      }
    }
  }
  EXPECT_GT(files, 60U);
}

TEST(BuildName, IsThatOfTheRunningProgram) {
  EXPECT_EQ(build_name(), build_name_of("/proc/self/exe"));
  EXPECT_THROW((void)build_name_of("no such program"), InputError);
}

}  // namespace
}  // namespace annelid
