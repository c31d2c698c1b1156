// Schedules along a tree: what a rule of one is asked, and in which network. Four operations play
// the same trees: tree_players.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

#include "firmware/platform/group.hpp"
#include "firmware/platform/stop.hpp"

namespace annelid::firmware {

/// The network as the rule of a tree sees it, and the call's root. A tree is built forwards, or, to
/// be played in reverse, in the network with its dimensions in reverse order and its rings mirrored
/// (docs/internals/algorithms/operations.md, "Trees in reverse"): a rule that asks its frame alone
/// serves both.
///
/// Nodes of a frame are Addresses in it. Over a group other than ALL, which has no geometry, a
/// node's word is its rank: a rule that wants coordinates does not fit such a frame.
class Frame {
 public:
  Frame(const Group& group, std::uint32_t root, std::uint32_t parameter, bool reversed)
      : group_(&group),
        size_(group.topology().size()),
        rings_(group.topology().rings()),
        parameter_(parameter),
        nodes_(group.size()),
        listed_(!group.is_all()),
        swap_xz_(reversed && size_.z > 1),
        swap_xy_(reversed && size_.z == 1) {
    const Topology& network = group.topology();
    self_ = listed_ ? Address::from_word(group.rank()) : to_frame(network.self());
    root_ = listed_                ? Address::from_word(root)
            : root == group.rank() ? self_
                                   : to_frame(network.address(root));
    if (swap_xz_) {
      size_ = {size_.z, size_.y, size_.x};
      rings_ = (rings_ & 1) << 2 | (rings_ & 2) | (rings_ & 4) >> 2;
    } else if (swap_xy_) {
      size_ = {size_.y, size_.x, size_.z};
      rings_ = (rings_ & 1) << 1 | (rings_ & 2) >> 1 | (rings_ & 4);
    }
    straight_ = !listed_ && !reversed;
  }

  [[nodiscard]] const Group& group() const { return *group_; }
  /// All nodes of the network take part.
  [[nodiscard]] bool is_network() const { return !listed_; }
  [[nodiscard]] std::uint32_t nodes() const { return nodes_; }
  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] bool is_ring(int dimension) const { return (rings_ >> dimension & 1) != 0; }
  [[nodiscard]] bool has_rings() const { return rings_ != 0; }
  [[nodiscard]] Address self() const { return self_; }
  [[nodiscard]] Address root() const { return root_; }
  /// PARAMETER_1 of the call: what the algorithm leaves open.
  [[nodiscard]] std::uint32_t parameter() const { return parameter_; }

  /// What the rule's fits() found out about the frame, for its other functions: one object.
  template <typename T>
  T& make_notes() {
    static_assert(sizeof(T) <= kNotes && alignof(T) <= alignof(void*) &&
                  std::is_trivially_copyable_v<T>);
    return *new (notes_) T;
  }
  template <typename T>
  [[nodiscard]] const T& notes() const {
    return *std::launder(reinterpret_cast<const T*>(notes_));
  }

  // For rules that number nodes.
  [[nodiscard]] const Divisor& y() const {
    return swap_xy_ ? group_->topology().x() : group_->topology().y();
  }
  [[nodiscard]] const Divisor& z() const {
    return swap_xz_ ? group_->topology().x() : group_->topology().z();
  }

  /// Where a node of the frame is in the network.
  /// Its nodes are those of the network.
  [[nodiscard]] bool is_straight() const { return straight_; }
  [[nodiscard]] Address address(Address node) const {
    return straight_ ? node : other_address(node);
  }
  [[nodiscard]] std::uint32_t rank(Address node) const {
    return listed_ ? node.word() : group_->topology().pid(to_network(node));
  }

 private:
  [[nodiscard]] Address swapped(Address a) const {
    if (swap_xy_) return {a.y, a.x, a.z};
    if (swap_xz_) return {a.z, a.y, a.x};
    return a;
  }
  [[nodiscard]] Address other_address(Address node) const;
  [[nodiscard]] bool mirrors() const {
    return (swap_xy_ || swap_xz_) && group_->topology().has_rings();
  }
  [[nodiscard]] Address to_frame(Address a) const { return swapped(mirrors() ? mirrored(a) : a); }
  [[nodiscard]] Address to_network(Address a) const {
    return mirrors() ? mirrored(swapped(a)) : swapped(a);
  }
  /// In the network's rings: what went half a ring up, and comes back, so goes up again.
  [[nodiscard]] Address mirrored(Address a) const {
    const Topology& network = group_->topology();
    const auto mirror = [&](int dimension, int place, int size) {
      const int result = network.is_ring(dimension) && place > 0 ? size - place : place;
      return static_cast<std::uint8_t>(result);
    };
    const Size size = network.size();
    return {mirror(0, a.x, size.x), mirror(1, a.y, size.y), mirror(2, a.z, size.z)};
  }

  const Group* group_;
  Size size_;
  std::uint32_t rings_, parameter_, nodes_;
  Address self_, root_;
  bool listed_, swap_xz_, swap_xy_;
  bool straight_;

  static constexpr std::size_t kNotes = 64;
  alignas(void*) std::byte notes_[kNotes];
};

/// What one node does in a broadcast along a tree, found step by step: what is computed while a
/// message is on its way costs nothing.
class TreePlan {
 public:
  /// One per external channel of a node in three dimensions.
  static constexpr std::uint32_t kMaxSendsPerStep = 6;
  /// In all steps. 256 x 256 nodes by edn-optimal: 27; along z two more for each of 6 levels.
  static constexpr std::uint32_t kMaxSends = 40;

  TreePlan() {}  // not = default, which would clear the room for sends

  /// Who sends to this node, and in which step, from 1. The root has no parent: its step is 0.
  Address parent;
  int receive_step = 0;

  /// To whom it sends in `step`, in the order in which it sends.
  int step = 0;
  [[nodiscard]] std::span<const Address> sends() const { return {sends_, count_}; }
  void clear() { count_ = 0; }
  /// One that is sent before those that are behind it by (z, y, x), as most algorithms have it.
  void add(Address to);
  /// One that is sent last.
  void append(Address to) { sends_[next()] = to; }
  /// By (z, y, x), however they are sent.
  void sort();

  std::array<std::uint32_t, 4> state;  ///< the rule's own, between its functions

 private:
  std::uint32_t next() {
    if (count_ == kMaxSendsPerStep) stop("a step of a tree has more sends than kMaxSendsPerStep");
    return count_++;
  }

  std::uint32_t count_ = 0;
  union {
    Address sends_[kMaxSendsPerStep];
  };
};

/// A node's part, computed by itself in O(log N) time and memory for N nodes. The root of the frame
/// is one of its nodes.
struct TreeRule {
  /// Whether there is such a tree in the frame, whatever the root. Comes first, once for a frame,
  /// as it may keep notes there.
  bool (*fits)(Frame& frame);
  /// Steps of the whole broadcast.
  int (*steps)(const Frame& frame);
  /// Sets the plan's parent and receive_step; comes first.
  void (*find_parent)(const Frame& frame, Address node, TreePlan& plan);
  /// Gives the plan the sends of the next step in which the node sends; false if there is none.
  bool (*next_step)(const Frame& frame, Address node, TreePlan& plan);
  /// Nodes of the tree whose top the node is; nullptr: by counting them, in O(N log N).
  std::uint32_t (*subtree)(const Frame& frame, Address node) = nullptr;
};

/// The trees of a step's children, as a gather or scatter has them in a message: the blocks are
/// counted from the first of the step's, and ordered by (z, y, x) of the children.
struct ChildTree {
  std::uint32_t first = 0, nodes = 0;
};
struct ChildTrees {
  std::array<ChildTree, TreePlan::kMaxSendsPerStep> tree;  ///< in the order of the plan's sends
  std::uint32_t nodes = 0;                                 ///< of all of them
};
ChildTrees child_trees(const TreeRule& rule, const Frame& frame, const TreePlan& plan);

/// Nodes of the tree whose top the node is.
std::uint32_t subtree_nodes(const TreeRule& rule, const Frame& frame, Address node);

/// Writes the ranks of the tree's nodes, 32 bits each, at `offset` of node memory, in the order in
/// which a message holds their blocks (docs/internals/algorithms/operations.md, "What a message of
/// a gather or scatter holds"). Gives the offset behind them.
std::uint32_t list_subtree(const TreeRule& rule, const Frame& frame, Address top, Memory memory,
                           std::uint32_t offset);

}  // namespace annelid::firmware
