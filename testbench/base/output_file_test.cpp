// Files that appear complete or not at all, and what they must not touch. State space: the place is
// free, a file, a link, a link to nothing, a pipe, a device, a folder, the program's own output.
#include "base/output_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "base/input_error.hpp"
#include "base/run_failure.hpp"
#include "testbench/base/scratch.hpp"

namespace annelid {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(OutputFile, AppearsCompleteOrNotAtAll) {
  const Scratch s;
  s.put("old", "old");
  {
    OutputFile file(s / "new", "--x"), other(s / "old", "--x");
    file.stream() << "half";
    other.stream() << "half";
    file.stream().flush();
    EXPECT_FALSE(fs::exists(s / "new"));
    EXPECT_EQ(s.text("old"), "old");
  }
  EXPECT_THAT(s.names(), ElementsAre("old"));
  const std::string long_text(300'000, 'x');
  write_file(s / "old", "a" + long_text + "b");
  EXPECT_EQ(s.text("old"), "a" + long_text + "b");
  EXPECT_THAT(s.names(), ElementsAre("old"));
}

TEST(OutputFile, TakesMoreThanItKeepsLetterByLetter) {
  constexpr std::size_t kLetters = 200'000;
  const Scratch s;
  {
    OutputFile file(s / "new", "--x");
    for (std::size_t i = 0; i < kLetters; ++i) file.stream().put(static_cast<char>('a' + i % 23));
    file.commit();
  }
  const std::string text = s.text("new");
  ASSERT_EQ(text.size(), kLetters);
  for (std::size_t i = 0; i < kLetters; ++i) ASSERT_EQ(text[i], static_cast<char>('a' + i % 23));
}

TEST(OutputFile, LeavesTheNeighboursThatOthersHaveMade) {
  const Scratch s;
  s.put("file.tmp", "mine");
  s.put("victim", "precious");
  fs::create_symlink(s / "victim", s / "link.tmp");
  for (const char* name : {"file", "link"}) {
    require_writable(s / name, "--x");
    write_file(s / name, "text");
  }
  EXPECT_EQ(s.text("file.tmp"), "mine");
  EXPECT_EQ(s.text("victim"), "precious");
  EXPECT_TRUE(fs::is_symlink(s / "link.tmp"));
}

TEST(OutputFile, ReplacesTheFileThatALinkNames) {
  const Scratch s;
  fs::create_directory(s / "folder");
  s.put("folder/target", "old");
  fs::create_symlink("folder/target", s / "link");
  fs::create_symlink("link", s / "link to link");
  fs::create_symlink("folder/none yet", s / "to nothing");
  for (const char* name : {"link to link", "to nothing"}) {
    require_writable(s / name, "--x");
    write_file(s / name, "new");
    EXPECT_TRUE(fs::is_symlink(s / name));
  }
  EXPECT_TRUE(fs::is_symlink(s / "link"));
  EXPECT_EQ(s.text("folder/target"), "new");
  EXPECT_EQ(s.text("folder/none yet"), "new");
  fs::create_symlink("b", s / "a");
  fs::create_symlink("a", s / "b");
  EXPECT_THROW(require_writable(s / "a", "--x"), InputError);
}

TEST(OutputFile, WritesToAPipeAndADeviceDirectly) {
  const Scratch s;
  ASSERT_EQ(mkfifo((s / "pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read_text(s / "pipe"); });
  require_writable(s / "pipe", "--x");  // must not end what the reader waits for
  write_file(s / "pipe", "through");
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(s / "pipe"));

  fs::create_symlink("/dev/null", s / "null");
  write_file(s / "null", "nothing");
  EXPECT_TRUE(fs::is_symlink(s / "null"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  try {
    write_file("/dev/full", "x");
    FAIL();
  } catch (const RunFailure& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("\"/dev/full\" cannot be written: No space left on device"));
  }
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(OutputFile, IsNoFolderAndNoPlaceWhereNothingCanBe) {
  const Scratch s;
  const std::string long_name(300, 'x');
  fs::create_directory(s / "folder");
  for (const fs::path& bad : {s / "folder", s / "none/file", fs::path("/proc/x"), s / long_name}) {
    EXPECT_THROW(require_writable(bad, "--x"), InputError) << bad;
    EXPECT_THROW(write_file(bad, "x"), std::runtime_error) << bad;
  }
  EXPECT_THAT(s.names(), ElementsAre("folder"));
}

TEST(OutputFile, KeepsThePermissionsOfWhatItReplaces) {
  const Scratch s;
  const mode_t before = umask(027);
  write_file(s / "new", "x");
  s.put("open", "x");
  chmod((s / "open").c_str(), 0604);
  write_file(s / "open", "y");
  umask(before);
  const auto mode = [&](const char* name) {
    return static_cast<unsigned>(fs::status(s / name).permissions());
  };
  EXPECT_EQ(mode("new"), 0640u);
  EXPECT_EQ(mode("open"), 0604u);
}

TEST(OutputFile, LeavesNothingWhenItGrowsTooLong) {
  const Scratch s;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit limited = before;
  limited.rlim_cur = 100'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  s.put("old", "old");
  EXPECT_THROW(write_file(s / "old", std::string(200'000, 'x')), RunFailure);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(s.text("old"), "old");
  EXPECT_THAT(s.names(), ElementsAre("old"));
}

TEST(OutputFile, GoesOnWhereTheProgramsOwnOutputIs) {
  const Scratch s;
  const int own = dup(STDOUT_FILENO);
  std::fflush(stdout);
  ASSERT_NE(std::freopen((s / "out").c_str(), "w", stdout), nullptr);
  std::fputs("first\n", stdout);
  write_file("/dev/stdout", "second\n");
  std::fputs("third\n", stdout);
  std::fflush(stdout);
  dup2(own, STDOUT_FILENO);
  close(own);
  EXPECT_EQ(s.text("out"), "first\nsecond\nthird\n");
}

}  // namespace
}  // namespace annelid
