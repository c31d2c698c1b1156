// What the NICs of a run say of their calls and messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/exchange.hpp"
#include "nic/message_log.hpp"
#include "nic/nic.hpp"
#include "nic/nic_observer_tee.hpp"
#include "simulation/machine/host.hpp"

namespace annelid::simulation {

/// Observes the NICs: records the cycle in which each call ended or a node failed, and passes all
/// on to other observers.
class NicWatch final : public nic::NicObserverTee {
 public:
  /// Watches so many calls of the host. `nics` and `host` must outlive it.
  NicWatch(const std::vector<std::unique_ptr<nic::Nic>>& nics, Host& host, std::size_t calls);

  void called(Cycle now, NodeId node, std::uint16_t ticket) override;
  void call_finished(Cycle now, NodeId node, std::uint16_t ticket, std::uint32_t result) override;
  void trapped(Cycle now, NodeId node, const nic::Trap& trap) override;
  void failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string& text) override;

  /// A failed node, whose firmware or NIC will make no more progress.
  struct Failure {
    Cycle cycle = 0;
    NodeId node = 0;
    std::string text;
  };

  /// Return the cycle in which a call ended at each node, and its result there, by node. kNever and
  /// 0 where it has not ended.
  [[nodiscard]] const std::vector<Cycle>& finished(std::size_t call = 0) const {
    return calls_[call].finished;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& results(std::size_t call = 0) const {
    return calls_[call].results;
  }
  /// Ends of calls at nodes.
  [[nodiscard]] std::size_t finished_count() const { return finished_count_; }
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  /// The messages, if log() is among the observers that are told of them.
  [[nodiscard]] const nic::MessageLog& messages() const { return messages_; }
  [[nodiscard]] nic::MessageLog& log() { return messages_; }

  /// The number of writes to a node's memory by the core and the engines while the node had no
  /// call, since its buffers were filled.
  struct Writes {
    std::uint64_t before = 0;  ///< before the node was called for the first time
    std::uint64_t after = 0;   ///< after it ended its calls, and between them
  };
  [[nodiscard]] Writes stray_writes(NodeId node) const;

  /// Collective, at the end of the run: in process 0, finished(), results() and stray_writes() say
  /// those of all nodes.
  void gather(Exchange& exchange, NodeId first, NodeId end);

 private:
  struct Call {
    std::vector<Cycle> finished;
    std::vector<std::uint32_t> results;
  };
  struct NodeWrites {
    std::uint64_t counted =
        0;                    ///< NodeMemory::writes() when the node got its last call, or had none
    std::uint32_t calls = 0;  ///< unfinished ones
    bool called = false;      ///< ever
    Writes stray;
  };
  [[nodiscard]] std::uint64_t writes_of(NodeId node) const;

  const std::vector<std::unique_ptr<nic::Nic>>& nics_;
  Host& host_;
  std::vector<NodeWrites> writes_;
  std::vector<Writes> gathered_;  // by node
  nic::MessageLog messages_;
  std::vector<Call> calls_;
  std::size_t finished_count_ = 0;
  std::optional<Failure> failure_;
};

}  // namespace annelid::simulation
