// The measurements of `annelid tune`: algorithms of operations, over message sizes and node counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulation/scenario/scenario.hpp"
#include "simulation/scenario/settings.hpp"
#include "studies/common/call_kind.hpp"
#include "studies/common/row_file.hpp"

namespace annelid::studies {

/// Returns the keys of a tuning: those of `annelid run`, and those of the command itself.
[[nodiscard]] std::vector<simulation::Key> tune_keys();
/// Returns the keys that are options of `annelid tune`: those of the network and the NICs, and the
/// others that a tuning does not vary itself.
[[nodiscard]] std::vector<simulation::Key> tune_option_keys();

/// A hybrid of InterCom that a tuning simulates at one length.
struct HybridCandidate {
  reference::HybridChoice hybrid;
  std::size_t place = 0;  ///< in the model's ranking, from 1 on
  double model = 0;       ///< cycles by the model
};

/// A run to measure: an algorithm with blocks of a number of bytes.
struct TunePoint {
  std::size_t in_case = 0, curve = 0;  ///< of TuneGrid::cases, of TuneCase::algorithms
  std::uint64_t bytes = 0;
  CallKind calls{};
  simulation::Scenario scenario;
  Configuration configuration;
  double seconds = 0;  ///< of one core, estimated
  /// Which hybrid it is in a tuning of hybrids; nothing if the call leaves the choice open.
  std::optional<HybridCandidate> candidate = {};
  std::size_t hybrids = 0;  ///< the number of hybrids that were ranked for this length
};

/// An operation with a number of processes on a network, and the algorithms that can serve it
/// there.
struct TuneCase {
  reference::Operation operation{};
  systemc::NetworkConfig network;
  int processes = 0;
  std::vector<simulation::Scenario>
      algorithms;  ///< each with its complete call, except for the bytes
  [[nodiscard]] bool takes_all() const {
    return static_cast<std::size_t>(processes) == network.nodes();
  }
};

class TuneGrid {
 public:
  std::string name;
  std::vector<TuneCase> cases;
  std::vector<std::uint64_t> bytes;  ///< ascending; none with counts
  bool has_counts = false;  ///< blocks of different lengths, the same in all runs of a case
  int refine = 0;           ///< rounds in which sizes are added where the fastest changes
  /// How many hybrids that the model ranks first a tuning of hybrids simulates at each size, and
  /// how many others; 0: the tuning compares algorithms.
  int hybrids = 0;
  bool radices = false;  ///< the all-to-all by `radix` has a curve for each choice of radices
  CallKind calls{};      ///< the kind of calls by which the fastest is found
  std::vector<CallKind> columns;  ///< kinds that are shown beside it
  std::vector<TunePoint> points;

  /// Reads a scenario (unless the file's name is empty), then the options that replace its values.
  /// Throws InputError for bad values, and if any of the points cannot be simulated.
  static TuneGrid read(const std::filesystem::path& file,
                       std::span<const simulation::Override> overrides);

  /// Adds a point for each algorithm of a case, and for each kind of calls.
  void add(std::size_t in_case, std::uint64_t bytes);
  /// Adds the open call of a case with one algorithm, InterCom, and the hybrids to compare it with.
  void add_hybrids(std::size_t in_case, std::uint64_t bytes);

 private:
  void add_point(TunePoint point);

  std::map<std::string, std::uint64_t> images_;  ///< hashes, by the firmware's name
};

/// Sizes as a user writes them: "8:1M" (each twice the one before), "8:1M:4" (four times), or
/// "8,64,4k"; k and M are 1024 and 1024 * 1024 bytes. Returns them in ascending order, each once.
/// Throws InputError, which names `where`, for any other text.
[[nodiscard]] std::vector<std::uint64_t> parse_sizes(const std::string& text,
                                                     const std::string& where);

/// "broadcast on the 8x8 mesh, 64 processes"; with counts also "blocks of 0 to 64 bytes".
[[nodiscard]] std::string describe(const TuneCase& tuned);
/// "broadcast-8x8-64": for names of files.
[[nodiscard]] std::string file_name(const TuneCase& tuned);

/// Returns the `annelid run` command that makes this run alone.
[[nodiscard]] std::string run_command(const simulation::Scenario& scenario);

}  // namespace annelid::studies
