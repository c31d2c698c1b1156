#include "systemc/kernel/kernel_shape.hpp"

#include <algorithm>
#include <bit>

#include "systemc/network/route.hpp"
#include "systemc/network/vc_selection.hpp"

namespace annelid::systemc {
namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

KernelShape::KernelShape(const NetworkConfig& config, int vc_bits)
    : network(config),
      ports(static_cast<unsigned>(config.router.ports())),
      depth(static_cast<unsigned>(config.router.depth)),
      stages(static_cast<unsigned>(config.router.stages)),
      fifo_mask(std::bit_ceil(depth) - 1),
      routing(config.router.routing),
      arbiters(config.router.arbiters),
      vc_selection(config.router.vc_selection),
      order_words(Arbiters::with(arbiters,
                                 [this]<class Arbiter>(Arbiter) {
                                   return sizeof(typename Arbiter::State) == 1
                                              ? std::size_t{0}
                                              : std::size_t{4} * ports;
                                 })),
      one_port(config.router.one_port()),
      out_candidates(one_port ? 3 : ports),
      ring(config.router.torus),
      ring_classes(static_cast<unsigned>(config.router.ring_classes())),
      classes(config.router.classes),
      control_vc(config.router.control_vc) {
  const RouterConfig& router = config.router;
  const int n = router.dims, pipeline = router.stages > 1 ? 1 : 0;
  for (int p = 0; p < router.ports(); ++p) {
    input_vcs[at(p)] = static_cast<std::uint8_t>(router.input_vcs(p));
    output_vcs[at(p)] = static_cast<std::uint8_t>(router.output_vcs(p));
    data_vcs[at(p)] = static_cast<std::uint8_t>((1u << router.output_data_vcs(p)) - 1);
    for (int v = 0; v < router.input_vcs(p); ++v) {
      const std::size_t slot = at((p << vc_bits) + v);
      fifo[slot] = static_cast<std::uint16_t>(flits);
      next_vc[slot] = static_cast<std::uint8_t>(v + 1 == router.input_vcs(p) ? 0 : v + 1);
      flits += fifo_mask + 1;
      other_kind[slot] = router.is_control(p, v) ? 0xff : 0;
    }
    vc_pointers[at(p)] = first_vc_pointers(router, p);
    for (int w = 0; w < router.output_vcs(p); ++w) {
      vcs_beside[at((p << vc_bits) + w)] = systemc::vcs_beside(router, p, w);
    }
    const int delay = pipeline + (router.is_external(p) ? router.link_registers : 0);
    output_delay[at(p)] = input_delay[at(p)] = static_cast<std::uint8_t>(delay);
    max_delay = std::max(max_delay, static_cast<unsigned>(delay));
    if (one_port) {
      const int dim = router.is_external(p) ? p / 2 : p - 2 * n, through = 2 * n + dim;
      address_mask[at(p)] = 0xffu << 8 * dim;
      arrived[at(p)] = static_cast<Port>(through);
      candidate[at(p)] = static_cast<Port>(router.is_external(p) ? p % 2 : 2);
      first_input[at(p)] = static_cast<Port>(2 * dim);
      next_input[at(p)] = static_cast<Port>(p == through ? 2 * dim : p % 2 ? through : p + 1);
    } else {
      address_mask[at(p)] = (1u << 8 * config.dims()) - 1;
      candidate[at(p)] = static_cast<Port>(p);
      next_input[at(p)] = static_cast<Port>((p + 1) % router.ports());
      arrived[at(p)] =
          static_cast<Port>(router.is_external(p) ? 2 * n + p % router.local_ports : p);
    }
  }
  for (int d = 0; d < kMaxDims; ++d) last[at(d)] = config.last()[d];
  for (int c = 0; c < router.ring_classes(); ++c) {
    const VcRange range = vcs_of_class(router, c);
    const unsigned data = ((1u << range.count) - 1) << range.first;
    class_vcs[at(c)] = static_cast<std::uint8_t>(data | (control_vc ? 1u << (router.vcs + c) : 0u));
  }
}

}  // namespace annelid::systemc
