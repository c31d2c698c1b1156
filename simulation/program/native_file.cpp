#include "simulation/program/native_file.hpp"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "firmware/native_program.hpp"

namespace annelid::simulation {
namespace {

using File = std::span<const std::byte>;

/// A structure in the file; nothing if the file ends before the structure does.
template <typename T>
std::optional<T> structure_at(File file, std::uint64_t offset) {
  T value;
  if (file.size() < sizeof value || offset > file.size() - sizeof value) return std::nullopt;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

/// Whether the text stands at this place, with the zero that ends it.
bool has_text_at(File file, std::uint64_t offset, std::string_view text) {
  if (file.size() <= text.size() || offset > file.size() - text.size() - 1) return false;
  return std::memcmp(file.data() + offset, text.data(), text.size()) == 0 &&
         file[offset + text.size()] == std::byte{0};
}

bool is_defined_in(File file, const Elf64_Shdr& symbols, const Elf64_Shdr& names,
                   std::string_view name) {
  for (std::uint64_t i = 0; i < symbols.sh_size / sizeof(Elf64_Sym); ++i) {
    const auto symbol = structure_at<Elf64_Sym>(file, symbols.sh_offset + i * sizeof(Elf64_Sym));
    if (!symbol) return false;
    if (symbol->st_shndx == SHN_UNDEF) continue;
    if (has_text_at(file, names.sh_offset + symbol->st_name, name)) return true;
  }
  return false;
}

bool exports(File file, std::string_view name) {
  const auto header = structure_at<Elf64_Ehdr>(file, 0);
  if (!header) return false;
  const auto section = [&](std::uint64_t i) {
    return structure_at<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto symbols = section(i);
    if (!symbols) return false;
    if (symbols->sh_type != SHT_DYNSYM || symbols->sh_link >= header->e_shnum) continue;
    const auto names = section(symbols->sh_link);
    if (names && is_defined_in(file, *symbols, *names, name)) return true;
  }
  return false;
}

}  // namespace

bool is_native_program(File file) {
  const auto header = structure_at<Elf64_Ehdr>(file, 0);
  return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_type == ET_DYN;
}

void require_native_file(File file) {
  const char* const found = !is_native_program(file) ? "no shared object of this machine"
                            : !exports(file, firmware::NativeProgramEntry::kSymbol)
                                ? "a shared object without the symbol annelid_program"
                                : nullptr;
  if (found == nullptr) return;
  throw std::runtime_error(
      std::string("found ") + found +
      ", expected for --native a program of `annelid firmware build --native`");
}

}  // namespace annelid::simulation
