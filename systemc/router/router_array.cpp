#include "systemc/router/router_array.hpp"

#include <bit>

#include "systemc/router/router_array_of.hpp"

namespace annelid::systemc {

extern template class RouterArrayOf<SlotSpace<8, 0>, false>;
extern template class RouterArrayOf<SlotSpace<8, 1>, false>;
extern template class RouterArrayOf<SlotSpace<8, 2>, false>;
extern template class RouterArrayOf<SlotSpace<8, 3>, false>;
extern template class RouterArrayOf<SlotSpace<12, 0>, false>;
extern template class RouterArrayOf<SlotSpace<12, 1>, false>;
extern template class RouterArrayOf<SlotSpace<12, 2>, false>;
extern template class RouterArrayOf<SlotSpace<12, 3>, false>;
extern template class RouterArrayOf<SlotSpace<8, 0>, true>;
extern template class RouterArrayOf<SlotSpace<8, 1>, true>;
extern template class RouterArrayOf<SlotSpace<8, 2>, true>;
extern template class RouterArrayOf<SlotSpace<8, 3>, true>;
extern template class RouterArrayOf<SlotSpace<12, 0>, true>;
extern template class RouterArrayOf<SlotSpace<12, 1>, true>;
extern template class RouterArrayOf<SlotSpace<12, 2>, true>;
extern template class RouterArrayOf<SlotSpace<12, 3>, true>;

namespace {

template <int ports, bool general>
std::unique_ptr<RouterArray> make_with(int vc_bits, const NetworkConfig& network,
                                       RouterArrayHost& host) {
  switch (vc_bits) {
    case 0:
      return std::make_unique<RouterArrayOf<SlotSpace<ports, 0>, general>>(network, host);
    case 1:
      return std::make_unique<RouterArrayOf<SlotSpace<ports, 1>, general>>(network, host);
    case 2:
      return std::make_unique<RouterArrayOf<SlotSpace<ports, 2>, general>>(network, host);
    default:
      return std::make_unique<RouterArrayOf<SlotSpace<ports, 3>, general>>(network, host);
  }
}

}  // namespace

std::unique_ptr<RouterArray> RouterArray::make(const NetworkConfig& network,
                                               RouterArrayHost& host) {
  validate(network);
  const RouterConfig& router = network.router;
  const bool plain = router.stages == 1 && router.link_registers == 0 &&
                     router.arbiters == ArbiterKind::kRoundRobin;
  const int vc_bits = std::bit_width(static_cast<unsigned>(router.max_vcs()) - 1);
  if (router.ports() <= 8) {
    return plain ? make_with<8, false>(vc_bits, network, host)
                 : make_with<8, true>(vc_bits, network, host);
  }
  return plain ? make_with<12, false>(vc_bits, network, host)
               : make_with<12, true>(vc_bits, network, host);
}

}  // namespace annelid::systemc
