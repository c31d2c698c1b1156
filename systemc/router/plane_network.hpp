// A network of native routers in planes, with 64 routers per word (docs/internals/planes.md).
#pragma once

#include <bit>
#include <memory>
#include <string_view>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/link.hpp"
#include "systemc/network/observer.hpp"
#include "systemc/network/router_state.hpp"
#include "systemc/router/plane_state.hpp"
#include "systemc/router/plane_terminals.hpp"

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

/// Through this, sources put flits on the injection channels.
class PlaneInputs {
 public:
  /// The nodes of a word, one bit each, whose FIFO has no free place at the start of this cycle.
  [[nodiscard]] std::uint64_t full(std::uint32_t word, int local, int vc) const {
    return lanes(word, local)[(full_ + vc) * kPlaneLanes];
  }
  /// Announces that the head of a packet is among the flits of the next put().
  void start(NodeId node, int local, Vc vc, std::uint32_t packet, NodeId destination) {
    state_.flying[state_.flying_count++] = {node, static_cast<Port>(state_.external + local), vc,
                                            PlanePacket(packet, state_.address[destination])};
  }
  /// Puts a flit on the injection channel of each node in `flits`; `tails` says which are tails.
  void put(std::uint32_t word, int local, int vc, std::uint64_t flits, std::uint64_t tails) {
    std::uint64_t* const rows = lanes(word, local);
    rows[(arriving_ + vc) * kPlaneLanes] |= flits;
    rows[arriving_tail_ * kPlaneLanes] |= tails;
    state_.touched[word / 64] |= std::uint64_t{1} << word % 64;
    entered_ += static_cast<std::uint64_t>(std::popcount(flits));
  }

 protected:
  PlaneState state_{};
  std::uint64_t entered_ = 0;                        ///< flits
  int full_ = 0, arriving_ = 0, arriving_tail_ = 0;  ///< the rows of state_.layout of VC 0

 private:
  /// The lane of a local input in the rows of a word.
  [[nodiscard]] std::uint64_t* lanes(std::uint32_t word, int local) const {
    return state_.word(word) + state_.external + local;
  }
};

class PlaneNetwork final : public PlaneInputs {
 public:
  static constexpr const char* kCovered =
      "meshes of all-port routers of one stage, with round-robin arbiters, no link registers, no "
      "control virtual channels, up to 8 ports and depth 8";
  [[nodiscard]] static bool covers(const NetworkConfig& config);

  PlaneNetwork(const NetworkConfig& config, PlaneBackend backend, PlaneTerminals& terminals);

  struct Happened {
    std::uint64_t entered = 0, moved = 0, ejected = 0;  ///< flits
  };
  Happened step(Cycle now, FabricObserver* observer);

  [[nodiscard]] std::uint64_t flits_moved() const { return state_.moved; }
  [[nodiscard]] std::uint64_t flits_ejected() const { return state_.ejected; }
  /// registers(): the registers at the start of the next cycle to be stepped. state(): also the
  /// values that they imply.
  void registers(NodeId node, unsigned ports, RouterState& state) const;
  void state(NodeId node, RouterState& state) const;
  [[nodiscard]] unsigned flits_in(NodeId node, Port port, Vc vc) const;

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
  void make_rows();
  void report(Cycle now, FabricObserver& observer) const;
  void report_router(Cycle now, NodeId node, const PlaneState& decided,
                     FabricObserver& observer) const;
  [[nodiscard]] PlaneState decided() const;
  void add_grants(const PlaneState& s, NodeId node, RouterState& state) const;
  [[nodiscard]] Flit front_flit(NodeId node, Port port, Vc vc) const;
  [[nodiscard]] std::uint32_t index_of_front(NodeId node, Port port, Vc vc) const;
  [[nodiscard]] unsigned flits_of_front(NodeId node, Port port, Vc vc, bool& tail) const;

  /// Words in memory that is aligned for rows.
  class Rows {
   public:
    std::uint64_t* resize(std::size_t rows);
    [[nodiscard]] std::uint64_t* data() const { return first_; }
    [[nodiscard]] std::size_t words() const { return words_; }

   private:
    std::vector<std::uint64_t> storage_;
    std::uint64_t* first_ = nullptr;
    std::size_t words_ = 0;
  };

  NetworkConfig config_;
  const PlaneKernel* kernel_ = nullptr;
  Rows rows_, tables_, counters_;
  std::vector<std::uint32_t> address_;
  std::vector<PlanePacket> front_, ring_;
  std::vector<std::uint8_t> ring_first_, ring_end_, way_;
  std::vector<std::uint64_t> busy_, touched_, counted_;
  std::vector<PlaneHead> flying_;
  mutable Rows view_;  // a copy, for the values that the registers imply
  mutable bool view_is_current_ = false;
};

}  // namespace annelid::systemc
