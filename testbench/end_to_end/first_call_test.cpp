// The first call of a run: when it is made, and its cycles, which are exact: bounds that must not be
// lost again.
#include <gtest/gtest.h>

#include <string>

#include "testbench/end_to_end/program.hpp"

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

}  // namespace
}  // namespace annelid::end_to_end
