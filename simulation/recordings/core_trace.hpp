// What cores execute, as text: one line for each instruction, trap and interrupt.
#pragma once

#include <ostream>
#include <string>

#include "nic/core.hpp"
#include "simulation/program/core_program.hpp"

namespace annelid::simulation {

/// Writes the trace.
class CoreTrace {
 public:
  /// Writes the line that names the columns. Both arguments must outlive the trace.
  CoreTrace(std::ostream& out, const CoreProgram& program);

  void retired(const std::string& node, const nic::Retired& instruction);
  void trapped(const std::string& node, Cycle cycle, const nic::Trap& trap);

 private:
  void write(Cycle cycle, const std::string& node, std::uint32_t pc, const std::string& what,
             const std::string& result);

  std::ostream& out_;
  const CoreProgram& program_;
};

}  // namespace annelid::simulation
