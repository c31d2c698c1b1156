#include "firmware/collectives/intercom/logical_mesh.hpp"

namespace annelid::firmware::intercom {
namespace {

constexpr std::uint32_t kWidth = 15;

/// The sizes in the words, one after the other.
class SizeReader {
 public:
  explicit SizeReader(const Call& call)
      : widths_(call.word(reg::CallWord::kFlags) >> kFlagBits), sizes_(call.parameter(1)) {}

  [[nodiscard]] bool more() const { return (widths_ & kWidth) != 0; }
  std::uint32_t next() {
    const std::uint32_t width = widths_ & kWidth;
    const std::uint32_t size = sizes_ & ((std::uint32_t{1} << width) - 1);
    widths_ >>= kWidthBits;
    sizes_ >>= width;
    return size;
  }
  /// Whether nothing is left in either word.
  [[nodiscard]] bool at_end() const { return widths_ == 0 && sizes_ == 0; }

 private:
  std::uint32_t widths_, sizes_;
};

}  // namespace

bool LogicalMesh::fits(const Call& call, std::uint32_t p, bool listed) {
  constexpr std::uint32_t kKnownFlags = kLong | kFarFirst | kNamed, kAllFlags = 0xFF;
  const std::uint32_t flags = call.word(reg::CallWord::kFlags) & ~(listed ? kListed : 0);
  if (!is_named(call)) return flags == 0 && call.parameter(1) == 0;
  if ((flags & kAllFlags & ~kKnownFlags) != 0) return false;
  std::uint32_t left = p;
  SizeReader sizes(call);
  while (sizes.more()) {
    const std::uint32_t size = sizes.next();
    if (size == 0) return false;
    const std::uint32_t rest = left / size;
    if (rest * size != left) return false;
    left = rest;
  }
  return sizes.at_end();
}

LogicalMesh::LogicalMesh(const Call& call, std::uint32_t p, std::uint32_t own, std::uint32_t root,
                         bool shares_last) {
  std::uint32_t left = p;
  count_ = 0;
  for (SizeReader sizes(call); sizes.more(); left /= dimension_[count_++].size) {
    dimension_[count_].size = sizes.next();
  }
  dimension_[count_++].size = left;

  // Strides and coordinates from near to far.
  const bool far_first = is_far_first(call);
  std::uint32_t stride = 1, long_ones = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    Dimension& d = dimension_[far_first ? count_ - 1 - i : i];
    const std::uint32_t own_above = own / d.size, root_above = root / d.size;
    d.coordinate = own - own_above * d.size;
    d.root = root - root_above * d.size;
    d.stride = stride;
    own = own_above;
    root = root_above;
    stride *= d.size;
    if (d.size > 1) ++long_ones;
  }
  permutes_ = !far_first && long_ones > 1;

  // Places: the first dimension is the most significant.
  for (std::uint32_t i = count_; i-- > 0;) {
    Dimension& d = dimension_[i];
    d.has_places = !shares_last || i + 1 < count_;
    d.weight = places_;
    if (d.has_places) {
      place_ += d.coordinate * d.weight;
      places_ *= d.size;
    }
    if (differs_ == 0 && d.coordinate != d.root) differs_ = i + 1;
  }
}

std::uint32_t LogicalMesh::first_place(std::uint32_t i) const {
  std::uint32_t place = 0;
  for (std::uint32_t j = 0; j < i; ++j) place += dimension_[j].coordinate * dimension_[j].weight;
  return place;
}

bool LogicalMesh::keeps_order(const Call& call, std::uint32_t p) {
  const LogicalMesh mesh(call, p, 0, 0, false);
  std::uint32_t long_ones = 0;
  for (std::uint32_t i = 0; i < mesh.count_; ++i) {
    const std::uint32_t size = mesh[i].size;
    const bool combines_in_pieces = i + 1 < mesh.count_ || !is_short(call);
    if (combines_in_pieces && size > 2) return false;
    if (size > 1) ++long_ones;
  }
  return long_ones < 2 || !is_far_first(call);
}

void PlacesOfRanks::next() {
  for (std::uint32_t i = 0; i < mesh_.dimensions(); ++i) {
    const Dimension& d = mesh_[i];
    place_ += d.weight;
    if (++at_[i] < d.size) return;
    place_ -= d.size * d.weight;
    at_[i] = 0;
  }
}

}  // namespace annelid::firmware::intercom
