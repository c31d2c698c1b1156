// Sources and sinks of a network in planes, for 64 nodes at a time. They do what Endpoints does
// node by node, with the same packets, queues and tags.
#pragma once

#include <vector>

#include "systemc/planes/plane_network.hpp"
#include "traffic/bit_counters.hpp"
#include "traffic/endpoints.hpp"

namespace annelid::traffic {

class Endpoints::Planes final : public systemc::PlaneTerminals {
 public:
  explicit Planes(Endpoints& owner) : owner_(owner) {}

  [[nodiscard]] bool in_use() const { return inputs_ != nullptr; }
  [[nodiscard]] std::uint64_t flits_ejected() const { return inputs_->flits_ejected(); }
  /// Cycle `now` of the endpoints. Returns the cycle in which they must be called next.
  Cycle step(Cycle now);
  /// A packet has joined the queue of a lane of its source.
  void queue(NodeId source, std::uint32_t lane) {
    const std::uint32_t word = source / 64;
    queued_[group_of(word, static_cast<int>(lane - source * owner_.lanes_per_node_))] |=
        std::uint64_t{1} << source % 64;
    ready_[word / 64] |= std::uint64_t{1} << word % 64;
  }
  /// Starts counting the flits of each injection channel.
  void count_injections();
  /// Flits counted since then.
  [[nodiscard]] std::uint64_t injections(std::uint32_t lane) const {
    return started_[lane] - flits_left(lane);
  }

  void attach_links() override { owner_.attach_links(); }
  void use_planes(systemc::PlaneInputs& inputs) override;
  void inject(Cycle now) override;
  void head_ejected(NodeId node, int local, Vc vc, std::uint32_t packet) override;
  void flits_ejected(std::uint32_t word, int local, Vc vc, std::uint64_t flits,
                     std::uint64_t tails) override;
  [[nodiscard]] std::uint64_t data(std::uint32_t packet, std::uint32_t k) const override;
  [[nodiscard]] std::uint32_t injected(std::uint32_t packet) const override;

 private:
  /// A VC of an injection channel and of an ejection channel, for 64 nodes. A word has a bit for
  /// each.
  struct GroupVc {
    systemc::PlaneInput to;
    std::uint64_t sending = 0;                  ///< the source is sending a packet
    std::uint64_t candidate = 0;                ///< the source may send on this VC in this cycle
    std::uint64_t sends = 0;                    ///< the source sends on this VC in this cycle
    std::uint64_t pointer = ~std::uint64_t{0};  ///< round-robin: this VC is at or after the pointer
    BitCounters behind;           ///< flits of the packet being sent, after the next one
    std::uint64_t receiving = 0;  ///< a packet's head has reached the sink, its tail has not
    BitCounters awaited;          ///< flits of the packet being received, after the next one
  };

  template <bool one_vc>
  std::uint64_t inject_group(std::uint32_t word, int local);
  void choose_vcs(GroupVc* vcs) const;
  void start(std::uint32_t word, int local, Vc vc, unsigned bit);
  void choose_again(std::uint32_t group, Vc vc, unsigned bit);
  template <bool one_vc>
  void send(std::uint32_t word, int local, Vc vc, GroupVc* vcs);
  [[nodiscard]] std::uint64_t flits_left(std::uint32_t lane) const;
  void report(std::uint32_t word, int local, Vc vc, std::uint64_t flits, std::uint64_t tails) const;
  [[nodiscard]] std::uint32_t group_of(std::uint32_t word, int local) const {
    return word * owner_.lanes_per_node_ + static_cast<std::uint32_t>(local);
  }
  [[nodiscard]] GroupVc& vc_of(std::uint32_t group, unsigned vc) {
    return vcs_[group * owner_.vcs_ + vc];
  }
  [[nodiscard]] std::uint32_t lane_of(std::uint32_t word, int local, unsigned bit) const {
    return (word * 64 + bit) * owner_.lanes_per_node_ + static_cast<std::uint32_t>(local);
  }

  Endpoints& owner_;
  systemc::PlaneInputs* inputs_ = nullptr;
  Cycle now_ = kNever;                 ///< cycle of the last inject()
  Cycle creation_ = 0;                 ///< the next cycle in which the workload creates a packet
  Cycle planned_ = kNever;             ///< the cycle for which the fabric was last asked
  std::vector<std::uint64_t> queued_;  ///< by group: nodes with waiting packets
  std::vector<GroupVc> vcs_;           ///< by group and VC
  std::vector<std::uint64_t> ready_;   ///< a bit for each word with packets to send
  /// By lane * VL + vc: the packet that was started last; the packet that the sink is receiving.
  std::vector<PacketIndex> sending_, receiving_;
  /// By lane: flits of the packets that were started, less those that had been injected before
  /// count_injections().
  std::vector<std::uint64_t> started_;
};

}  // namespace annelid::traffic
