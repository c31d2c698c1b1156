// Broadcast and reduction in packets over the edge-disjoint spanning trees of a hypercube:
// docs/internals/algorithms/edst.md; Johnsson and Ho 1989. PARAMETER_1: packets, or 0: by the
// block's length.
#include "firmware/collectives/pipelines/packet_plan.hpp"
#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware::edst {
namespace {

/// One process's part of the broadcast.
class Trees {
 public:
  struct Cursor {
    std::uint32_t number, dimension;
  };

  Trees(const Ranked& self, std::uint32_t packets)
      : own_(self.relative()),
        dimensions_(floor_log2(self.size())),
        last_packet_(static_cast<std::int32_t>(packets) - 1),
        last_{packets + dimensions_ - 1, (packets + dimensions_ - 2) % dimensions_} {
    // Twice around: the first time finds how far the top dimension is from the next bit.
    std::uint32_t distance = dimensions_;
    for (std::uint32_t turn = 0; turn < 2; ++turn) {
      for (std::uint32_t b = dimensions_; b-- > 0;) {
        distances_[b] = static_cast<std::uint8_t>(distance);
        if (has(b)) {
          distance = 1;
        } else if (distance < dimensions_) {
          ++distance;
        }
      }
    }
  }
  static std::uint32_t factor(std::uint32_t size) {
    const std::uint32_t dimensions = floor_log2(size);
    return dimensions > 2 ? dimensions - 1 : 1;
  }

  [[nodiscard]] Cursor first() const { return {1, 0}; }
  [[nodiscard]] const Cursor& last() const { return last_; }
  void advance(Cursor& at) const {
    ++at.number;
    if (++at.dimension == dimensions_) at.dimension = 0;
  }
  void retreat(Cursor& at) const {
    --at.number;
    at.dimension = (at.dimension == 0 ? dimensions_ : at.dimension) - 1;
  }

  bool sends(const Cursor& at, PacketHop& hop) const {
    return find(at, has(at.dimension), !is_below_root(at), hop);
  }
  bool receives(const Cursor& at, PacketHop& hop) const {
    return find(at, !has(at.dimension), own_ != 0, hop);
  }
  /// The packet of a tree is sent on by the processes that have the bit of the tree's first
  /// dimension; the last packet by those that the last step does not take it to.
  [[nodiscard]] bool sends_on(const Cursor& at, const PacketHop& hop) const {
    if (is_last(hop)) return !has(last_.dimension);
    return has(at.dimension) && dimensions_ > 1;
  }
  /// A tree's first dimension is its last one too. The process below the root does not use it.
  [[nodiscard]] bool sends_last(const Cursor& at, const PacketHop& hop) const {
    if (is_last(hop)) return at.number == last_.number;
    if (own_ == 0 || has(at.dimension)) return true;
    return distances_[at.dimension] == 1 && (own_ & (own_ - 1)) == 0;
  }

 private:
  static constexpr std::uint32_t kMostDimensions = 24;

  [[nodiscard]] bool has(std::uint32_t dimension) const { return (own_ >> dimension & 1) != 0; }
  [[nodiscard]] bool is_below_root(const Cursor& at) const {
    return has(at.dimension) && distances_[at.dimension] == dimensions_;
  }
  [[nodiscard]] bool is_last(const PacketHop& hop) const {
    return static_cast<std::int32_t>(hop.packet) == last_packet_;
  }
  /// A process without the bit sends what it has from the tree of the next bit above; a process
  /// with the bit sends what has come this way a turn ago.
  bool find(const Cursor& at, bool is_of_own_tree, bool exists, PacketHop& hop) const {
    hop.peer = own_ ^ std::uint32_t{1} << at.dimension;
    auto packet = static_cast<std::int32_t>(at.number - 1 - dimensions_);
    if (!is_of_own_tree) {
      packet += distances_[at.dimension];
      if (packet > last_packet_) packet = last_packet_;
    }
    hop.packet = static_cast<std::uint32_t>(packet);
    return exists && packet >= 0;
  }

  std::uint32_t own_, dimensions_;
  std::int32_t last_packet_;
  Cursor last_;
  /// From each dimension up to the next one, around, whose bit is set; for the root: all of them.
  std::uint8_t distances_[kMostDimensions];
};

}  // namespace

CallResult check(const Context& me) {
  const CallResult result = check_ranked(me, kPacketBits, false);
  if (result != CallResult::kSuccess) return result;
  const std::uint32_t size = Ranks(me.group(), me.call().parameter(2)).size();
  return (size & (size - 1)) == 0 ? CallResult::kSuccess : CallResult::kDoesNotFit;
}

Task run(Context& me) { return play_packets<Trees>(me); }

}  // namespace annelid::firmware::edst
