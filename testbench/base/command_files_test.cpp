// No file of a command has two uses of which one is lost.
#include "base/command_files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "testbench/base/scratch.hpp"

namespace annelid {
namespace {

namespace fs = std::filesystem;

TEST(CommandFiles, MayBeReadTwice) {
  CommandFiles files;
  files.reads("--a", "x");
  EXPECT_NO_THROW(files.reads("--b", "./x"));
  EXPECT_NO_THROW(files.writes("--c", "y"));
}

TEST(CommandFiles, MayNotBeWrittenTwiceOrReadAndWritten) {
  CommandFiles files;
  files.reads("--in", "x");
  files.writes("--out", "folder", {"a", "b"});
  for (const char* path : {"x", "./x", "y/../x", "folder/a", "folder/./b"}) {
    EXPECT_THROW(files.writes("--c", path), InputError) << path;
  }
  try {
    files.reads("--later", "folder/a");
    FAIL() << "an input that is an output";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--out: found \"folder/a\", which is read as --later, expected another file");
  }
}

TEST(CommandFiles, AreFoundThroughLinks) {
  const Scratch s;
  write_file(s / "file", "text");
  fs::create_directory_symlink(".", s / "folder");
  fs::create_symlink("file", s / "link");
  fs::create_symlink("nothing yet", s / "ahead");
  CommandFiles files;
  files.reads("--in", s / "file");
  files.writes("--out", s / "nothing yet");
  for (const char* path : {"link", "folder/file", "folder/link", "ahead", "folder/ahead"}) {
    EXPECT_THROW(files.writes("--c", s / path), InputError) << path;
  }
  EXPECT_NO_THROW(files.writes("--c", s / "another"));
}

TEST(CommandFiles, ThatAreDevicesOrPipesMayHaveSeveralUses) {
  const Scratch s;
  ASSERT_EQ(mkfifo((s / "pipe").c_str(), 0600), 0);
  CommandFiles files;
  for (const fs::path& path : {fs::path("/dev/null"), s / "pipe"}) {
    files.reads("--a", path);
    EXPECT_NO_THROW(files.writes("--b", path));
    EXPECT_NO_THROW(files.writes("--c", path));
  }
}

TEST(CommandFiles, WithoutANameAreNone) {
  CommandFiles files;
  files.writes("--a", "");
  EXPECT_NO_THROW(files.writes("--b", ""));
  EXPECT_NO_THROW(files.writes("--c", "", {"result.json"}));
}

}  // namespace
}  // namespace annelid
