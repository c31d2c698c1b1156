#include "simulation/program/core_program.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace annelid::simulation {

std::string place_in(const nic::Image& image, std::uint32_t pc) {
  const nic::Image::Function* f = image.find_function(pc);
  if (f == nullptr) return "?";
  return pc == f->address ? f->name : fmt::format("{}+{:#x}", f->name, pc - f->address);
}

std::string describe_place(const CoreProgram& program, std::uint32_t pc) {
  std::string text = fmt::format("{:#010x}", pc);
  if (program.image.find_function(pc) != nullptr) text += " " + place_in(program.image, pc);
  if (const std::string line = program.lines().at(pc); !line.empty()) text += " " + line;
  return one_line(text);  // the names are an ELF file's
}

}  // namespace annelid::simulation
