// To whom a shift sends, and in which step of the pairing of even and odd positions:
// docs/internals/algorithms/shift.md.
#pragma once

#include <cstdint>

namespace annelid::firmware {

/// The pairs of ranks between which a shift sends.
class ShiftRows {
 public:
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;

  /// `steps` is PARAMETER_1: a signed number.
  ShiftRows(std::uint32_t size, std::uint32_t steps, bool with_ends);

  /// Return whom a rank sends to and receives from: a rank, maybe itself, or kNobody.
  [[nodiscard]] std::uint32_t to(std::uint32_t rank) const {
    return down_ && with_ends_ ? before(rank) : after(rank);
  }
  [[nodiscard]] std::uint32_t from(std::uint32_t rank) const {
    return down_ && with_ends_ ? after(rank) : before(rank);
  }
  /// Returns the step in which a rank sends, by the pairing. It must send to another rank.
  [[nodiscard]] std::uint32_t step_of(std::uint32_t rank) const;

 private:
  [[nodiscard]] std::uint32_t after(std::uint32_t rank) const;
  [[nodiscard]] std::uint32_t before(std::uint32_t rank) const;

  std::uint32_t size_;
  bool with_ends_, down_;
  std::uint32_t distance_;     // cyclic: upwards, below the size
  std::uint32_t divisor_;      // cyclic: the number of cycles
  std::uint32_t inverse_ = 0;  // cyclic: so many distances lead from the first rank of a cycle to
                               // the one that is `divisor_` further on
};

}  // namespace annelid::firmware
