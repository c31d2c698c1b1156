// How long messages waited at their injection port for others of their step.
// State space: two and three messages of a node, of the same and of other steps and ports, posted
// before, while and after another one is injected.
#include "simulation/results/step_waits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace annelid::simulation {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// Posted, on the channel from `started` to `sent`, both included.
nic::MessageRecord waited(std::uint32_t step, Cycle posted, Cycle started, Cycle sent,
                          Port local = 0) {
  nic::MessageRecord m;
  m.info.source = 3;
  m.info.destination = 4;
  m.info.step = step;
  m.local = local;
  m.posted = posted;
  m.started = started;
  m.sent = sent;
  return m;
}

std::map<std::uint32_t, std::uint64_t> waits_of(std::vector<nic::MessageRecord> messages) {
  return injection_waits(CallMessages(std::move(messages)));
}

TEST(InjectionWaits, AreTheCyclesInWhichThePortSentAnotherMessageOfTheStep) {
  EXPECT_THAT(waits_of({waited(1, 0, 2, 11), waited(1, 0, 12, 21)}), ElementsAre(Pair(1, 10)));
  EXPECT_THAT(waits_of({waited(1, 0, 2, 11), waited(1, 7, 15, 21)}), ElementsAre(Pair(1, 5)));
  EXPECT_THAT(waits_of({waited(1, 0, 1, 10), waited(1, 0, 11, 20), waited(1, 5, 21, 30)}),
              ElementsAre(Pair(1, 10 + 6 + 10)));
}

TEST(InjectionWaits, DoNotCountOtherStepsOtherPortsAndTheProtocol) {
  EXPECT_THAT(waits_of({waited(1, 0, 2, 11), waited(2, 0, 12, 21)}),
              ElementsAre(Pair(1, 0), Pair(2, 0)));
  EXPECT_THAT(waits_of({waited(1, 0, 2, 11), waited(1, 0, 12, 21, 1)}), ElementsAre(Pair(1, 0)));
  EXPECT_THAT(waits_of({waited(1, 0, 2, 11), waited(1, 12, 40, 49)}), ElementsAre(Pair(1, 0)))
      << "posted after the other had left, it waited for its receiver";
}

}  // namespace
}  // namespace annelid::simulation
