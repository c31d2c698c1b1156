#include "testbench/nic/fuzz/wire_monitor.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace annelid::nic::fuzz {
namespace {

constexpr unsigned kData = 1, kControl = 2, kEager = 3;

std::uint64_t bits(std::uint64_t word, int high, int low) {
  return word >> low & ((std::uint64_t{1} << (high - low + 1)) - 1);
}

Packet parse(const systemc::HeadFields& head, const systemc::NetworkConfig& network,
             std::uint64_t header) {
  Packet packet{.from = network.id(head.source),
                .to = network.id(head.destination),
                .tag = head.tag,
                .kind = static_cast<unsigned>(bits(header, 3, 0))};
  EXPECT_EQ(bits(header, 63, 57), 0u);
  if (packet.kind == kControl) {
    packet.offer = bits(header, 4, 4) != 0;
    packet.park = bits(header, 5, 5) != 0;
    packet.ask = bits(header, 6, 6) != 0;
    packet.free = bits(header, 7, 7) != 0;
    packet.offered = static_cast<unsigned>(bits(header, 50, 45));
    packet.parked = static_cast<unsigned>(bits(header, 56, 51));
    EXPECT_EQ(bits(header, 44, 8), 0u);
    EXPECT_NE(bits(header, 7, 4), 0u) << "a control packet that says nothing";
    EXPECT_TRUE(packet.offer || (packet.tag == 0 && packet.offered == 0));
    EXPECT_TRUE(packet.park || packet.parked == 0);
  } else {
    packet.bytes = static_cast<std::uint32_t>(bits(header, 28, 4));
    packet.sequence = static_cast<std::uint16_t>(bits(header, 44, 29));
    packet.place = static_cast<unsigned>(bits(header, 50, 45));
    EXPECT_EQ(bits(header, 56, 51), 0u);
  }
  return packet;
}

}  // namespace

WireMonitor::WireMonitor(const NicConfig& config)
    : config_(config),
      last_ejected_(network_.nodes()),
      accesses_(network_.nodes()),
      injecting_(network_.nodes()),
      ejecting_(network_.nodes()) {}

bool WireMonitor::assemble(Assembly& assembly, const systemc::Flit& flit) const {
  ++assembly.flits;
  EXPECT_EQ(flit.head, assembly.flits == 1);
  if (assembly.flits == 1) {
    EXPECT_FALSE(flit.tail);
    assembly.head = systemc::unpack_head(flit.data);
    EXPECT_TRUE(network_.contains(assembly.head.source));
    EXPECT_TRUE(network_.contains(assembly.head.destination));
    EXPECT_NE(assembly.head.source, assembly.head.destination);
    return false;
  }
  if (assembly.flits == 2) {
    assembly.packet = parse(assembly.head, network_, flit.data);
    assembly.length = 2 + (std::uint64_t{assembly.packet.bytes} + 7) / 8;
  } else if (assembly.flits == assembly.length && assembly.packet.bytes % 8 != 0) {
    EXPECT_EQ(flit.data >> 8 * (assembly.packet.bytes % 8), 0u) << "not filled with 0";
  }
  EXPECT_EQ(flit.tail, assembly.flits == assembly.length);
  if (!flit.tail) return false;
  assembly.flits = 0;
  return true;
}

void WireMonitor::injected(Cycle now, NodeId node, Port local, const systemc::Flit& flit) {
  Assembly& assembly = injecting_[node][local][flit.vc];
  const bool first = assembly.flits == 1;  // the header comes, which says what the packet is
  expect_limits(now, node, local, assembly.flits >= 2);
  assemble(assembly, flit);
  ++counts_.flits;
  if (first) {
    EXPECT_EQ(assembly.packet.from, node);
    expect_kind(assembly.packet, flit.vc);
    inject(now, assembly.packet);
  }
}

/// Control VCs are for control packets, from end to end, and data VCs for messages.
void WireMonitor::expect_kind(const Packet& packet, Vc vc) const {
  if (!network_.router.control_vc) return;
  EXPECT_EQ(vc >= network_.router.local_vcs, packet.kind == kControl);
}

/// What can be seen of half-duplex mode and of limited memory.
void WireMonitor::expect_limits(Cycle now, NodeId node, Port local, bool data) {
  // A flit that was on the ejection channel in the cycle before is in the buffer now.
  EXPECT_FALSE(config_.half_duplex && last_ejected_[node][local] == now)
      << "injected while there was a flit to consume";
  auto& [cycle, count] = accesses_[node];
  if (cycle != now) count = 0;
  cycle = now;
  count += data;
  EXPECT_TRUE(config_.memory_flits == 0 || count <= config_.memory_flits);
}

void WireMonitor::moved(Cycle now, NodeId node, Port, Vc, Port out, const systemc::Flit& flit) {
  if (!network_.router.is_ejection(out)) return;
  const auto local = static_cast<std::size_t>(out - network_.router.ejection_output(0));
  last_ejected_[node][local] = now + 1;
  const auto& port = ejecting_[node][local];
  counts_.alternating +=
      static_cast<std::uint64_t>(std::any_of(port.begin(), port.end(), [&](const Assembly& other) {
        return &other != &port[flit.vc] && other.flits > 0;
      }));
  Assembly& assembly = ejecting_[node][local][flit.vc];
  if (!assemble(assembly, flit)) return;
  EXPECT_EQ(assembly.packet.to, node);
  expect_kind(assembly.packet, flit.vc);
  eject(now, assembly.packet);
}

void WireMonitor::posted(Cycle now, NodeId from, NodeId to, std::uint16_t tag,
                         std::uint32_t bytes) {
  Message message;
  message.tag = tag;
  message.bytes = bytes;
  message.posted = now;
  pair(from, to).messages.push_back(message);
}

WireMonitor::Arrival WireMonitor::arrival(NodeId from, NodeId to, std::uint16_t sequence) const {
  return pairs_.at({from, to}).messages.at(sequence).arrival;
}

void WireMonitor::inject(Cycle, const Packet& packet) {
  if (packet.kind != kControl) return inject_message(packet);
  ++counts_.control;
  counts_.several += packet.offer + packet.park + packet.ask + packet.free > 1;
  Pair& messages_back = pair(packet.to, packet.from);  // as their receiver
  Pair& messages_there = pair(packet.from, packet.to);
  if (packet.free) {
    ++counts_.frees;
    EXPECT_TRUE(messages_back.eager_taken) << "a free of an eager place that is not taken";
    messages_back.eager_taken = false;
  }
  if (packet.park) {
    ++counts_.parks;
    EXPECT_TRUE(messages_there.outstanding) << "a park of what was not offered";
    EXPECT_EQ(messages_there.place, packet.parked);
    messages_there.outstanding = false;
  }
  counts_.asks += packet.ask;
  if (packet.offer) {
    ++counts_.offers;
    EXPECT_FALSE(messages_back.outstanding) << "a second offer";
    messages_back.outstanding = true;
    messages_back.place = packet.offered;
    messages_back.tag = packet.tag;
    messages_back.offer_arrived = kNever;
  }
}

void WireMonitor::inject_message(const Packet& packet) {
  Pair& messages = pair(packet.from, packet.to);
  ASSERT_LT(packet.sequence, messages.messages.size()) << "a message that nobody posted";
  Message& message = messages.messages[packet.sequence];
  EXPECT_FALSE(message.injected) << "a message twice";
  message.injected = true;
  EXPECT_EQ(packet.tag, message.tag);
  EXPECT_EQ(packet.bytes, message.bytes);
  if (packet.kind == kEager) {
    ++counts_.eager;
    EXPECT_LE(packet.bytes, config_.eager_bytes);
    EXPECT_GT(config_.eager_bytes, 0u);
    EXPECT_EQ(packet.place, 0u);
    EXPECT_FALSE(messages.eager_taken) << "an eager message whose place is taken";
    messages.eager_taken = true;
    message.arrival.eager = true;
    return;
  }
  EXPECT_EQ(packet.kind, kData);
  ++counts_.data;
  EXPECT_TRUE(messages.outstanding) << "data without an offer";
  EXPECT_EQ(packet.place, messages.place);
  EXPECT_EQ(packet.tag, messages.tag);
  EXPECT_NE(messages.offer_arrived, kNever);
  messages.outstanding = false;
  ++(messages.offer_arrived < message.posted ? counts_.kept_hits : counts_.waiting_hits);
}

void WireMonitor::eject(Cycle now, const Packet& packet) {
  if (packet.kind == kControl) {
    if (packet.offer) pair(packet.to, packet.from).offer_arrived = now;
  } else {
    pair(packet.from, packet.to).messages.at(packet.sequence).arrival.tail = now;
  }
}

void WireMonitor::expect_all_over() const {
  for (const auto* side : {&injecting_, &ejecting_}) {
    for (const auto& node : *side) {
      for (const auto& port : node) {
        for (const Assembly& assembly : port) EXPECT_EQ(assembly.flits, 0u);
      }
    }
  }
  for (const auto& [nodes, pair] : pairs_) {
    EXPECT_FALSE(pair.outstanding) << nodes.first << " to " << nodes.second;
    EXPECT_FALSE(pair.eager_taken) << nodes.first << " to " << nodes.second;
    if (nodes.first == nodes.second) continue;
    for (const Message& message : pair.messages) EXPECT_TRUE(message.injected);
  }
}

}  // namespace annelid::nic::fuzz
