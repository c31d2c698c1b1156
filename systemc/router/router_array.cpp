#include "systemc/router/router_array.hpp"

#include <bit>

#include "systemc/router/router_array_of.hpp"

namespace annelid::systemc {

extern template class RouterArrayOf<SlotSpace<8, 0>, PlainRouters>;
extern template class RouterArrayOf<SlotSpace<8, 1>, PlainRouters>;
extern template class RouterArrayOf<SlotSpace<8, 2>, PlainRouters>;
extern template class RouterArrayOf<SlotSpace<8, 3>, PlainRouters>;
extern template class RouterArrayOf<SlotSpace<12, 0>, PlainRouters>;
extern template class RouterArrayOf<SlotSpace<12, 1>, PlainRouters>;
extern template class RouterArrayOf<SlotSpace<12, 2>, PlainRouters>;
extern template class RouterArrayOf<SlotSpace<12, 3>, PlainRouters>;
extern template class RouterArrayOf<SlotSpace<8, 0>, AllRouters>;
extern template class RouterArrayOf<SlotSpace<8, 1>, AllRouters>;
extern template class RouterArrayOf<SlotSpace<8, 2>, AllRouters>;
extern template class RouterArrayOf<SlotSpace<8, 3>, AllRouters>;
extern template class RouterArrayOf<SlotSpace<12, 0>, AllRouters>;
extern template class RouterArrayOf<SlotSpace<12, 1>, AllRouters>;
extern template class RouterArrayOf<SlotSpace<12, 2>, AllRouters>;
extern template class RouterArrayOf<SlotSpace<12, 3>, AllRouters>;

namespace {

template <int ports, class Policies>
std::unique_ptr<RouterArray> make_with(int vc_bits, const NetworkConfig& network,
                                       RouterArrayHost& host) {
  switch (vc_bits) {
    case 0:
      return std::make_unique<RouterArrayOf<SlotSpace<ports, 0>, Policies>>(network, host);
    case 1:
      return std::make_unique<RouterArrayOf<SlotSpace<ports, 1>, Policies>>(network, host);
    case 2:
      return std::make_unique<RouterArrayOf<SlotSpace<ports, 2>, Policies>>(network, host);
    default:
      return std::make_unique<RouterArrayOf<SlotSpace<ports, 3>, Policies>>(network, host);
  }
}

}  // namespace

std::unique_ptr<RouterArray> RouterArray::make(const NetworkConfig& network,
                                               RouterArrayHost& host) {
  validate(network);
  const RouterConfig& router = network.router;
  const bool plain = PlainRouters::serve(router);
  const int vc_bits = std::bit_width(static_cast<unsigned>(router.max_vcs()) - 1);
  if (router.ports() <= 8) {
    return plain ? make_with<8, PlainRouters>(vc_bits, network, host)
                 : make_with<8, AllRouters>(vc_bits, network, host);
  }
  return plain ? make_with<12, PlainRouters>(vc_bits, network, host)
               : make_with<12, AllRouters>(vc_bits, network, host);
}

}  // namespace annelid::systemc
