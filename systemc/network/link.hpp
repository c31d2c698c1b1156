// How neighbours (routers, NICs, traffic generators) communicate, and how the fabric steps them.
#pragma once

#include <systemc>

#include "systemc/network/flit.hpp"
#include "systemc/network/stream.hpp"

namespace annelid::systemc {

/// The receiving end of a link, as the neighbour sees it. A link is a pair of channels, one in each
/// direction. So one interface takes both things that the neighbour can send: its flits, and its
/// credits for the flits that it received from here. Each end has its own sc_export, and an sc_port
/// to the export of the other end. Calls are made in cycle t = Fabric::now() and take effect at t +
/// 1.
class LinkIf : public virtual sc_core::sc_interface {
 public:
  /// The neighbour's flit is on the channel in this cycle. At most one call per cycle.
  virtual void put_flit(const Flit& flit) = 0;
  /// A place of the neighbour's buffer for VC `vc` becomes free. At most one call per cycle.
  virtual void put_credit(Vc vc) = 0;
};

/// Any component with registers that the fabric steps once per cycle while it is awake: a NIC, a
/// traffic generator, or a router that is not native to the fabric.
class Clocked {
 public:
  virtual ~Clocked() = default;
  /// Executes one cycle. May call put_flit and put_credit of its neighbours. Calls from the
  /// neighbours in the same cycle must not have an effect before `now + 1`; the order of calls
  /// within a cycle is undefined. Returns the next cycle in which it must be stepped if nothing
  /// arrives earlier: now + 1 to stay awake, kNever to sleep.
  virtual Cycle step(Cycle now) = 0;
  /// Whether the component neither reads SystemC's time nor notifies events. If so, many cycles may
  /// be stepped at one point of that time.
  [[nodiscard]] virtual bool ignores_time() const { return false; }
  /// Called between cycles, if step(now) is due. The first cycle in which step() does anything else
  /// than to go on with the middle of packets, if its neighbours take and give what they did in the
  /// last cycle. If that is a later cycle than `now`, it adds these packets to `streams`.
  [[nodiscard]] virtual Cycle streams_until(Cycle now, Streams& /*streams*/) { return now; }
  /// These packets have gone on in cycles `from` to `to` - 1.
  virtual void streamed(Cycle /*from*/, Cycle /*to*/) {}
};

/// The part of the fabric that a Clocked component sees.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// The current cycle.
  [[nodiscard]] virtual Cycle now() const = 0;
  /// Registers a component and returns its handle for wake(). It is first stepped in cycle 0.
  virtual int add(Clocked& component) = 0;
  /// Steps the component in cycle `at` (> now) in addition to what its own step() asked for.
  virtual void wake(int handle, Cycle at) = 0;
  /// Reports that the component does work in this cycle although no flit moves, and that this work
  /// will end by itself. A packet that waits for it is not deadlocked.
  virtual void progressed() {}
};

}  // namespace annelid::systemc
