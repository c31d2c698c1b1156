// A scenario: everything that decides what a run simulates. Read from a TOML file, then changed by
// options of the command line (docs/user-guide.md lists the keys).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

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

class Scenario {
 public:
  std::string name;
  NetworkConfig network;
  FirmwareChoice firmware;
  Operation operation = Operation::kBroadcast;
  Algorithm algorithm = Algorithm::kEdn;
  Address root;
  std::filesystem::path payload;
  Cycle cycle_limit = 100'000'000;

  /// Reads a file. Paths in it are relative to it. Throws InputError for anything that is not a
  /// scenario: unreadable file, TOML syntax, unknown key, wrong type, value out of range.
  static Scenario read(const std::filesystem::path& file);

  /// Changes one value from the command line; `text` is what the user wrote. The keys are those of
  /// the file ("collective.root"), the option is what an error names ("--root").
  void override_value(const std::string& key, const std::string& option, const std::string& text);

  /// Throws InputError for values that do not fit together: a root outside the network, an
  /// algorithm that does not fit the size.
  void validate() const;

  /// "file:line: key" or the option that set the key last; "file: key" if nothing did.
  [[nodiscard]] std::string origin(const std::string& key) const;

 private:
  std::string file_;
  std::map<std::string, std::string> origins_;
};

}  // namespace annelid::cli
