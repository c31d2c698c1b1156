// Nodes with fake NICs, and a network in which a message takes no time.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "testbench/firmware/fake_bus.hpp"
#include "testbench/firmware/plan_check.hpp"

namespace annelid::firmware {

struct TestNode {
  TestNode(Address self, Size size) : bus(self, size), firmware(make_native_firmware(bus)) {}

  FakeBus bus;
  std::unique_ptr<NativeFirmware> firmware;
  std::size_t seen = 0;  // of bus.queued, by deliver()
};

/// Runs all nodes until nothing changes; a message takes no time. Returns how many were delivered.
inline long deliver(std::vector<std::unique_ptr<TestNode>>& nodes, Size size) {
  std::map<std::pair<std::size_t, std::size_t>, FakeBus::Descriptor> sends, receives;
  long delivered = 0;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t self = 0; self < nodes.size(); ++self) {
      TestNode& node = *nodes[self];
      if (node.bus.event()) {
        node.firmware->run();
        more = true;
      }
      for (; node.seen < node.bus.queued.size(); ++node.seen) {
        const FakeBus::Descriptor d = node.bus.queued[node.seen];
        const std::size_t peer = index_of(d.peer, size);
        const auto pair = d.receive ? std::pair(peer, self) : std::pair(self, peer);
        (d.receive ? receives : sends)[pair] = d;
        if (!sends.contains(pair) || !receives.contains(pair)) continue;
        EXPECT_EQ(sends[pair].tag, receives[pair].tag);
        EXPECT_EQ(sends[pair].bytes, receives[pair].bytes);
        nodes[pair.first]->bus.complete(sends[pair]);
        nodes[pair.second]->bus.complete(receives[pair]);
        sends.erase(pair);
        receives.erase(pair);
        ++delivered;
        more = true;
      }
    }
  }
  EXPECT_TRUE(sends.empty());
  EXPECT_TRUE(receives.empty());
  return delivered;
}

}  // namespace annelid::firmware
