// More than ten million flits of random messages.
#include <gtest/gtest.h>

#include "testbench/nic/fuzz/fuzz_case.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::nic::fuzz {
namespace {

class NicFuzzLong : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seed, NicFuzzLong, ::testing::Range<std::uint64_t>(101, 113),
                         test::ParameterName());
TEST_P(NicFuzzLong, EveryMessageFindsItsReceive) { run_case(GetParam(), 1'000'000, 12); }

}  // namespace
}  // namespace annelid::nic::fuzz
