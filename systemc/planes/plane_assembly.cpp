#include "systemc/planes/plane_assembly.hpp"

#include <algorithm>
#include <utility>

#include "systemc/network/route.hpp"

namespace annelid::systemc {

PlaneAssembly::PlaneAssembly(const NetworkConfig& network, RouterArrayHost& host,
                             PlaneBackend backend, Cut* cut)
    : backend_(backend),
      cut_(cut),
      kernels_(RouterAssembly::make(network, host, cut)),
      array_(new PlaneArray(kernels_->view(), host)) {}

std::uint32_t PlaneAssembly::add(Address address, NodeId node) {
  const NetworkConfig& network = array_->network();
  const std::uint32_t index = kernels_->add(address, node);
  in_order_ &= index == node && network.id(address) == node;
  return index;
}

void PlaneAssembly::join(std::uint32_t router, int link, std::uint32_t neighbour, int its_link) {
  kernels_->join(router, link, neighbour, its_link);
  const NetworkConfig& config = array_->network();
  const auto port = static_cast<Port>(link);
  const Neighbour next = config.router.is_external(link)
                             ? systemc::neighbour(config, config.address(router), port)
                             : Neighbour{};
  in_order_ &= next.exists && config.id(next.address) == neighbour && its_link == opposite(port);
  ++joined_;
}

void PlaneAssembly::join(std::uint32_t router, int link, LinkIf& neighbour) {
  kernels_->join(router, link, neighbour);
  const RouterConfig& config = array_->network().router;
  auto* const end = dynamic_cast<PlaneEnd*>(&neighbour);
  if (config.is_external(link) || end == nullptr) {
    in_order_ = false;
    return;
  }
  const auto ports = static_cast<std::size_t>(config.local_ports);
  const std::size_t lane = router * ports + static_cast<std::size_t>(link - config.first_local());
  terminals_.resize(std::max(terminals_.size(), lane + 1));
  terminals_[lane] = end;
  in_order_ &= end->lane() == lane;
}

std::unique_ptr<RouterArray> PlaneAssembly::finish() {
  PlaneTerminals* const terminals = common_terminals();
  array_->running_ = RouterAssembly::start(std::move(kernels_));
  if (terminals != nullptr) array_->use_planes(backend_, *terminals, cut_);
  return std::move(array_);
}

/// Null unless the routers and their neighbours are what planes cover.
PlaneTerminals* PlaneAssembly::common_terminals() const {
  const NetworkConfig& config = array_->network();
  const std::size_t lanes = config.nodes() * static_cast<std::size_t>(config.router.local_ports);
  if (!in_order_ || array_->size() != config.nodes() || terminals_.size() != lanes) return nullptr;
  std::uint64_t links = 0;
  for (NodeId node = 0; node < config.nodes(); ++node) {
    for (Port port = 0; port < config.router.external_ports(); ++port) {
      links += neighbour(config, config.address(node), port).exists;
    }
  }
  if (links != joined_ || terminals_.front() == nullptr) return nullptr;
  PlaneTerminals* const common = &terminals_.front()->terminals();
  for (const PlaneEnd* end : terminals_) {
    if (end == nullptr || &end->terminals() != common) return nullptr;
  }
  return common;
}

}  // namespace annelid::systemc
