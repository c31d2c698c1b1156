// What an observer sees of a network in planes: registers, grants and flits, from rows.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "systemc/kernel/report_state.hpp"
#include "systemc/network/route.hpp"
#include "systemc/planes/plane_network.hpp"

namespace annelid::systemc {
namespace {

constexpr std::uint64_t kAllRouters = ~std::uint64_t{0};

}  // namespace

unsigned PlaneNetwork::flits_in(NodeId node, Port port, Vc vc) const {
  unsigned flits = 0;
  if (vc >= state_.vcs) return 0;  // a control VC
  for (int k = 0; k < state_.depth; ++k)
    flits += bit(state_, state_.layout.occupied(vc, k), node, port);
  return flits;
}

/// A packet's entry stays at the front until another packet replaces it, and none is 0.
bool PlaneNetwork::was_used(NodeId node, Port port, Vc vc) const {
  return vc < state_.vcs && state_.front[state_.slot(node, port, vc)].bits != 0;
}

RouterView::Fill PlaneNetwork::fill(Port port, Vc vc) const {
  RouterView::Fill fill;
  if (vc >= state_.vcs) return fill;  // a control VC
  for (std::uint32_t k = 0; k < state_.words; ++k) {
    for (int i = 0; i < state_.depth; ++i) {
      const std::uint64_t ours = state_.abroad == nullptr ? kAllRouters : ~state_.abroad[k];
      const std::uint64_t holding = state_.lane(k, state_.layout.occupied(vc, i), port) & ours;
      if (holding == 0) break;
      fill.flits += static_cast<std::uint64_t>(std::popcount(holding));
      fill.most = std::max(fill.most, i + 1);
    }
  }
  return fill;
}

void PlaneNetwork::registers(NodeId node, unsigned ports, RouterState& state) const {
  const PlaneState& s = state_;
  const RouterConfig& router = config_.router;
  for (Port p = 0; p < s.ports; ++p) {
    if ((ports >> p & 1) == 0) continue;
    for (Vc v = 0; v < router.input_vcs(p); ++v) {
      state.input[p][v] = {};
      if (v >= router.input_data_vcs(p)) continue;
      const std::uint8_t way = s.way[s.slot(node, p, v)];
      InputVcState& input = state.input[p][v];
      input.count = static_cast<std::uint8_t>(flits_in(node, p, v));
      if (input.count > 0) input.front = front_flit(node, p, v);
      input.active = bit(s, s.layout.active(v), node, p);
      input.out_port = way >> 3;
      input.out_vc = way & 7;
      input.routed = router.stages >= 3 && bit(s, s.layout.routed(v), node, p);
      if (input.routed) input.out_port = static_cast<Port>(s.front[s.slot(node, p, v)].output());
    }
    const std::optional<SwitchEnd> next = receiver_of(config_, config_.address(node), p);
    for (Vc w = 0; w < router.output_vcs(p); ++w) {
      const bool data = w < router.output_data_vcs(p);
      unsigned used = 0;
      if (next && data) used = places_taken(config_.id(next->address), next->port, w);
      if (router.is_ejection(p) && data) used = places_taken_of_sink(node, p, w);
      state.output[p][w] = {static_cast<std::uint8_t>(static_cast<unsigned>(s.depth) - used),
                            data && bit(s, s.layout.owned(w), node, p)};
    }
    state.in_pointer[p] = in_pointer(node, p, s.layout.in_pointer(0));
    state.out_pointer[p] = out_pointer(node, p, s.layout.out_pointer(0));
    if (router.stages < 4) continue;
    state.va_in_pointer[p] = in_pointer(node, p, s.layout.va_in_pointer(0));
    state.va_out_pointer[p] = out_pointer(node, p, s.layout.va_out_pointer(0));
  }
}

/// The places of an input VC for which its sender has no credit.
unsigned PlaneNetwork::places_taken(NodeId node, Port port, Vc vc) const {
  if (!state_.layout.pipelined) return flits_in(node, port, vc);
  unsigned places = 0;
  for (int k = 0; k < state_.depth; ++k)
    places += bit(state_, state_.layout.claimed(vc, k), node, port);
  return places;
}

unsigned PlaneNetwork::places_taken_of_sink(NodeId node, Port port, Vc vc) const {
  const PlaneLayout& at = state_.layout;
  unsigned places = bit(state_, at.sent(vc), node, port);
  if (config_.router.stages > 1) places += bit(state_, at.sent_before(vc), node, port);
  return places;
}

/// Control VCs follow the data VCs, and have no rows. The pointer is at them when it has passed the
/// others.
Vc PlaneNetwork::in_pointer(NodeId node, Port port, int row) const {
  const int data = config_.router.input_data_vcs(port);
  int before = 0;
  const int distance = state_.layout.of_vc(1);
  for (int v = 0; v < data; ++v) before += !bit(state_, row + v * distance, node, port);
  return static_cast<Vc>(before == config_.router.input_vcs(port) ? 0 : before);
}

/// Candidates are the inputs of the switch.
Port PlaneNetwork::out_pointer(NodeId node, Port port, int row) const {
  const RouterConfig& router = config_.router;
  const int dim = router.is_external(port) ? port / 2 : port - router.external_ports();
  const int candidates = router.one_port() ? 3 : router.ports();
  int before = 0;
  for (int j = 0; j < candidates; ++j) {
    const int through = router.external_ports() + dim;
    const int in = !router.one_port() ? j : j == 2 ? through : 2 * dim + j;
    before += !bit(state_, row + in, node, port);
  }
  return static_cast<Port>(before == candidates ? 0 : before);
}

/// What this cycle will decide: in a copy, as the registers are still to be seen.
PlaneState PlaneNetwork::decided() const {
  PlaneState view = state_;
  if (view_.words() == 0)
    view_.resize(rows_.words() / static_cast<std::size_t>(state_.layout.lanes()),
                 state_.layout.lanes());
  view.rows = view_.data();
  if (std::exchange(view_is_current_, true)) return view;
  std::memcpy(view.rows, rows_.data(), rows_.words() * sizeof(std::uint64_t));
  kernel_->decide(view);
  return view;
}

void PlaneNetwork::state(NodeId node, RouterState& state) const {
  state = {};
  registers(node, ~0u, state);
  add_grants(decided(), node, state);
}

void PlaneNetwork::add_grants(const PlaneState& s, NodeId node, RouterState& state) const {
  for (Port in = 0; in < s.ports; ++in) {
    for (Vc v = 0; v < config_.router.input_data_vcs(in); ++v) {
      if (s.layout.pipelined && config_.router.stages == 4 &&
          bit(s, s.layout.allotted(v), node, in)) {
        const auto out = static_cast<Port>(s.front[s.slot(node, in, v)].output());
        Vc w = 0;
        while (!bit(s, s.layout.given(w), node, out)) ++w;
        state.va_grant[out] = {true, in, v, w};
      }
      if (!bit(s, s.layout.granted(v), node, in)) continue;
      const std::size_t slot = s.slot(node, in, v);
      const bool active = bit(s, s.layout.active(v), node, in);
      const auto out = static_cast<Port>(active ? s.way[slot] >> 3 : s.front[slot].output());
      Vc w = 0;
      while (!bit(s, s.layout.sent(w), node, out)) ++w;
      state.grant[out] = {true, in, v, w};
    }
  }
}

void PlaneNetwork::report_sent(Cycle now, FabricObserver& observer) {
  for (const SentFlit& sent : sent_next_) {
    observer.moved(now, sent.node, sent.in, sent.in_vc, sent.out, sent.flit);
  }
  sent_next_.clear();
}

void PlaneNetwork::report(Cycle now, FabricObserver& observer) {
  const PlaneLayout& at = state_.layout;
  const PlaneState decided = this->decided();
  for (std::uint32_t k = 0; k < state_.words; ++k) {
    if ((state_.busy[k / 64] >> k % 64 & 1) == 0) continue;
    std::uint64_t holding = 0;
    for (int v = 0; v < state_.vcs; ++v) {
      for (int p = 0; p < state_.ports; ++p) holding |= state_.lane(k, at.occupied(v, 0), p);
    }
    if (state_.abroad != nullptr) holding &= ~state_.abroad[k];
    for (; holding != 0; holding &= holding - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(holding));
      report_router(now, k * kPlaneRouters + bit, decided, observer);
    }
  }
}

void PlaneNetwork::report_router(Cycle now, NodeId node, const PlaneState& decided,
                                 FabricObserver& observer) {
  RouterState state;
  registers(node, ~0u, state);
  add_grants(decided, node, state);
  report_blocked(state, config_, config_.address(node), node, now, observer);
  report_grants(state, config_.router, node, now, observer);
  for (Port out = 0; out < state_.ports; ++out) {
    const Grant& grant = state.grant[out];
    if (!grant.valid) continue;
    Flit flit = state.input[grant.in_port][grant.in_vc].front;
    flit.vc = grant.out_vc;
    if (config_.router.stages > 1) {
      sent_next_.push_back({node, grant.in_port, grant.in_vc, out, flit});
    } else {
      observer.moved(now, node, grant.in_port, grant.in_vc, out, flit);
    }
  }
}

// Only heads have a place for each packet, so the flits in front of a flit are counted: those that
// were injected, or came from another process, less those that are here and on the path to here.
Flit PlaneNetwork::front_flit(NodeId node, Port port, Vc vc) const {
  const std::uint32_t k = index_of_front(node, port, vc);
  const std::uint32_t packet = state_.front[state_.slot(node, port, vc)].handle();
  return {.data = state_.terminals->data(packet, k),
          .vc = vc,
          .head = k == 0,
          .tail = bit(state_, state_.layout.tail(vc, 0), node, port)};
}

/// The flits of the packet at the front of a FIFO, here and on the channel to here. `tail`: the
/// last of them is its tail.
unsigned PlaneNetwork::flits_of_front(NodeId node, Port port, Vc vc, bool& tail) const {
  unsigned flits = 0;
  tail = false;
  while (!tail && flits < static_cast<unsigned>(state_.depth) &&
         bit(state_, state_.layout.occupied(vc, static_cast<int>(flits)), node, port)) {
    tail = bit(state_, state_.layout.tail(vc, static_cast<int>(flits)), node, port);
    ++flits;
  }
  if (!state_.layout.pipelined) return flits;
  for (unsigned i = 0; !tail && i < kPlaneFlight; ++i) {
    const unsigned at = (state_.now + i) % kPlaneFlight;
    if (!bit(state_, state_.layout.landing(vc, at), node, port)) continue;
    tail = bit(state_, state_.layout.landing_tail(at), node, port);
    ++flits;
  }
  return flits;
}

std::uint32_t PlaneNetwork::index_of_front(NodeId node, Port port, Vc vc) const {
  const PlaneState& s = state_;
  if (!bit(s, s.layout.active(vc), node, port)) return 0;
  const std::uint32_t packet = s.front[s.slot(node, port, vc)].handle();
  bool tail = false;
  std::uint32_t behind = flits_of_front(node, port, vc, tail);
  while (!tail) {
    const std::optional<SwitchEnd> sender = sender_of(config_, config_.address(node), port);
    if (!sender) break;
    const NodeId from = config_.id(sender->address);
    if (cut_ && !cut_->has(from)) return cut_->flits_come(node, port, vc) - behind;
    node = from;
    const auto way = static_cast<std::uint8_t>(sender->port << 3 | vc);
    const auto is_sender = [&](Port in, Vc v) {
      return bit(s, s.layout.active(v), node, in) && s.way[s.slot(node, in, v)] == way;
    };
    Port in = 0;
    Vc v = 0;
    while (!is_sender(in, v)) {
      if (++v < s.vcs) continue;
      v = 0;
      if (++in == s.ports) throw std::logic_error("planes: a packet without its other flits");
    }
    port = in;
    vc = v;
    behind += flits_of_front(node, port, vc, tail);
  }
  if (!tail) behind += bit(s, s.layout.arriving(vc), node, port);
  return s.terminals->injected(packet) - behind;
}

}  // namespace annelid::systemc
