// The logical mesh of a hybrid of InterCom, as one of its members sees it:
// docs/internals/algorithms/intercom.md, "Logical meshes" (Barnett and others 1994, Section 6).
#pragma once

#include <array>
#include <cstdint>

#include "firmware/platform/call.hpp"

namespace annelid::firmware::intercom {

/// The most dimensions of a logical mesh.
inline constexpr std::uint32_t kMostDimensions = 7;

/// Bits of FLAGS: the long template (S..S C..C), far dimensions first, a hybrid that the call
/// names, blocks of different lengths. Behind them are the widths of the sizes in PARAMETER_1.
inline constexpr std::uint32_t kLong = 1, kFarFirst = 2, kNamed = 4, kListed = 8;
inline constexpr std::uint32_t kFlagBits = 8, kWidthBits = 4;

/// Whether the template is the short one (S..S M C..C), whether far dimensions come first, and
/// whether the call names its hybrid. If not, choose_hybrid() does (choice.hpp).
inline bool is_short(const Call& call) { return (call.word(reg::CallWord::kFlags) & kLong) == 0; }
inline bool is_far_first(const Call& call) {
  return (call.word(reg::CallWord::kFlags) & kFarFirst) != 0;
}
inline bool is_named(const Call& call) { return (call.word(reg::CallWord::kFlags) & kNamed) != 0; }

/// The words of a call that name a hybrid.
struct HybridWords {
  std::uint32_t sizes = 0;  ///< PARAMETER_1
  std::uint32_t flags = 0;  ///< FLAGS
};

/// Makes these words, size by size.
class HybridBuilder {
 public:
  /// A size that is not the last one.
  constexpr void add(std::uint32_t size) {
    std::uint32_t width = 2;
    while (size >> width != 0) ++width;
    sizes_ |= size << bit_;
    widths_ |= width << width_bit_;
    bit_ += width;
    width_bit_ += kWidthBits;
  }
  [[nodiscard]] constexpr HybridWords words(std::uint32_t flags) const {
    return {sizes_, widths_ << kFlagBits | flags};
  }

 private:
  std::uint32_t sizes_ = 0, widths_ = 0, bit_ = 0, width_bit_ = 0;
};

/// A dimension: the size, and how ranks and places count along it.
struct Dimension {
  std::uint32_t size = 1;
  std::uint32_t stride = 1;      ///< ranks from one coordinate to the next
  std::uint32_t weight = 1;      ///< places from one coordinate to the next
  std::uint32_t coordinate = 0;  ///< of this member
  std::uint32_t root = 0;        ///< the root's coordinate
  bool has_places = true;        ///< else the members of a line share a place
};

/// A factorization of p, and the template of the hybrid, from the words PARAMETER_1 and FLAGS of
/// the call (firmware/README.md, "Operations of InterCom"). The last size is not in the words: it
/// is p divided by the others.
class LogicalMesh {
 public:
  /// Whether the words describe a factorization of p, or nothing. `listed`: whether blocks may have
  /// different lengths.
  static bool fits(const Call& call, std::uint32_t p, bool listed);

  /// The words must fit. `own` and `root` are ranks. With `shares_last` the members of a line of
  /// the last dimension share a place.
  LogicalMesh(const Call& call, std::uint32_t p, std::uint32_t own, std::uint32_t root,
              bool shares_last);

  [[nodiscard]] std::uint32_t dimensions() const { return count_; }
  [[nodiscard]] const Dimension& operator[](std::uint32_t i) const { return dimension_[i]; }
  /// Return the place of this member, and the number of all places.
  [[nodiscard]] std::uint32_t place() const { return place_; }
  [[nodiscard]] std::uint32_t places() const { return places_; }
  /// Returns the first place that has this member's coordinates in the dimensions before i.
  [[nodiscard]] std::uint32_t first_place(std::uint32_t i) const;
  /// Whether this member has the root's coordinates in all dimensions behind i.
  [[nodiscard]] bool with_root_behind(std::uint32_t i) const { return i + 1 >= differs_; }
  /// Whether ranks and places are in different orders.
  [[nodiscard]] bool permutes() const { return permutes_; }

  /// Whether a reduction keeps the order of the ranks, as one whose call names nothing does. The
  /// words must fit.
  static bool keeps_order(const Call& call, std::uint32_t p);

 private:
  std::array<Dimension, kMostDimensions> dimension_;
  std::uint32_t count_, place_ = 0, places_ = 1;
  std::uint32_t differs_ = 0;  // behind the last dimension in which this member is not at the root
  bool permutes_;
};

/// The places of the ranks 0, 1, 2, ... one after the other, with near dimensions first.
class PlacesOfRanks {
 public:
  explicit PlacesOfRanks(const LogicalMesh& mesh) : mesh_(mesh) {}
  [[nodiscard]] std::uint32_t place() const { return place_; }
  void next();

 private:
  const LogicalMesh& mesh_;
  std::uint32_t place_ = 0;
  std::array<std::uint32_t, kMostDimensions> at_{};
};

}  // namespace annelid::firmware::intercom
