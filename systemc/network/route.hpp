// The geometry of a network: paths, neighbours, distances, names of channels
// (docs/internals/microarchitecture.md, sections 2 and 5.1). Which way a path takes, the network's
// routing function says (routing.hpp).
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "systemc/network/config.hpp"
#include "systemc/network/ring.hpp"
#include "systemc/network/routing.hpp"

namespace annelid::systemc {

/// Hops from `from` to `to` along a dimension, positive up, negative down. The path is minimal; in
/// a ring, a tie of exactly half the ring goes up.
constexpr int signed_distance(int from, int to, int size, bool ring) {
  if (!ring) return to - from;
  const int up = hops_up(from, to, size);
  return goes_up(from, to, size) ? up : up - size;
}

/// The dimensions of the network in which the addresses differ, as the units of routing.hpp take
/// them.
constexpr std::uint32_t away_from(const NetworkConfig& network, Address here, Address to) {
  return (pack(here) ^ pack(to)) & ((1u << 8 * network.dims()) - 1);
}

/// The external output that leads from `here` towards `to`, both packed, along dimension d, in
/// which they differ.
constexpr Port output_towards(const NetworkConfig& network, int d, std::uint32_t here,
                              std::uint32_t to) {
  const int from = here >> 8 * d & 0xff, there = to >> 8 * d & 0xff;
  const bool up = network.is_ring(d) ? goes_up(from, there, network.size_of(d)) : there > from;
  return static_cast<Port>(2 * d + (up ? 0 : 1));
}

/// The first external output on the path, which chooses a message's injection port
/// (docs/internals/nic/engines.md). `from` and `to` are packed addresses of nodes, and must differ.
constexpr Port first_output(const NetworkConfig& network, std::uint32_t from, std::uint32_t to) {
  const unsigned d = RoutingFunctions::with(network.router.routing, [&]<class Function>(Function) {
    return Function::next_dimension(from ^ to);
  });
  return output_towards(network, static_cast<int>(d), from, to);
}
constexpr Port first_output(const NetworkConfig& network, Address from, Address to) {
  return first_output(network, pack(from), pack(to));
}

/// The input of the neighbour that an external output is connected to: +x meets -x, and so on.
constexpr Port opposite(Port external) { return external ^ 1; }

/// The external input through which a packet arrives at `to`. It determines its ejection port.
/// `from` and `to` must differ.
constexpr Port last_input(const NetworkConfig& network, Address from, Address to) {
  const std::uint32_t away = away_from(network, from, to);
  const unsigned d = RoutingFunctions::with(network.router.routing, [&]<class Function>(Function) {
    return Function::last_dimension(away);
  });
  return opposite(output_towards(network, static_cast<int>(d), pack(from), pack(to)));
}

/// The switch output of a packet at the front of switch input `in` (section 5.1).
constexpr Port route(const NetworkConfig& network, Address here, Address to, Port in) {
  const RouterConfig& router = network.router;
  if (router.one_port()) {
    const int d = router.is_external(in) ? in / 2 : in - router.external_ports();
    return here[d] == to[d] ? static_cast<Port>(router.external_ports() + d)
                            : output_towards(network, d, pack(here), pack(to));
  }
  if (const std::uint32_t away = away_from(network, here, to); away != 0) {
    return first_output(network, pack(here), pack(here) ^ away);
  }
  return router.is_external(in) ? static_cast<Port>(router.first_local() + in % router.local_ports)
                                : in;
}

/// A range of VCs of an output.
struct VcRange {
  int first = 0, count = 0;
};

/// The data VCs of class `c` of an external output in a ring.
constexpr VcRange vcs_of_class(const RouterConfig& router, int c) {
  const int classes = router.ring_classes();
  const int first = c * router.vcs / classes;
  return {first, (c + 1) * router.vcs / classes - first};
}

/// The class that a packet at `here`, travelling along dimension d of a ring, has on the next
/// channel (section 5.1). 0 if there are no classes.
constexpr int ring_class(const RouterConfig& router, int d, bool up, Address here, Address source,
                         Address to) {
  if (router.ring_classes() == 1) return 0;
  return static_cast<int>(class_in_ring(router.classes, up, here[d], source[d], to[d]));
}

/// The VCs of switch output `out` that a packet may use: those of its class and kind. A packet is a
/// control packet if it is in a control VC of its input (RouterConfig::is_control).
constexpr VcRange open_vcs(const RouterConfig& router, bool control, Port out, Address here,
                           Address source, Address to) {
  const int d = out / 2, data = router.output_data_vcs(out);
  if (router.classes_of(out) == 1) return control ? VcRange{data, 1} : VcRange{0, data};
  const int c = ring_class(router, d, out % 2 == 0, here, source, to);
  return control ? VcRange{data + c, 1} : vcs_of_class(router, c);
}

/// The number of external channels on the path; 1 in the ideal network.
constexpr int hops(const NetworkConfig& network, Address from, Address to) {
  if (network.ideal) return from == to ? 0 : 1;
  const auto along = [&](int d, int a, int b) {
    const int straight = a < b ? b - a : a - b;
    return network.is_ring(d) ? std::min(straight, network.size_of(d) - straight) : straight;
  };
  return along(0, from.x, to.x) + along(1, from.y, to.y) + along(2, from.z, to.z);
}

/// The neighbour beyond an external port, if there is one. There is none in the ideal network.
struct Neighbour {
  bool exists = false;
  Address address;
};
constexpr Neighbour neighbour(const NetworkConfig& network, Address here, Port external) {
  const int d = external / 2;
  const int size = network.size_of(d);
  int at = int{here[d]} + (external % 2 == 0 ? 1 : -1);
  if (network.is_ring(d)) at = (at + size) % size;
  if (network.ideal || size == 1 || at < 0 || at >= size) return {};
  Address there = here;
  there[d] = static_cast<std::uint8_t>(at);
  return {true, there};
}

/// One side of a port of a switch.
struct SwitchEnd {
  Address address;
  Port port = 0;
  friend bool operator==(const SwitchEnd&, const SwitchEnd&) = default;
};
/// The switch input at the far end of a switch output's channel. There is none for an ejection
/// channel or at the rim.
constexpr std::optional<SwitchEnd> receiver_of(const NetworkConfig& network, Address here,
                                               Port out) {
  const RouterConfig& router = network.router;
  if (router.is_ejection(out)) return std::nullopt;
  if (!router.is_external(out)) return SwitchEnd{here, static_cast<Port>(out + 1)};
  const Neighbour there = neighbour(network, here, out);
  if (!there.exists) return std::nullopt;
  return SwitchEnd{there.address, opposite(out)};
}
/// The switch output that feeds a switch input. There is none for an injection channel or at the
/// rim.
constexpr std::optional<SwitchEnd> sender_of(const NetworkConfig& network, Address here, Port in) {
  const RouterConfig& router = network.router;
  if (router.is_injection(in)) return std::nullopt;
  if (!router.is_external(in)) return SwitchEnd{here, static_cast<Port>(in - 1)};
  const Neighbour there = neighbour(network, here, in);
  if (!there.exists) return std::nullopt;
  return SwitchEnd{there.address, opposite(in)};
}

/// "+x", "-x", ...; for an internal channel of a one-port router "x>y", "y>z"; for ejection
/// channels "ej0", ...
std::string output_channel_name(const RouterConfig& router, Port output);
/// "inj0", "inj1", ...: the name of an injection channel.
inline std::string injection_channel_name(int local) { return "inj" + std::to_string(local); }
/// In names of channels and packets: "3,2" in one and two dimensions, "3,2,1" in three. Messages
/// use node_text().
std::string node_name(const RouterConfig& router, Address address);

}  // namespace annelid::systemc
