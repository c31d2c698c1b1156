// A scenario: everything that decides what a run simulates. Read from a TOML file, then changed by
// options of the command line (docs/reference/scenario-keys.md lists the keys).
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

/// What the NICs execute.
struct FirmwareChoice {
  enum class Kind : std::uint8_t { kRv32, kNative, kElfFile } kind = Kind::kRv32;
  std::filesystem::path elf;  ///< of kElfFile
};

/// "rv32", "native" or the file.
[[nodiscard]] std::string name_of(const FirmwareChoice& firmware);
/// What the modelled cores execute, with what names its addresses; nothing for native firmware.
/// Throws InputError, with `where`, for a file that is no RV32 program.
[[nodiscard]] Program read_program(const FirmwareChoice& firmware, const std::string& where);
/// The same without names.
[[nodiscard]] nic::Image read_image(const FirmwareChoice& firmware, const std::string& where);

/// The keys of `annelid run`: those of the network, the NICs and the collective, and its own.
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
  Settings settings{{}};  ///< where the values come from, for messages

  /// Reads a file, unless its name is empty, then the options that replace its values. Throws
  /// InputError for anything that is not a scenario (unreadable file, TOML syntax, unknown key,
  /// wrong type, value out of range) and for values that do not fit together: a root outside the
  /// network, an algorithm that does not support it. What it returns is complete: the payload has
  /// been read, and the algorithm that "auto" stands for is known.
  static Scenario read(const std::filesystem::path& file, std::span<const Override> overrides);
  /// Of settings with run_keys().
  static Scenario from(const Settings& settings);

  /// See Settings::origin.
  [[nodiscard]] std::string origin(const std::string& key) const { return settings.origin(key); }
};

}  // namespace annelid::simulation
