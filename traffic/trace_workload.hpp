// Sends the messages of a trace as traffic.
#pragma once

#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traffic/samples.hpp"
#include "traffic/trace_file.hpp"
#include "traffic/workload.hpp"

namespace annelid::traffic {

/// A message is created in its own cycle, or in the cycle after the last tail that it waits for was
/// on an ejection channel, whichever is later. A message to its own node never enters the network;
/// it arrives in the cycle of its creation.
class TraceWorkload final : public Workload {
 public:
  explicit TraceWorkload(std::vector<TraceMessage> trace);

  [[nodiscard]] Cycle next(Cycle from) const override;
  void create(Cycle now, PacketSink& sink) override;
  void ejected(const Packet& packet) override;

  struct Fate {
    Cycle created = kNever, arrived = kNever;
  };
  [[nodiscard]] const std::vector<TraceMessage>& trace() const { return trace_; }
  [[nodiscard]] const std::vector<Fate>& fates() const {
    return fates_;
  }  ///< by index in the trace
  [[nodiscard]] std::size_t arrived() const { return arrived_; }
  [[nodiscard]] bool done() const { return arrived_ == trace_.size(); }
  /// For messages that entered the network: cycles from creation to tail, and from injection to
  /// tail.
  [[nodiscard]] const Samples& total_latency() const { return total_; }
  [[nodiscard]] const Samples& network_latency() const { return network_; }

 private:
  using Due = std::pair<Cycle, std::size_t>;  // cycle, place in the trace

  void arrive(std::size_t place, Cycle now);

  std::vector<TraceMessage> trace_;
  std::vector<std::vector<std::size_t>> followers_;
  std::vector<std::size_t> waits_;
  std::vector<Fate> fates_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by packet id
  std::size_t arrived_ = 0;
  Samples total_, network_;
};

}  // namespace annelid::traffic
