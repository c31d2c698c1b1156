// The first call of a run: when it is made, and its cycles, which are exact: bounds that must not
// be lost again. State space: broadcasts, reductions, scans and the barrier on the 8x8 mesh by
// all algorithms that run there; RV32 and native firmware.
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

constexpr Bound kBounds[] = {
    Bound{"broadcast", "--algorithm edn --bytes 64", 1196, 100},
    Bound{"broadcast", "--algorithm edn-optimal --bytes 64", 9132, 87},
    Bound{"broadcast", "--algorithm recursive-doubling --bytes 64", 3039, 105},
    Bound{"broadcast", "--algorithm single-level --bytes 64", 3165, 98},
    Bound{"broadcast", "--algorithm dimensional --bytes 64", 4410, 105},
    Bound{"broadcast", "--algorithm cyclic-doubling --bytes 64", 5721, 105},
    Bound{"broadcast", "--algorithm two-tree --bytes 64", 3690, 141},
    Bound{"broadcast", "--algorithm two-tree-shifted --bytes 64", 3636, 141},
    Bound{"broadcast", "--algorithm two-tree-couples --bytes 64", 4764, 225},
    Bound{"broadcast", "--algorithm binary-tree --bytes 64", 2821, 166},
    Bound{"broadcast", "--algorithm linear-pipeline --bytes 64", 2851, 895},
    Bound{"broadcast", "--algorithm binomial --bytes 64", 3714, 105},
    Bound{"broadcast", "--algorithm scatter-allgather --bytes 64", 55567, 2248},
    Bound{"broadcast", "--algorithm scatter-collect --bytes 64", 17710, 345},
    Bound{"broadcast", "--algorithm mst-bucket --bytes 64", 17529, 515},
    Bound{"broadcast", "--algorithm fibonacci-tree --bytes 64", 5956, 105},
    Bound{"broadcast", "--algorithm circulant --bytes 64", 6920, 164},
    Bound{"broadcast", "--algorithm edst --bytes 64", 4973, 143},
    Bound{"broadcast", "--algorithm intercom --bytes 64", 9538, 105},
    Bound{"broadcast", "--algorithm disjoint-trees --bytes 64", 14329, 156},
    Bound{"broadcast", "--algorithm auto --bytes 64", 2686, 100},
    Bound{"reduce", "--algorithm edn --bytes 64", 5625, 140},
    Bound{"reduce", "--algorithm edn-optimal --bytes 64", 11843, 136},
    Bound{"reduce", "--algorithm recursive-doubling --bytes 64", 5047, 129},
    Bound{"reduce", "--algorithm single-level --bytes 64", 5340, 139},
    Bound{"reduce", "--algorithm dimensional --bytes 64", 6883, 129},
    Bound{"reduce", "--algorithm cyclic-doubling --bytes 64", 8194, 129},
    Bound{"reduce", "--algorithm two-tree --bytes 64", 5659, 170},
    Bound{"reduce", "--algorithm two-tree-shifted --bytes 64", 5605, 170},
    Bound{"reduce", "--algorithm two-tree-couples --bytes 64", 6735, 237},
    Bound{"reduce", "--algorithm binary-tree --bytes 64", 4444, 155},
    Bound{"reduce", "--algorithm linear-pipeline --bytes 64", 4277, 1147},
    Bound{"reduce", "--algorithm binomial --bytes 64", 6403, 129},
    Bound{"reduce", "--algorithm butterfly --bytes 64", 11947, 191},
    Bound{"reduce", "--algorithm rabenseifner --bytes 64", 15658, 233},
    Bound{"reduce", "--algorithm elimination-butterfly --bytes 64", 27175, 189},
    Bound{"reduce", "--algorithm circulant --bytes 64", 9662, 179},
    Bound{"reduce", "--algorithm edst --bytes 64", 7845, 179},
    Bound{"reduce", "--algorithm intercom --bytes 64", 13033, 129},
    Bound{"reduce", "--algorithm disjoint-trees --bytes 64", 15651, 229},
    Bound{"reduce", "--algorithm auto --bytes 64", 6527, 129},
    Bound{"all-reduce", "--algorithm edn --bytes 64", 8385, 221},
    Bound{"all-reduce", "--algorithm edn-optimal --bytes 64", 23546, 209},
    Bound{"all-reduce", "--algorithm recursive-doubling --bytes 64", 8637, 221},
    Bound{"all-reduce", "--algorithm ring --bytes 64", 28038, 987},
    Bound{"all-reduce", "--algorithm two-tree --bytes 64", 7439, 311},
    Bound{"all-reduce", "--algorithm two-tree-shifted --bytes 64", 7385, 311},
    Bound{"all-reduce", "--algorithm binary-tree --bytes 64", 5635, 304},
    Bound{"all-reduce", "--algorithm binomial --bytes 64", 7505, 223},
    Bound{"all-reduce", "--algorithm butterfly --bytes 64", 11852, 191},
    Bound{"all-reduce", "--algorithm rabenseifner --bytes 64", 18496, 284},
    Bound{"all-reduce", "--algorithm elimination-butterfly --bytes 64", 27598, 189},
    Bound{"all-reduce", "--algorithm intercom --bytes 64", 19914, 221},
    Bound{"all-reduce", "--algorithm port-rings --bytes 64", 94053, 998},
    Bound{"all-reduce", "--algorithm leaders --bytes 64", 10511, 189},
    Bound{"all-reduce", "--algorithm auto --bytes 64", 8951, 223},
    Bound{"scan", "--algorithm two-tree --bytes 64", 9601, 282},
    Bound{"scan", "--algorithm two-tree-shifted --bytes 64", 9532, 303},
    Bound{"scan", "--algorithm two-tree-couples --bytes 64", 12179, 358},
    Bound{"scan", "--algorithm linear-pipeline --bytes 64", 4048, 1147},
    Bound{"scan", "--algorithm simultaneous-binomial --bytes 64", 9512, 236},
    Bound{"scan", "--algorithm doubly-pipelined --bytes 64", 7646, 327},
    Bound{"scan", "--algorithm leaders --bytes 64", 8627, 219},
    Bound{"scan", "--algorithm auto --bytes 64", 10919, 236},
    Bound{"exscan", "--algorithm two-tree --bytes 64", 10573, 283},
    Bound{"exscan", "--algorithm two-tree-shifted --bytes 64", 10498, 300},
    Bound{"exscan", "--algorithm two-tree-couples --bytes 64", 13043, 357},
    Bound{"exscan", "--algorithm linear-pipeline --bytes 64", 4027, 1143},
    Bound{"exscan", "--algorithm simultaneous-binomial --bytes 64", 11981, 239},
    Bound{"exscan", "--algorithm doubly-pipelined --bytes 64", 8553, 327},
    Bound{"exscan", "--algorithm leaders --bytes 64", 11312, 221},
    Bound{"exscan", "--algorithm auto --bytes 64", 13388, 239},
    Bound{"barrier", "", 3837, 161}};

INSTANTIATE_TEST_SUITE_P(Mesh, FirstCallCycles, ::testing::ValuesIn(kBounds),
                         test::ParameterName());

}  // namespace
}  // namespace annelid::end_to_end
