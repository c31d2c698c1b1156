// Each process's schedules in the circulant graph, as it finds them by itself, against the
// reference's, which follow from all processes' at once. State space: every number of processes up
// to 400, every 37th to 3,000, a sample up to 65,536, every process, both directions; all to 3,000,
// 65,536 and 19 samples were tried once.
#include "firmware/collectives/pipelines/circulant_schedule.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "reference/pipelines/circulant.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::firmware {
namespace {

void expect_the_reference(std::uint32_t p) {
  const reference::CirculantSchedule expected = reference::circulant_schedule(static_cast<int>(p));
  const CirculantGraph graph(p);
  ASSERT_EQ(graph.rounds(), static_cast<std::uint32_t>(expected.rounds()));
  for (std::uint32_t r = 0; r < p; ++r) {
    CirculantGraph::Schedule receives, sends;
    graph.find_receives(r, receives);
    graph.find_sends(r, sends);
    for (std::uint32_t i = 0; i < graph.rounds(); ++i) {
      ASSERT_EQ(receives[i], expected.receives[r][i]) << p << ": process " << r << ", round " << i;
      ASSERT_EQ(sends[i], expected.sends(static_cast<int>(r), static_cast<int>(i)))
          << p << ": process " << r << ", round " << i;
    }
  }
}

TEST(CirculantGraph, HasTheReferencesSchedulesOfAllNumbersTo400AndEvery37thTo3000) {
  for (std::uint32_t p = 2; p <= 3000; p += p < 400 ? 1 : 37) {
    expect_the_reference(p);
    if (HasFatalFailure()) return;
  }
}

TEST(CirculantGraph, HasTheReferencesSchedulesOfARandomNumberTo65536) {
  const std::uint64_t seed = reference::sample_seed();
  std::cout << "ANNELID_SEED=" << seed << '\n';
  std::mt19937_64 random(seed);
  expect_the_reference(std::uniform_int_distribution<std::uint32_t>(3001, 65'536)(random));
}

}  // namespace
}  // namespace annelid::firmware
