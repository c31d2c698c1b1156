// The registry, the machines, and items with a laboratory that makes its results up: what is
// measured decides the verdict. (Items on real simulations: testbench/end_to_end/reproduce_test.)
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reference/costs/formulas.hpp"
#include "studies/reproduce/item.hpp"
#include "studies/reproduce/machine.hpp"
#include "testbench/studies/reproduce/made_up.hpp"

namespace annelid::reproduction {
namespace {

Verdict verdict_of(const char* id, Laboratory& lab) {
  return worst(find_item(id)->reproduce(lab).claims);
}

TEST(Items, EveryTableAndFigureThatIsPromisedIsThere) {
  std::vector<std::string> promised = {"table2.1", "switching", "fig3.24",
                                       "fig3.25",  "fig3.29",   "section3.7"};
  for (int i = 1; i <= 7; ++i) {
    promised.push_back("table3." + std::to_string(i));
    promised.push_back("table5." + std::to_string(i));
  }
  for (int i = 13; i <= 17; ++i) promised.push_back("fig3." + std::to_string(i));
  for (int i = 13; i <= 16; ++i) promised.push_back("fig4." + std::to_string(i));
  for (int i = 8; i <= 14; ++i) promised.push_back("fig5." + std::to_string(i));
  for (const char* id : {"two-tree-fig1", "two-tree-fig5", "two-tree-fig6", "two-tree-fig7",
                         "two-tree-fig8", "two-tree-fig9", "two-tree-simplex", "two-tree-table1",
                         "two-tree-tableA.1", "intercom-fig1", "intercom-table2", "intercom-table3",
                         "intercom-fig2", "intercom-fig4", "ccl"}) {
    promised.emplace_back(id);
  }
  for (const std::string& id : promised) EXPECT_NE(find_item(id), nullptr) << id;
  // Figures 5.15 and 5.18 are the plots of their tables.
  EXPECT_NE(find_item("table5.6")->title.find("Figure 5.15"), std::string_view::npos);
  EXPECT_NE(find_item("table5.7")->title.find("Figure 5.18"), std::string_view::npos);
}

TEST(Items, NamesAreDifferentAndUnknownOnesAreNotThere) {
  std::set<std::string_view> names;
  for (const Item& item : items()) EXPECT_TRUE(names.insert(item.id).second) << item.id;
  EXPECT_EQ(find_item("fig9.9"), nullptr);
  EXPECT_EQ(find_item("all"), nullptr);
}

TEST(Items, AllTogetherTakeLessThan20Minutes) {
  int seconds = 0;
  for (const Item& item : items()) seconds += item.seconds;
  EXPECT_LT(seconds, 20 * 60);
}

TEST(Items, ASimulatedStepTooManyMakesATableOfStepsDiffer) {
  MadeUp right, wrong(1);
  EXPECT_EQ(verdict_of("table3.5", right), Verdict::kEqual);
  EXPECT_EQ(verdict_of("table3.5", wrong), Verdict::kDiffers);
}

TEST(Items, ASlowerBroadcastMakesAFigureDiffer) {
  MadeUp right, wrong(0, 3);
  EXPECT_EQ(verdict_of("fig3.14", right), Verdict::kEqual);
  EXPECT_EQ(verdict_of("fig3.14", wrong), Verdict::kDiffers);
}

TEST(Items, HaveATableAndClaimsAndThoseThatDifferSayWhyInASentence) {
  for (const Item& item : items()) {
    if (item.seconds > 3) continue;  // what those need of schedules is long
    MadeUp lab;
    const Outcome outcome = item.reproduce(lab);
    EXPECT_FALSE(outcome.table.rows.empty()) << item.id;
    EXPECT_FALSE(outcome.claims.empty()) << item.id;
    for (const auto& row : outcome.table.rows) {
      EXPECT_EQ(row.size(), outcome.table.columns.size()) << item.id;
    }
    for (const Claim& c : outcome.claims) {
      EXPECT_TRUE(c.verdict == Verdict::kEqual || c.why.ends_with('.'))
          << item.id << ": " << c.text;
      EXPECT_NE(c.paper.empty(), c.computed.empty())
          << item.id << ": " << c.text << ": either a paper says it, or we computed it";
      EXPECT_EQ(c.paper.empty(), c.place.empty()) << item.id << ": " << c.text;
      EXPECT_EQ(c.evidence.has_value(), c.verdict != Verdict::kNotYet) << item.id << ": " << c.text;
    }
  }
}

TEST(Items, WhatDiffersOnHardwareNamesItsRunsOrItsCore) {
  MadeUp wrong(1, 3);
  for (const char* id : {"table3.5", "fig3.14", "fig4.14"}) {
    bool found = false;
    for (const Claim& c : find_item(id)->reproduce(wrong).claims) {
      if (c.verdict != Verdict::kDiffers) continue;
      found = true;
      EXPECT_EQ(c.evidence, Evidence::kHardware) << id << ": " << c.text;
      EXPECT_FALSE(c.runs.empty()) << id << ": " << c.text;
    }
    EXPECT_TRUE(found) << id;
  }
}

TEST(Items, AFormulaIsNoClaimOfAPaper) {
  // Table 5.4 prints no value of tau: the item has none, and counts steps in schedules instead.
  MadeUp lab;
  for (const Claim& c : find_item("table5.4")->reproduce(lab).claims) {
    EXPECT_EQ(c.evidence, Evidence::kSchedule) << c.text;
    EXPECT_EQ(c.verdict, Verdict::kEqual) << c.text;
  }
}

TEST(Items, ManyIsMoreThanHalf) {
  MadeUp lab;
  const auto claims = find_item("fig4.13")->reproduce(lab).claims;
  const auto many =
      std::ranges::find(claims, "EDN by Theorem 3 achieves the lower bound", &Claim::text);
  ASSERT_NE(many, claims.end());
  EXPECT_EQ(many->ours, "73 of 246 sizes");
  EXPECT_EQ(many->verdict, Verdict::kDiffers);
}

TEST(Laboratory, ComparesCallsOnTheCoreWithNativeOnes) {
  MadeUp lab;
  const CoreRatios ratios = lab.core_ratios({one_measured(64), one_measured(4096)});
  EXPECT_EQ(ratios.first, (std::vector{3.0, 3.0}));
  EXPECT_EQ(ratios.prepared, (std::vector{2.0, 2.0}));
}

TEST(Items, ShowCallsOnTheCoreBesideNativeOnes) {
  MadeUp lab;
  const Table table = find_item("fig3.14")->reproduce(lab).table;
  for (const auto& [column, ratio] : {std::pair{"EDN 8x8, first / native", "3.00"},
                                      {"EDN 8x8, prepared / native", "2.00"},
                                      {"RD 8x8, prepared / native", "2.00"}}) {
    const auto at = std::ranges::find(table.columns, column);
    ASSERT_NE(at, table.columns.end()) << column;
    for (const auto& row : table.rows) {
      EXPECT_EQ(row.at(static_cast<std::size_t>(at - table.columns.begin())), ratio) << column;
    }
  }
}

TEST(Laboratory, AsksAboutEveryProcessOrAThousand) {
  MadeUp lab;
  EXPECT_EQ(lab.schedule_cost(CoreSchedule::kTwoTree, 100).processes_asked(), 100);
  const CoreCost many = lab.schedule_cost(CoreSchedule::kTwoTree, 100'000);
  EXPECT_GE(many.processes_asked(), 950);
  EXPECT_LE(many.processes_asked(), 1010);
  EXPECT_EQ(many.most(), 1000u + 100'000 % 7 + 6);
}

TEST(Machines, MicrosecondsAreConvertedToCyclesOfAFlit) {
  EXPECT_DOUBLE_EQ(ncube_2().cycle_us(), 3.6);
  EXPECT_EQ(ncube_2().alpha() + ncube_2().gamma(), 47u);  // 170 / 3.6 = 47.2
  EXPECT_DOUBLE_EQ(t3d().cycle_us(), 0.0264);
  EXPECT_EQ(t3d().alpha() + t3d().gamma(), 57u);  // 1.5 / 0.0264 = 56.8
  EXPECT_EQ(t3d(0.15).alpha() + t3d(0.15).gamma(), 6u);
  EXPECT_EQ(torus_machine(0).alpha(), 0u);
  EXPECT_EQ(torus_machine(100).gamma(), 25u);
}

TEST(Runs, SayEverythingThatTheyDependOn) {
  reproduction::Run run;  // GoogleTest has a Run of its own
  run.algorithm = "two-tree";
  run.network = {28, 1, 1, {}, true};
  run.root = {3, 0, 0};
  run.bytes = 1024;
  run.alpha = 220;
  run.one_port = true;
  run.local_vcs = 4;
  run.packets = 7;
  EXPECT_EQ(run.line(),
            "--firmware native --operation broadcast --algorithm two-tree --size 28 --topology "
            "ideal --router one-port --local-vcs 4 --control-vc true --root 3 --bytes 1024 "
            "--packets 7 --alpha 220");
  run.calls = CallKind::kFirst;
  EXPECT_EQ(run.line().substr(0, 28), "--firmware rv32 --operation ");
  run.calls = CallKind::kPrepared;
  EXPECT_TRUE(run.line().ends_with("--packets 7 --alpha 220 --prepared --repeat 2"));
  EXPECT_NE(run.machine().line(), reproduction::Run{}.machine().line()) << "its lists take room";
}

TEST(RandomNodes, AreDifferentAndTheSameForASeed) {
  const reference::Network net{32, 32};
  const auto nodes = random_nodes(net, 100, 1);
  EXPECT_EQ(std::set<reference::Node>(nodes.begin(), nodes.end()).size(), 100u);
  EXPECT_EQ(nodes, random_nodes(net, 100, 1));
  EXPECT_NE(nodes, random_nodes(net, 100, 2));
  EXPECT_EQ(random_nodes({4, 4}, 100, 1).size(), 16u);
}

}  // namespace
}  // namespace annelid::reproduction
