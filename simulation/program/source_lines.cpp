#include "simulation/program/source_lines.hpp"

#include <dwarf.h>
#include <gelf.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "simulation/program/debug_file.hpp"
#include "simulation/program/line_program.hpp"

namespace annelid::simulation {
namespace {

std::string shown(const char* path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path near = fs::path(path).lexically_proximate(fs::current_path(error));
  return error || near.empty() || *near.begin() == ".." ? path : near.string();
}

std::span<const std::byte> section_of(Elf* file, std::string_view wanted) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(file, &names) != 0) return {};
  for (Elf_Scn* section = elf_nextscn(file, nullptr); section != nullptr;
       section = elf_nextscn(file, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* const name = elf_strptr(file, names, header.sh_name);
    if (name == nullptr || name != wanted) continue;
    const Elf_Data* const data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<const std::byte*>(data->d_buf), data->d_size};
  }
  return {};
}

}  // namespace

SourceLines::SourceLines(std::vector<std::byte> elf) {
  const DebugFile file(std::move(elf));
  if (file.dwarf() == nullptr) return;

  const std::span<const std::byte> section = section_of(file.elf(), ".debug_line");
  std::set<Dwarf_Word> read;
  std::map<std::string, std::size_t> known;
  const auto number_of = [&](const char* path) {
    const auto [entry, is_new] = known.try_emplace(path, files_.size());
    if (is_new) files_.push_back(shown(path));
    return entry->second;
  };
  // The linker leaves the lines of functions that it drops, at address 0, where the start-up code
  // stands. Where start-up code in assembler has lines, no other lines there count.
  bool starts_in_assembler = false;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(file.dwarf(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    Dwarf_Attribute place;
    Dwarf_Word offset = 0;
    Dwarf_Files* names = nullptr;
    std::size_t count = 0;
    if (dwarf_formudata(dwarf_attr(&die, DW_AT_stmt_list, &place), &offset) != 0) continue;
    if (!read.insert(offset).second) continue;  // several units may share one
    if (dwarf_getsrcfiles(&die, &names, &count) != 0) continue;
    const bool assembler = dwarf_srclang(&die) == DW_LANG_Mips_Assembler;
    bool begins = true, dropped = false;
    for (const LineRow& row : line_rows(section, offset)) {
      if (begins) dropped = row.address == 0 && !assembler;
      if (begins && row.address == 0) starts_in_assembler |= assembler;
      begins = row.end;
      const char* path = row.end ? nullptr : dwarf_filesrc(names, row.file, nullptr, nullptr);
      lines_.push_back({row.address, path == nullptr ? kNoFile : number_of(path),
                        static_cast<int>(row.line), dropped});
    }
  }
  if (starts_in_assembler) std::erase_if(lines_, [](const Line& l) { return l.at_zero; });
  // At one address the end of a sequence stands before the start of the next, and of the lines of
  // one sequence the last one counts.
  std::ranges::stable_sort(
      lines_, {}, [](const Line& l) { return std::pair(l.address, l.file == kNoFile ? 0 : 1); });
}

std::string SourceLines::at(std::uint32_t pc) const {
  const auto after = std::ranges::upper_bound(lines_, pc, {}, &Line::address);
  if (after == lines_.begin()) return "";
  const Line& line = *std::prev(after);
  if (line.file == kNoFile || line.line == 0) return "";
  return files_[line.file] + ":" + std::to_string(line.line);
}

}  // namespace annelid::simulation
