// The call stack of a halted core, unwound with DWARF's call frame information.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "nic/core.hpp"

namespace annelid::simulation {

class CallFrames {
 public:
  /// `elf` is a file that load_elf() accepts.
  explicit CallFrames(std::vector<std::byte> elf);
  ~CallFrames();

  struct Trace {
    std::vector<std::uint32_t>
        pcs;                ///< the function's own, then those of its callers, innermost first
    bool complete = false;  ///< it reaches the start, or a function marked as having no caller
  };
  /// Unwinds the stack from `pc`, the core's current address. Without frame information (-g) the
  /// trace holds only this pc.
  [[nodiscard]] Trace unwind(const nic::Core& core, std::uint32_t pc) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace annelid::simulation
