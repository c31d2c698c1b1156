// Who called whom on a core that stands still: unwound by DWARF's call frame information.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "nic/core.hpp"

namespace annelid::simulation {

class CallFrames {
 public:
  /// `elf`: a file that load_elf() takes.
  explicit CallFrames(std::vector<std::byte> elf);
  ~CallFrames();

  struct Trace {
    std::vector<std::uint32_t> pcs;  ///< the function's own, then those of the calls, outwards
    bool complete = false;           ///< up to a function that says it has no caller, or the start
  };
  /// From `pc` on, which is where the core stands. Without frame information (-g) the trace has
  /// the one pc.
  [[nodiscard]] Trace unwind(const nic::Core& core, std::uint32_t pc) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace annelid::simulation
