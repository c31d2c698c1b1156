// The kept inputs of the fuzzers, without a fuzzer: what was found once is not found again.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/input_error.hpp"
#include "testbench/fuzz/targets.hpp"

namespace annelid::fuzz {

static void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

class Corpus : public ::testing::TestWithParam<Target> {};

TEST_P(Corpus, IsReadOrRefused) {
  std::size_t read = 0, refused = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(ANNELID_FUZZ_CORPUS) / GetParam().name)) {
    SCOPED_TRACE(entry.path());
    try {
      GetParam().read(entry.path());
      ++read;
    } catch (const InputError& error) {
      EXPECT_STRNE(error.what(), "");
      ++refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "the user is told: " << error.what();
    }
  }
  EXPECT_GT(read + refused, 0u);
  // A result alone has no line through it, and is refused when it has been read.
  if (GetParam().name != "json") {
    EXPECT_GT(read, 0u) << "no good input to begin with; refused: " << refused;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Corpus, ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace annelid::fuzz
