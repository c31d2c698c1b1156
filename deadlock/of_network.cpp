#include "deadlock/of_network.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "systemc/network/channel_dependencies.hpp"
#include "systemc/network/route.hpp"

namespace annelid::deadlock {
namespace {

using systemc::NetworkConfig;
using systemc::RouterConfig;

/// The switches of a one-port router are nodes of their own: packets are injected at the first, and
/// delivered at the last.
///
/// The judge's packets know their destination alone. A turn model also asks for the column of the
/// source. The node before stands for it: what is permitted to a packet from elsewhere is the same,
/// if that may have come by the same channel (testbench/deadlock/of_network_test.cpp).
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
    for (unsigned order = 0; order < static_cast<unsigned>(systemc::orders_of(router.routing));
         ++order) {
      if (from != nullptr && !is_of_order(*from, held, there, order)) continue;
      add_choices({from, held, packet.cls == 1, order}, {here, in}, there, to);
    }
  }

 private:
  /// What a packet in a channel knows of its way.
  struct From {
    std::uint32_t to = 0;  // a node of the judge's
    NodeId node = 0;       // whose output it is
    Port out = 0;
    std::uint32_t first_vc = 0;
  };

  /// A packet in a VC, or one that a node injects.
  struct Held {
    const From* from;  // null if it is injected
    std::uint32_t vc;
    bool control;
    unsigned order;
  };

  /// Appends the VCs that a packet at a switch's input may take.
  void add_choices(const Held& held, const systemc::SwitchEnd& at, Address there,
                   std::vector<Choice>& to) const {
    const systemc::RoutingKind routing = network_.router.routing;
    const Address source = held.from == nullptr ? at.address : network_.address(held.from->node);
    const auto head = systemc::head_of_order(routing, held.order, source, there);
    for (unsigned outputs = systemc::permitted_outputs(network_, at.address, head, at.port);
         outputs != 0; outputs &= outputs - 1) {
      const auto out = static_cast<Port>(std::countr_zero(outputs));
      const Address in_ring = source_of(held.from, held.vc, at.address, out);
      const systemc::VcRange open =
          systemc::open_vcs(network_.router, held.control, out, at.address,
                            systemc::head_of_order(routing, held.order, in_ring, there));
      const std::uint32_t first =
          first_vc_[network_.id(at.address) * static_cast<std::uint32_t>(network_.router.ports()) +
                    out];
      for (int vc = open.first; vc < open.first + open.count; ++vc) {
        add(to, first + static_cast<std::uint32_t>(vc));
      }
    }
  }

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
    channels_.push_back({to, n, out, made.vcs()});
    made.add_channel(node_name(network_.router, here) + output_channel_name(network_.router, out),
                     node(n, switch_of(out)), to, vcs);
  }

  /// Both orders of a packet may lead to the same VC.
  static void add(std::vector<Choice>& to, std::uint32_t vc) {
    if (std::ranges::find(to, vc, &Choice::vc) == to.end()) to.push_back({vc, false});
  }

  [[nodiscard]] int class_of(const From& from, std::uint32_t held) const {
    return systemc::channel_class(network_.router, from.node, from.out,
                                  static_cast<Vc>(held - from.first_vc))
        .cls;
  }

  /// Whether a packet to `there` that holds this VC may have this order: the VC is of its class,
  /// and the order leads by this channel.
  [[nodiscard]] bool is_of_order(const From& from, std::uint32_t held, Address there,
                                 unsigned order) const {
    const RouterConfig& router = network_.router;
    if (systemc::orders_of(router.routing) == 1) return true;
    const int ring_classes = router.ring_classes_in(from.out / 2);
    if (router.orders() > 1 && class_of(from, held) / ring_classes != static_cast<int>(order)) {
      return false;
    }
    const std::uint32_t here = pack(network_.address(from.node));
    const std::uint32_t to = pack(there);
    return (systemc::nearer_outputs(network_, order, here, here, to) >> from.out & 1) != 0;
  }

  /// An address whose coordinate in the dimension of `out` stands for the source's in the rule for
  /// ring classes. That asks only whether the packet has come over the wrap-around link, which its
  /// class tells. Of the three of plh, 0 is of those that have not and will not.
  [[nodiscard]] Address source_of(const From* from, std::uint32_t held, Address here,
                                  Port out) const {
    if (from == nullptr || !network_.router.is_external(out) || from->out != out) return here;
    const int cls = class_of(*from, held) % network_.router.ring_classes_in(out / 2);
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
