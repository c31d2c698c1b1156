// Half a million flits of random messages.
#include <gtest/gtest.h>

#include <cstdlib>

#include "testbench/nic/fuzz/fuzz_case.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::nic::fuzz {
namespace {

class NicFuzz : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seed, NicFuzz, ::testing::Range<std::uint64_t>(1, 7),
                         test::ParameterName());
TEST_P(NicFuzz, EveryMessageFindsItsReceive) { run_case(GetParam(), 90'000, 4); }

/// To try a seed: ANNELID_SEED and ANNELID_FLITS.
TEST(NicFuzzChosen, EveryMessageFindsItsReceive) {
  const char* seed = std::getenv("ANNELID_SEED");
  const char* flits = std::getenv("ANNELID_FLITS");
  run_case(seed == nullptr ? 7 : std::strtoull(seed, nullptr, 10),
           flits == nullptr ? 90'000 : std::strtoull(flits, nullptr, 10), 4);
}

}  // namespace
}  // namespace annelid::nic::fuzz
