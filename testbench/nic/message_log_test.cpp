#include "nic/message_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
}  // namespace annelid::nic
