#include "firmware/collectives/pipelines/ranked_trees.hpp"

namespace annelid::firmware {
namespace {

/// Areas of SCRATCH.
enum : std::uint32_t { kPartial, kFromSecond, kTreeStage };

/// A packet that comes while a half-duplex port still sends stops the sending, and with it all who
/// wait for what is sent. So simplex schedules receive step by step if a tree has this many
/// packets, and a packet this many bytes. In shorter runs the path of the offer costs more.

/// The streams of one process.
class TreeStreams {
 public:
  TreeStreams(const Call& call, const Ranked& self, const TreeSchedule& schedule,
              std::uint32_t packets, StreamPlan& plan)
      : call_(call), self_(self), schedule_(schedule), packets_(packets), plan_(plan) {}

  /// The block at `offset`, from relative rank 0 to the same place everywhere, in the steps behind
  /// `before`.
  void broadcast(std::uint32_t offset, std::uint32_t before) {
    for (std::uint32_t tree = 0; tree < schedule_.trees; ++tree) {
      const TreeNode& node = schedule_.node[tree];
      if (node.parent != kNobody) {
        plan_.add_receive(before + node.first, self_.address(node.parent), offset, tree * packets_);
      }
      for (const TreeNode::Child& child : {node.left, node.right}) {
        if (child.process == kNobody) continue;
        plan_.add_send(before + child.first, self_.address(child.process), offset, tree * packets_);
      }
    }
  }

  /// The broadcast backwards. Gives its last step.
  std::uint32_t reduction() {
    const bool is_root = self_.relative() == 0;
    // What comes to the root is of higher ranks if its own is 0, of lower ones if it is the last.
    const bool all_left = is_root && self_.root() != 0;
    const std::uint32_t partial = is_root ? call_.target() : scratch_area(call_, kPartial);
    if (schedule_.trees == 0) plan_.copy = {call_.source(), call_.target(), call_.bytes()};
    for (std::uint32_t tree = 0; tree < schedule_.trees; ++tree) {
      const TreeNode& node = schedule_.node[tree];
      const std::uint32_t part = tree * packets_;
      std::uint32_t from = call_.source();
      // The first message is combined with the own block where that lies.
      const auto receive = [&](const TreeNode::Child& child, bool left) {
        if (child.process == kNobody) return;
        const bool first = from != partial;
        Stream& s = plan_.add_receive(backwards(child.first), self_.address(child.process),
                                      first ? partial : scratch_area(call_, kFromSecond), part);
        s.combine(PlannedMessage::kCombines | (left ? PlannedMessage::kMessageLeft : 0), from,
                  partial);
        from = partial;
      };
      const bool right_first = node.right.process != kNobody && node.right.first > node.left.first;
      if (right_first) receive(node.right, all_left);
      receive(node.left, true);
      if (!right_first) receive(node.right, all_left);
      if (node.parent != kNobody) {
        plan_.add_send(backwards(node.first), self_.address(node.parent), from, part);
      }
    }
    return schedule_.last + schedule_.period * (packets_ - 1);
  }

 private:
  /// The first step of an edge's packets the other way, in which the last one goes when the first
  /// one would.
  [[nodiscard]] std::uint32_t backwards(std::uint32_t first) const {
    return schedule_.last + 1 - first;
  }

  const Call& call_;
  const Ranked& self_;
  const TreeSchedule& schedule_;
  std::uint32_t packets_;
  StreamPlan& plan_;
};

/// A process's plan, and a player for it if there is more than the NIC can have at once.
class PacketPlayer {
 public:
  PacketPlayer(Context& me, const RankedPart& part)
      : cut_(me.call(), part.schedule.trees, part.packets, part.schedule.period, part.schedule.last,
             kTreeStage) {
    add_streams(me, part);
    if (!cut_.plan.begin(me)) player_.emplace(me, cut_.plan);
  }

  Player* player() { return player_ ? &*player_ : nullptr; }

 private:
  void add_streams(const Context& me, const RankedPart& part) {
    const auto& [self, schedule, packets] = part;
    const Call& call = me.call();
    cut_.receive_as_usual(me, packets, schedule.simplex,
                          call.operation() != reg::Operation::kBroadcast && schedule.trees > 1);
    TreeStreams streams(call, self, schedule, packets, cut_.plan);
    if (call.operation() == reg::Operation::kBroadcast) {
      streams.broadcast(call.source(), 0);
    } else {
      const std::uint32_t last = streams.reduction();
      if (call.operation() == reg::Operation::kAllReduce) streams.broadcast(call.target(), last);
    }
  }

  TreePackets cut_;
  std::optional<Player> player_;
};

}  // namespace

Task play_trees(Context& me, const RankedPart& part) {
  if (!part.self.member()) return play_nothing(me);
  return play_in_arena<PacketPlayer>(me, part);
}

}  // namespace annelid::firmware
