#include "studies/cost/reports.hpp"

#include <gtest/gtest.h>

#include "studies/cost/estimate.hpp"

namespace annelid::cost {
namespace {

TEST(Liberty, GivesTheAreaOfEachCellAndNotOfOthers) {
  const auto areas = parse_liberty_areas(
      "library (osu018) {\n  area_unit : 1;\ncell (NAND2X1) {\n  area : 24;\n  cell_leakage : "
      "1;\n}\n"
      "cell (DFFPOSX1) {\narea : 96;\n  ff (A,B) {\n  }\n}\n");
  ASSERT_EQ(areas.size(), 2U);
  EXPECT_EQ(areas.at("NAND2X1"), 24);
  EXPECT_EQ(areas.at("DFFPOSX1"), 96);
}

TEST(Statistics, CountTheCellsOfTheTableAndReadTheArea) {
  const Statistics s = parse_statistics(
      "\n1. Printing statistics.\n\n=== cost_top ===\n\n   Number of wires:               2362\n"
      "   Number of cells:                 31\n     AND2X1                         20\n"
      "     DFFPOSX1                       11\n\n   Chip area for module '\\cost_top': "
      "1696.500000\n\n");
  EXPECT_EQ(s.total(), 31);
  EXPECT_EQ(s.cells.at("DFFPOSX1"), 11);
  EXPECT_EQ(s.cells.size(), 2U);
  EXPECT_DOUBLE_EQ(s.area, 1696.5);
}

TEST(Statistics, OfATextWithoutATableAreAnError) {
  EXPECT_THROW(parse_statistics("ERROR: no such module\n"), CostError);
}

constexpr const char* kPath =
    "Startpoint: in_vc_i[0] (input port clocked by clk)\n"
    "Endpoint: u_router.u_fifo.places_q[0][21]$_DFFE_PP_\n"
    "          (rising edge-triggered flip-flop clocked by clk)\n"
    "Path Group: clk\nPath Type: max\n\n"
    "     Delay      Time   Description\n"
    "------------------------------------------------------------------\n"
    "    0.0000    0.0000   clock clk (rise edge)\n"
    "    4.2000    4.2000 ^ input external delay\n"
    "    0.0055    4.2055 ^ in_vc_i[0] (in)\n"
    "    1.3954    5.6009 ^ _1_/Y (OAI21X1)\n"
    "              5.6009   data arrival time\n\n"
    " 1000.0000 1000.0000   clock clk (rise edge)\n"
    "   -0.1748  999.8252   library setup time\n"
    "            999.8252   data required time\n"
    "------------------------------------------------------------------\n"
    "            999.8252   data required time\n"
    "             -5.6009   data arrival time\n"
    "------------------------------------------------------------------\n"
    "            994.2243   slack (MET)\n\n\n";

TEST(TimingPaths, GiveEndsArrivalInputDelayAndSetup) {
  const auto paths = parse_timing_paths(std::string("Warning: x\n") + kPath + kPath);
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_EQ(paths[0].start, "in_vc_i[0]");
  EXPECT_EQ(paths[0].end, "u_router.u_fifo.places_q[0][21]$_DFFE_PP_");
  EXPECT_DOUBLE_EQ(paths[0].arrival, 5.6009);
  EXPECT_DOUBLE_EQ(paths[0].input_delay, 4.2);
  EXPECT_DOUBLE_EQ(paths[0].setup, 0.1748);
}

TEST(TimingPaths, ThatBreakOffAreAnErrorAndNoneIsNone) {
  const std::string text = kPath;
  EXPECT_THROW(parse_timing_paths(text.substr(0, text.find("slack"))), CostError);
  EXPECT_TRUE(parse_timing_paths("No paths found.\n").empty());
}

TEST(NextpnrReport, GivesCellsAndTheSlowestClock) {
  const PlaceAndRoute p = parse_nextpnr_report(
      R"({"fmax":{"a":{"achieved":61.5,"constraint":12},"b":{"achieved":40.25,"constraint":12}},
          "utilization":{"ICESTORM_LC":{"available":7680,"used":1234}}})");
  EXPECT_EQ(p.cells, 1234);
  EXPECT_DOUBLE_EQ(p.clock_mhz, 40.25);
}

TEST(NextpnrReport, OfAnotherShapeIsAnError) {
  EXPECT_THROW(parse_nextpnr_report("{}"), CostError);
  EXPECT_THROW(parse_nextpnr_report("nothing"), CostError);
}

}  // namespace
}  // namespace annelid::cost
