// Runs a user's own RV32 program on every node of a network, in this process. No host calls it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "simulation/program/core_program.hpp"
#include "simulation/program_simulation.hpp"
#include "simulation/recordings/recordings.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

/// The keys of such a run: those of the network and the NICs.
[[nodiscard]] std::vector<Key> program_keys();

/// A program, and the network on whose nodes it runs.
struct ProgramScenario {
  std::filesystem::path elf;
  CoreProgram program;
  std::optional<NativeProgram> native;  ///< is there if the program is built for the host
  nic::NicConfig nic;                   ///< its network too

  /// Reads the program, and the options that replace the defaults. The default network is one node.
  /// `arguments` are those of the program's main, without its name.
  /// `ccl_modes` replaces the word of CCL's modes.
  /// With `native` the file is one that is built for the host; without, it is one for the cores.
  /// Looks at the file's bytes, and runs none of its code. Throws InputError for a file of the
  /// other kind or of no kind, for bad options, for arguments that the program has no room for, and
  /// for modes of a program for the cores that does not call CCL.
  static ProgramScenario read(const std::filesystem::path& elf, std::span<const Override> overrides,
                              const std::vector<std::string>& arguments = {},
                              std::optional<std::uint32_t> ccl_modes = std::nullopt,
                              bool native = false);
};

struct ProgramOptions {
  RecordingOptions recordings = {};  ///< files written while it runs, and nodes whose router is RTL
  Cycle cycle_limit = 100'000'000;   ///< at least 1
  bool errors_allowed = false;       ///< errors of the NICs do not end the run
  TakeLine take_line = {};           ///< gets what the programs print, line by line
  std::optional<std::uint16_t> gdb = {};              ///< port on which gdb connects; 0: any
  std::function<void(std::uint16_t)> listening = {};  ///< called before gdb is waited for
  CoreRecordingOptions cores = {};                    ///< what the cores execute
};

struct ProgramResult {
  std::vector<NodeEnd> ends;  ///< by node
  std::string failure;        ///< the first error; empty if every node ended well
  std::string profile;        ///< a table of functions; empty: not asked for
  RecordedFiles recorded;
};

/// Runs until all cores have stopped for good and the network is empty, until the first trap
/// without a handler or the first NIC error, or until the cycle limit. A program that fails is a
/// result, not an error. With a trace, no core runs ahead of the network, so the trace is in the
/// order of cycles. Throws InputError before it simulates anything if a node is not in the network,
/// if a file cannot be written, or if a program for the host does not fit the nodes. Calls
/// `progress` from this thread, and clears it at the end.
[[nodiscard]] ProgramResult run_program(const ProgramScenario& scenario,
                                        const ProgramOptions& options, Progress& progress);

}  // namespace annelid::simulation
