// How long the block of each rank is: docs/internals/algorithms/intercom.md, "Blocks of different
// lengths".
#pragma once

#include "firmware/collectives/collective.hpp"
#include "firmware/collectives/intercom/logical_mesh.hpp"

namespace annelid::firmware::intercom {

inline bool is_listed(const Call& call) {
  return (call.word(reg::CallWord::kFlags) & kListed) != 0;
}

/// The blocks of a call, which are equally long, or as long as the list at PARAMETER_0 says.
class BlockLengths {
 public:
  /// Whether all blocks together can be a message. A list must be in memory, and COUNT 0.
  static bool fit(const Context& me, std::uint32_t ranks);
  /// They must fit.
  BlockLengths(const Context& me, std::uint32_t ranks);

  /// Returns the bytes of a rank's block.
  [[nodiscard]] std::uint32_t operator[](std::uint32_t rank) const {
    return listed_ ? memory_.load<std::uint32_t>(list_ + 4 * rank) << shift_ : equal_;
  }
  /// Return the bytes of all blocks, and of the longest one.
  [[nodiscard]] std::uint32_t all() const { return all_; }
  [[nodiscard]] std::uint32_t longest() const { return longest_; }
  [[nodiscard]] bool listed() const { return listed_; }

 private:
  [[no_unique_address]] Memory memory_;
  bool listed_;
  std::uint32_t list_, shift_, equal_, all_, longest_;
};

/// Writes the begin of each place, and that of the end, at `begins`.
void write_begins(Memory memory, const LogicalMesh& mesh, const BlockLengths& lengths,
                  std::uint32_t begins);

}  // namespace annelid::firmware::intercom
