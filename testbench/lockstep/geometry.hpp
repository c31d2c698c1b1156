// Where packets go, by walking: the lockstep's own reading of docs/internals/microarchitecture.md,
// section 5.1. Shares no code with model or RTL.
#pragma once

#include <array>
#include <cstddef>

#include "systemc/network/config.hpp"
#include "systemc/network/flit.hpp"

namespace annelid::lockstep {

/// The number of a link or a VC as an index.
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Where a router stands, in a network of which size.
struct Place {
  Address router;
  std::array<int, kMaxDims> size{16, 16, 16};
};

class Geometry {
 public:
  Geometry(const systemc::RouterConfig& config, const Place& place)
      : config_(config), place_(place) {}

  /// The step of the path along d: +1, -1, or 0 on arrival.
  [[nodiscard]] int direction(int d, int from, int to) const;
  /// Both ways round the ring are equally long.
  [[nodiscard]] bool is_tie(int d, int from, int to) const;
  /// Hops from `from` to `to` in direction `step`; in a mesh only where that way leads there.
  [[nodiscard]] int distance(int d, int from, int to, int step) const;
  /// Going from `at` to `to` in direction `step` uses the wrap-around link.
  [[nodiscard]] bool wraps(int d, int at, int to, int step) const;
  /// The class of VCs on the channel that leaves `at`.
  [[nodiscard]] int channel_class(int d, int at, const systemc::HeadFields& head, int step) const;
  /// The class of a VC of a link in a ring.
  [[nodiscard]] int class_of_vc(int link, int vc) const;

  /// VCs of a link: those for data, and all, the ones for control packets behind them.
  [[nodiscard]] int data_vcs(int link) const;
  [[nodiscard]] int all_vcs(int link) const { return data_vcs(link) + control_vcs(link); }
  [[nodiscard]] bool is_control(int link, int vc) const { return vc >= data_vcs(link); }
  /// Data VCs of a port of the switches, whose two sides differ where one of them is a local
  /// channel and the other an internal one.
  [[nodiscard]] int input_data_vcs(int port) const;
  [[nodiscard]] int output_data_vcs(int port) const;
  /// One for each class of the channel, or none; of a link or of a port.
  [[nodiscard]] int control_vcs(int port) const;

  struct Exit {
    int link = 0;
    int vc_class = 0;  ///< 0 where there are no classes
    bool wraps = false, tie = false;
  };
  /// How a packet that arrives on link `in` leaves this router.
  [[nodiscard]] Exit exit(int in, const systemc::HeadFields& head) const;

  /// The neighbour at link `in` would send this packet here, on this VC.
  [[nodiscard]] bool lawful(int in, int vc, const systemc::HeadFields& head) const;

  /// Somebody is at the other end of this link.
  [[nodiscard]] bool has_neighbour(int link) const;

  [[nodiscard]] bool is_ring(int d) const { return config_.torus[static_cast<std::size_t>(d)]; }
  [[nodiscard]] int size(int d) const { return place_.size[static_cast<std::size_t>(d)]; }
  [[nodiscard]] int own(int d) const { return place_.router[d]; }
  [[nodiscard]] bool has_classes() const {
    return config_.vcs >= (config_.classes == systemc::TorusClasses::kPlh ? 3 : 2);
  }

 private:
  systemc::RouterConfig config_;
  Place place_;
};

}  // namespace annelid::lockstep
