// Schedules along a tree: the interface of a tree rule, and the network for which a rule answers.
// All operations along trees use the same rules: tree_players.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

#include "firmware/platform/group.hpp"
#include "firmware/platform/node.hpp"
#include "firmware/platform/stop.hpp"

namespace annelid::firmware {

/// The network as a tree rule sees it, and the call's root. A tree that is played forwards is built
/// in the network itself. A tree that is played in reverse is built in the network with its
/// dimensions in reverse order and its rings mirrored (docs/internals/algorithms/operations.md,
/// "Trees in reverse"). A rule that reads only its frame serves both.
///
/// The nodes of a frame are Addresses in it. A group other than ALL has no geometry: there, a
/// node's word is its rank, and a rule that needs coordinates does not fit.
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
  /// Whether all nodes of the network take part.
  [[nodiscard]] bool is_network() const { return !listed_; }
  [[nodiscard]] std::uint32_t nodes() const { return nodes_; }
  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] bool is_ring(int dimension) const { return (rings_ >> dimension & 1) != 0; }
  [[nodiscard]] bool has_rings() const { return rings_ != 0; }
  [[nodiscard]] Address self() const { return self_; }
  [[nodiscard]] Address root() const { return root_; }
  /// PARAMETER_1 of the call, whose meaning depends on the algorithm.
  [[nodiscard]] std::uint32_t parameter() const { return parameter_; }

  /// Makes the one object in which the rule's fits() keeps its results about the frame for the
  /// rule's other functions.
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

  /// Whether the nodes of the frame are those of the network.
  [[nodiscard]] bool is_straight() const { return straight_; }
  /// Returns the address in the network of a node of the frame.
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
  /// Mirrors the network's rings. A message that went up half a ring then also goes up on its path
  /// back.
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

/// The part of one node in a broadcast along a tree. It is computed step by step, because work that
/// is done while a message travels costs no time.
class TreePlan {
 public:
  /// The largest number of sends in a step: one for each external channel of a node in three
  /// dimensions.
  static constexpr std::uint32_t kMaxSendsPerStep = 6;
  /// The largest number of sends in all steps together. edn-optimal takes 27 on 256 x 256 nodes; z
  /// takes two more for each of 6 levels.
  static constexpr std::uint32_t kMaxSends = 40;

  TreePlan() {}  // not = default, which would clear the room for sends

  /// The sender to this node, and the step, from 1. The root has no parent, and its step is 0.
  Address parent;
  int receive_step = 0;

  /// The receivers of this node in `step`, in the order in which it sends.
  int step = 0;
  [[nodiscard]] std::span<const Address> sends() const { return {sends_, count_}; }
  void clear() { count_ = 0; }
  /// Adds a receiver in its order by (z, y, x), which is the order of most algorithms.
  void add(Address to);
  /// Adds the receiver to which the node sends last.
  void append(Address to) { sends_[next()] = to; }
  /// Sorts the receivers by (z, y, x), whatever the order of sending.
  void sort();

  std::array<std::uint32_t, 4>
      state;  ///< used by the rule alone, to pass values between its functions

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

/// The whole part of a node: its parent, and its sends, in the order of their steps. The first
/// sends are here, and others may be where the node has kept them.
struct TreePart {
  TreePart() {}  // not = default, which would clear the room

  static std::uint32_t packed(Address to, int step) {
    return to.word() | static_cast<std::uint32_t>(step) << Node::Steps::kShift;
  }

  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>((end - sends) + (kept.end - kept.first));
  }

  Address parent;
  int receive_step = 0;
  std::uint32_t* end = sends;
  Node::Steps kept{nullptr, nullptr, 0};
  union {
    std::uint32_t sends[TreePlan::kMaxSends];
  };
};

/// The functions with which a node computes its own part, in O(log N) time and memory for N nodes.
/// The root of the frame is one of its nodes.
struct TreeRule {
  /// Whether the rule has a tree for the frame, for any root. It is called first, once for each
  /// frame, because it may keep notes there.
  bool (*fits)(Frame& frame);
  /// Steps of the whole broadcast.
  int (*steps)(const Frame& frame);
  /// Sets the plan's parent and receive_step. It is called before next_step().
  void (*find_parent)(const Frame& frame, Address node, TreePlan& plan);
  /// Sets the plan's sends to those of the next step in which the node sends. Returns false if
  /// there is none.
  bool (*next_step)(const Frame& frame, Address node, TreePlan& plan);
  /// Returns the number of nodes in the subtree of a node. If this is nullptr, they are counted, in
  /// O(N log N) time.
  std::uint32_t (*subtree)(const Frame& frame, Address node) = nullptr;
  /// If this is not nullptr, it is called once, when a node starts.
  void (*start)(Topology& network) = nullptr;
  /// If this is not nullptr, it finds the part of the process itself in the network as it is, if
  /// start() has found out enough, without a frame. Sends to the root may be among the others.
  bool (*find_part)(const Topology& network, std::uint32_t root, std::uint32_t parameter,
                    TreePart& part) = nullptr;
};

/// The subtrees of a step's children, as a message of a gather or scatter holds them. Blocks are
/// counted from the first block of the step, and ordered by (z, y, x) of the children.
struct ChildTree {
  std::uint32_t first = 0, nodes = 0;
};
struct ChildTrees {
  std::array<ChildTree, TreePlan::kMaxSendsPerStep> tree;  ///< in the order of the plan's sends
  std::uint32_t nodes = 0;                                 ///< of all of them
};
ChildTrees child_trees(const TreeRule& rule, const Frame& frame, const TreePlan& plan);

/// The number of nodes in the subtree of a node.
std::uint32_t subtree_nodes(const TreeRule& rule, const Frame& frame, Address node);

/// Writes the ranks of a subtree's nodes, 32 bits each, at `offset` of node memory. They are in the
/// order in which a message holds the nodes' blocks (docs/internals/algorithms/operations.md, "What
/// a message of a gather or scatter holds"). Returns the offset after the last rank.
std::uint32_t list_subtree(const TreeRule& rule, const Frame& frame, Address top, Memory memory,
                           std::uint32_t offset);

}  // namespace annelid::firmware
