// Plays lists of descriptors at the nodes of a network, from docs/internals/nic/lists.md alone: a
// message takes no space, and which of all possible things happens next is drawn.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "testbench/firmware/support/fake_network.hpp"

namespace annelid::firmware {

/// A descriptor of a list, as its words say.
struct ListDescriptor {
  bool receive = false, join = false;
  Address peer;
  std::uint32_t port = 0, offset = 0, bytes = 0, tag = 0, step = 0, combine = 0;
  std::uint32_t block = 0, stride = 0, stage = 0, operand = 0;
  std::vector<std::uint32_t> dependencies;  // bit 15: of a receive

  ListDescriptor(FakeBus& bus, std::uint32_t at, bool is_receive) : receive(is_receive) {
    std::array<std::uint32_t, 8> word{};
    for (std::uint32_t i = 0; i < 8; ++i) word[i] = bus.get<std::uint32_t>(at + 4 * i);
    peer = Address::from_word(word[0] & 0xFFFFFF);
    port = word[0] >> 24;
    offset = word[1];
    bytes = word[2];
    tag = word[3];
    if (receive) {
      EXPECT_EQ(port, 0U);
      EXPECT_EQ(tag >> 17, 0U);
      combine = word[4] & 0xFFFF;
      stage = word[5];
      operand = word[6];
    } else if (word[3] >> 31 != 0) {
      join = true;
      EXPECT_EQ(word[0] | word[1] | word[2] | word[5] | word[6] | (word[3] << 1), 0U);
      EXPECT_EQ(word[4] & 0xFFFF, 0U);
    } else {
      EXPECT_EQ(tag >> 16, 0U);
      step = word[4] & 0xFFFF;
      block = word[5];
      stride = word[6];
    }
    for (const std::uint32_t name : {word[7] & 0xFFFF, word[7] >> 16, word[4] >> 16}) {
      if (name != 0xFFFF) dependencies.push_back(name);
    }
  }
};

/// The list of a node, and how far it has come.
struct PlayedList {
  PlayedList(FakeBus& bus, std::uint32_t offset, std::uint32_t counts) {
    EXPECT_EQ(offset % 8, 0U);
    EXPECT_NE(counts, 0U);
    std::uint32_t at = offset;
    for (std::uint32_t i = 0; i < counts >> 16; ++i, at += 32) {
      receives.emplace_back(bus, at, true);
    }
    for (std::uint32_t i = 0; i < (counts & 0xFFFF); ++i, at += 32) {
      sends.emplace_back(bus, at, false);
    }
    received.resize(receives.size());
    sent.resize(sends.size());
    for (const auto* part : {&receives, &sends}) {
      for (const ListDescriptor& d : *part) {
        for (const std::uint32_t name : d.dependencies) {
          EXPECT_LT(name & 0x7FFF, name < 0x8000 ? sends.size() : receives.size());
        }
      }
    }
  }

  [[nodiscard]] bool met(const ListDescriptor& d) const {
    return std::all_of(d.dependencies.begin(), d.dependencies.end(), [&](std::uint32_t name) {
      return name < 0x8000 ? sent[name] : received[name & 0x7FFF];
    });
  }
  [[nodiscard]] bool ended() const {
    const auto all = [](const std::vector<bool>& complete) {
      return std::all_of(complete.begin(), complete.end(), [](bool c) { return c; });
    };
    return all(received) && all(sent);
  }

  std::vector<ListDescriptor> receives, sends;
  std::vector<bool> received, sent;  // complete
  std::size_t receives_issued = 0, sends_issued = 0;
  int receive_places = 0, send_places = 0;  // taken
  std::deque<std::size_t> held;             // sends, oldest first
  std::deque<std::size_t> posted;           // receives without their message, oldest first
};

class ListPlayer {
 public:
  using Record = FakeNetwork::Record;
  using Sum = std::function<std::uint32_t(std::uint32_t, std::uint32_t)>;

  /// `lists`: by node, those of the nodes that play.
  ListPlayer(FakeNetwork& network, Size size, std::map<std::size_t, PlayedList>& lists,
             std::uint32_t seed)
      : network_(network), size_(size), lists_(lists), random_(seed) {}

  /// Plays until nothing can happen. Expects that all lists have ended, and gives the messages.
  std::vector<Record> play() {
    while (round()) {
    }
    for (const auto& [node, list] : lists_) {
      EXPECT_TRUE(list.ended()) << "node " << node << ": " << where(list);
    }
    for (const auto& [flow, q] : flows_) {
      EXPECT_TRUE(q.sends.empty() && q.receives.empty())
          << "from " << std::get<0>(flow) << " to " << std::get<1>(flow);
    }
    return records_;
  }

 private:
  static constexpr int kPlaces = 14;
  static constexpr std::uint32_t kEager = 64, kInTurn = 1 << 16, kTag = 0xFFFF;
  using Flow = std::tuple<std::size_t, std::size_t, std::uint32_t>;  // from, to, tag
  struct Sending {
    std::size_t number = 0;
    bool left = false;
    std::vector<std::byte> bytes;
    std::uint32_t sequence = 0;
  };
  struct Queues {
    std::deque<Sending> sends;
    std::deque<std::size_t> receives;
  };

  static std::string where(const PlayedList& list) {
    return std::to_string(list.receives_issued) + " of " + std::to_string(list.receives.size()) +
           " receives and " + std::to_string(list.sends_issued) + " of " +
           std::to_string(list.sends.size()) + " sends were issued, " +
           std::to_string(list.held.size()) + " sends are held, " +
           std::to_string(list.posted.size()) + " receives have no message";
  }

  /// Everybody is asked in some order, and does what it can or waits for its next turn.
  bool round() {
    std::vector<std::function<bool()>> parts;
    for (auto& [node, list] : lists_) {
      parts.emplace_back([this, node = node, &list = list] { return issue_receive(node, list); });
      parts.emplace_back([this, node = node, &list = list] { return issue_send(node, list); });
      parts.emplace_back([this, node = node, &list = list] { return fire(node, list); });
    }
    for (auto& [flow, q] : flows_) {
      if (q.sends.empty()) continue;
      parts.emplace_back([this, &flow = flow, &q = q] { return leave(flow, q); });
      parts.emplace_back([this, &flow = flow, &q = q] { return deliver(flow, q); });
    }
    std::shuffle(parts.begin(), parts.end(), random_);
    bool any = false;
    std::vector<std::function<bool()>*> asleep;
    for (auto& part : parts) {
      if (random_() % 2 == 0) {
        asleep.push_back(&part);
      } else {
        any |= part();
      }
    }
    for (std::size_t i = 0; i < asleep.size() && !any; ++i) any = (*asleep[i])();
    return any;
  }

  bool issue_receive(std::size_t node, PlayedList& list) {
    if (list.receives_issued == list.receives.size() || list.receive_places == kPlaces)
      return false;
    const ListDescriptor& d = list.receives[list.receives_issued];
    if (!list.met(d)) return false;
    ++list.receive_places;
    flows_[{index_of(d.peer, size_), node, d.tag & kTag}].receives.push_back(list.receives_issued);
    list.posted.push_back(list.receives_issued++);
    return true;
  }

  static bool is_behind(const PlayedList& list, std::size_t number) {
    const ListDescriptor& d = list.sends[number];
    if (d.join) return false;
    return std::any_of(list.held.begin(), list.held.end(), [&](std::size_t other) {
      const ListDescriptor& o = list.sends[other];
      return other < number && !o.join && o.peer == d.peer && o.tag == d.tag;
    });
  }
  bool issue_send(std::size_t node, PlayedList& list) {
    if (list.sends_issued == list.sends.size() || list.send_places == kPlaces) return false;
    const std::size_t number = list.sends_issued++;
    ++list.send_places;
    const ListDescriptor& d = list.sends[number];
    if (!d.join && list.met(d) && !is_behind(list, number)) {
      admit(node, list, number);
    } else {
      list.held.push_back(number);
    }
    return true;
  }
  bool fire(std::size_t node, PlayedList& list) {
    for (auto at = list.held.begin(); at != list.held.end(); ++at) {
      const std::size_t number = *at;
      const ListDescriptor& d = list.sends[number];
      if (!list.met(d) || is_behind(list, number)) continue;
      list.held.erase(at);
      if (d.join) {
        list.sent[number] = true;
        --list.send_places;
      } else {
        admit(node, list, number);
      }
      return true;
    }
    return false;
  }
  void admit(std::size_t node, PlayedList& list, std::size_t number) {
    const ListDescriptor& d = list.sends[number];
    if (d.block != 0) {
      EXPECT_EQ(d.block % 8, 0U);
      EXPECT_GE(d.stride, d.block);
    }
    const std::size_t peer = index_of(d.peer, size_);
    flows_[{node, peer, d.tag}].sends.push_back({number, false, {}, sequence_[{node, peer}]++});
  }

  /// A message leaves its sender, if there is a receive or it is short.
  bool leave(const Flow& flow, Queues& q) {
    const auto [from, to, tag] = flow;
    for (std::size_t i = 0; i < q.sends.size(); ++i) {
      Sending& send = q.sends[i];
      if (send.left) continue;
      PlayedList& list = lists_.at(from);
      const ListDescriptor& d = list.sends[send.number];
      const bool offered = i < q.receives.size() && is_in_turn(lists_.at(to), q.receives[i]);
      if (!offered && (i > 0 || d.bytes > kEager)) return false;
      send.left = true;
      for (std::uint32_t at = 0; at < d.bytes; ++at) {
        const std::uint32_t place = d.block == 0 ? at : at / d.block * d.stride + at % d.block;
        send.bytes.push_back(*network_.bus(from).at(d.offset + place, 1));
      }
      list.sent[send.number] = true;
      --list.send_places;
      return true;
    }
    return false;
  }
  /// Whether all older receives in turn have their messages.
  static bool is_in_turn(const PlayedList& list, std::size_t number) {
    const ListDescriptor& d = list.receives[number];
    if ((d.tag & kInTurn) == 0) return true;
    return std::none_of(list.posted.begin(), list.posted.end(), [&](std::size_t other) {
      return other < number && list.receives[other].tag == d.tag;
    });
  }

  static std::uint32_t operand_of(const ListDescriptor& d) {
    return (d.combine >> 9 & 1) != 0 ? d.operand : d.offset;
  }
  /// Receives that depend on each other are combined in the order of their issue.
  static bool may_combine(const PlayedList& list, std::size_t number) {
    const ListDescriptor& d = list.receives[number];
    if (d.combine == 0 || d.bytes == 0) return true;
    return std::none_of(list.posted.begin(), list.posted.end(), [&](std::size_t other) {
      const ListDescriptor& o = list.receives[other];
      return other < number && o.combine != 0 && o.bytes != 0 &&
             (o.offset == d.offset || o.offset == operand_of(d) || operand_of(o) == d.offset);
    });
  }
  bool deliver(const Flow& flow, Queues& q) {
    const auto [from, to, tag] = flow;
    if (q.sends.empty() || q.receives.empty() || !q.sends.front().left) return false;
    PlayedList& list = lists_.at(to);
    const std::size_t number = q.receives.front();
    if (!may_combine(list, number)) return false;
    const Sending send = q.sends.front();
    q.sends.pop_front();
    q.receives.pop_front();
    std::erase(list.posted, number);
    list.received[number] = true;
    --list.receive_places;
    const ListDescriptor& d = list.receives[number];
    const auto bytes = static_cast<std::uint32_t>(send.bytes.size());
    records_.push_back(
        {from, to, tag, bytes, send.sequence, lists_.at(from).sends[send.number].step});
    EXPECT_LE(bytes, d.bytes) << "from " << from << " to " << to;
    if (bytes > d.bytes) return true;
    FakeBus& bus = network_.bus(to);
    if (d.combine == 0) {
      bus.put(d.offset, send.bytes.data(), bytes);
    } else {
      combine(bus, d, send.bytes);
    }
    return true;
  }
  void combine(FakeBus& bus, const ListDescriptor& d, const std::vector<std::byte>& bytes) const {
    EXPECT_EQ(d.combine & 0xFF, 0x21U);  // SUM of UINT32
    bus.put(d.stage, bytes.data(), bytes.size());
    const std::uint32_t operand = operand_of(d);
    const bool message_left = (d.combine >> 8 & 1) != 0;
    for (std::uint32_t at = 0; at < bytes.size(); at += 4) {
      const auto own = bus.get<std::uint32_t>(operand + at);
      const auto message = bus.get<std::uint32_t>(d.stage + at);
      const std::uint32_t result =
          message_left ? network_.sum(message, own) : network_.sum(own, message);
      bus.put(d.offset + at, &result, 4);
    }
  }

  FakeNetwork& network_;
  Size size_;
  std::map<std::size_t, PlayedList>& lists_;
  std::mt19937 random_;
  std::map<Flow, Queues> flows_;
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> sequence_;
  std::vector<Record> records_;
};

}  // namespace annelid::firmware
