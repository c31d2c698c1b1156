// What cores execute, as text: one line for each instruction, trap and interrupt.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "nic/core.hpp"
#include "simulation/program/call_frames.hpp"
#include "simulation/program/source_lines.hpp"

namespace annelid::simulation {

/// A program, and the names and source lines of its addresses. Data that only traces and reports
/// need is read from the file on first use.
class Program {
 public:
  Program() = default;  ///< none, as native firmware has
  /// Throws std::runtime_error as load_elf() does.
  explicit Program(std::vector<std::byte> elf) : image(nic::load_elf(elf)), elf_(std::move(elf)) {}

  nic::Image image;

  [[nodiscard]] const SourceLines& lines() const {
    if (!lines_) lines_ = std::make_shared<SourceLines>(elf_);
    return *lines_;
  }
  [[nodiscard]] const CallFrames& frames() const {
    if (!frames_) frames_ = std::make_shared<CallFrames>(elf_);
    return *frames_;
  }

 private:
  std::vector<std::byte> elf_;
  mutable std::shared_ptr<const SourceLines> lines_;
  mutable std::shared_ptr<const CallFrames> frames_;
};

/// "main+0x1c", or "?" outside all functions.
[[nodiscard]] std::string place_in(const nic::Image& image, std::uint32_t pc);

/// "0x0000012c main+0x1c src/main.c:12"; unknown parts are left out.
[[nodiscard]] std::string describe_place(const Program& program, std::uint32_t pc);

class CoreTrace {
 public:
  /// Writes the line that names the columns. Both arguments must outlive the trace.
  CoreTrace(std::ostream& out, const Program& program);

  void retired(const std::string& node, const nic::Retired& instruction);
  void trapped(const std::string& node, Cycle cycle, const nic::Trap& trap);

 private:
  void write(Cycle cycle, const std::string& node, std::uint32_t pc, const std::string& what,
             const std::string& result);

  std::ostream& out_;
  const Program& program_;
};

}  // namespace annelid::simulation
