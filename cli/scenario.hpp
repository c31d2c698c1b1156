// A scenario: everything that decides what a run simulates. Read from a TOML file, then changed by
// options of the command line (docs/user-guide.md lists the keys).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/settings.hpp"
#include "nic/nic_config.hpp"
#include "systemc/config.hpp"

namespace annelid::cli {

enum class Operation : std::uint8_t { kBroadcast };
enum class Algorithm : std::uint8_t { kEdn, kRecursiveDoubling };

std::string_view name_of(Operation operation);
std::string_view name_of(Algorithm algorithm);

/// What the NICs execute.
struct FirmwareChoice {
  enum class Kind : std::uint8_t { kRv32, kNative, kElfFile } kind = Kind::kRv32;
  std::filesystem::path elf;  ///< of kElfFile
};

/// The keys of `annelid run`: those of the network and of the NICs, and its own.
[[nodiscard]] std::vector<Key> run_keys();

struct Scenario {
  std::string name;
  NetworkConfig network;
  NicConfig nic;
  FirmwareChoice firmware;
  Operation operation = Operation::kBroadcast;
  Algorithm algorithm = Algorithm::kEdn;
  Address root;
  std::filesystem::path payload;
  Cycle cycle_limit = 100'000'000;
  Settings settings{{}};  ///< where the values come from, for messages

  /// Reads a file, then what the command line says instead. Throws InputError for anything that is
  /// not a scenario (unreadable file, TOML syntax, unknown key, wrong type, value out of range) and
  /// for values that do not fit together: a root outside the network, an algorithm that does not
  /// fit the size, a network that the firmware does not know.
  static Scenario read(const std::filesystem::path& file, std::span<const Override> overrides);

  /// See Settings::origin.
  [[nodiscard]] std::string origin(const std::string& key) const { return settings.origin(key); }

 private:
  void validate() const;
};

}  // namespace annelid::cli
