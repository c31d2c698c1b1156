// Cycles of prepared calls on the 8x8 mesh, which are exact: bounds that must not be lost again.
// State space: the operations that have a goal, by the algorithms that reach it; RV32 firmware
// against native firmware, which takes as many cycles.
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>

#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

struct Bound {
  const char* call;
  const char* options;
  std::uint64_t cycles;  ///< at most
  friend std::ostream& operator<<(std::ostream& out, const Bound& bound) {
    return out << bound.call << ' ' << bound.options;
  }
};

class PreparedCycles : public ::testing::TestWithParam<Bound> {};

TEST_P(PreparedCycles, StayWithinTheirBounds) {
  const Workplace w;
  const auto cycles = [&](const std::string& firmware) {
    const Outcome o = w.annelid("run --quiet --size 8x8 --prepared --repeat 2 --operation " +
                                std::string(GetParam().call) + " " + GetParam().options +
                                " --firmware " + firmware + " --out " + w.path(firmware).string());
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    return w.result(firmware)["starts"][1]["cycles"].get<std::uint64_t>();
  };
  const std::uint64_t native = cycles("native");
  EXPECT_LE(native, GetParam().cycles);
  EXPECT_EQ(cycles("rv32"), native);
}

INSTANTIATE_TEST_SUITE_P(
    Mesh, PreparedCycles,
    ::testing::Values(Bound{"barrier", "", 108},
                      Bound{"broadcast", "--algorithm edn --bytes 64", 105},
                      Bound{"broadcast", "--algorithm edn-optimal --bytes 64", 92},
                      Bound{"broadcast", "--algorithm binomial --bytes 64", 110},
                      Bound{"broadcast", "--algorithm two-tree --bytes 64", 147},
                      Bound{"broadcast", "--algorithm recursive-doubling --bytes 64", 110},
                      Bound{"broadcast", "--algorithm linear-pipeline --bytes 64", 900},
                      Bound{"broadcast", "--algorithm scatter-allgather --bytes 64", 2271},
                      Bound{"reduce", "--algorithm edn --bytes 64", 144},
                      Bound{"reduce", "--algorithm binomial --bytes 64", 134},
                      Bound{"broadcast", "--algorithm edn --bytes 65536", 32839},
                      Bound{"broadcast", "--algorithm two-tree --bytes 65536", 20743},
                      Bound{"all-gather", "--algorithm port-rings --bytes 4096", 17075},
                      Bound{"reduce-scatter", "--algorithm port-rings --bytes 4096", 16648},
                      Bound{"all-to-all", "--algorithm direct --bytes 4096", 142304}),
    test::ParameterName());

}  // namespace
}  // namespace annelid::end_to_end
