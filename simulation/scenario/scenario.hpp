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
#include "simulation/program/core_trace.hpp"
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
[[nodiscard]] Program read_program(const FirmwareChoice& firmware, const std::string& where);
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
  Collective collective;
  std::filesystem::path payload;    ///< empty: random contents
  std::vector<std::byte> contents;  ///< of the payload
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

  /// See Settings::origin.
  [[nodiscard]] std::string origin(const std::string& key) const { return settings.origin(key); }
};

}  // namespace annelid::simulation
