// Latencies of broadcasts over message lengths, as the dissertation measured them: the largest and
// the mean latency over the destinations, each averaged over random sources (Tsai 1997, 3.3.5 and
// 4.4.3).
#pragma once

#include <string>
#include <vector>

#include "studies/reproduce/laboratory.hpp"
#include "studies/reproduce/machine.hpp"
#include "studies/reproduce/outcome.hpp"
#include "studies/reproduce/sides.hpp"

namespace annelid::reproduction {

/// One curve: an algorithm on a machine's network.
struct Series {
  std::string title;  ///< "EDN 8x8"
  std::string algorithm;
  reference::Network network;
  Machine machine;
};

struct LatencyCurve {
  Series series;
  std::vector<double> bytes;
  std::vector<double> largest_us, mean_us;  ///< by length, averaged over the sources
  std::size_t sources = 0;
  double mean_hops = 0;                                ///< of a message
  std::uint64_t stepwise = 0, depth = 0, control = 0;  ///< flit-cycles, of all runs
  /// By length: the run whose latency is nearest to the average over the sources.
  std::vector<Measured> typical = {};
  CoreRatios core = {};  ///< by length, from the first source
};

/// Measures every series at every length. Series on the same network use the same random sources.
std::vector<LatencyCurve> measure_latency(Laboratory& lab, const std::vector<Series>& series,
                                          const std::vector<double>& bytes);

/// The typical runs of two curves at their longest messages, which decide a claim about both.
OnHardware longest_of(const LatencyCurve& a, const LatencyCurve& b);

/// Adds a table and plots of all curves: the largest latencies with lines, the means beside them.
void add_latency(Outcome& outcome, const std::vector<LatencyCurve>& curves,
                 const std::string& title);

/// Returns how much less time `fast` takes than `slow` at one length, as a share of `slow`.
double advantage(double fast, double slow);

/// Returns the lengths of Figures 3.14 to 3.17: 32 to 2048 bytes.
std::vector<double> mesh_lengths();
/// Returns the lengths of Figures 3.29 and 4.14 to 4.16: 128 to 2048 bytes.
std::vector<double> torus_lengths();

}  // namespace annelid::reproduction
