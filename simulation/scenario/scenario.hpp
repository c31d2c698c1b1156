// A scenario holds everything that determines what a run simulates. It comes from a TOML file,
// whose values options of the command line replace (docs/reference/scenario-keys.md lists the
// keys).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "nic/core.hpp"
#include "nic/nic_config.hpp"
#include "simulation/program/core_program.hpp"
#include "simulation/scenario/calls.hpp"
#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {

/// The firmware that the NICs execute.
struct FirmwareChoice {
  enum class Kind : std::uint8_t { kRv32, kNative, kElfFile } kind = Kind::kRv32;
  std::filesystem::path elf;  ///< of kElfFile
};

/// Returns "rv32", "native" or the file's path.
[[nodiscard]] std::string name_of(const FirmwareChoice& firmware);
/// Returns the modelled cores' program, with the names of its addresses; an empty one for native
/// firmware. Throws InputError, which names `where`, for a file that is no RV32 program.
[[nodiscard]] CoreProgram read_program(const FirmwareChoice& firmware, const std::string& where);
/// Returns the same program without names.
[[nodiscard]] nic::Image read_image(const FirmwareChoice& firmware, const std::string& where);

/// The keys of `annelid run`: the keys of the network, the NICs and the collective, and those of
/// the command itself.
[[nodiscard]] std::vector<Key> run_keys();

struct Scenario {
  std::string name;
  systemc::NetworkConfig network;
  nic::NicConfig nic;
  FirmwareChoice firmware;
  std::vector<ScenarioCall> calls = {{}};  ///< never empty
  std::vector<GroupSet> groups;            ///< made before the calls
  int repeat = 1;                          ///< how often all calls are made
  Cycle cycle_limit = 100'000'000;
  Settings settings{{}};  ///< the origin of each value, for messages

  /// Reads a file (unless its name is empty), then the options that replace its values. Throws
  /// InputError for anything that is not a scenario (unreadable file, TOML syntax, unknown key,
  /// wrong type, value out of range) and for values that contradict each other: a root outside the
  /// network, an algorithm that does not support the network. The returned scenario is complete: it
  /// holds the payload's bytes, and the algorithm chosen for "auto".
  static Scenario read(const std::filesystem::path& file, std::span<const Override> overrides);
  /// Builds a scenario from settings with run_keys(). Throws InputError, as read() does.
  static Scenario from(const Settings& settings);

  /// The only call of a scenario with one [collective]; the first one of several.
  [[nodiscard]] ScenarioCall& call() { return calls.front(); }
  [[nodiscard]] const ScenarioCall& call() const { return calls.front(); }
  /// Whether it is a list of calls, each with a name, in place of a single one.
  [[nodiscard]] bool has_several() const { return !calls.front().name.empty(); }
  /// Whether calls are prepared, or made more than once: the run has starts.
  [[nodiscard]] bool has_starts() const { return repeat > 1 || has_prepared(); }
  [[nodiscard]] bool has_prepared() const;
  /// Whether a call says what the memory of its table holds at a node: the one that the node takes
  /// part in, or the first one if it takes part in none.
  [[nodiscard]] bool concerns(std::size_t call, const reference::Node& node) const;
  /// See Settings::origin.
  [[nodiscard]] std::string origin(const std::string& key) const { return settings.origin(key); }
};

/// "edn broadcast from node 2,0 of the 8x8 mesh", "3 calls on the 8x8 mesh".
[[nodiscard]] std::string describe(const Scenario& scenario);

}  // namespace annelid::simulation
