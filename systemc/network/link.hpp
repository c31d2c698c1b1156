// How two neighbours (routers, NICs, traffic generators) talk, and how the fabric steps them.
#pragma once

#include <systemc>

#include "systemc/network/flit.hpp"

namespace annelid::systemc {

/// The receiving end of a link, as its neighbour sees it. A link is a pair of channels, one in each
/// direction. So one interface serves for both things that the neighbour can send: its flits, and
/// the credits for flits that it took from here. Each end has an sc_export of its own and an
/// sc_port to the other end's. Both calls happen in cycle t = Fabric::now() and take effect at t +
/// 1.
class LinkIf : public virtual sc_core::sc_interface {
 public:
  /// The neighbour's flit is on the channel in this cycle. At most one call per cycle.
  virtual void put_flit(const Flit& flit) = 0;
  /// A place of the neighbour's buffer of VC `vc` becomes free. At most one call per cycle.
  virtual void put_credit(Vc vc) = 0;
};

/// Anything with registers that the fabric steps once per cycle while it is awake: a NIC, a traffic
/// generator, a router that is not native to the fabric.
class Clocked {
 public:
  virtual ~Clocked() = default;
  /// One cycle. May call put_flit and put_credit of its neighbours. What the neighbours put in the
  /// same cycle must not be seen before `now + 1`; the order of calls within a cycle is undefined.
  /// Returns the next cycle in which it must be stepped if nothing arrives before: now + 1 to stay
  /// awake, kNever to sleep.
  virtual Cycle step(Cycle now) = 0;
  /// It neither asks for SystemC's time nor notifies events, so that many cycles may be stepped at
  /// one point of that time.
  [[nodiscard]] virtual bool ignores_time() const { return false; }
};

/// The part of the fabric that a Clocked component sees.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// The current cycle.
  [[nodiscard]] virtual Cycle now() const = 0;
  /// Registers a component; the result is its handle for wake(). It is first stepped in cycle 0.
  virtual int add(Clocked& component) = 0;
  /// Steps the component in cycle `at` (> now) in addition to what its own step() asked for.
  virtual void wake(int handle, Cycle at) = 0;
  /// The component does work in this cycle that ends by itself, though no flit moves. A packet that
  /// waits for it is not deadlocked.
  virtual void progressed() {}
};

}  // namespace annelid::systemc
