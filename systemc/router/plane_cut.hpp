// The cut of a slab of a network in planes (docs/internals/ranks.md).
//
// A slab has the rows of the whole network, but only its own routers are stepped. Of the routers
// beyond the cut, the inputs that it sends to follow its flits and their credits: they count the
// places that are taken, as far as the sender knows. They have no packets, so nothing leaves them.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "systemc/router/cut.hpp"
#include "systemc/router/plane_state.hpp"

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
  /// What reaches a router in a cycle: a flit, or a credit at the router that we send to.
  struct Arrival {
    NodeId node;
    Port in;
    Crossing what;
    PlanePacket packet;  ///< of a head
  };
  /// By place in the plane and VC: the packet that crosses by this channel.
  struct Channels {
    std::vector<std::uint32_t> packet;
    std::vector<std::uint32_t> head;  ///< by place: of a head of this cycle, else 0
    std::vector<std::uint32_t> come;  ///< flits that came by this channel: flits_come()
  };

  void leave(Side side, Cycle now);
  void take_heads();
  void send_flit(Side side, std::uint32_t place, Vc vc, bool tail, Cycle reaches);
  [[nodiscard]] std::size_t place_of(Side side, NodeId node, Vc vc) const {
    return (node - cut_.border(side)) * static_cast<std::size_t>(s_.layout.vcs) + vc;
  }
  void arrive(const Arrival& arrival);
  void add_flit(const Arrival& arrival);
  void free_place(const Arrival& arrival);

  Cut& cut_;
  PlaneState& s_;
  std::vector<std::uint64_t> abroad_;
  std::vector<PlaneHead> leaving_;
  std::array<Channels, 2> channels_;
  std::array<std::vector<Arrival>, 8> arrivals_;  // by cycle, modulo their number
};

}  // namespace annelid::systemc
