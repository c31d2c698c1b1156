// What the nodes of a fuzzed run do: messages, and the order in which each node posts its sends and
// receives. Written from docs/internals/nic/index.md alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "nic/nic_config.hpp"

namespace annelid::nic::fuzz {

inline constexpr std::size_t kNone = ~std::size_t{0};
inline constexpr std::uint32_t kNoCounter = 0xFF, kQuiet = 0x100;

/// A send at `from` and a receive at `to`. Which receive takes which message is not said: that is
/// decided by the order within (from, to, tag).
struct Message {
  NodeId from = 0, to = 0;
  std::uint16_t tag = 0;

  // The send.
  std::size_t forwards = kNone;  ///< its bytes are those of this message, in the place it is put
  std::uint32_t bytes = 0, source = 0;  ///< length; offset
  std::uint32_t block = 0, stride = 0;  ///< as SEND_BLOCK, SEND_STRIDE
  std::uint32_t port = 0xFF;
  std::uint32_t trigger = kNoCounter, threshold = 0;
  std::uint32_t send_notify = kNoCounter;

  // The receive.
  std::uint32_t room = 0, target = 0, stage = 0;  ///< offsets; of a combining one the accumulator
  reg::Operator operation = reg::Operator::kNone;
  reg::Type type = reg::Type::kBytes;  ///< of all messages with this (from, to, tag)
  bool message_left = false;
  std::uint32_t operand = 0;  ///< of a combining one; the target, or another accumulator
  std::uint32_t receive_notify = kNoCounter;
  bool in_turn = false;  ///< all receives of the node with the tag, or none
};

/// The flits of a message on the network.
constexpr std::uint64_t flits_of(std::uint32_t bytes) { return 2 + (std::uint64_t{bytes} + 7) / 8; }

/// Something to post.
struct Order {
  std::size_t message = 0;
  Cycle delay = 0;                 ///< after the order before it
  std::size_t after = kNone;       ///< the receive whose completion must be taken before
  std::size_t after_sent = kNone;  ///< likewise the send
};

struct NodePlan {
  std::vector<Order> sends, receives;
  std::uint32_t used = 0;  ///< bytes of node memory that are given away
};

struct Plan {
  NicConfig config;
  std::vector<Message> messages;
  std::vector<NodePlan> nodes;
  bool reused = false;  ///< memory of receives: their bytes are right only when they complete

  /// Bytes of a node that nothing else uses, with at least one behind them that stays free.
  std::uint32_t take(NodeId node, std::uint64_t bytes, std::uint32_t align = 1);
  /// Adds a message with memory of its own on both sides, and orders for both of its ends.
  std::size_t add(NodeId from, NodeId to, std::uint16_t tag, std::uint32_t bytes);

  /// The flits of all messages.
  [[nodiscard]] std::uint64_t flits() const;
};

struct Traffic {
  std::uint64_t seed = 1;
  std::uint64_t flits = 0;  ///< at least so many, messages to the own node included
  unsigned pace = 50;       ///< cycles between two orders of a node, about
  Cycle skew = 0;           ///< how late a node's receives or sends may begin
  bool causal = false;      ///< some orders wait for a receive of their node
  bool hot_spot = false;    ///< every other message goes to node 0; else one of four patterns
};

/// Random messages. Each node posts sends and receives in an order that is permuted within windows
/// of fewer than 64 places, so that the oldest message that is not complete always finds its
/// places.
Plan random_plan(const NicConfig& config, const Traffic& traffic);

/// What the accumulator of a combining receive holds at the start.
std::vector<std::byte> initial_accumulator(const Message& receive);

/// The bytes of a message that forwards none, from its number: of combining ones numbers that are
/// not all alike.
std::vector<std::byte> content(const Message& message, std::size_t number);

}  // namespace annelid::nic::fuzz
