// Sends the messages of a trace as traffic.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "systemc/network/slab.hpp"
#include "traffic/samples.hpp"
#include "traffic/trace_file.hpp"
#include "traffic/workload.hpp"

namespace annelid::traffic {

/// A message is created in its own cycle, or in the cycle after the last tail that it waits for was
/// on an ejection channel, whichever is later. A message to its own node never enters the network;
/// it arrives in the cycle of its creation.
class TraceWorkload final : public Workload {
 public:
  /// With a slab, it creates the messages of the slab's sources. All processes have the same trace,
  /// and tell each other what has arrived.
  explicit TraceWorkload(std::vector<TraceMessage> trace,
                         const std::optional<systemc::Slab>& slab = {});

  [[nodiscard]] Cycle next(Cycle from) const override;
  void create(Cycle now, PacketSink& sink) override;
  void ejected(const Packet& packet) override;
  [[nodiscard]] bool has_news() const override { return !news_.empty(); }
  void share_news(Exchange& exchange, Cycle now) override;

  /// Collective, at the end: process 0 knows the fates and latencies of all processes.
  void merge(Exchange& exchange);

  struct Fate {
    Cycle created = kNever, arrived = kNever;
  };
  [[nodiscard]] const std::vector<TraceMessage>& trace() const { return trace_; }
  [[nodiscard]] const std::vector<Fate>& fates() const {
    return fates_;
  }  ///< by index in the trace
  /// In several processes: so far here. After merge(): in all.
  [[nodiscard]] std::size_t arrived() const { return arrived_; }
  [[nodiscard]] bool done() const { return arrived_ == trace_.size(); }
  /// For messages that entered the network: cycles from creation to tail, and from injection to
  /// tail.
  [[nodiscard]] const Samples& total_latency() const { return total_; }
  [[nodiscard]] const Samples& network_latency() const { return network_; }

 private:
  using Due = std::pair<Cycle, std::size_t>;  // cycle, place in the trace

  [[nodiscard]] bool is_own(NodeId node) const { return !slab_ || slab_->has(node); }
  void arrive(std::size_t place, Cycle now);
  void release(std::size_t place, Cycle from);

  std::optional<systemc::Slab> slab_;
  std::vector<TraceMessage> trace_;
  std::vector<std::vector<std::size_t>> followers_;
  std::vector<std::size_t> waits_;
  std::vector<Fate> fates_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<std::uint64_t> news_;  // what arrived here, and others wait for
  std::size_t arrived_ = 0;
  Samples total_, network_;
};

}  // namespace annelid::traffic
