// What the firmware costs between a node's messages.
// State space: a node that sends first, one that receives first, one that posts several at once,
// messages of other nodes in between, messages to oneself, messages that never arrived.
#include "simulation/results/firmware_cycles.hpp"

#include <gtest/gtest.h>

namespace annelid::simulation {
namespace {

nic::MessageRecord message(NodeId from, NodeId to, Cycle posted, Cycle received) {
  nic::MessageRecord m;
  m.info.source = from;
  m.info.destination = to;
  m.posted = posted;
  m.received = received;
  return m;
}

TEST(FirmwareCycles, RunFromTheCallAndFromTheLastFlitToTheNextPosting) {
  const FirmwareCycles cycles = firmware_cycles({message(0, 1, 100, 151), message(0, 2, 103, 161),
                                                 message(1, 3, 200, 251), message(1, 2, 204, 241)},
                                                {40, 50, 60, 70});
  EXPECT_EQ(cycles.call_to_send.cases, 1u);
  EXPECT_EQ(cycles.call_to_send.least, 60u);
  EXPECT_EQ(cycles.receive_to_send.cases, 1u) << "of the two that node 1 posted, the first";
  EXPECT_EQ(cycles.receive_to_send.least, 50u);
  EXPECT_EQ(cycles.receive_to_send.most, 50u);
}

TEST(FirmwareCycles, CountFromTheLastMessageThatCameBefore) {
  const FirmwareCycles cycles =
      firmware_cycles({message(0, 1, 10, 31), message(2, 1, 10, 51), message(1, 3, 80, 91),
                       message(3, 1, 100, 131), message(1, 2, 230, kNever)},
                      {0, 0, 0, 0});
  EXPECT_EQ(cycles.call_to_send.cases, 2u);
  EXPECT_EQ(cycles.receive_to_send.cases, 3u);
  EXPECT_EQ(cycles.receive_to_send.least, 10u) << "node 3";
  EXPECT_EQ(cycles.receive_to_send.most, 100u);
  EXPECT_DOUBLE_EQ(cycles.receive_to_send.mean().value(), (30 + 100 + 10) / 3.0);
}

TEST(FirmwareCycles, LeaveOutMessagesToOneself) {
  const FirmwareCycles cycles =
      firmware_cycles({message(1, 1, 5, 9), message(1, 0, 20, 31)}, {0, 0});
  EXPECT_EQ(cycles.call_to_send.least, 20u);
  EXPECT_EQ(cycles.receive_to_send.cases, 0u);
  EXPECT_EQ(cycles.receive_to_send.mean(), std::nullopt);
}

}  // namespace
}  // namespace annelid::simulation
