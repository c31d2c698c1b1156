// An ELF file whose debug information libdw reads. Users bring such files, so they may be damaged.
#pragma once

#include <elfutils/libdw.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace annelid::simulation {

class DebugFile {
 public:
  /// `elf` is a file that load_elf() accepts.
  explicit DebugFile(std::vector<std::byte> elf);
  DebugFile(const DebugFile&) = delete;
  DebugFile& operator=(const DebugFile&) = delete;

  /// nullptr: no debug information (-g), or libdw cannot read it safely, as where it is compressed
  /// (-gz).
  [[nodiscard]] Dwarf* dwarf() const { return dwarf_.get(); }
  /// nullptr if dwarf() must not be read either.
  [[nodiscard]] Elf* elf() const { return elf_.get(); }

 private:
  std::vector<std::byte> bytes_;
  std::unique_ptr<Elf, int (*)(Elf*)> elf_;
  std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf_;
};

}  // namespace annelid::simulation
