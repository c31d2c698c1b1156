#include "testbench/lockstep/sides.hpp"

namespace annelid::lockstep {
namespace {

systemc::NetworkConfig network(const systemc::RouterConfig& config, const Place& place) {
  systemc::NetworkConfig network{.size = place.size, .router = config};
  for (int d = config.dims; d < kMaxDims; ++d) network.size[at(d)] = 1;
  return network;
}

}  // namespace
ModelSide::ModelSide(const systemc::RouterConfig& config, const Place& place)
    : config_(config), router_(network(config, place), place.router) {}

void ModelSide::put(const Stimulus& stimulus) {
  for (int p = 0; p < config_.links(); ++p) {
    const auto link = static_cast<Port>(p);
    if (stimulus.flits[at(p)]) router_.put(link, *stimulus.flits[at(p)]);
    if (stimulus.credits[at(p)]) router_.credit(link, *stimulus.credits[at(p)]);
  }
}

Response ModelSide::cycle(const Stimulus& stimulus) {
  put(stimulus);
  router_.step();
  Response response;
  for (int p = 0; p < config_.links(); ++p) {
    response.flits[at(p)] = router_.sent(static_cast<Port>(p));
    response.credits[at(p)] = router_.freed(static_cast<Port>(p));
  }
  return response;
}

RtlSide::RtlSide(const systemc::RouterConfig& config, const Place& place, Random& noise)
    : config_(config), rtl_(systemc::make_rtl_model(config)) {
  Address last = unpack_address(static_cast<std::uint32_t>(noise.next()));
  for (int d = 0; d < config.dims; ++d) {
    if (config.torus[at(d)]) last[d] = static_cast<std::uint8_t>(place.size[at(d)] - 1);
  }
  rtl_->reset(place.router, last);
}

systemc::RouterState RtlSide::state() const { return rtl_->observe(); }

Response RtlSide::outputs() const {
  Response response;
  for (int p = 0; p < config_.links(); ++p) {
    systemc::Flit flit;
    Vc vc = 0;
    if (rtl_->flit(static_cast<Port>(p), flit)) response.flits[at(p)] = flit;
    if (rtl_->credit(static_cast<Port>(p), vc)) response.credits[at(p)] = vc;
  }
  return response;
}

Response RtlSide::cycle(const Stimulus& stimulus) {
  const Response response = outputs();
  for (int p = 0; p < config_.links(); ++p) {
    const auto link = static_cast<Port>(p);
    if (stimulus.flits[at(p)]) rtl_->set_flit(link, *stimulus.flits[at(p)]);
    if (stimulus.credits[at(p)]) rtl_->set_credit(link, *stimulus.credits[at(p)]);
  }
  rtl_->clock();
  return response;
}

}  // namespace annelid::lockstep
