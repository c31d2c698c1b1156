// A network of native routers in planes, with 64 routers per word (docs/internals/planes.md).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "systemc/kernel/kernel_policies.hpp"
#include "systemc/kernel/router_array.hpp"
#include "systemc/network/config.hpp"
#include "systemc/network/link.hpp"
#include "systemc/network/observer.hpp"
#include "systemc/network/router_state.hpp"
#include "systemc/planes/plane_cut.hpp"
#include "systemc/planes/plane_state.hpp"
#include "systemc/planes/plane_terminals.hpp"
#include "systemc/planes/zeroed_array.hpp"

namespace annelid::systemc {

/// The processors for which there are kernels. kBest is the last of them that runs on this machine.
enum class PlaneBackend : std::uint8_t { kBest, kBaseline, kAvx2, kAvx512 };
/// "baseline", "AVX2" or "AVX-512"; empty if the backend does not run on this machine.
[[nodiscard]] std::string_view name_of(PlaneBackend backend);

/// The end of a local link of terminals that support planes: local port `lane` % L of node `lane` /
/// L.
class PlaneEnd : public LinkIf {
 public:
  [[nodiscard]] virtual PlaneTerminals& terminals() const = 0;
  [[nodiscard]] virtual std::uint32_t lane() const = 0;
};

/// A VC of an injection channel, at 64 nodes with a bit each.
struct PlaneInput {
  const std::uint64_t* full = nullptr;  ///< the router has no free place at the start of this cycle
  /// What is on the channel in this cycle. All VCs of the channel share `tails`.
  std::uint64_t *flits = nullptr, *tails = nullptr;
  PlaneHead first;  ///< where a head at the first of the nodes goes
};

/// Through this, sources put flits on the injection channels.
class PlaneInputs {
 public:
  [[nodiscard]] PlaneInput input(std::uint32_t word, int local, int vc) const;
  /// Announces that the head of a packet is among the flits that are put there in this cycle.
  void start(const PlaneInput& input, NodeId node, std::uint32_t packet, NodeId destination) {
    const PlaneLeg first = plan(packet, node, destination);
    state_.flying[state_.flying_count++] = {input.first.slot + node % kPlaneRouters,
                                            input.first.input, PlanePacket(packet, first)};
  }
  /// To be called after flits have been put on a VC of the injection channels of a word.
  void touch(std::uint32_t word, int vc) {
    state_.touched[word / 64] |= std::uint64_t{1} << word % 64;
    if (state_.used[word] <= vc) state_.used[word] = static_cast<std::uint8_t>(vc + 1);
  }
  /// Flits that had entered before this cycle and have not left on an ejection channel, or for
  /// another process.
  [[nodiscard]] std::uint64_t flits_inside() const {
    return state_.entered + state_.came - state_.ejected - state_.gone;
  }
  /// Flits that have left on ejection channels.
  [[nodiscard]] std::uint64_t flits_ejected() const { return state_.ejected; }

 protected:
  explicit PlaneInputs(const NetworkConfig& config);
  /// Finds the legs of a packet's path, and returns the first.
  PlaneLeg plan(std::uint32_t packet, NodeId source, NodeId destination) {
    const std::size_t first = std::size_t{packet} * legs_per_packet_;
    while (first >= legs_.size()) add_legs();  // packets may have been created that wait
    if (only_hops_) [[likely]] {
      plan(address_[source], address_[destination], &legs_[first]);
    } else {
      plan_any(address_[source], address_[destination], &legs_[first]);
    }
    return legs_[first];
  }

  NetworkConfig config_;
  PlaneState state_{};
  std::vector<std::uint32_t> address_;  ///< by node, packed
  std::vector<PlaneLeg> legs_;
  Port eject_[kMaxExternalPorts]{};  ///< by output of the last hop
  std::size_t legs_per_packet_;
  bool only_hops_;  ///< plan() serves it: a mesh of all-port routers, with the plain routing
                    ///< function

 private:
  void add_legs();
  /// Applies the routing function to the whole path of a packet. `from` and `to` must differ.
  void plan_any(std::uint32_t from, std::uint32_t to, PlaneLeg* leg) const;
  PlaneLeg* plan_hops(int out, int distance, int from, int to, PlaneLeg* leg) const;
  /// plan_any() for meshes of all-port routers with the plain routing function: each dimension is
  /// at most one leg.
  void plan(std::uint32_t from, std::uint32_t to, PlaneLeg* leg) const {
    int out = 0;
    PlainRouters::Routing::each_leg(from, to, [&](int d, int here, int there) {
      const int distance = there - here;
      out = 2 * d + (distance < 0 ? 1 : 0);
      *leg++ = plane_leg(out, distance < 0 ? -distance : distance);
    });
    *leg = plane_leg(eject_[out], 1);
  }
};

class PlaneNetwork final : public PlaneInputs {
 public:
  static constexpr const char* kCovered =
      "meshes, and tori whose virtual channels have classes: all-port routers with up to 8 ports, "
      "or one-port routers in up to two dimensions, with round-robin arbiters and depths of up to "
      "8, or 16 with several stages or link registers";
  [[nodiscard]] static bool covers(const NetworkConfig& config);

  /// `cut`: null, or that of the slab whose routers are to be stepped.
  PlaneNetwork(const NetworkConfig& config, PlaneBackend backend, PlaneTerminals& terminals,
               Cut* cut = nullptr);

  struct Happened {
    std::uint64_t entered = 0, moved = 0, ejected = 0;  ///< flits
  };
  Happened step(Cycle now, FabricObserver* observer);
  /// After an exchange: takes what has come from other processes. Returns the last cycle in which
  /// some of it reaches a router; kNever if nothing has come.
  Cycle come(Cycle now);
  /// Reports what the switches send in cycle `now` out of their registers.
  void report_sent(Cycle now, FabricObserver& observer);

  [[nodiscard]] std::uint64_t flits_moved() const { return state_.moved; }
  /// registers(): the registers at the start of the next cycle to be stepped. state(): also the
  /// values that they imply.
  void registers(NodeId node, unsigned ports, RouterState& state) const;
  void state(NodeId node, RouterState& state) const;
  [[nodiscard]] unsigned flits_in(NodeId node, Port port, Vc vc) const;
  [[nodiscard]] bool was_used(NodeId node, Port port, Vc vc) const;
  [[nodiscard]] RouterView::Fill fill(Port port, Vc vc) const;

  /// Flits that left by an output since count_flits().
  void count_flits();
  [[nodiscard]] std::uint64_t flits_by(NodeId node, Port out) const;

  [[nodiscard]] const char* backend() const { return kernel_->backend; }
  /// The number of bytes per router that a step touches.
  [[nodiscard]] std::size_t hot_bytes() const;

 private:
  [[nodiscard]] bool bit(const PlaneState& s, int row, NodeId node, int port) const {
    return (s.lane(node / kPlaneRouters, row, port) >> node % kPlaneRouters & 1) != 0;
  }
  void make_tables();
  void make_open(std::uint64_t* open) const;
  void make_links();
  void make_rows();
  void make_pipeline(std::size_t heads);
  void report(Cycle now, FabricObserver& observer);
  void report_router(Cycle now, NodeId node, const PlaneState& decided, FabricObserver& observer);
  [[nodiscard]] PlaneState decided() const;
  void add_grants(const PlaneState& s, NodeId node, RouterState& state) const;
  [[nodiscard]] Flit front_flit(NodeId node, Port port, Vc vc) const;
  [[nodiscard]] std::uint32_t index_of_front(NodeId node, Port port, Vc vc) const;
  [[nodiscard]] unsigned places_taken(NodeId node, Port port, Vc vc) const;
  [[nodiscard]] unsigned places_taken_of_sink(NodeId node, Port port, Vc vc) const;
  /// `row`: of the first candidate.
  [[nodiscard]] Vc in_pointer(NodeId node, Port port, int row) const;
  [[nodiscard]] Port out_pointer(NodeId node, Port port, int row) const;
  [[nodiscard]] unsigned flits_of_front(NodeId node, Port port, Vc vc, bool& tail) const;

  /// Words in memory that is aligned for rows.
  class Rows {
   public:
    /// `rows` rows of `lanes` words, all 0.
    std::uint64_t* resize(std::size_t rows, int lanes);
    [[nodiscard]] std::uint64_t* data() const { return first_; }
    [[nodiscard]] std::size_t words() const { return words_; }

   private:
    std::vector<std::uint64_t> storage_;
    std::uint64_t* first_ = nullptr;
    std::size_t words_ = 0;
  };

  const PlaneKernel* kernel_ = nullptr;
  Rows rows_, tables_, pipeline_, counters_;
  std::vector<PlaneRim> rims_;
  std::vector<std::uint64_t> far_routers_;
  ZeroedArray<PlanePacket> front_, ring_;
  std::vector<std::uint8_t> ring_first_, ring_end_, way_, used_;
  std::vector<std::uint64_t> busy_, touched_, counted_;
  ZeroedArray<PlaneHead> flying_;
  std::vector<PlaneEjection> ejections_;
  std::vector<std::uint8_t> awake_;
  std::vector<SentFlit> sent_next_;
  std::unique_ptr<PlaneCut> cut_;  ///< only in a slab
  mutable Rows view_;              // a copy, for the values that the registers imply
  mutable bool view_is_current_ = false;
};

}  // namespace annelid::systemc
