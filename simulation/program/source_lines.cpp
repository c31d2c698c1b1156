#include "simulation/program/source_lines.hpp"

#include <dwarf.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "simulation/program/debug_file.hpp"

namespace annelid::simulation {
namespace {

std::string shown(const char* path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path near = fs::path(path).lexically_proximate(fs::current_path(error));
  return error || near.empty() || *near.begin() == ".." ? path : near.string();
}

}  // namespace

SourceLines::SourceLines(std::vector<std::byte> elf) {
  const DebugFile file(std::move(elf));
  if (file.dwarf() == nullptr) return;

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
    Dwarf_Lines* table = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(&die, &table, &count) != 0) continue;
    const bool assembler = dwarf_srclang(&die) == DW_LANG_Mips_Assembler;
    bool begins = true, dropped = false;
    for (std::size_t i = 0; i < count; ++i) {
      Dwarf_Line* entry = dwarf_onesrcline(table, i);
      Dwarf_Addr address = 0;
      int line = 0;
      bool end = false;
      dwarf_lineaddr(entry, &address);
      dwarf_lineno(entry, &line);
      dwarf_lineendsequence(entry, &end);
      if (begins) dropped = address == 0 && !assembler;
      if (begins && address == 0) starts_in_assembler |= assembler;
      begins = end;
      const char* path = end ? nullptr : dwarf_linesrc(entry, nullptr, nullptr);
      lines_.push_back({static_cast<std::uint32_t>(address),
                        path == nullptr ? kNoFile : number_of(path), line, dropped});
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
