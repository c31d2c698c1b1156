// The interface that runs collectives on simulated hardware. The library says what to measure. Its
// user decides how the runs are made, how many at a time, and which results are kept
// (job_laboratory.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/catalogue.hpp"
#include "studies/common/call_kind.hpp"

namespace annelid::reproduction {

using studies::CallKind;

/// One `annelid run` with random contents and routers of one stage.
struct Run {
  reference::Operation operation = reference::Operation::kBroadcast;
  std::string algorithm;
  reference::Network network;
  reference::Node root;
  std::uint64_t bytes = 0;             ///< of a process's block
  std::string counts = {};             ///< of blocks of different lengths, in place of `bytes`
  std::uint64_t alpha = 0, gamma = 0;  ///< cycles
  std::uint32_t packets = 0;           ///< of algorithms by rank; 0: their own choice
  std::uint32_t parameter = 0;         ///< of other algorithms
  std::optional<reference::HybridChoice> hybrid = {};  ///< of InterCom; none: its own choice
  int ranks = 0;           ///< the number of nodes that take part, the first ones; 0: all
  std::string group = {};  ///< "row 0 by partition"; the first node is its first member
  bool one_port = false;   ///< routers; else all-port
  CallKind calls = CallKind::kNative;  ///< in native ones instructions cost nothing, as in papers
  bool half_duplex = false;            ///< NICs
  int vcs = 1, local_vcs = 1;
  bool control_vc = true;

  /// Whether the operation does more than to synchronize.
  [[nodiscard]] bool moves_data() const;
  /// Returns the arguments of `annelid run`. Equal runs have equal arguments.
  [[nodiscard]] std::vector<std::string> arguments() const;
  /// Returns them as one line, without the leading "annelid run".
  [[nodiscard]] std::string line() const;
  /// Returns a barrier on the same machine: network, routers, NICs and the kind of firmware. It is
  /// the same for all runs that can be made on one machine.
  [[nodiscard]] Run machine() const;
};

/// What calls on the RV32 core take, in times of the same calls with native firmware. By run.
struct CoreRatios {
  std::vector<double> first, prepared;
};

/// Returns a run on the network of the two trees' model (2Tree, Section 2): every two processes are
/// one hop apart, and each has one port. What runs there is still to be filled in.
Run ideal_one_port(int processes);

/// The result of a run that passed every check: bytes, messages of every step, contention.
struct Measurement {
  std::uint64_t last = 0;  ///< the cycle in which the last process has received everything
  double mean = 0;         ///< the mean over the processes that receive anything, cycles
  std::uint64_t messages = 0, steps = 0, hops = 0;
  std::uint64_t bytes = 0;         ///< of all messages
  std::uint64_t in_sequence = 0;   ///< bytes of the longest message of each step, summed
  std::uint64_t stepwise = 0;      ///< flit-cycles blocked by a message of the same step
  std::uint64_t depth = 0;         ///< flit-cycles blocked by a message of another step
  std::uint64_t control = 0;       ///< flit-cycles in which a message waited for control packets
  std::uint64_t call_to_send = 0;  ///< most cycles from the call to a process's first send
  /// Cycles of the critical path by cause, in the order of kAccountCauses. Their sum is the number
  /// of cycles that `annelid run` prints.
  std::array<std::uint64_t, 7> account = {};
  /// The longest wait on it: "1234 cycles for the receiver's offer"; empty if nothing waits there.
  std::string wait = {};

  /// Returns the sum of the account.
  [[nodiscard]] std::uint64_t cycles() const;
  friend bool operator==(const Measurement&, const Measurement&) = default;
};

/// What the cycles of an account were spent on, as `annelid run --account` calls it.
inline constexpr std::array<std::string_view, 7> kAccountCauses = {
    "start-up", "flits", "hops", "waits", "firmware", "copies", "combining"};

/// A measurement and its run. Only a laboratory makes one.
class Measured : public Measurement {
 public:
  [[nodiscard]] const Run& run() const { return run_; }

 private:
  friend class Laboratory;
  Measured(Run run, const Measurement& measurement)
      : Measurement(measurement), run_(std::move(run)) {}
  Run run_;
};

/// The schedules of one process that the RV32 core can find by itself.
enum class CoreSchedule : std::uint8_t {
  kTwoTree,         ///< neighbours, colours and first steps in both trees, mirrored
  kTwoTreeShifted,  ///< the same, shifted
  kCirculant,       ///< the blocks to receive and those to send
};

/// The cycles that the RV32 core takes to find one process's schedule. Only a laboratory makes one.
class CoreCost {
 public:
  [[nodiscard]] double mean() const { return mean_; }         ///< over the processes, cycles
  [[nodiscard]] std::uint64_t most() const { return most_; }  ///< cycles
  [[nodiscard]] int processes_asked() const { return asked_; }

 private:
  friend class Laboratory;
  double mean_ = 0;
  std::uint64_t most_ = 0;
  int asked_ = 0;
};

/// A message of a trace, which routers carry without NICs.
struct TraceMessage {
  reference::Node from, to;
  std::uint64_t bytes = 0;
  std::uint64_t start = 0;         ///< the earliest cycle in which it enters the network
  std::vector<std::size_t> after;  ///< messages that must have arrived before, by index
};
/// Messages on a network of all-port routers.
struct MessageTrace {
  std::string name;  ///< of its file, without ".csv"
  reference::Network network;
  std::vector<TraceMessage> messages;
  /// Returns "32x32" or "8x8x4".
  [[nodiscard]] std::string size() const;
  /// The command that plays it, from the folder of the results: "annelid traffic --trace ...".
  [[nodiscard]] std::string command() const;
};

/// The result of a trace. Only a laboratory makes one.
class Played {
 public:
  /// By message: the cycle in which its tail arrived.
  [[nodiscard]] const std::vector<std::uint64_t>& arrived() const { return arrived_; }
  /// By message: the cycles that it waited in the network, or for its injection channel.
  [[nodiscard]] const std::vector<std::uint64_t>& waited() const { return waited_; }

 private:
  friend class Laboratory;
  std::vector<std::uint64_t> arrived_, waited_;
};

class Laboratory {
 public:
  Laboratory() = default;
  Laboratory(const Laboratory&) = delete;
  Laboratory& operator=(const Laboratory&) = delete;
  virtual ~Laboratory() = default;

  /// Returns the measurements in the order of the runs. Equal runs are measured once. Throws if a
  /// run or one of its checks fails.
  std::vector<Measured> measure(std::vector<Run> runs);
  /// Measures the same runs with firmware on the RV32 core, as ordinary and as prepared calls.
  /// Returns their last cycles in those of the runs given, which are with native firmware.
  CoreRatios core_ratios(const std::vector<Measured>& native);
  /// Plays a trace to its end, and leaves its file in the folder of the results.
  Played play(const MessageTrace& trace);
  /// Measures what finding its schedule costs a process of `processes`. Asks every process, or
  /// about a thousand evenly chosen ones. The firmware's code for it runs on the model of the core,
  /// without a network.
  CoreCost schedule_cost(CoreSchedule schedule, int processes);
  /// Returns the number of random sources to measure, where a paper took up to 100.
  [[nodiscard]] virtual int sources() const = 0;

 protected:
  /// When a message was created, when it arrived, and how long it takes alone.
  struct TraceTimes {
    std::uint64_t created = 0, arrived = 0, alone = 0;
  };

 private:
  /// Does the work of play().
  virtual std::vector<TraceTimes> times_of(const MessageTrace& trace) = 0;
  /// Does the work of measure(). Sets what the laboratory decides in the runs.
  virtual std::vector<Measurement> results_of(std::vector<Run>& runs) = 0;
  /// Returns the cycles of one process's schedule.
  virtual std::uint64_t cycles_of(CoreSchedule schedule, int processes, int process) = 0;
};

/// Returns `count` different nodes that the seed draws, or all nodes if the network has no more
/// than `count`.
std::vector<reference::Node> random_nodes(const reference::Network& network, int count,
                                          std::uint64_t seed);

}  // namespace annelid::reproduction
