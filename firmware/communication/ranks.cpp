#include "firmware/communication/ranks.hpp"

namespace annelid::firmware {
namespace {

/// A box of nodes that is halved along its longest dimension until it is one node.
class Box {
 public:
  explicit Box(const Topology& t) : size_{t.x().value(), t.y().value(), t.z().value()} {
    nodes_ = t.nodes();
  }
  /// Chooses the next dimension; false if there is one node only.
  bool halve() {
    if (nodes_ == 1) return false;
    d_ = size_[1] >= size_[0] ? 1 : 0;
    if (size_[2] >= size_[d_]) d_ = 2;  // of equally long ones the last
    lower_ = (size_[d_] + 1) / 2;
    lower_nodes_ = lower_;
    for (std::uint32_t i = 0; i < 3; ++i) {
      if (i != d_) lower_nodes_ *= size_[i];
    }
    return true;
  }
  void take_lower() {
    size_[d_] = lower_;
    nodes_ = lower_nodes_;
  }
  void take_upper() {
    first_[d_] += lower_;
    size_[d_] -= lower_;
    nodes_ -= lower_nodes_;
  }
  [[nodiscard]] std::uint32_t lower_nodes() const { return lower_nodes_; }
  /// Whether a node of the box is in its lower half.
  [[nodiscard]] bool in_lower(Address a) const {
    const std::uint32_t at = d_ == 0 ? a.x : d_ == 1 ? a.y : a.z;
    return at < first_[d_] + lower_;
  }
  [[nodiscard]] Address first() const {
    return {static_cast<std::uint8_t>(first_[0]), static_cast<std::uint8_t>(first_[1]),
            static_cast<std::uint8_t>(first_[2])};
  }

 private:
  std::uint32_t size_[3], first_[3] = {0, 0, 0};
  std::uint32_t nodes_, d_ = 0, lower_ = 0, lower_nodes_ = 0;
};

/// Snake: a node's number to its rank, and the other way: each plane is counted backwards if z is
/// odd, and then each row of it if y is odd.
std::uint32_t reversed_if(bool odd, std::uint32_t i, std::uint32_t size) {
  return odd ? size - 1 - i : i;
}

}  // namespace

bool Ranks::fits(const Group& group, std::uint32_t parameter) {
  if (!group.is_all()) return parameter == 0;
  return (parameter & 0xFF) <= static_cast<std::uint32_t>(Embedding::kQuadrants) &&
         parameter >> kSizeShift <= group.size();
}

Ranks::Ranks(const Group& group, std::uint32_t parameter)
    : group_(group),
      embedding_(static_cast<Embedding>(parameter & 0xFF)),
      size_(parameter >> kSizeShift) {
  if (size_ == 0) size_ = group.size();
  const Quadrants& quadrants = group.topology().quadrants();
  const bool known =
      group.is_all() && embedding_ == Embedding::kQuadrants && quadrants.powers_of_two();
  own_ = !known ? rank_of(group.rank()) : quadrants.own() < size_ ? quadrants.own() : kNoRank;
}

std::uint32_t Ranks::rank_of(std::uint32_t group_rank) const {
  std::uint32_t rank = group_rank;
  if (group_.is_all() && embedding_ != Embedding::kRows && group_rank != 0) {
    const Topology& t = group_.topology();
    const Address a = t.address(group_rank);
    if (embedding_ == Embedding::kSnake) {
      const std::uint32_t row = t.x().value(), plane = row * t.y().value();
      const std::uint32_t i = a.y * row + reversed_if((a.y & 1) != 0, a.x, row);
      rank = a.z * plane + reversed_if((a.z & 1) != 0, i, plane);
    } else if (t.quadrants().powers_of_two()) {
      rank = t.quadrants().rank_of(a);
    } else {
      rank = 0;
      for (Box box(t); box.halve();) {
        if (box.in_lower(a)) {
          box.take_lower();
        } else {
          rank += box.lower_nodes();
          box.take_upper();
        }
      }
    }
  }
  return rank < size_ ? rank : kNoRank;
}

Address Ranks::address(std::uint32_t rank) const {
  if (!group_.is_all() || embedding_ == Embedding::kRows) return group_.address(rank);
  const Topology& t = group_.topology();
  if (embedding_ == Embedding::kSnake) {
    // As an address its z is right, and the rest is the place in the plane.
    const Address counted = t.address(rank);
    const std::uint32_t row = t.x().value(), plane = row * t.y().value();
    const std::uint32_t i = reversed_if((counted.z & 1) != 0, counted.y * row + counted.x, plane);
    const std::uint32_t y = t.x().quotient(i);
    const std::uint32_t x = reversed_if((y & 1) != 0, i - y * row, row);
    return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), counted.z};
  }
  if (t.quadrants().powers_of_two()) return t.quadrants().address(rank);
  Box box(t);
  while (box.halve()) {
    if (rank < box.lower_nodes()) {
      box.take_lower();
    } else {
      rank -= box.lower_nodes();
      box.take_upper();
    }
  }
  return box.first();
}

}  // namespace annelid::firmware
