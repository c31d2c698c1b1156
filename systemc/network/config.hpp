// The shape of a network and of its routers (docs/internals/microarchitecture.md, section 2).
#pragma once

#include <array>
#include <stdexcept>
#include <string>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

/// A value that the hardware cannot have. `key()` is its name in a scenario, e.g. "router.depth".
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

enum class RouterKind : std::uint8_t { kAllPort, kOnePort };
enum class ArbiterKind : std::uint8_t { kRoundRobin, kMatrix };
/// How the VCs of a ring's channels are divided (docs/internals/microarchitecture.md, section 5.1).
enum class TorusClasses : std::uint8_t { kDateline, kPlh };

/// Ports are those of docs/internals/microarchitecture.md, section 2. A router's *links* are 0 ..
/// links() - 1: external, then local. The ports of its *switches*, which observers speak of, are 0
/// .. ports()
/// - 1: the same in an all-port router, in a one-port router external and through ports.
struct RouterConfig {
  int local_ports = 4;  ///< L, 1..2n; one-port: 1
  int vcs = 1;          ///< V, virtual channels per external channel, 1..8
  int local_vcs = 1;    ///< VL, virtual channels per local channel, 1..8
  bool control_vc = false;  ///< VCs for control packets beside those for data
  int depth = 4;        ///< D, flits per virtual channel, 1..64
  int dims = 2;         ///< n, 1..3
  RouterKind kind = RouterKind::kAllPort;
  int stages = 1;          ///< P, 1..4
  int link_registers = 0;  ///< R, of each external channel, 0..4
  ArbiterKind arbiters = ArbiterKind::kRoundRobin;
  std::array<bool, kMaxDims> torus{};  ///< the dimensions that are rings
  TorusClasses classes = TorusClasses::kDateline;
  bool allow_deadlock = false;  ///< accept rings with fewer VCs than classes, or a cyclic network

  [[nodiscard]] constexpr bool one_port() const { return kind == RouterKind::kOnePort; }
  [[nodiscard]] constexpr int external_ports() const { return 2 * dims; }
  [[nodiscard]] constexpr Port first_local() const { return static_cast<Port>(2 * dims); }
  [[nodiscard]] constexpr int links() const { return 2 * dims + local_ports; }
  [[nodiscard]] constexpr int ports() const { return one_port() ? 3 * dims : links(); }

  [[nodiscard]] constexpr bool is_external(int port) const { return port < 2 * dims; }
  /// A switch's output that is ejection channel 0, 1, ...
  [[nodiscard]] constexpr bool is_ejection(int port) const {
    return one_port() ? port == 3 * dims - 1 : port >= 2 * dims;
  }
  /// A switch's input that is injection channel 0, 1, ...
  [[nodiscard]] constexpr bool is_injection(int port) const {
    return one_port() ? port == 2 * dims : port >= 2 * dims;
  }
  [[nodiscard]] constexpr Port ejection_output(int local) const {
    return static_cast<Port>((one_port() ? 3 * dims - 1 : 2 * dims) + local);
  }
  [[nodiscard]] constexpr Port injection_input(int local) const {
    return static_cast<Port>(2 * dims + local);
  }
  /// Virtual channels of a switch's input, output.
  [[nodiscard]] constexpr int input_vcs(int port) const {
    return is_injection(port) ? local_vcs : vcs;
  }
  [[nodiscard]] constexpr int output_vcs(int port) const {
    return is_ejection(port) ? local_vcs : vcs;
  }
  /// Virtual channels of a link, either way.
  [[nodiscard]] constexpr int link_vcs(int link) const {
    return is_external(link) ? vcs : local_vcs;
  }
  [[nodiscard]] constexpr bool has_rings() const { return torus[0] || torus[1] || torus[2]; }
  /// C, the classes of a ring's channels: 2 or 3; 1 if there are fewer VCs.
  [[nodiscard]] constexpr int ring_classes() const {
    const int classes_wanted = classes == TorusClasses::kPlh ? 3 : 2;
    return vcs < classes_wanted ? 1 : classes_wanted;
  }
  /// Cycles from filling a buffer place of an external channel to filling it again (section 6).
  [[nodiscard]] constexpr int credit_loop() const {
    return 2 + 2 * link_registers + (stages > 1 ? 2 : 0);
  }
  /// The depth that a router has unless another is asked for: 4, or the credit loop if that is
  /// more.
  [[nodiscard]] constexpr int default_depth() const {
    return credit_loop() > 4 ? credit_loop() : 4;
  }
  friend bool operator==(const RouterConfig&, const RouterConfig&) = default;
};

/// The most nodes that a network may have.
inline constexpr std::int64_t kMaxNodes = 65536;

struct NetworkConfig {
  std::array<int, kMaxDims> size{8, 8, 1};  ///< nodes along x, y, z, 1..256; 1 beyond `dims`
  RouterConfig router = {};
  /// The ideal network (docs/internals/microarchitecture.md, section 9): of `router` only kind,
  /// dims, local_ports, local_vcs and depth count, and no dimension is a ring.
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
  /// The greatest coordinates, an input of every router.
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
