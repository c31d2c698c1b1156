// The native routers of one configuration, side by side in memory. The fabric holds and steps them
// through this interface, without knowing how they are implemented.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "systemc/router/cut.hpp"
#include "systemc/router/router_kernel.hpp"

namespace annelid::systemc {

/// The host of router arrays. It provides the time, and the routers' link ends report to it.
/// Nothing here is virtual, because every flit that enters or leaves the network uses it.
class RouterArrayHost {
 public:
  /// The parts of a cycle, in their order: what was granted in the last cycle is sent, components
  /// are stepped, then routers, and what has left the routers is delivered. kBetween: no cycle is
  /// being executed.
  enum class Phase : std::uint8_t { kBetween, kSent, kComponents, kRouters, kDelivery };
  [[nodiscard]] Phase phase() const { return phase_; }

  /// The current cycle.
  [[nodiscard]] Cycle current_cycle() const { return now_; }
  /// No cycle is being executed, and nobody may put a flit or a credit on a router's link. The host
  /// runs under plain sc_start, so such a call comes from a user's process that bypasses LocalPort.
  [[nodiscard]] bool asleep() const { return asleep_; }
  /// A flit or credit has reached a router of the array from outside, so the router will be awake
  /// in the next cycle. `injected` says that it is a flit on a local link.
  void arrived(bool injected) {
    busy_until_ = std::max(busy_until_, now_ + 1);
    if (!injected) return;
    ++in_flight_;
    last_move_ = now_;
  }
  /// The same for several flits at once, on local links.
  void entered(std::uint64_t flits) {
    if (flits == 0) return;
    in_flight_ += flits;
    last_move_ = now_;
  }
  /// A router, or a component connected to one, may have something to do until cycle `at`.
  void stay_awake(Cycle at) { busy_until_ = std::max(busy_until_, at); }
  /// Flits have moved in the current cycle.
  void moved() { last_move_ = now_; }
  /// The routers have been stepped.
  void begin_delivery() { phase_ = Phase::kDelivery; }
  /// An array that has executed a cycle may execute the next one at once, if nothing else has
  /// anything to do in it. Then this returns true, and it is the current cycle.
  [[nodiscard]] bool go_on() {
    if (now_ + 1 >= alone_until_) return false;
    ++now_;
    return true;
  }

 protected:
  Cycle now_ = 0;
  Cycle busy_until_ = 0;  ///< a router may have something to do until this cycle
  std::uint64_t in_flight_ =
      0;                   ///< flits that have entered by a local port and have not left by one
  Cycle last_move_ = 0;    ///< the last cycle in which a flit entered or moved
  Cycle alone_until_ = 0;  ///< until this cycle nothing but the one array has anything to do
  bool asleep_ = false;
  Phase phase_ = Phase::kBetween;
};

class PlaneTerminals;
class RouterArray;

/// A router's own end of a link, for neighbours that are not routers of the array. It throws
/// std::logic_error for a flit without room and for a credit beyond the buffer's depth (section 4
/// lists the errors of a neighbour).
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

/// For links and ports see RouterConfig. Routers are added and joined before the first step.
class RouterArray {
 public:
  /// Makes the fastest implementation of the configuration, which must be valid.
  static std::unique_ptr<RouterArray> make(const NetworkConfig& network, RouterArrayHost& host);
  virtual ~RouterArray() = default;

  /// Adds a router, and returns its index in the array.
  virtual std::uint32_t add(Address address, NodeId node) = 0;
  [[nodiscard]] virtual std::uint32_t size() const = 0;
  /// Reserves room for this number of routers, to avoid copies.
  virtual void reserve(std::uint32_t routers) = 0;

  /// Joins our side of a link to another router of the array, or to any other component, which then
  /// uses end(). In the first case the way back needs a separate call.
  virtual void join(std::uint32_t router, int link, std::uint32_t neighbour, int its_link) = 0;
  virtual void join(std::uint32_t router, int link, LinkIf& neighbour) = 0;
  /// Whether the router at the other end of a link within the array is joined back to it; true for
  /// all other links.
  [[nodiscard]] virtual bool joined_both_ways(std::uint32_t router, int link) const = 0;
  virtual RouterEnd& end(std::uint32_t router, int link) = 0;
  /// Takes the sources and sinks of all nodes of the network, and needs no router then: to be
  /// called in place of add() and join(). False if it cannot, or if it has routers or terminals
  /// already.
  virtual bool attach(PlaneTerminals& /*terminals*/) { return false; }
  /// Undoes that, before the first step.
  virtual void detach() {}
  /// It has such terminals, and takes no routers.
  [[nodiscard]] virtual bool complete() const { return false; }
  /// It takes flits from sources of its own, so only step() knows whether it has anything to do.
  /// Any other array has nothing to do beyond the cycle until which the host stays awake.
  [[nodiscard]] virtual bool has_sources() const { return false; }
  /// Called after everything has been joined.
  virtual void start() {}

  /// The array has only the routers of the cut's slab. To be called before routers are added.
  virtual void set_cut(Cut& cut) = 0;
  /// Before an exchange: adds to the messages what was sent across the cut and is not in them yet.
  virtual void leave(Cycle now) = 0;
  /// After an exchange: takes what has come.
  virtual void come(Cycle now) = 0;

  /// Reports to the observer the flits that switches of more than one stage send in cycle `now`. To
  /// be called before step().
  virtual void report_sent(Cycle now, FabricObserver& observer) = 0;
  /// What happened in the cycles of a step.
  struct Happened {
    Cycle busy_until = 0;       ///< until then, something may still happen
    std::uint64_t moved = 0;    ///< flits that crossed a switch
    std::uint64_t ejected = 0;  ///< flits that have reached a neighbour on a local link
  };
  /// Executes cycle `now` of every router that is awake, and more cycles if the host lets it go on.
  /// Then delivers what reaches neighbours outside the array.
  virtual Happened step(Cycle now, FabricObserver* observer, bool reversed) = 0;
  /// The same with the plainest loop over all routers, as a reference for step().
  virtual void step_plainly(Cycle now) = 0;
  /// Wakes all routers in cycle `at`.
  virtual void wake_all(Cycle at) = 0;
  /// For how many cycles after one in which a router did anything something may still happen.
  [[nodiscard]] virtual Cycle flight_cycles() const = 0;

  [[nodiscard]] virtual std::uint64_t flits_moved() const = 0;
  /// The registers at the start of cycle `now`. Valid between cycles only.
  virtual void state(std::uint32_t router, Cycle now, RouterState& state) const = 0;
  /// The registers of some ports, as NodeRouter::registers.
  virtual void registers(std::uint32_t router, Cycle now, unsigned ports,
                         RouterState& state) const = 0;
  /// The number of flits in the FIFO of an input VC. Valid between cycles only.
  [[nodiscard]] virtual unsigned flits_in(std::uint32_t router, Cycle now, Port port,
                                          Vc vc) const = 0;
  /// Whether that FIFO has ever held a flit. Valid between cycles only.
  [[nodiscard]] virtual bool was_used(std::uint32_t router, Cycle now, Port port, Vc vc) const = 0;

  /// The FIFOs of an input VC in all routers. Nothing if the array cannot say it at once. Valid
  /// between cycles only.
  struct Fill {
    std::uint64_t flits = 0;
    int most = 0;  ///< in one of them
  };
  [[nodiscard]] virtual std::optional<Fill> fill(Port /*port*/, Vc /*vc*/) const { return {}; }

  /// The last cycle in which it did not do the same as in the cycle before: only the bodies of the
  /// same packets moved. kNever if the array does not know, as without an observer.
  [[nodiscard]] virtual Cycle changed() const { return kNever; }
  /// After this many cycles without a change, every register but the data of flits keeps its value,
  /// until something else arrives from outside.
  [[nodiscard]] virtual Cycle settling_cycles() const { return 0; }
  /// Follows the packet that enters by VC `vc` of a link to its sink, and adds the places of its
  /// flits, newest first. To be called between cycles.
  struct Path {
    LinkIf* sink = nullptr;  ///< null if there is a head or tail, or if a flit did not move
    Vc vc = 0;               ///< at the sink
    std::uint64_t hops = 0;  ///< flits that moved in the last cycle
  };
  [[nodiscard]] virtual Path follow(std::uint32_t /*router*/, Port /*link*/, Vc /*vc*/,
                                    std::vector<std::uint64_t*>& /*places*/) {
    return {};
  }

  /// Makes the array count the flits of each output from now on. False if it cannot.
  virtual bool count_flits() { return false; }
  /// Flits counted since then.
  [[nodiscard]] virtual std::uint64_t flits_by(std::uint32_t /*router*/, Port /*out*/) const {
    return 0;
  }

  [[nodiscard]] virtual const NetworkConfig& network() const = 0;
  /// Bytes per router that a step touches: registers, FIFOs, links.
  [[nodiscard]] virtual std::size_t hot_bytes() const = 0;
  /// The processor kind that the planes were compiled for, if the routers run in planes; else
  /// empty.
  [[nodiscard]] virtual std::string planes() const { return {}; }
};

}  // namespace annelid::systemc
