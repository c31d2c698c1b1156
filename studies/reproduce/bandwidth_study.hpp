// What Figures 5 to 9 of Sanders, Speck and Traeff 2009 (Section 6) share: the bandwidths of two
// trees and of their competitors on a cluster, and what is said of them.
#pragma once

#include <cmath>
#include <optional>

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

struct Study {
  reference::Operation operation;
  int processes;
  Cluster cluster;
  std::vector<double> bytes;
  std::vector<Rival> competitors;  ///< two trees first
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

/// On the network of the paper's model: every two processes one hop apart, one port each.
std::vector<Result> measure(Laboratory& lab, const Study& s);
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
