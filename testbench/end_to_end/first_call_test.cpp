// The first call of a run: when it is made, and its cycles, which are exact: bounds that must not
// be lost again. State space: broadcasts, reductions, scans and the barrier on the 8x8 mesh by
// algorithms of all kinds of players; RV32 and native firmware.
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>

#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

using nlohmann::json;

json result_of(const Workplace& w, const std::string& options) {
  const Outcome o = w.annelid("run --operation broadcast --algorithm edn --size 4x4 --bytes 64 " +
                              options + " --out " + w.path("out").string());
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  return w.result("out");
}

TEST(FirstCall, WaitsForTheCores) {
  const Workplace w;
  const json core = result_of(w, "--firmware rv32");
  EXPECT_GT(core["ready_cycle"], 0);
  EXPECT_EQ(core["first_cycle"], core["ready_cycle"]);
  // How far cores run ahead of the network makes no difference; those with a trace do not.
  const json traced = result_of(w, "--firmware rv32 --trace " + w.path("trace.txt").string());
  for (const char* const key : {"ready_cycle", "cycles", "steps", "finished_cycle_per_node"}) {
    EXPECT_EQ(traced[key], core[key]) << key;
  }
}

TEST(FirstCall, IsAtOnceWithNativeFirmware) {
  const Workplace w;
  const json native = result_of(w, "--firmware native");
  EXPECT_EQ(native["ready_cycle"], 0);
  EXPECT_EQ(native["first_cycle"], 0);
}

struct Bound {
  const char* call;
  const char* options;
  std::uint64_t rv32, native;  ///< cycles at most
  friend std::ostream& operator<<(std::ostream& out, const Bound& bound) {
    return out << bound.call << ' ' << bound.options;
  }
};

class FirstCallCycles : public ::testing::TestWithParam<Bound> {};

TEST_P(FirstCallCycles, StayWithinTheirBounds) {
  const Workplace w;
  const auto cycles = [&](const std::string& firmware) {
    const Outcome o = w.annelid("run --quiet --size 8x8 --operation " +
                                std::string(GetParam().call) + " " + GetParam().options +
                                " --firmware " + firmware + " --out " + w.path(firmware).string());
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    return w.result(firmware)["cycles"].get<std::uint64_t>();
  };
  EXPECT_LE(cycles("rv32"), GetParam().rv32);
  EXPECT_LE(cycles("native"), GetParam().native);
}

INSTANTIATE_TEST_SUITE_P(
    Mesh, FirstCallCycles,
    ::testing::Values(Bound{"barrier", "", 3857, 161},
                      Bound{"broadcast", "--algorithm edn --bytes 64", 1454, 100},
                      Bound{"broadcast", "--algorithm recursive-doubling --bytes 64", 3051, 105},
                      Bound{"broadcast", "--algorithm edn-optimal --bytes 64", 9142, 87},
                      Bound{"broadcast", "--algorithm single-level --bytes 64", 3190, 98},
                      Bound{"broadcast", "--algorithm binomial --bytes 64", 4071, 105},
                      Bound{"broadcast", "--algorithm two-tree --bytes 64", 5251, 141},
                      Bound{"broadcast", "--algorithm linear-pipeline --bytes 64", 3835, 895},
                      Bound{"broadcast", "--algorithm binary-tree --bytes 64", 3867, 166},
                      Bound{"broadcast", "--algorithm scatter-allgather --bytes 64", 54906, 2248},
                      Bound{"broadcast", "--algorithm circulant --bytes 64", 7389, 164},
                      Bound{"broadcast", "--algorithm intercom --bytes 64", 9598, 105},
                      Bound{"broadcast", "--algorithm edst --bytes 64", 5385, 143},
                      Bound{"reduce", "--algorithm edn --bytes 64", 5613, 140},
                      Bound{"reduce", "--algorithm recursive-doubling --bytes 64", 5038, 129},
                      Bound{"reduce", "--algorithm binomial --bytes 64", 6354, 129},
                      Bound{"reduce", "--algorithm two-tree --bytes 64", 5858, 170},
                      Bound{"reduce", "--algorithm linear-pipeline --bytes 64", 4282, 1147},
                      Bound{"reduce", "--algorithm butterfly --bytes 64", 11848, 191},
                      Bound{"reduce", "--algorithm edst --bytes 64", 7866, 179},
                      Bound{"all-reduce", "--algorithm binary-tree --bytes 64", 5479, 304},
                      Bound{"all-reduce", "--algorithm two-tree --bytes 64", 7417, 311},
                      Bound{"all-reduce", "--algorithm intercom --bytes 64", 19921, 221},
                      Bound{"all-reduce", "--algorithm port-rings --bytes 64", 95068, 998},
                      Bound{"scan", "--algorithm two-tree --bytes 64", 9406, 282},
                      Bound{"scan", "--algorithm linear-pipeline --bytes 64", 3910, 1147},
                      Bound{"scan", "--algorithm simultaneous-binomial --bytes 64", 9364, 236},
                      Bound{"scan", "--algorithm leaders --bytes 64", 8481, 219},
                      Bound{"exscan", "--algorithm simultaneous-binomial --bytes 64", 11827, 239},
                      Bound{"exscan", "--algorithm leaders --bytes 64", 11164, 221}),
    test::ParameterName());

}  // namespace
}  // namespace annelid::end_to_end
