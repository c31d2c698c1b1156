// The messages of a call by their steps.
// State space: steps of one to four bytes, in no order; several messages of a step; messages to the
// own node; none at all.
#include "simulation/results/call_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace annelid::simulation {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

nic::MessageRecord message(std::uint32_t step, NodeId source = 0, NodeId destination = 1) {
  nic::MessageRecord m;
  m.info.source = source;
  m.info.destination = destination;
  m.info.step = step;
  return m;
}

using Places = std::vector<std::uint32_t>;

std::vector<std::pair<std::uint32_t, Places>> steps_of(std::vector<nic::MessageRecord> messages) {
  const CallMessages call(std::move(messages));
  std::vector<std::pair<std::uint32_t, Places>> steps;
  for (const StepMessages& s : call.by_step.steps()) {
    steps.emplace_back(s.step, Places(s.places.begin(), s.places.end()));
  }
  return steps;
}

TEST(CallMessages, AreInTheOrderOfTheirStepsAndThenOfTheList) {
  EXPECT_THAT(
      steps_of({message(2), message(1), message(2), message(0), message(1)}),
      ElementsAre(Pair(0, ElementsAre(3)), Pair(1, ElementsAre(1, 4)), Pair(2, ElementsAre(0, 2))));
}

TEST(CallMessages, MayHaveAnyStep) {
  EXPECT_THAT(steps_of({message(0x0100), message(0xFFFF'FFFF), message(0x00FF), message(0x01'0000),
                        message(0x0100), message(0x0101)}),
              ElementsAre(Pair(0x00FF, ElementsAre(2)), Pair(0x0100, ElementsAre(0, 4)),
                          Pair(0x0101, ElementsAre(5)), Pair(0x01'0000, ElementsAre(3)),
                          Pair(0xFFFF'FFFF, ElementsAre(1))));
}

TEST(CallMessages, ToTheOwnNodeAreInNoStep) {
  EXPECT_THAT(steps_of({message(1, 3, 3), message(1, 3, 2)}), ElementsAre(Pair(1, ElementsAre(1))));
  EXPECT_THAT(steps_of({message(7, 3, 3)}), IsEmpty());
  EXPECT_THAT(steps_of({}), IsEmpty());
}

TEST(CallMessages, KeepTheirStepsWhereTheyAreMoved) {
  CallMessages first({message(2), message(1)});
  const CallMessages second = std::move(first);
  ASSERT_EQ(second.by_step.steps().size(), 2u);
  EXPECT_EQ(second.by_step.steps()[0].places.front(), 1u);
}

}  // namespace
}  // namespace annelid::simulation
