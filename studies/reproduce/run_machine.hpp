// A simulated machine that is ready for one of several runs.
#pragma once

#include <optional>
#include <span>

#include "simulation/machine/simulation.hpp"
#include "studies/reproduce/laboratory.hpp"
#include "systemc/modules/elaboration.hpp"

namespace annelid::studies {

/// Built once for runs that differ in their calls alone. A process that holds it makes a copy of
/// itself for each run. So each run begins with the registers and memories of a new machine, and
/// none of them pays for building it.
class RunMachine {
 public:
  /// Builds the machine of `runs`, which is not empty. Run::machine() is equal for all of them.
  /// Throws InputError if the computer has too little memory.
  explicit RunMachine(std::span<const reproduction::Run> runs);
  RunMachine(const RunMachine&) = delete;
  RunMachine& operator=(const RunMachine&) = delete;

  /// Simulates one of the runs. Call it once. Throws RunFailure if the run or one of its checks
  /// fails.
  reproduction::Measurement measure(const reproduction::Run& run);

 private:
  const systemc::Elaboration elaboration_;  // goes last
  simulation::Scenario scenario_;
  simulation::CoreProgram program_;
  std::optional<simulation::Simulation> simulation_;
};

}  // namespace annelid::studies
