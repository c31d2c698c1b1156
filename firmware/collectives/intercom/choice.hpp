// Which hybrid of InterCom a call takes that names none: docs/internals/algorithms/intercom.md,
// "Choosing" (Barnett and others 1994, Section 6).
#pragma once

#include <array>
#include <cstdint>

#include "firmware/collectives/intercom/logical_mesh.hpp"
#include "firmware/communication/ranks.hpp"
#include "firmware/platform/context.hpp"

namespace annelid::firmware::intercom {

/// The extents of a group, from near to far: those of whole rows of nodes are the row, the column
/// and so on, and those of a listed submesh are its sizes. Any other group is a linear array, which
/// has one. Extents of 1 are left out.
class Extents {
 public:
  static constexpr std::uint32_t kMost = 3;

  Extents(const Group& group, std::uint32_t parameter_2, std::uint32_t ranks);
  explicit Extents(const std::array<std::uint32_t, kMost>& sizes) {
    for (const std::uint32_t size : sizes) add(size);
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// 0 if there are not so many.
  [[nodiscard]] std::uint32_t operator[](std::uint32_t i) const { return size_[i]; }

 private:
  void add(std::uint32_t size) {
    if (size > 1) size_[count_++] = size;
  }
  std::array<std::uint32_t, kMost> size_{};
  std::uint32_t count_ = 0;
};

/// Returns the rule's hybrid for an operation on blocks of `bytes` bytes, or on a vector of them.
/// All members of a group choose the same one. `in_order`: the operator does not commute. Times:
/// CoreTimes or HostTimes (prices.hpp).
template <typename Times>
HybridWords choose_hybrid(reg::Operation operation, const Extents& extents, std::uint32_t bytes,
                          bool in_order);

/// Completes the words of a call that names no hybrid, for blocks of `bytes` bytes: by a tuning's
/// table (tuned_hybrids.hpp), or by the rule where there is none.
void choose_unless_named(Context& me, std::uint32_t ranks, std::uint32_t bytes);

}  // namespace annelid::firmware::intercom
