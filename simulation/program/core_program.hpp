// A program for the modelled cores: its image, and the names and source lines of its addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nic/core.hpp"
#include "simulation/program/call_frames.hpp"
#include "simulation/program/source_lines.hpp"

namespace annelid::simulation {

/// An RV32 program. Data that only traces and reports need is read from the file on first use.
class CoreProgram {
 public:
  CoreProgram() = default;  ///< none, as native firmware has
  /// Throws std::runtime_error as load_elf() does.
  explicit CoreProgram(std::vector<std::byte> elf)
      : image(nic::load_elf(elf)), elf_(std::move(elf)) {}

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
[[nodiscard]] std::string describe_place(const CoreProgram& program, std::uint32_t pc);

}  // namespace annelid::simulation
