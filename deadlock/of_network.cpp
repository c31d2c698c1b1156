#include "deadlock/of_network.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "systemc/network/route.hpp"

namespace annelid::deadlock {
namespace {

using systemc::NetworkConfig;
using systemc::RouterConfig;

/// The switches of a one-port router are nodes of their own: packets are injected at the first, and
/// delivered at the last.
class Routers {
 public:
  explicit Routers(const NetworkConfig& network)
      : network_(network), switches_(network.router.one_port() ? network.dims() : 1) {}

  void add_to(Network& made) {
    const RouterConfig& router = network_.router;
    for (NodeId n = 0; n < network_.nodes(); ++n) {
      const Address a = network_.address(n);
      for (int s = 0; s < switches_; ++s) {
        std::string name = node_name(router, a);
        if (switches_ > 1) name += std::string("/") + "xyz"[s];
        // Planes of z stand beside each other, and the switches of a router too.
        const double x = a.x + a.z * (network_.size[0] + 0.5) + 0.35 * s, y = a.y + 0.25 * s;
        made.nodes.push_back({std::move(name), true, x, -y});
      }
    }
    for (NodeId n = 0; n < network_.nodes(); ++n) {
      for (int out = 0; out < router.ports(); ++out) add_channel(made, n, static_cast<Port>(out));
    }
  }

  void next(std::uint32_t held, Packet packet, std::vector<Choice>& to) const {
    const std::uint32_t vcs = static_cast<std::uint32_t>(channel_of_vc_.size());
    const bool injected = held >= vcs;
    const From* const from = injected ? nullptr : &channels_[channel_of_vc_[held]];
    const std::uint32_t at = injected ? held - vcs : from->to;
    const int s = static_cast<int>(at) % switches_;
    if (injected && s != 0) return;
    const auto last = static_cast<std::uint32_t>(switches_ - 1);
    if (packet.to % static_cast<std::uint32_t>(switches_) != last) return;  // no switch delivers it

    const RouterConfig& router = network_.router;
    const Address here = network_.address(at / static_cast<std::uint32_t>(switches_));
    const Address there = network_.address(packet.to / static_cast<std::uint32_t>(switches_));
    if (here == there && injected) return;  // nothing between routers
    const Port in = injected                        ? router.injection_input(0)
                    : router.is_external(from->out) ? systemc::opposite(from->out)
                                                    : static_cast<Port>(from->out + 1);
    const Port out = systemc::route(network_, here, there, in);
    const Address source = source_of(from, held, here, out);
    const systemc::VcRange open =
        systemc::open_vcs(router, packet.cls == 1, out, here, source, there);
    const std::uint32_t first = first_vc_[at / static_cast<std::uint32_t>(switches_) *
                                              static_cast<std::uint32_t>(router.ports()) +
                                          out];
    for (int vc = open.first; vc < open.first + open.count; ++vc) {
      to.push_back({first + static_cast<std::uint32_t>(vc), false});
    }
  }

 private:
  /// What a packet in a channel knows of its way.
  struct From {
    std::uint32_t to = 0;  // a node of the judge's
    Port out = 0;
    std::uint32_t first_vc = 0;
  };

  [[nodiscard]] std::uint32_t node(NodeId n, int s) const {
    return n * static_cast<std::uint32_t>(switches_) + static_cast<std::uint32_t>(s);
  }
  /// The switch of a port's input or output.
  [[nodiscard]] int switch_of(Port port) const {
    if (switches_ == 1) return 0;
    const RouterConfig& router = network_.router;
    return router.is_external(port) ? port / 2 : port - router.external_ports();
  }

  void add_channel(Network& made, NodeId n, Port out) {
    const Address here = network_.address(n);
    const auto receiver = systemc::receiver_of(network_, here, out);
    first_vc_.push_back(made.vcs());
    if (!receiver) return;
    const std::uint32_t to = node(network_.id(receiver->address), switch_of(receiver->port));
    const auto vcs = static_cast<std::uint32_t>(network_.router.output_vcs(out));
    channel_of_vc_.insert(channel_of_vc_.end(), vcs, static_cast<std::uint32_t>(channels_.size()));
    channels_.push_back({to, out, made.vcs()});
    made.add_channel(node_name(network_.router, here) + output_channel_name(network_.router, out),
                     node(n, switch_of(out)), to, vcs);
  }

  /// An address whose coordinate in the dimension of `out` stands for the source's in the rule for
  /// classes. That asks only whether the packet has come over the wrap-around link, which its class
  /// tells. Of the three of plh, 0 is of those that have not and will not.
  [[nodiscard]] Address source_of(const From* from, std::uint32_t held, Address here,
                                  Port out) const {
    if (from == nullptr || !network_.router.is_external(out) || from->out != out) return here;
    const int vc = static_cast<int>(held - from->first_vc);
    const int data = network_.router.vcs;
    int cls = vc - data;  // of a control VC
    if (vc < data) {
      cls = 0;
      while (vc >= systemc::vcs_of_class(network_.router, cls).first +
                       systemc::vcs_of_class(network_.router, cls).count) {
        ++cls;
      }
    }
    Address source = here;
    constexpr auto kMost = std::numeric_limits<std::uint8_t>::max();
    if (cls != 0) source[out / 2] = out % 2 == 0 ? kMost : std::uint8_t{0};
    return source;
  }

  NetworkConfig network_;
  int switches_;
  std::vector<From> channels_;
  std::vector<std::uint32_t> channel_of_vc_, first_vc_;
};

}  // namespace

Network of_network(const NetworkConfig& network) {
  Network made;
  made.switching = Switching::kShared;
  if (network.router.control_vc) made.classes = {"data", "control"};
  Routers routers(network);
  routers.add_to(made);
  made.next = [routers = std::move(routers)](std::uint32_t held, Packet packet,
                                             std::vector<Choice>& to) {
    routers.next(held, packet, to);
  };
  return made;
}

}  // namespace annelid::deadlock
