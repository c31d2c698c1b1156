// The smallest unit of the NIC synthesized in earnest.
#include <gtest/gtest.h>

#include "studies/cost/estimate.hpp"
#include "studies/cost/tool.hpp"

namespace annelid::cost {
namespace {

TEST(UnitSynthesis, OfAUnitOfTheNicCountsItsRegisters) {
  const WorkFolder cache("");
  CostOptions options;
  options.rtl_dir = RTL_DIR;
  options.cache_dir = cache.path();
  options.fpga = true;
  const UnitConfig unit{.name = "trigger", .places = 2};
  const UnitReport report = estimate_unit_cost(unit, options);
  EXPECT_FALSE(report.cached);
  // A place has five flags, its list, its key (destination and tag), its rank, and three
  // dependencies. A flag says that it fires behind the other place, which needs a bit at most.
  const int place = 5 + 2 + 40 + 1 + 3 * (2 + 16);
  EXPECT_GT(report.asic.flip_flops, 2 * (place - 20));
  EXPECT_LT(report.asic.flip_flops, 2 * (place + 20));
  EXPECT_GT(report.asic.area_um2, 96.0 * static_cast<double>(report.asic.flip_flops));
  EXPECT_GT(report.asic.period_ns, 0.5);
  EXPECT_LT(report.asic.period_ns, 20);
  EXPECT_FALSE(report.asic.critical.start.empty());
  ASSERT_TRUE(report.fpga);
  EXPECT_GT(report.fpga->luts, 100);
  EXPECT_NEAR(static_cast<double>(report.fpga->flip_flops),
              static_cast<double>(report.asic.flip_flops), 24);

  const UnitReport again = estimate_unit_cost(unit, options);
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.asic.area_um2, report.asic.area_um2);
}

}  // namespace
}  // namespace annelid::cost
