#include "nic/message_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace annelid::nic {
namespace {

TEST(MessageLog, TellsTheNodesOfTheLargestNetworkApart) {
  constexpr NodeId kLast = 256 * 256 * 256 - 1;
  const std::vector<MessageInfo> sent = {{.source = 0, .destination = kLast},
                                         {.source = 0xff, .destination = 0xffff},
                                         {.source = kLast, .destination = 0, .sequence = 1},
                                         {.source = kLast, .destination = 1, .sequence = 0}};
  MessageLog log;
  for (const MessageInfo& info : sent) log.send_posted(10, info);
  for (std::size_t i = 0; i < sent.size(); ++i) log.received(20 + i, sent[i]);
  ASSERT_EQ(log.records().size(), sent.size());
  for (const MessageRecord& record : log.records()) {
    const auto same = [&](const MessageInfo& info) {
      return info.source == record.info.source && info.destination == record.info.destination;
    };
    const auto place = std::ranges::find_if(sent, same) - sent.begin();
    EXPECT_EQ(record.received, 20 + static_cast<Cycle>(place));
  }
}

TEST(MessageLog, FindsEachOfManyMessages) {
  MessageLog log;
  std::vector<MessageInfo> sent;
  for (NodeId source = 0; source < 40; ++source) {
    for (std::uint16_t sequence = 0; sequence < 70; ++sequence) {
      sent.push_back({.source = source, .destination = source / 2, .sequence = sequence});
      log.send_posted(sent.size(), sent.back());
    }
  }
  for (std::size_t i = sent.size(); i-- > 0;) log.send_completed(10'000 + i + 1, sent[i]);
  for (const MessageRecord& r : log.records()) EXPECT_EQ(r.sent, 10'000 + r.posted);
  EXPECT_EQ(log.size(), sent.size());
}

TEST(MessageLog, TakesTheLatestMessageOfASequenceNumber) {
  const MessageInfo info{.source = 1, .destination = 2, .sequence = 7};
  MessageLog log;
  log.send_posted(1, info);
  log.received(5, info);
  log.send_posted(10, info);
  log.received(15, info);
  ASSERT_EQ(log.size(), 2u);
  EXPECT_EQ(log.records()[0].received, 5u);
  EXPECT_EQ(log.records()[1].received, 15u);
  EXPECT_THROW(log.received(20, {.source = 2, .destination = 1, .sequence = 7}), std::logic_error);
  EXPECT_THROW(MessageLog().received(20, info), std::logic_error);
}

}  // namespace
}  // namespace annelid::nic
