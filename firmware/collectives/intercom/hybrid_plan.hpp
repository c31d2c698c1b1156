// One member's messages in a hybrid of InterCom, for the player:
// docs/internals/algorithms/intercom.md.
#pragma once

#include "firmware/collectives/intercom/logical_mesh.hpp"
#include "firmware/collectives/intercom/minimum_spanning_tree.hpp"
#include "firmware/collectives/intercom/stages.hpp"
#include "firmware/collectives/players/player.hpp"
#include "firmware/collectives/players/streams.hpp"
#include "firmware/communication/ranks.hpp"

namespace annelid::firmware::intercom {

/// Where a member's data lies in node memory. A vector is in the order of places.
struct Areas {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::uint32_t vector = 0;  ///< what is sent and received
  /// The member's own vector in operations that combine, which may be `vector`.
  std::uint32_t own_vector = 0;
  /// The member's own block in operations with a block for each rank, where a message holds nothing
  /// else. kNone: such a block is in the vector.
  std::uint32_t own_block = kNone;
  /// `stages` staging areas as long as the vector, and the bytes from one to the next, in
  /// operations that combine.
  std::uint32_t stage = 0, stages = 0, stage_bytes = 0;
};

/// The vector by place: a block for each place, or a block in as many parts as there are places.
class VectorByPlace {
 public:
  static VectorByPlace of_blocks(std::uint32_t bytes) { return {bytes, PartSizes(0, 1)}; }
  static VectorByPlace of_parts(std::uint32_t bytes, std::uint32_t places) {
    return {0, PartSizes(bytes, places)};
  }
  /// Blocks of different lengths: node memory has a word with the begin of each place, and that of
  /// the end.
  static VectorByPlace of_list(Memory memory, std::uint32_t begins) {
    VectorByPlace vector = of_blocks(0);
    vector.memory_ = memory;
    vector.begins_ = begins;
    vector.listed_ = true;
    return vector;
  }
  /// Returns where a place begins.
  [[nodiscard]] std::uint32_t begin(std::uint32_t place) const {
    if (listed_) return memory_.load<std::uint32_t>(begins_ + 4 * place);
    return block_ != 0 ? place * block_ : parts_.begin(place);
  }

 private:
  VectorByPlace(std::uint32_t block, const PartSizes& parts) : block_(block), parts_(parts) {}
  std::uint32_t block_;  // 0: parts (of 0 bytes, if blocks have none)
  PartSizes parts_;
  bool listed_ = false;
  std::uint32_t begins_ = 0;
  [[no_unique_address]] Memory memory_;
};

class HybridPlan : public PlanOf<HybridPlan> {
 public:
  /// `ranks` and `mesh` must outlive the plan.
  HybridPlan(const Call& call, const Ranks& ranks, const LogicalMesh& mesh,
             const VectorByPlace& vector, const Areas& areas);

  bool send(PlannedMessage& message) { return next(sends_, false, message); }
  bool receive(PlannedMessage& message) { return next(receives_, true, message); }

  /// Whether this member receives anything. Ask before the plan is played.
  [[nodiscard]] bool has_receives() const;
  /// Whether a message has brought the own block alone, to Areas::own_block. Ask afterwards.
  [[nodiscard]] bool has_own_block() const { return has_own_block_; }

 private:
  /// Goes through the sends, or the receives, stage by stage.
  struct Cursor {
    std::uint32_t stage = 0;
    Block block = Block::kNone;
    std::uint32_t dimension = 0, first_place = 0;
    std::uint32_t step = 0, steps = 0;  // of the stage
    std::uint32_t before = 0;           // steps of all stages before this one
    /// The steps of all stages before those of this kind: these write each byte once.
    std::uint32_t settled = 0;
    bool fresh = true;  // nothing has been combined with the own vector
    MinimumSpanningTree tree;
  };
  struct Run {
    std::uint32_t first, end;  // places
  };

  /// Returns false after the last stage.
  bool enter_next_stage(Cursor& c) const;
  /// Sets `m` to the next message. Returns false if there are no more.
  bool next(Cursor& c, bool receives, PlannedMessage& m);
  /// Find the message of the cursor's step: the other member's coordinate, and the places that the
  /// message holds. Along a tree not every member has one in each step.
  void bucket_message(const Cursor& c, bool receives, std::uint32_t& peer, Run& run) const;
  bool tree_message(Cursor& c, bool receives, std::uint32_t& peer, Run& run) const;
  /// Makes a receive combine whose place is the target so far.
  void set_combining(const Cursor& c, Run run, PlannedMessage& m) const;
  [[nodiscard]] bool is_own_vector(const Cursor& c) const;
  /// Whether a run is the own block, and nothing else, of an operation that has such blocks.
  [[nodiscard]] bool is_own_block(Run run) const {
    return areas_.own_block != Areas::kNone && run.first == own_place_ && run.end == run.first + 1;
  }
  [[nodiscard]] Run pieces(const Cursor& c, std::uint32_t first, std::uint32_t end) const {
    const std::uint32_t weight = mesh_[c.dimension].weight;
    return {c.first_place + first * weight, c.first_place + end * weight};
  }

  const Ranks& ranks_;
  const LogicalMesh& mesh_;
  VectorByPlace vector_;
  Areas areas_;
  Stages stages_;
  std::uint32_t own_place_;
  bool has_own_block_ = false;
  Cursor sends_, receives_;
};

}  // namespace annelid::firmware::intercom
