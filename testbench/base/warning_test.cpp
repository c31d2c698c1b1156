// Warnings on standard error.
#include "base/warning.hpp"

#include <gtest/gtest.h>

#include "base/file_lock.hpp"
#include "base/standard_error.hpp"

namespace annelid {
namespace {

TEST(Warning, IsOneLineAndComesOnce) {
  testing::internal::CaptureStderr();
  warn("the cache\ncannot be written");
  warn("the cache\ncannot be written");
  warn("another one");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "annelid: warning: the cache\\x0acannot be written\nannelid: warning: another one\n");
}

TEST(StandardError, TakesATextAsItIs) {
  testing::internal::CaptureStderr();
  put_error("a\tb\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a\tb\n");
}

// Nobody knows whether another process has a descriptor that cannot be locked.
TEST(FileLock, OfNoFileIsUnknown) { EXPECT_EQ(lock_file(-1), Locked::kUnknown); }

}  // namespace
}  // namespace annelid
