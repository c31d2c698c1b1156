// The flit log's format and its independence of the order of events.
#include "systemc/analysis/flit_log.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

namespace annelid::systemc {
namespace {

const NetworkConfig kConfig{{4, 4, 1}, {}};

TEST(FlitLog, WritesALineForEachFlitInTheDocumentedFormat) {
  std::ostringstream text;
  FlitLog log(text, kConfig);
  const Flit head{pack(HeadFields{{2, 1, 0}, {1, 0, 0}, 300}), 0, true, false};
  log.injected(5, 1, 2, head);
  log.moved(6, 1, 6, 0, kPlusX, head);
  log.injected(6, 1, 2, {0xabcdef, 0, false, false});
  log.moved(7, 2, kMinusX, 0, kPlusY, {0xabcdef, 3, false, true});
  log.moved(8, 6, kMinusY, 0, 4, {pack(HeadFields{{2, 1, 0}, {1, 0, 0}, 1}), 1, true, true});
  log.flush();
  EXPECT_EQ(text.str(),
            "5 1,0 inj2 0 H 012c000001000102 1,0>2,1 300\n"
            "6 1,0 +x 0 H 012c000001000102 1,0>2,1 300\n"
            "6 1,0 inj2 0 B 0000000000abcdef\n"
            "7 2,0 +y 3 T 0000000000abcdef\n"
            "8 2,1 ej0 1 S 0001000001000102 1,0>2,1 1\n");
}

TEST(FlitLog, SortsTheFlitsOfACycle) {
  std::vector<std::pair<NodeId, Port>> channels;
  for (NodeId n = 0; n < 16; ++n) {
    for (Port o = 0; o < 12; ++o) channels.emplace_back(n, o);
  }
  const auto log_in_order = [](const auto& order) {
    std::ostringstream text;
    FlitLog log(text, kConfig);
    for (const auto& [node, channel] : order) {
      const Flit flit{std::uint64_t{node} << 8 | channel};
      if (channel < 8) {
        log.moved(3, node, 0, 0, channel, flit);
      } else {
        log.injected(3, node, static_cast<Port>(channel - 8), flit);
      }
    }
    log.flush();
    return text.str();
  };
  const std::string sorted = log_in_order(channels);
  EXPECT_THAT(sorted, ::testing::StartsWith("3 0,0 +x 0 B 0000000000000000\n3 0,0 -x 0 B"));
  EXPECT_EQ(std::ranges::count(sorted, '\n'), 16 * 12);
  std::ranges::reverse(channels);
  EXPECT_EQ(log_in_order(channels), sorted);
  std::rotate(channels.begin(), channels.begin() + 77, channels.end());
  EXPECT_EQ(log_in_order(channels), sorted);
}

}  // namespace
}  // namespace annelid::systemc
