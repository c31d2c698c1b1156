// What Figures 5 to 9 of Sanders, Speck and Traeff 2009 (Section 6) share: the bandwidths of two
// trees and of their competitors on a cluster, and what is said of them.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference/costs/two_tree_formulas.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"

namespace annelid::reproduction::bandwidth {

namespace formulas = reference::formulas;

/// The paper names neither latency nor bandwidth: these are what such clusters had.
struct Cluster {
  std::string name;
  double bytes_per_us;  ///< of a link, either way
  std::uint64_t alpha;  ///< cycles; one is 8 bytes at that rate
  [[nodiscard]] double megabytes_per_second(double bytes, double cycles) const {
    return bytes / cycles * bytes_per_us / 8;
  }
};
const Cluster& myrinet();
const Cluster& infiniband();

struct Rival {
  std::string name;
  /// How its packets are chosen; nothing: it has none.
  std::optional<formulas::Pipelined> steps;
};

/// What a study runs on.
struct Place {
  std::string name;  ///< "7x4 mesh, RV32 core"; of the paper's model: empty
  /// A mesh, whose messages share channels; nothing: every two processes are
  /// one hop apart, as in the paper's model.
  std::optional<reference::Network> mesh = {};
  CallKind calls = CallKind::kNative;
  int vcs = 1;            ///< of a mesh's channels, whose bandwidth as many messages share
  bool all_port = false;  ///< routers of a mesh
};
/// The mesh of one-port routers, the ideal network with firmware on the RV32 core, and both.
std::vector<Place> other_places(const reference::Network& mesh);

struct Study {
  reference::Operation operation;
  int processes;
  Cluster cluster;
  std::vector<double> bytes;
  std::vector<Rival> competitors;  ///< two trees first
  Place place = {};
};

struct Result {
  std::string name;
  std::vector<double> bandwidth;  ///< MB/s by length
  std::vector<Measured> runs;     ///< by length

  /// The run of the longest messages.
  [[nodiscard]] const Measured& longest() const { return runs.back(); }
};

inline constexpr double kKiB = 1024, kMiB = 1024.0 * 1024;
const std::vector<double>& lengths_to_4_mib();
const std::vector<double>& lengths_to_1_mib();

/// Without a place, on the network of the paper's model: every two processes one hop apart, one
/// port each.
std::vector<Result> measure(Laboratory& lab, const Study& s);

/// The claims about the results of a study. Of another place it may have more, behind those.
using ClaimsOf = std::function<std::vector<Claim>(const Study&, const std::vector<Result>&)>;
/// Adds the study's claims. The verdicts of the paper's claims are those of the paper's model,
/// which `results` are from. The same words stand once more for each of `places`, as ours, and the
/// reasons of what differs name what came out there. `lengths` are those to measure there.
void add_claims(Laboratory& lab, Outcome& outcome, const Study& s,
                const std::vector<Result>& results, const std::vector<Place>& places,
                const std::vector<double>& lengths, const ClaimsOf& claims_of);
/// The table, the plot and a note on the network.
Outcome show(const Study& s, const std::vector<Result>& results);

/// The height of two trees that broadcast or reduce among p processes.
double height(int p);

std::string length_text(double bytes);
const Result& of(const std::vector<Result>& results, std::string_view name);
/// How many times the bandwidth of another algorithm two trees have, for the longest messages.
double factor(const std::vector<Result>& results, std::string_view other);
/// Two trees and another algorithm, with the longest messages.
OnHardware longest(const std::vector<Result>& results, std::string_view other);
/// The cycles of the longest messages, and what they waited for, of two trees and another.
std::string waits_of(const std::vector<Result>& results, std::string_view other);

}  // namespace annelid::reproduction::bandwidth
