// Texts of what went wrong: exceptions, jobs that failed, files that are too long. State space:
// each kind of exception and of end.
#include <gmock/gmock.h>

#include <new>
#include <system_error>

#include "base/forked_jobs.hpp"
#include "base/input_error.hpp"
#include "base/message.hpp"
#include "testbench/base/scratch.hpp"

namespace annelid {
namespace {

TEST(MessageOf, SaysWhatAUserCanDoAboutAnException) {
  EXPECT_EQ(message_of(std::bad_alloc()),
            "out of memory: a smaller network or shorter messages need less");
  const std::filesystem::filesystem_error denied(
      "cannot do it", "/some/file", std::make_error_code(std::errc::permission_denied));
  EXPECT_EQ(message_of(denied), "\"/some/file\": Permission denied");
  EXPECT_EQ(message_of(std::runtime_error("no packets")), "no packets");
}

TEST(FailureText, IsWhatTheJobSaidOrHowItEnded) {
  EndedWork ended;
  ended.status = 1;
  ended.text = "out of luck\n\n";
  EXPECT_EQ(failure_text(ended), "out of luck");
  ended.status = 139;
  EXPECT_EQ(failure_text(ended), "exit status 139\nout of luck\n\n");
  ended.text = "";
  EXPECT_EQ(failure_text(ended), "exit status 139");
}

TEST(ReadFile, RefusesAFileThatIsTooLong) {
  const Scratch s;
  s.put("eight", "12345678");
  EXPECT_EQ(read_file(s / "eight", "--x", 8).size(), 8U);
  try {
    (void)read_file(s / "eight", "--x", 7);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("longer than 7 bytes"));
  }
}

}  // namespace
}  // namespace annelid
