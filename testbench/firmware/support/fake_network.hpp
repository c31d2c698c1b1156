// Nodes with fake NICs, and a network in which a message takes no time and no space.
#pragma once

#include <gtest/gtest.h>

#include <compare>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "firmware/program/holding_firmware.hpp"
#include "testbench/firmware/support/fake_bus.hpp"
#include "testbench/firmware/support/plan_check.hpp"

namespace annelid::firmware {

struct TestNode {
  explicit TestNode(Address self, Size size, std::uint32_t rings = 0)
      : bus(self, size, rings), firmware(make_holding_firmware(bus)) {}

  FakeBus bus;
  std::unique_ptr<NativeFirmware> firmware;
};

/// All nodes of a network, and what its NICs do (docs/internals/nic/registers.md, messages.md
/// and combining.md, without time): a message goes to the oldest receive of its source and tag. In
/// which order nodes run and messages travel is drawn from `seed`; seed 0 is round robin. A drawn
/// message that is not longer than `eager` bytes may leave its sender before there is a receive.
class FakeNetwork {
 public:
  using MakeFirmware = std::function<std::unique_ptr<NativeFirmware>(FakeBus&)>;

  /// A message that was delivered, as all firmware of a program must send it.
  struct Record {
    std::size_t from = 0, to = 0;
    std::uint32_t tag = 0, bytes = 0, sequence = 0, step = 0;
    auto operator<=>(const Record&) const = default;
  };

  explicit FakeNetwork(Size size, std::uint32_t seed = 0, std::uint32_t eager = 64,
                       const MakeFirmware& make = {}, std::uint32_t rings = 0)
      : size_(size), random_(seed), shuffled_(seed != 0), eager_(seed != 0 ? eager : 0) {
    for (const Address a : nodes_of(size)) {
      nodes_.push_back(std::make_unique<TestNode>(a, size, rings));
      if (make) nodes_.back()->firmware = make(nodes_.back()->bus);
      ports_.emplace_back();
    }
    for (const auto& node : nodes_) node->firmware->run();
  }
  virtual ~FakeNetwork() = default;
  FakeNetwork(const FakeNetwork&) = delete;
  FakeNetwork& operator=(const FakeNetwork&) = delete;

  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  TestNode& operator[](std::size_t node) { return *nodes_[node]; }
  FakeBus& bus(std::size_t node) { return nodes_[node]->bus; }

  /// Runs until nothing changes. Returns how many messages were delivered.
  long run() {
    const std::size_t before = records.size();
    while (shuffled_ ? drawn_action() : next_round()) {
    }
    return static_cast<long>(records.size() - before);
  }

  /// The result of a call that must be finished.
  reg::CallResult result(std::size_t node, std::uint32_t ticket) {
    const auto found = bus(node).results.find(ticket);
    if (found == bus(node).results.end()) {
      ADD_FAILURE() << "node " << node << " has not finished call " << ticket;
      return static_cast<reg::CallResult>(999);
    }
    return static_cast<reg::CallResult>(found->second);
  }

  /// Makes the same call at all nodes, runs, and expects success.
  void call_all(const std::function<TestCall(std::size_t)>& call) {
    call_some([](std::size_t) { return true; }, call);
  }
  /// Or at some of them.
  virtual void call_some(const std::function<bool(std::size_t)>& calls,
                         const std::function<TestCall(std::size_t)>& call) {
    std::map<std::size_t, std::uint32_t> tickets;
    for (std::size_t i = 0; i < nodes(); ++i) {
      if (calls(i)) tickets[i] = bus(i).call(call(i));
    }
    run();
    for (const auto& [node, ticket] : tickets) {
      EXPECT_EQ(result(node, ticket), reg::CallResult::kSuccess) << "node " << node;
    }
  }

  /// Sends and receives that found no other side.
  [[nodiscard]] std::size_t unmatched() const {
    std::size_t count = 0;
    for (const auto& [flow, q] : flows_) count += q.sends.size() + q.receives.size();
    for (const Port& port : ports_) count += port.held.size();
    return count;
  }

  std::vector<Record> records;
  /// Called with each record and the message's bytes.
  std::function<void(const Record&, const std::vector<std::byte>&)> on_delivery;
  /// What the NICs do for SUM of UINT32, which is enough to see what the firmware asks for: operand
  /// and message, or the reverse.
  std::function<std::uint32_t(std::uint32_t, std::uint32_t)> sum = std::plus<>{};

 private:
  using Descriptor = FakeBus::Descriptor;
  using Flow = std::tuple<std::size_t, std::size_t, std::uint32_t>;  // from, to, tag
  struct Send {
    Descriptor d;
    bool left = false;  // its bytes are here, and its sender is done with them
    std::vector<std::byte> bytes;
    std::uint32_t sequence = 0;
  };
  struct Queues {
    std::deque<Send> sends;
    std::deque<Descriptor> receives;
  };
  struct Port {
    std::size_t seen = 0;                           // of bus.queued
    std::deque<Descriptor> held;                    // triggered sends, oldest first
    std::map<std::size_t, std::uint32_t> sequence;  // by destination
    std::deque<Descriptor> combining;               // receives without their message, oldest first
  };

  /// Takes in what the nodes have queued, and fires held sends.
  void take_in() {
    for (std::size_t self = 0; self < nodes(); ++self) {
      Port& port = ports_[self];
      FakeBus& b = bus(self);
      for (; port.seen < b.queued.size(); ++port.seen) {
        const Descriptor d = b.queued[port.seen];
        const std::size_t peer = index_of(d.peer, size_);
        if (d.receive) {
          flows_[{peer, self, d.tag}].receives.push_back(d);
          if (d.combine != 0) port.combining.push_back(d);
        } else if (d.held()) {
          port.held.push_back(d);
        } else {
          admit(self, d);
        }
      }
      for (auto d = port.held.begin(); d != port.held.end();) {
        if (b.value(reg::kCounter + 4 * d->trigger) < d->threshold) {
          ++d;
        } else {
          admit(self, *d);
          d = port.held.erase(d);
        }
      }
    }
  }
  void admit(std::size_t self, const Descriptor& d) {
    if (d.block != 0) {
      EXPECT_EQ(d.block % 8, 0U);
      EXPECT_GE(d.stride, d.block);
    }
    const std::size_t peer = index_of(d.peer, size_);
    flows_[{self, peer, d.tag}].sends.push_back({d, false, {}, ports_[self].sequence[peer]++});
  }

  /// All nodes that are awake, then all messages that have both sides.
  bool next_round() {
    bool any = false;
    for (std::size_t i = 0; i < nodes(); ++i) {
      if (!bus(i).event()) continue;
      nodes_[i]->firmware->run();
      any = true;
    }
    take_in();
    for (auto flow = flows_.begin(); flow != flows_.end();) {
      Queues& q = flow->second;
      if (!q.sends.empty() && !q.receives.empty() && may_deliver(flow->first, q)) {
        deliver(flow->first, q);
        any = true;
      }
      flow = q.sends.empty() && q.receives.empty() ? flows_.erase(flow) : std::next(flow);
    }
    return any;
  }

  bool drawn_action() {
    take_in();
    std::erase_if(flows_, [](const auto& flow) {
      return flow.second.sends.empty() && flow.second.receives.empty();
    });
    std::vector<std::function<void()>> possible;
    for (std::size_t i = 0; i < nodes(); ++i) {
      if (bus(i).event()) possible.push_back([this, i] { nodes_[i]->firmware->run(); });
    }
    for (auto& [flow, q] : flows_) {
      if (q.sends.empty()) continue;
      Send& first = q.sends.front();
      if (!q.receives.empty()) {
        if (!may_deliver(flow, q)) continue;
        possible.push_back([this, &flow = flow, &q = q] { deliver(flow, q); });
      } else if (!first.left && first.d.bytes <= eager_) {
        possible.push_back([this, &flow = flow, &first] { leave(std::get<0>(flow), first); });
      }
    }
    if (possible.empty()) return false;
    possible[random_() % possible.size()]();
    return true;
  }

  void leave(std::size_t from, Send& send) {
    if (send.left) return;
    send.left = true;
    FakeBus& b = bus(from);
    for (std::uint32_t at = 0; at < send.d.bytes; ++at) {
      const std::uint32_t place =
          send.d.block == 0 ? at : at / send.d.block * send.d.stride + at % send.d.block;
      send.bytes.push_back(*b.at(send.d.offset + place, 1));
    }
    b.complete(send.d);
  }

  static std::uint32_t operand_of(const Descriptor& d) {
    return reg::kRecvCombineApartField.of(d.combine) != 0 ? d.operand : d.offset;
  }
  /// Receives that depend on each other are combined in the order of their go. Empty ones do not.
  bool may_deliver(const Flow& flow, const Queues& q) const {
    const Descriptor& receive = q.receives.front();
    if (receive.combine == 0 || receive.bytes == 0) return true;
    for (const Descriptor& older : ports_[std::get<1>(flow)].combining) {
      if (older.id == receive.id) return true;
      if (older.bytes == 0) continue;
      if (older.offset == receive.offset || older.offset == operand_of(receive) ||
          operand_of(older) == receive.offset)
        return false;
    }
    return true;
  }

  void deliver(const Flow& flow, Queues& q) {
    const auto [from, to, tag] = flow;
    Send send = q.sends.front();
    leave(from, send);
    q.sends.pop_front();
    const Descriptor receive = q.receives.front();
    q.receives.pop_front();
    std::erase_if(ports_[to].combining,
                  [&](const Descriptor& other) { return other.id == receive.id; });
    FakeBus& b = bus(to);
    const auto bytes = static_cast<std::uint32_t>(send.bytes.size());
    records.push_back({from, to, tag, bytes, send.sequence, send.d.step});
    if (on_delivery) on_delivery(records.back(), send.bytes);
    if (bytes > receive.bytes) {
      b.raise_error(reg::ErrorCause::kTooLong, receive.id);
      b.complete(receive, bytes, true);
      return;
    }
    if (receive.combine != 0) {
      combine(b, receive, send.bytes);
    } else {
      b.put(receive.offset, send.bytes.data(), bytes);
    }
    b.complete(receive, bytes);
  }

  void combine(FakeBus& b, const Descriptor& receive, const std::vector<std::byte>& bytes) const {
    EXPECT_EQ(receive.combine & 0xFF,
              reg::kRecvCombineOperatorField.in(1) | reg::kRecvCombineTypeField.in(2));
    b.put(receive.stage, bytes.data(), bytes.size());
    const std::uint32_t operand = operand_of(receive);
    for (std::uint32_t at = 0; at < bytes.size(); at += 4) {
      const std::uint32_t result =
          sum(b.get<std::uint32_t>(operand + at), b.get<std::uint32_t>(receive.stage + at));
      b.put(receive.offset + at, &result, 4);
    }
  }

  Size size_;
  std::mt19937 random_;
  bool shuffled_;
  std::uint32_t eager_;
  std::vector<std::unique_ptr<TestNode>> nodes_;
  std::vector<Port> ports_;
  std::map<Flow, Queues> flows_;
};

}  // namespace annelid::firmware
