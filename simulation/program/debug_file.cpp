#include "simulation/program/debug_file.hpp"

#include <gelf.h>

#include <string_view>
#include <utility>

namespace annelid::simulation {
namespace {

/// Whether libelf hands out all debug information as it stands in the file. It copies compressed
/// sections and those of other types, and libdw reads past a copy that ends within a string.
bool debug_sections_are_plain(Elf* file) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(file, &names) != 0) return false;
  for (Elf_Scn* section = elf_nextscn(file, nullptr); section != nullptr;
       section = elf_nextscn(file, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return false;
    const char* const found = elf_strptr(file, names, header.sh_name);
    const std::string_view name = found == nullptr ? "" : found;
    if (name.starts_with(".zdebug")) return false;  // an older kind of compression
    if (!name.starts_with(".debug") && !name.starts_with(".eh_frame")) continue;
    if (header.sh_type != SHT_PROGBITS || (header.sh_flags & SHF_COMPRESSED) != 0) return false;
  }
  return true;
}

}  // namespace

DebugFile::DebugFile(std::vector<std::byte> elf)
    : bytes_(std::move(elf)), elf_(nullptr, elf_end), dwarf_(nullptr, dwarf_end) {
  bytes_.push_back(std::byte{0});  // ends a string that a damaged file leaves open
  elf_version(EV_CURRENT);
  elf_.reset(elf_memory(reinterpret_cast<char*>(bytes_.data()), bytes_.size()));
  if (elf_ != nullptr && !debug_sections_are_plain(elf_.get())) elf_.reset();
  if (elf_ != nullptr) dwarf_.reset(dwarf_begin_elf(elf_.get(), DWARF_C_READ, nullptr));
}

}  // namespace annelid::simulation
