// Files that are read. State space: bytes and texts; byte order marks of UTF-8 and UTF-16, and what
// only begins like one; a file and a pipe; short and long.
#include "base/files.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <thread>

#include "base/input_error.hpp"
#include "testbench/base/scratch.hpp"

namespace annelid {
namespace {

using ::testing::HasSubstr;

TEST(Text, BeginsBehindAByteOrderMark) {
  const Scratch s;
  const std::string mark = "\xef\xbb\xbf", long_text(200'000, 'x');
  for (const std::string& text : {std::string(), std::string("a"), std::string("ab\ncd"),
                                  std::string("\xef\xbb"), "\xef\xbb" + long_text, long_text}) {
    s.put("plain", text);
    s.put("marked", mark + text);
    EXPECT_EQ(read_text(s / "plain"), text);
    EXPECT_EQ(read_text(s / "marked"), text);
    EXPECT_EQ(read_file(s / "marked", "x", 1 << 20).size(), mark.size() + text.size());
  }
}

TEST(Text, OfAPipeIsWhole) {
  const Scratch s;
  const std::filesystem::path pipe = s / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string text : {"", "a", "\xef\xbb|", "abcdef",
                                 "\xef\xbb\xbf"
                                 "abc"}) {
    std::thread writer([&] { std::ofstream(pipe) << text; });
    EXPECT_EQ(read_text(pipe), text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text);
    writer.join();
  }
}

TEST(Text, InUtf16IsRefused) {
  const Scratch s;
  for (const std::string text : {"\xff\xfe"
                                 "a",
                                 "\xfe\xff"
                                 "a"}) {
    s.put("text", text);
    try {
      (void)read_text(s / "text");
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("text: found a text in UTF-16, expected one in UTF-8"));
    }
  }
}

TEST(Text, HasALongestLength) {
  const Scratch s;
  s.put("text", "12345");
  EXPECT_EQ(read_text(s / "text", "x", 5), "12345");
  EXPECT_THROW((void)read_text(s / "text", "x", 4), InputError);
}

}  // namespace
}  // namespace annelid
