// The shape of a network and of its routers (docs/internals/microarchitecture.md, section 2).
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "interface/router.hpp"
#include "systemc/network/types.hpp"

namespace annelid::systemc {

/// A value that the hardware cannot have. `key()` is its name in a scenario, such as
/// "router.depth".
class ConfigError : public std::invalid_argument {
 public:
  ConfigError(std::string key, const std::string& found, const std::string& expected)
      : std::invalid_argument(key + ": found " + found + ", expected " + expected),
        key_(std::move(key)),
        found_(found),
        expected_(expected) {}
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& found() const { return found_; }
  [[nodiscard]] const std::string& expected() const { return expected_; }

 private:
  std::string key_, found_, expected_;
};

/// The parameters are those of interface/router.toml, from which the build makes the fields. Ports
/// are as in docs/internals/microarchitecture.md, section 2. A router's *links* are 0 ..
/// links() - 1: external ports, then local ones. Observers use the ports of its *switches*, 0 ..
/// ports() - 1. In an all-port router these are the same. In a one-port router the switch ports are
/// the external and through ports.
struct RouterConfig {
#include "interface/router_fields.inc"

  [[nodiscard]] constexpr bool one_port() const { return kind == RouterKind::kOnePort; }
  [[nodiscard]] constexpr int external_ports() const { return 2 * dims; }
  [[nodiscard]] constexpr int most_local_ports() const { return one_port() ? 1 : external_ports(); }
  [[nodiscard]] constexpr Port first_local() const { return static_cast<Port>(2 * dims); }
  [[nodiscard]] constexpr int links() const { return 2 * dims + local_ports; }
  [[nodiscard]] constexpr int ports() const { return one_port() ? 3 * dims : links(); }

  [[nodiscard]] constexpr bool is_external(int port) const { return port < 2 * dims; }
  /// Whether a switch's output is an ejection channel.
  [[nodiscard]] constexpr bool is_ejection(int port) const {
    return one_port() ? port == 3 * dims - 1 : port >= 2 * dims;
  }
  /// Whether a switch's input is an injection channel.
  [[nodiscard]] constexpr bool is_injection(int port) const {
    return one_port() ? port == 2 * dims : port >= 2 * dims;
  }
  [[nodiscard]] constexpr Port ejection_output(int local) const {
    return static_cast<Port>((one_port() ? 3 * dims - 1 : 2 * dims) + local);
  }
  [[nodiscard]] constexpr Port injection_input(int local) const {
    return static_cast<Port>(2 * dims + local);
  }
  /// The number of data virtual channels of a switch's input or output. They are the first ones.
  [[nodiscard]] constexpr int input_data_vcs(int port) const {
    return is_injection(port) ? local_vcs : vcs;
  }
  [[nodiscard]] constexpr int output_data_vcs(int port) const {
    return is_ejection(port) ? local_vcs : vcs;
  }
  /// The number of all virtual channels of a switch's input or output.
  [[nodiscard]] constexpr int input_vcs(int port) const {
    return input_data_vcs(port) + control_vcs(port);
  }
  [[nodiscard]] constexpr int output_vcs(int port) const {
    return output_data_vcs(port) + control_vcs(port);
  }
  /// The number of virtual channels of a link, in either direction.
  [[nodiscard]] constexpr int link_vcs(int link) const {
    return (is_external(link) ? vcs : local_vcs) + control_vcs(link);
  }
  [[nodiscard]] constexpr int all_local_vcs() const { return local_vcs + (control_vc ? 1 : 0); }
  /// The number of virtual channels of the channel that has most.
  [[nodiscard]] constexpr int max_vcs() const {
    const int external = vcs + (control_vc ? most_control_vcs() : 0);
    return external > all_local_vcs() ? external : all_local_vcs();
  }
  /// Whether a switch's input VC is for control packets. A control packet uses only such VCs on its
  /// whole path.
  [[nodiscard]] constexpr bool is_control(int input, int vc) const {
    return control_vc && vc >= input_data_vcs(input);
  }
  /// The most control VCs that any external channel has, if there are control VCs.
  [[nodiscard]] constexpr int most_control_vcs() const { return has_rings() ? ring_classes() : 1; }
  [[nodiscard]] constexpr bool has_rings() const { return torus[0] || torus[1] || torus[2]; }
  /// The number of classes that its kind of classes has.
  [[nodiscard]] constexpr int wanted_classes() const { return static_cast<int>(classes); }
  /// C, the number of classes of a ring's channels: 2 or 3, or 1 if there are too few VCs.
  [[nodiscard]] constexpr int ring_classes() const {
    return vcs < wanted_classes() ? 1 : wanted_classes();
  }
  /// The number of classes of a port's channel: C for an external one in a ring, otherwise 1.
  [[nodiscard]] constexpr int classes_of(int port) const {
    return is_external(port) && torus[static_cast<std::size_t>(port / 2)] ? ring_classes() : 1;
  }
  /// Cycles from filling a buffer place of an external channel to filling it again (section 6).
  [[nodiscard]] constexpr int credit_loop() const {
    return 2 + 2 * link_registers + (stages > 1 ? 2 : 0);
  }
  /// The depth in flits of a router whose scenario gives none: that of the table, or the credit
  /// loop if that is more.
  [[nodiscard]] constexpr int default_depth() const {
    constexpr int least = parameters::kDepth.otherwise;
    return credit_loop() > least ? credit_loop() : least;
  }
  /// The data VCs of a router whose scenario gives none: in a torus one for each class.
  [[nodiscard]] constexpr int default_vcs() const {
    return has_rings() ? wanted_classes() : parameters::kVcs.otherwise;
  }
  friend bool operator==(const RouterConfig&, const RouterConfig&) = default;

 private:
  [[nodiscard]] constexpr int control_vcs(int port) const {
    return control_vc ? classes_of(port) : 0;
  }
};

/// The most nodes along a dimension: a head flit has 8 bits for each coordinate.
inline constexpr int kMaxSize = 256;
/// The most nodes of a network.
inline constexpr std::int64_t kMaxNodes = std::int64_t{kMaxSize} * kMaxSize * kMaxSize;

struct NetworkConfig {
  std::array<int, kMaxDims> size{8, 8, 1};  ///< nodes along x, y, z, 1..256; 1 beyond `dims`
  RouterConfig router = {};
  /// The ideal network (docs/internals/microarchitecture.md, section 9). It uses only kind, dims,
  /// local_ports, local_vcs, control_vc and depth of `router`, and no dimension is a ring.
  bool ideal = false;

  [[nodiscard]] constexpr int dims() const { return router.dims; }
  [[nodiscard]] constexpr bool is_ring(int dim) const {
    return router.torus[static_cast<std::size_t>(dim)];
  }
  [[nodiscard]] constexpr int size_of(int dim) const { return size[static_cast<std::size_t>(dim)]; }
  [[nodiscard]] constexpr NodeId nodes() const {
    return static_cast<NodeId>(size[0] * size[1] * size[2]);
  }
  [[nodiscard]] constexpr Address address(NodeId n) const {
    const auto x = static_cast<NodeId>(size[0]), y = static_cast<NodeId>(size[1]);
    return {static_cast<std::uint8_t>(n % x), static_cast<std::uint8_t>(n / x % y),
            static_cast<std::uint8_t>(n / x / y)};
  }
  [[nodiscard]] constexpr NodeId id(Address a) const {
    const auto x = static_cast<NodeId>(size[0]), y = static_cast<NodeId>(size[1]);
    return (static_cast<NodeId>(a.z) * y + a.y) * x + a.x;
  }
  /// The greatest coordinates, which are an input of every router.
  [[nodiscard]] constexpr Address last() const {
    return {static_cast<std::uint8_t>(size[0] - 1), static_cast<std::uint8_t>(size[1] - 1),
            static_cast<std::uint8_t>(size[2] - 1)};
  }
  [[nodiscard]] constexpr bool contains(Address a) const {
    return a.x < size[0] && a.y < size[1] && a.z < size[2];
  }
  friend bool operator==(const NetworkConfig&, const NetworkConfig&) = default;
};

/// Throws ConfigError for the first value that is out of range.
void validate(const RouterConfig& config);
void validate(const NetworkConfig& config);

}  // namespace annelid::systemc
