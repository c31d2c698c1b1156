// The interface that runs collectives on simulated hardware. The library says what to measure. Its
// user decides how the runs are made, how many at a time, and which results are kept
// (job_laboratory.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/catalogue.hpp"

namespace annelid::reproduction {

/// One `annelid run` with random contents and routers of one stage. The firmware is native, so
/// instructions cost no cycles, as the papers assume.
struct Run {
  reference::Operation operation = reference::Operation::kBroadcast;
  std::string algorithm;
  reference::Network network;
  reference::Node root;
  std::uint64_t bytes = 0;             ///< of a process's block
  std::uint64_t alpha = 0, gamma = 0;  ///< cycles
  std::uint32_t packets = 0;           ///< of algorithms by rank; 0: their own choice
  std::uint32_t parameter = 0;         ///< of other algorithms
  int ranks = 0;          ///< the number of nodes that take part, the first ones; 0: all
  bool one_port = false;  ///< routers; else all-port
  bool core = false;      ///< firmware on the RV32 core
  int vcs = 1, local_vcs = 1;
  bool control_vc = true;

  /// Returns the arguments of `annelid run`. Equal runs have equal arguments.
  [[nodiscard]] std::vector<std::string> arguments() const;
};

/// The result of a run that passed every check: bytes, messages of every step, contention.
struct Measurement {
  std::uint64_t last = 0;  ///< the cycle in which the last process has received everything
  double mean = 0;         ///< the mean over the processes that receive anything, cycles
  std::uint64_t messages = 0, steps = 0, hops = 0;
  std::uint64_t stepwise = 0;      ///< flit-cycles blocked by a message of the same step
  std::uint64_t depth = 0;         ///< flit-cycles blocked by a message of another step
  std::uint64_t control = 0;       ///< flit-cycles in which a message waited for control packets
  std::uint64_t call_to_send = 0;  ///< most cycles from the call to a process's first send

  friend bool operator==(const Measurement&, const Measurement&) = default;
};

class Laboratory {
 public:
  Laboratory() = default;
  Laboratory(const Laboratory&) = delete;
  Laboratory& operator=(const Laboratory&) = delete;
  virtual ~Laboratory() = default;

  /// Returns the measurements in the order of the runs. Equal runs are measured once. Throws if a
  /// run or one of its checks fails.
  virtual std::vector<Measurement> measure(std::span<const Run> runs) = 0;
  /// Returns the number of random sources to measure, where a paper took up to 100.
  [[nodiscard]] virtual int sources() const = 0;
};

/// Returns `count` different nodes that the seed draws, or all nodes if the network has no more
/// than `count`.
std::vector<reference::Node> random_nodes(const reference::Network& network, int count,
                                          std::uint64_t seed);

}  // namespace annelid::reproduction
