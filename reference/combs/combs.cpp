#include "reference/combs/combs.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/schedule/data_flow.hpp"
#include "reference/schedule/index.hpp"
#include "reference/schedule/parts.hpp"
#include "reference/trees/combined_upwards.hpp"

namespace annelid::reference {
namespace {

/// The packets of one tree: what they carry, and the steps in which they go over an edge.
class CombPackets {
 public:
  CombPackets(const CombTree& tree, const CombPiece& piece, std::uint64_t most)
      : deepest_(at(tree.greatest_depth)),
        count_(std::min(most, piece.words())),
        parts_(piece.bytes(), std::max<std::uint64_t>(1, count_)) {}

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t bytes(std::uint64_t packet) const {
    return parts_.bytes(packet, packet + 1);
  }
  /// The slot in which a packet goes from a node of this depth to its parent.
  [[nodiscard]] std::uint64_t slot_up(int depth, std::uint64_t packet) const {
    return deepest_ - at(depth) + packet;
  }
  /// The slot in which the packet's result comes back from the parent.
  [[nodiscard]] std::uint64_t slot_down(int depth, std::uint64_t packet) const {
    return deepest_ + at(depth) - 1 + packet;
  }
  /// How many slots the tree takes.
  [[nodiscard]] std::uint64_t slots() const {
    return count_ == 0 || deepest_ == 0 ? 0 : slot_down(static_cast<int>(deepest_), count_ - 1) + 1;
  }

 private:
  std::uint64_t deepest_, count_;
  Parts parts_;
};

std::vector<CombPackets> packets_of_trees(const std::vector<CombTree>& trees, std::uint64_t bytes,
                                          std::uint32_t parameter) {
  const std::vector<CombPiece> pieces = comb_pieces(trees, bytes);
  const std::uint64_t most = comb_packets(pieces, parameter);
  std::vector<CombPackets> packets;
  packets.reserve(trees.size());
  for (std::size_t t = 0; t < trees.size(); ++t) packets.emplace_back(trees[t], pieces[t], most);
  return packets;
}

void require_few_messages(const Network& net, const std::vector<CombPackets>& packets) {
  std::uint64_t all = 0;
  for (const CombPackets& of_tree : packets) all += of_tree.count();
  const std::uint64_t messages = 2 * (at(net.nodes()) - 1) * all;
  if (messages <= DataFlow::kMostMessages) return;
  throw std::invalid_argument(std::to_string(all) + " packets along " +
                              std::to_string(packets.size()) + " trees of " +
                              std::to_string(net.nodes()) + " nodes: more than " +
                              std::to_string(DataFlow::kMostMessages) + " messages");
}

/// A sender's messages in ascending order of their receivers.
void sort_by_number(const Network& net, Step& step) {
  std::ranges::sort(step, {}, [&](const Message& m) {
    return std::pair(index_of(net, m.from), index_of(net, m.to));
  });
}

}  // namespace

std::vector<CombPiece> comb_pieces(const std::vector<CombTree>& trees, std::uint64_t bytes) {
  const std::uint64_t words = (bytes + 7) / 8, links = links_of(trees);
  std::uint64_t left_over = words;
  for (const CombTree& tree : trees) left_over -= words * tree.weight / links;
  std::vector<CombPiece> pieces;
  pieces.reserve(trees.size());
  std::uint64_t begin = 0;  // in words
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const std::uint64_t end = begin + words * trees[t].weight / links + (t < left_over ? 1 : 0);
    pieces.push_back({std::min(bytes, 8 * begin), std::min(bytes, 8 * end)});
    begin = end;
  }
  return pieces;
}

std::uint64_t comb_packets(const std::vector<CombPiece>& pieces, std::uint32_t parameter) {
  constexpr std::uint64_t kMostPackets = 0xFFFF, kWordsOfAPacket = 256;
  if (const std::uint32_t asked = parameter & kMostPackets; asked != 0) return asked;
  std::uint64_t longest = 0;
  for (const CombPiece& piece : pieces) longest = std::max(longest, piece.words());
  const std::uint64_t fitting = (longest + kWordsOfAPacket - 1) / kWordsOfAPacket;
  return std::clamp<std::uint64_t>(fitting, 1, kMostPackets);
}

Schedule combs_all_reduce(const Network& net, std::uint64_t bytes, std::uint32_t parameter) {
  const std::vector<CombTree> trees = comb_trees(net);
  const std::vector<CombPackets> packets = packets_of_trees(trees, bytes, parameter);
  require_few_messages(net, packets);
  Schedule schedule;
  std::uint64_t slots = 0;
  for (const CombPackets& of_tree : packets) slots = std::max(slots, of_tree.slots());
  schedule.steps.resize(slots * trees.size());
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const int strand = 2 * static_cast<int>(t);
    const auto step = [&](std::uint64_t slot) -> Step& {
      return schedule.steps[slot * trees.size() + t];
    };
    for (int n = 0; n < net.nodes(); ++n) {
      const int depth = trees[t].depth[at(n)];
      if (n == trees[t].root) continue;
      const Node child = node_at(net, n), parent = node_at(net, trees[t].parent[at(n)]);
      for (std::uint64_t p = 0; p < packets[t].count(); ++p) {
        const std::uint64_t length = packets[t].bytes(p);
        const int there = trees[t].parent[at(n)] == trees[t].root ? strand + 1 : -1;
        step(packets[t].slot_up(depth, p)).push_back({child, parent, length, strand, there});
        step(packets[t].slot_down(depth, p)).push_back({parent, child, length, strand + 1});
      }
    }
  }
  for (Step& step : schedule.steps) sort_by_number(net, step);
  return schedule;
}

std::vector<std::byte> combs_result(const Network& net,
                                    const std::vector<std::vector<std::byte>>& blocks, Operator op,
                                    ElementType type) {
  const std::vector<CombTree> trees = comb_trees(net);
  const std::vector<CombPiece> pieces = comb_pieces(trees, blocks.front().size());
  std::vector<std::byte> result;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    std::vector<std::vector<std::byte>> of_tree;
    for (const auto& block : blocks) {
      const auto piece = std::span(block).subspan(pieces[t].begin, pieces[t].bytes());
      of_tree.emplace_back(piece.begin(), piece.end());
    }
    const auto combined =
        combined_upwards(trees[t].parent, trees[t].depth, std::move(of_tree), op, type);
    result.insert(result.end(), combined.begin(), combined.end());
  }
  return result;
}

}  // namespace annelid::reference
