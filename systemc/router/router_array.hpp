// The native routers of one configuration, side by side in memory: how the fabric holds and steps
// them without knowing what they are made of.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "systemc/router/router_kernel.hpp"

namespace annelid::systemc {

/// What steps router arrays: the time, and what the routers' ends of links tell it. Nothing here is
/// virtual, as they use it for every flit that enters or leaves the network.
class RouterArrayHost {
 public:
  /// The current cycle.
  [[nodiscard]] Cycle current_cycle() const { return now_; }
  /// No cycle is being executed, and nobody may put a flit or a credit on a router's link: the host
  /// runs under plain sc_start, and a process of the user's own goes around its LocalPort.
  [[nodiscard]] bool asleep() const { return asleep_; }
  /// A flit or credit has reached a router of the array from outside, so it will be awake in the
  /// next cycle. `injected`: it is a flit, by a local link.
  void arrived(bool injected) {
    busy_until_ = std::max(busy_until_, now_ + 1);
    if (!injected) return;
    ++in_flight_;
    last_move_ = now_;
  }
  /// Likewise for so many flits at once, by local links.
  void entered(std::uint64_t flits) {
    if (flits == 0) return;
    in_flight_ += flits;
    last_move_ = now_;
  }
  /// A router, or what is joined to one, may have something to do until cycle `at`.
  void stay_awake(Cycle at) { busy_until_ = std::max(busy_until_, at); }

 protected:
  Cycle now_ = 0;
  Cycle busy_until_ = 0;         ///< a router may have something to do until then
  std::uint64_t in_flight_ = 0;  ///< flits that entered by a local port and have not left by one
  Cycle last_move_ = 0;          ///< the last cycle in which a flit entered or moved
  bool asleep_ = false;
};

class RouterArray;

/// A router's own end of a link, for what is not a router of the array. It throws std::logic_error
/// for a flit without room and a credit without a place (section 4 lists what is an error of the
/// neighbour).
class RouterEnd : public LinkIf {
 public:
  RouterEnd(std::uint32_t router, Port link) : router_(router), link_(link) {}
  [[nodiscard]] virtual RouterArray& array() const = 0;
  [[nodiscard]] std::uint32_t router() const { return router_; }
  [[nodiscard]] Port link() const { return link_; }

 private:
  std::uint32_t router_;
  Port link_;
};

/// Links and ports: RouterConfig. Routers are added and joined before the first step.
class RouterArray {
 public:
  /// The fastest implementation of the configuration, which must be valid.
  static std::unique_ptr<RouterArray> make(const NetworkConfig& network, RouterArrayHost& host);
  virtual ~RouterArray() = default;

  /// The result is the router's index in the array.
  virtual std::uint32_t add(Address address, NodeId node) = 0;
  [[nodiscard]] virtual std::uint32_t size() const = 0;
  /// Room for so many routers, to avoid copies.
  virtual void reserve(std::uint32_t routers) = 0;

  /// Joins our side of a link to another router of the array, which needs a call of its own for the
  /// way back, or to anything else, which then talks to end().
  virtual void join(std::uint32_t router, int link, std::uint32_t neighbour, int its_link) = 0;
  virtual void join(std::uint32_t router, int link, LinkIf& neighbour) = 0;
  /// Whether the router at the other end of a link within the array is joined back to it; true for
  /// all other links.
  [[nodiscard]] virtual bool joined_both_ways(std::uint32_t router, int link) const = 0;
  virtual RouterEnd& end(std::uint32_t router, int link) = 0;
  /// All that there is has been joined.
  virtual void start() {}

  /// One or two threads' worth of cycles: step() may be called for part 0 and part 1 at the same
  /// time, and each steps its half. Calls to what is not a router wait until deliver().
  virtual void set_parts(unsigned parts) = 0;

  /// Flits whose switch sends them in cycle `now` are reported to the observer. Before step().
  virtual void report_sent(Cycle now, FabricObserver& observer) = 0;
  /// Cycle `now` of every router that is awake; false if none of them did anything.
  virtual bool step(Cycle now, FabricObserver* observer, bool reversed, unsigned part = 0) = 0;
  /// Likewise, by the plainest loop over all of them: the measure of step().
  virtual bool step_plainly(Cycle now) = 0;
  /// What reaches neighbours outside the array in cycle `now`, unless step() has told them already.
  virtual void deliver(Cycle now) = 0;
  /// Wakes all routers in cycle `at`.
  virtual void wake_all(Cycle at) = 0;
  /// Cycles after one in which step() was true in which something may still happen.
  [[nodiscard]] virtual Cycle flight_cycles() const = 0;

  [[nodiscard]] virtual std::uint64_t flits_moved() const = 0;
  /// Flits that reached a neighbour by a local link.
  [[nodiscard]] virtual std::uint64_t flits_ejected() const = 0;
  /// The registers at the start of cycle `now`; valid between cycles only.
  virtual void state(std::uint32_t router, Cycle now, RouterState& state) const = 0;
  /// Likewise: NodeRouter::registers.
  virtual void registers(std::uint32_t router, Cycle now, unsigned ports,
                         RouterState& state) const = 0;
  /// Likewise: flits in the FIFO of an input VC.
  [[nodiscard]] virtual unsigned flits_in(std::uint32_t router, Cycle now, Port port,
                                          Vc vc) const = 0;

  /// From now on the array itself counts the flits of each output; false if it cannot.
  virtual bool count_flits() { return false; }
  /// Flits since then.
  [[nodiscard]] virtual std::uint64_t flits_by(std::uint32_t /*router*/, Port /*out*/) const {
    return 0;
  }

  [[nodiscard]] virtual const NetworkConfig& network() const = 0;
  /// Bytes per router that a step touches: registers, FIFOs, links.
  [[nodiscard]] virtual std::size_t hot_bytes() const = 0;
  /// If the routers run in planes, the processor that these were compiled for; else empty.
  [[nodiscard]] virtual std::string planes() const { return {}; }
};

}  // namespace annelid::systemc
