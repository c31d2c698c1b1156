// The cut of a slab of a network in planes (docs/internals/processes.md).
//
// A slab has the rows of the whole network, but only its own routers are stepped. Of the routers
// beyond the cut, the inputs that it sends to follow its flits and their credits: they count the
// places that are taken, as far as the sender knows. They have no packets, so nothing leaves them.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "systemc/cut/cut.hpp"
#include "systemc/planes/plane_state.hpp"

namespace annelid::systemc {

class PlaneCut {
 public:
  PlaneCut(Cut& cut, PlaneState& state);

  /// Cycle `now` has been executed: takes what crossed the cut in it, and adds to the FIFOs what
  /// reaches them.
  void end_cycle(Cycle now);

  using Plan = std::function<void(std::uint32_t packet, NodeId source, NodeId destination)>;
  /// After an exchange. `plan` finds the path of a packet that is new here. Returns the last cycle
  /// in which something reaches a router; kNever if nothing has come.
  Cycle come(Cycle now, const Plan& plan);

  /// Whether a node belongs to this process.
  [[nodiscard]] bool has(NodeId node) const { return cut_.slab().has(node); }
  /// Of the last packet whose head came to an input VC at the cut: the flits that have come to it.
  [[nodiscard]] std::uint32_t flits_come(NodeId node, Port in, Vc vc) const;

 private:
  using Side = Cut::Side;
  /// What crosses the cut in a cycle by one VC of 64 neighbouring channels, a bit for each: flits,
  /// which of them are heads and tails, and credits.
  struct Crossings {
    std::uint64_t flits = 0, heads = 0, tails = 0, credits = 0;
  };
  /// The same as it reaches our routers. `first`: the channel of bit 0, from 0 in the plane.
  struct Arrival {
    Side side;
    Vc vc;
    NodeId first;
    Crossings what;
  };
  /// What reaches routers in a cycle. `packets`: of the heads, in this order.
  struct Arrivals {
    std::vector<Arrival> list;
    std::vector<PlanePacket> packets;
  };
  /// The packets that cross the cut by the channels of a side, by VC and place in the plane.
  struct Channels {
    std::vector<std::uint32_t> packet;
    std::vector<std::uint32_t> head;   ///< the rest of a head's PlanePacket
    std::vector<std::uint64_t> heads;  ///< those that have not crossed yet, a bit for each
    std::vector<std::uint32_t> come;   ///< flits of the last packet that came: flits_come()
  };

  [[nodiscard]] std::size_t channel(Vc vc, std::uint32_t place) const {
    return (std::size_t{vc} * chunks_ + place / kPlaneRouters) * kPlaneRouters +
           place % kPlaneRouters;
  }
  [[nodiscard]] std::uint64_t read_bits(int row, Port port, NodeId node) const;
  void take_heads();
  void leave(Side side, Cycle now);
  void send(Side side, Vc vc, NodeId first, const Crossings& what, Cycle reaches);
  void arrive(Arrivals& arrivals);
  void add_flits(const Arrival& arrival, const PlanePacket*& packet);
  void add_head(NodeId node, Port in, Vc vc, bool at_front, const PlanePacket& packet);
  void free_places(const Arrival& arrival);

  Cut& cut_;
  PlaneState& s_;
  std::vector<std::uint64_t> abroad_;
  std::vector<PlaneHead> leaving_;
  std::array<Channels, 2> channels_;
  const std::uint32_t chunks_;        // of 64 channels, in a plane
  std::array<Arrivals, 8> arrivals_;  // by cycle, modulo their number
};

}  // namespace annelid::systemc
