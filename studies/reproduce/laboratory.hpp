// Where collectives run on simulated hardware. The library says what to measure. Its user decides
// who runs it, how many at a time, and which results are kept (job_laboratory.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/catalogue.hpp"

namespace annelid::reproduction {

/// One `annelid run` with random contents: native firmware, so no instruction costs a cycle, as the
/// papers reckon; routers of one stage.
struct Run {
  reference::Operation operation = reference::Operation::kBroadcast;
  std::string algorithm;
  reference::Network network;
  reference::Node root;
  std::uint64_t bytes = 0;             ///< of a process's block
  std::uint64_t alpha = 0, gamma = 0;  ///< cycles
  std::uint32_t packets = 0;           ///< of algorithms by rank; 0: their own choice
  std::uint32_t parameter = 0;         ///< of others
  int ranks = 0;                       ///< the first so many nodes; 0: all
  bool one_port = false;               ///< routers; else all-port
  bool core = false;                   ///< firmware on the RV32 core
  int vcs = 1, local_vcs = 1;

  /// The arguments of `annelid run`. Equal runs have equal arguments.
  [[nodiscard]] std::vector<std::string> arguments() const;
};

/// The result of a run. Every check of the run held: bytes, messages of every step, contention.
struct Measurement {
  std::uint64_t last = 0;  ///< the cycle in which the last process has all it is to receive
  double mean = 0;         ///< the mean over the processes that receive anything, cycles
  std::uint64_t messages = 0, steps = 0, hops = 0;
  std::uint64_t stepwise = 0;      ///< flit-cycles blocked by a message of the same step
  std::uint64_t depth = 0;         ///< and by one of another step
  std::uint64_t call_to_send = 0;  ///< most cycles from the call to a process's first send

  friend bool operator==(const Measurement&, const Measurement&) = default;
};

class Laboratory {
 public:
  Laboratory() = default;
  Laboratory(const Laboratory&) = delete;
  Laboratory& operator=(const Laboratory&) = delete;
  virtual ~Laboratory() = default;

  /// In the order of the runs; equal runs are measured once. Throws if a run or a check of it
  /// fails.
  virtual std::vector<Measurement> measure(std::span<const Run> runs) = 0;
  /// How many random sources stand for all of them, where a paper took up to 100.
  [[nodiscard]] virtual int sources() const = 0;
};

/// `count` different nodes that the seed draws; all of them if there are no more.
std::vector<reference::Node> random_nodes(const reference::Network& network, int count,
                                          std::uint64_t seed);

}  // namespace annelid::reproduction
