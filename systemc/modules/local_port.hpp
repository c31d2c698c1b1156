// How a SystemC module of the user sends and receives flits.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <systemc>

#include "systemc/modules/network.hpp"

namespace annelid::systemc {

/// A local port of a node, as a clocked process sees it. Bind an sc_port<LocalPortIf> to a
/// LocalPort, and call it at the rising edges of a clock that has the period Fabric::cycle_time()
/// and starts at time 0. Edge t is the beginning of cycle t:
///  - A flit that is sent at edge t is on the injection channel in cycle t. It can leave the
///    router in t + 1.
///  - A flit that the router puts on the ejection channel in cycle t is there at edge t + 1. Its
///    credit is on the channel back in the cycle in which the flit is taken.
///
/// At other times a call belongs to the cycle whose middle comes next. In the middle itself,
/// at (t + 1/2) * T, calls throw std::logic_error, because their cycle would depend on the order of
/// processes.
class LocalPortIf : public virtual sc_core::sc_interface {
 public:
  /// Whether there is a credit for VC `vc`, and nothing has been sent in this cycle.
  [[nodiscard]] virtual bool can_send(Vc vc = 0) const = 0;
  /// Sends a flit on VC flit.vc. The first flit of a packet is a head whose data is
  /// pack(HeadFields), the last one is a tail, and packets on one VC do not interleave. Throws
  /// std::logic_error if the flit cannot be sent.
  virtual void send(const Flit& flit) = 0;

  /// The oldest flit that arrived on VC `vc`. Null if there is none, or if one has already been
  /// taken in this cycle.
  [[nodiscard]] virtual const Flit* front(Vc vc = 0) const = 0;
  /// Takes that flit. The buffer has RouterConfig::depth places (flits) for each VC, and flits left
  /// in it block the network. Throws std::logic_error if there is no flit to take.
  virtual Flit receive(Vc vc = 0) = 0;

  /// Notified at the edge at which a flit or a credit that has arrived can be used. It is for
  /// processes that sleep.
  [[nodiscard]] virtual const sc_core::sc_event& changed() const = 0;

  /// The cycle to which a call at this time belongs.
  [[nodiscard]] virtual Cycle cycle() const = 0;
};

/// The module that implements LocalPortIf. It costs nothing in cycles without flits.
class LocalPort final : public sc_core::sc_module, public LocalPortIf, private Clocked {
 public:
  /// Takes port `local` (0 .. L-1) of a node. The network must outlive it. Throws ConfigError if
  /// there is no such node or port.
  LocalPort(const sc_core::sc_module_name& name, Network& network, NodeId node, int local = 0);

  [[nodiscard]] bool can_send(Vc vc = 0) const override;
  void send(const Flit& flit) override;
  [[nodiscard]] const Flit* front(Vc vc = 0) const override;
  Flit receive(Vc vc = 0) override;
  [[nodiscard]] const sc_core::sc_event& changed() const override { return changed_; }
  [[nodiscard]] Cycle cycle() const override { return fabric_.now(); }

  [[nodiscard]] NodeId node() const { return node_; }
  [[nodiscard]] int local() const { return local_; }

 private:
  class End final : public LinkIf {
   public:
    explicit End(LocalPort& owner) : owner_(owner) {}
    void put_flit(const Flit& flit) override;
    void put_credit(Vc vc) override;

   private:
    LocalPort& owner_;
  };

  Cycle step(Cycle now) override;
  void notify();
  void check_call(Vc vc) const;
  [[noreturn]] void fail(const char* what) const;

  Fabric& fabric_;
  NodeId node_;
  int local_, vcs_, data_vcs_;
  int handle_ = 0;
  End end_;
  sc_core::sc_port<LinkIf> to_router_;
  sc_core::sc_export<LinkIf> from_router_;
  sc_core::sc_event changed_;

  std::array<int, kMaxVcs> credits_{};
  std::optional<Flit> sent_;  // in the cycle whose middle comes next
  std::optional<Vc> taken_;   // in that cycle
  std::array<std::deque<Flit>, kMaxVcs> received_;
};

}  // namespace annelid::systemc
