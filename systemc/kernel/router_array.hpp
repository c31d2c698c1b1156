// The native routers of one configuration, side by side in memory. The fabric steps them through
// this interface, without knowing how they are implemented. A RouterAssembly
// (router_assembly.hpp) builds them: who holds a RouterArray can neither add a router nor join one.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/link.hpp"
#include "systemc/network/observer.hpp"
#include "systemc/network/router_state.hpp"

namespace annelid::systemc {

/// What can be seen of the routers between cycles: also before the first one, while the array is
/// built. For links and ports see RouterConfig.
class RouterView {
 public:
  virtual ~RouterView() = default;

  [[nodiscard]] virtual const NetworkConfig& network() const = 0;
  [[nodiscard]] virtual std::uint32_t size() const = 0;
  /// Whether the router at the other end of a link within the array is joined back to it; true for
  /// all other links.
  [[nodiscard]] virtual bool joined_both_ways(std::uint32_t router, int link) const = 0;

  /// The registers at the start of cycle `now`.
  virtual void state(std::uint32_t router, Cycle now, RouterState& state) const = 0;
  /// The registers of some ports, as NodeRouter::registers.
  virtual void registers(std::uint32_t router, Cycle now, unsigned ports,
                         RouterState& state) const = 0;
  /// The number of flits in the FIFO of an input VC.
  [[nodiscard]] virtual unsigned flits_in(std::uint32_t router, Cycle now, Port port,
                                          Vc vc) const = 0;
  /// Whether that FIFO has ever held a flit.
  [[nodiscard]] virtual bool was_used(std::uint32_t router, Cycle now, Port port, Vc vc) const = 0;

  /// The FIFOs of an input VC in all routers. Nothing if the array cannot say it at once.
  struct Fill {
    std::uint64_t flits = 0;
    int most = 0;  ///< in one of them
  };
  [[nodiscard]] virtual std::optional<Fill> fill(Port /*port*/, Vc /*vc*/) const { return {}; }
  /// Flits of an output since RouterArray::count_flits.
  [[nodiscard]] virtual std::uint64_t flits_by(std::uint32_t /*router*/, Port /*out*/) const {
    return 0;
  }

  /// Bytes per router that a step touches: registers, FIFOs, links.
  [[nodiscard]] virtual std::size_t hot_bytes() const = 0;
  /// The processor kind that the planes were compiled for, if the routers run in planes; else
  /// empty.
  [[nodiscard]] virtual std::string planes() const { return {}; }
};

/// Routers that know whether a cycle did the same as the one before, so that the fabric can execute
/// many such cycles at once. To be used between cycles.
class RepeatingRouters {
 public:
  virtual ~RepeatingRouters() = default;

  /// The last cycle in which they did not do the same as in the cycle before: only the bodies of
  /// the same packets moved. Means something only with an observer.
  [[nodiscard]] virtual Cycle changed() const = 0;
  /// After this many cycles without a change, every register but the data of flits keeps its value,
  /// until something else arrives from outside.
  [[nodiscard]] virtual Cycle settling_cycles() const = 0;
  struct Path {
    LinkIf* sink = nullptr;  ///< null if there is a head or tail, or if a flit did not move
    Vc vc = 0;               ///< at the sink
    std::uint64_t hops = 0;  ///< flits that moved in the last cycle
  };
  /// Follows the packet that enters by VC `vc` of a link to its sink, and adds the places of its
  /// flits, newest first.
  [[nodiscard]] virtual Path follow(std::uint32_t router, Port link, Vc vc,
                                    std::vector<std::uint64_t*>& places) = 0;
};

/// Routers that run. RouterAssembly::start makes them.
class RouterArray : public RouterView {
 public:
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
  /// Executes a cycle with the plainest loop over all routers, as a reference for step(). Planes
  /// have no such loop.
  virtual void step_plainly(Cycle /*now*/) {
    throw std::logic_error("a network in planes has no plain loop");
  }
  /// Wakes all routers in cycle `at`.
  virtual void wake_all(Cycle at) = 0;
  [[nodiscard]] virtual std::uint64_t flits_moved() const = 0;

  /// With a cut, before an exchange: adds to the messages what was sent across the cut and is not
  /// in them yet.
  virtual void leave(Cycle now) = 0;
  /// With a cut, after an exchange: takes what has come.
  virtual void come(Cycle now) = 0;

  /// It takes flits from sources of its own, so only step() knows whether it has anything to do.
  /// Any other array has nothing to do beyond the cycle until which the host stays awake.
  [[nodiscard]] virtual bool has_sources() const { return false; }
  /// Null if no cycles of this array can be repeated.
  [[nodiscard]] virtual RepeatingRouters* repeating() { return nullptr; }
  /// Makes the array count the flits of each output from now on (RouterView::flits_by). False if it
  /// cannot.
  virtual bool count_flits() { return false; }
};

}  // namespace annelid::systemc
