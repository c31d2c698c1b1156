// The ideal network: one crossbar that connects the local channels of all nodes
// (docs/internals/microarchitecture.md, section 9).
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "systemc/fabric/fabric.hpp"
#include "systemc/modules/node_router.hpp"

namespace annelid::systemc {

/// A component of the fabric. A step visits only ports that may send or take a flit in its cycle.
/// It allocates nothing once its lists have grown to the size that a cycle needs.
class Crossbar final : public Clocked {
 public:
  /// `config` must be ideal. Throws ConfigError if it is not valid.
  Crossbar(Fabric& fabric, const NetworkConfig& config);

  /// The crossbar's end of a node's local link `local`. It takes the NIC's flits, and the NIC's
  /// credits for ejected flits. Throws std::logic_error for a flit without room, a head addressed
  /// to no other node, a body or tail without a head, and a credit beyond the buffer's depth.
  [[nodiscard]] LinkIf& end(NodeId node, int local) { return ends_[port_index(node, local)]; }
  /// The port to the NIC's end of that link, to be bound before the first cycle.
  [[nodiscard]] LinkPort& to_nic(NodeId node, int local) {
    return to_nic_[port_index(node, local)];
  }

  Cycle step(Cycle now) override;

  /// The registers of a node at the start of cycle fabric.now(), without grants. Call it between
  /// cycles only. Entries of external ports are 0.
  void state(NodeId node, RouterState& state) const;
  /// Whether the FIFO of an injection channel's VC has ever held a flit. To be called as state().
  [[nodiscard]] bool was_used(NodeId node, Port port, Vc vc) const;

 private:
  /// A port is node * L + local port. An input or output VC is port * vcs_ + VC.
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};

  class End final : public LinkIf {
   public:
    End(Crossbar& crossbar, Index port) : crossbar_(crossbar), port_(port) {}
    void put_flit(const Flit& flit) override { crossbar_.take_flit(port_, flit); }
    void put_credit(Vc vc) override { crossbar_.take_credit(port_, vc); }

   private:
    Crossbar& crossbar_;
    Index port_;
  };

  struct InputVc {
    Index out = kNone;                     ///< the output VC that it has or queues for
    Index next = kNone;                    ///< the next one in that queue
    std::uint8_t count = 0, arriving = 0;  ///< flits; those since the cycle before
    std::uint8_t read = 0, write = 0;      ///< positions in the FIFO
    bool active = false;
    bool wins = false;  ///< it is granted in this cycle
  };
  struct OutputVc {
    Index owner = kNone;                ///< an input VC
    Index first = kNone, last = kNone;  ///< of the queue
    Index nominee = kNone;  ///< the input VC that requests it, if its bit of `requests` is set
    std::uint8_t credits = 0, arriving = 0;  ///< as of InputVc
  };
  struct EjectionPort {
    std::uint8_t requests = 0;  ///< a bit for each VC
    Vc next_vc = 0;             ///< the arbiter's pointer
  };
  struct InjectionPort {
    Vc next_vc = 0;
    bool listed = false;
  };
  struct Grant {
    Index input = 0, output = 0;  ///< VCs
    Flit flit;
  };

  [[nodiscard]] Index port_index(NodeId node, int local) const {
    return node * ports_ + static_cast<Index>(local);
  }
  void take_flit(Index port, const Flit& flit);
  void take_credit(Index port, Vc vc);
  void wake();
  void list(Index port);
  void list_first(Index output);

  void deliver(Cycle now);
  void absorb();
  void line_up();
  void nominate();
  void choose();
  void commit(Cycle now);
  void report_blocked(Cycle now, FabricObserver& observer) const;

  [[nodiscard]] Index requested(Index input) const;
  [[nodiscard]] Index ejection_port_of(Index input) const;
  [[nodiscard]] BlockCause cause(const InputVc& input) const;
  [[nodiscard]] Flit front(Index input) const;
  [[noreturn]] void fail(Index port, const char* what) const;

  [[nodiscard]] NodeId node_of(Index port) const { return port / ports_; }
  [[nodiscard]] Port injection(Index port) const {
    return config_.router.injection_input(static_cast<int>(port % ports_));
  }
  [[nodiscard]] Port ejection(Index port) const {
    return config_.router.ejection_output(static_cast<int>(port % ports_));
  }

  Fabric& fabric_;
  const NetworkConfig config_;
  const Index ports_, vcs_, depth_;  // L, VCs of a local channel, D
  int handle_ = 0;
  Cycle awake_in_ = kNever;  // the cycle that it asked the fabric for
  std::uint64_t held_ = 0;   // flits between the injection and the ejection channel

  std::vector<InputVc> inputs_;
  std::vector<std::uint64_t> occupied_;  // bit i: input VC i has a flit
  std::vector<OutputVc> outputs_;
  std::vector<EjectionPort> ejection_;
  std::vector<InjectionPort> injection_;
  std::vector<std::uint64_t> data_;  // of the FIFOs, D entries for each input VC
  std::vector<std::uint8_t> flags_;  // bit 0 head, bit 1 tail
  std::deque<End> ends_;
  std::vector<LinkPort> to_nic_;

  // The VCs of flits and credits that arrived in a cycle, by its parity.
  std::array<std::vector<Index>, 2> flits_in_, credits_in_;
  std::vector<Index> new_heads_;         // input VCs with a new head at the front
  std::vector<Index> listed_, current_;  // injection ports that may request: next, in this cycle
  std::vector<Index> requested_ports_;   // ejection ports
  std::vector<Grant> granted_, sent_;    // in this cycle, in the one before
};

}  // namespace annelid::systemc
