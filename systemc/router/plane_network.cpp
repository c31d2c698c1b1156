#include "systemc/router/plane_network.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>
#include <stdexcept>
#include <utility>

#include "systemc/network/route.hpp"
#include "systemc/router/node_router.hpp"

namespace annelid::systemc {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

PlaneKernels kernels_of(PlaneBackend backend) {
  switch (backend) {
    case PlaneBackend::kAvx512:
      return planes_avx512::kernels();
    case PlaneBackend::kAvx2:
      return planes_avx2::kernels();
    case PlaneBackend::kBaseline:
      return planes_baseline::kernels();
    default:
      for (const PlaneBackend each : {PlaneBackend::kAvx512, PlaneBackend::kAvx2}) {
        const PlaneKernels kernels = kernels_of(each);
        if (kernels.count > 0) return kernels;
      }
      return planes_baseline::kernels();
  }
}

/// The smallest that serves the routers.
const PlaneKernel& kernel_for(const RouterConfig& router, PlaneBackend backend) {
  const PlaneKernels kernels = kernels_of(backend);
  const PlaneKernel* best = nullptr;
  for (const PlaneKernel* each = kernels.first; each != kernels.first + kernels.count; ++each) {
    const PlaneLayout& layout = each->layout;
    if (layout.ports < router.ports() || layout.depth < router.depth ||
        layout.vcs < std::max(router.vcs, router.local_vcs)) {
      continue;
    }
    if (best == nullptr || layout.rows() < best->layout.rows()) best = each;
  }
  if (best == nullptr) throw std::logic_error("no kernel of planes serves these routers");
  return *best;
}

}  // namespace

std::string_view name_of(PlaneBackend backend) {
  const PlaneKernels kernels = kernels_of(backend);
  return kernels.count == 0 ? "" : kernels.first->backend;
}

bool PlaneNetwork::covers(const NetworkConfig& config) {
  const RouterConfig& router = config.router;
  return !config.ideal && !router.control_vc && !router.one_port() && !router.has_rings() &&
         router.stages == 1 && router.link_registers == 0 &&
         router.arbiters == ArbiterKind::kRoundRobin && router.ports() <= kPlaneLanes &&
         router.depth <= 8;
}

PlaneNetwork::PlaneNetwork(const NetworkConfig& config, PlaneBackend backend,
                           PlaneTerminals& terminals)
    : config_(config), kernel_(&kernel_for(config.router, backend)) {
  const RouterConfig& router = config.router;
  const auto nodes = std::size_t{config.nodes()};
  PlaneState& s = state_;
  s.layout = kernel_->layout;
  s.word_size = static_cast<std::size_t>(s.layout.rows() * kPlaneLanes);
  s.words = static_cast<std::uint32_t>((nodes + kPlaneRouters - 1) / kPlaneRouters);
  s.ports = router.ports();
  s.external = router.external_ports();
  s.local_ports = router.local_ports;
  s.depth = router.depth;
  s.vcs = std::max(router.vcs, router.local_vcs);
  s.terminals = &terminals;
  full_ = s.layout.full(0);
  arriving_ = s.layout.arriving(0);
  arriving_tail_ = s.layout.arriving_tail();
  make_tables();
  make_rows();

  const std::size_t slots = s.words * std::size_t{kPlaneRouters} *
                            static_cast<std::size_t>(s.layout.ports * s.layout.vcs);
  front_.resize(slots);
  ring_.resize(slots * static_cast<std::size_t>(s.layout.depth));
  for (auto* bytes : {&ring_first_, &ring_end_, &way_}) bytes->resize(slots);
  for (auto* set : {&busy_, &touched_}) set->resize((s.words + 63) / 64);
  flying_.resize(nodes * static_cast<std::size_t>(s.ports + s.local_ports));
  s.front = front_.data();
  s.ring = ring_.data();
  s.ring_first = ring_first_.data();
  s.ring_end = ring_end_.data();
  s.way = way_.data();
  s.busy = busy_.data();
  s.touched = touched_.data();
  s.flying = flying_.data();
}

std::uint64_t* PlaneNetwork::Rows::resize(std::size_t rows) {
  constexpr std::size_t kAlignment = kPlaneLanes * sizeof(std::uint64_t);
  words_ = rows * kPlaneLanes;
  storage_.assign(words_ + kPlaneLanes, 0);
  void* at = storage_.data();
  std::size_t space = storage_.size() * sizeof(std::uint64_t);
  first_ = static_cast<std::uint64_t*>(
      std::align(kAlignment, words_ * sizeof(std::uint64_t), at, space));
  return first_;
}

/// The geometry: where neighbours stand, and which ports there are.
void PlaneNetwork::make_tables() {
  PlaneState& s = state_;
  const RouterConfig& router = config_.router;
  std::uint64_t* const steps = tables_.resize(3 + static_cast<std::size_t>(s.layout.vcs));
  std::uint64_t *const own = steps + kPlaneLanes, *const local = own + kPlaneLanes,
                       *const open = local + kPlaneLanes;
  std::int32_t stride = 1;
  for (int d = 0; d < router.dims; ++d) {
    for (const int port : {2 * d, 2 * d + 1}) {
      s.neighbour[port] = port % 2 == 0 ? stride : -stride;
      if (stride >= kPlaneRouters) continue;
      steps[port] = static_cast<std::uint64_t>(stride);
      own[port] = kAll;
    }
    stride *= config_.size_of(d);
  }
  for (int port = 0; port < s.ports; ++port) {
    if (!router.is_external(port)) local[port] = kAll;
    for (int w = 0; w < router.output_vcs(port); ++w) open[w * kPlaneLanes + port] = kAll;
    s.eject[port] =
        static_cast<Port>(router.is_external(port) ? s.external + port % router.local_ports : port);
  }
  s.steps = steps;
  s.own = own;
  s.local = local;
  s.open = open;

  std::set<std::pair<int, std::int32_t>> far;  // output, words further on
  for (NodeId node = 0; node < config_.nodes(); ++node) {
    address_.push_back(pack(config_.address(node)));
    for (Port port = 0; port < s.external; ++port) {
      const Neighbour next = neighbour(config_, config_.address(node), port);
      if (!next.exists) continue;
      const auto words = static_cast<std::int32_t>(config_.id(next.address) / kPlaneRouters) -
                         static_cast<std::int32_t>(node / kPlaneRouters);
      if (words != 0) far.insert({port, words});
    }
  }
  for (const auto& [port, words] : far) {
    s.far_links[s.far_link_count++] = {port, words, s.neighbour[port] - words * kPlaneRouters};
  }
  s.address = address_.data();
}

/// The reset values of section 4.
void PlaneNetwork::make_rows() {
  PlaneState& s = state_;
  const PlaneLayout& at = s.layout;
  s.rows = rows_.resize(std::size_t{s.words} * static_cast<std::size_t>(at.rows()));
  for (std::uint32_t k = 0; k < s.words; ++k) {
    for (int port = 0; port < kPlaneLanes; ++port) {
      for (int v = 0; v < at.vcs; ++v) {
        s.lane(k, at.in_pointer(v), port) = kAll;
        s.lane(k, at.out_vc(v, 0), port) = kAll;
      }
      for (int i = 0; i < at.ports; ++i) s.lane(k, at.out_pointer(i), port) = kAll;
    }
  }
}

std::size_t PlaneNetwork::hot_bytes() const {
  const PlaneState& s = state_;
  const auto slots = static_cast<std::size_t>(s.layout.ports * s.layout.vcs);
  return static_cast<std::size_t>(s.layout.rows()) * sizeof(std::uint64_t) * kPlaneLanes /
             kPlaneRouters +
         slots * ((static_cast<std::size_t>(s.layout.depth) + 1) * sizeof(PlanePacket) + 3) +
         sizeof(std::uint32_t);
}

// ---- A cycle ------------------------------------------------------------------------------------

PlaneNetwork::Happened PlaneNetwork::step(Cycle now, FabricObserver* observer) {
  const std::uint64_t moved = state_.moved, ejected = state_.ejected;
  state_.terminals->inject(now);
  if (observer != nullptr) report(now, *observer);
  view_is_current_ = false;
  kernel_->step(state_);
  return {std::exchange(entered_, 0), state_.moved - moved, state_.ejected - ejected};
}

// ---- What an observer sees ----------------------------------------------------------------------

unsigned PlaneNetwork::flits_in(NodeId node, Port port, Vc vc) const {
  unsigned flits = 0;
  for (int k = 0; k < state_.depth; ++k)
    flits += bit(state_, state_.layout.occupied(vc, k), node, port);
  return flits;
}

void PlaneNetwork::registers(NodeId node, unsigned ports, RouterState& state) const {
  const PlaneState& s = state_;
  const RouterConfig& router = config_.router;
  const auto pointer = [&](int first_row, int port, int candidates) {
    int before = 0;
    for (int j = 0; j < candidates; ++j) before += !bit(s, first_row + j, node, port);
    return before == candidates ? 0 : before;
  };
  for (Port p = 0; p < s.ports; ++p) {
    if ((ports >> p & 1) == 0) continue;
    for (Vc v = 0; v < router.input_vcs(p); ++v) {
      const std::uint8_t way = s.way[s.slot(node, p, v)];
      InputVcState& input = state.input[p][v];
      input.count = static_cast<std::uint8_t>(flits_in(node, p, v));
      input.front = input.count > 0 ? front_flit(node, p, v) : Flit{};
      input.routed = false;
      input.active = bit(s, s.layout.active(v), node, p);
      input.out_port = way >> 3;
      input.out_vc = way & 7;
    }
    const std::optional<SwitchEnd> next = receiver_of(config_, config_.address(node), p);
    for (Vc w = 0; w < router.output_vcs(p); ++w) {
      unsigned used = 0;
      if (next) used = flits_in(config_.id(next->address), next->port, w);
      if (router.is_ejection(p)) used = bit(s, s.layout.sent(w), node, p);
      state.output[p][w] = {static_cast<std::uint8_t>(static_cast<unsigned>(s.depth) - used),
                            bit(s, s.layout.owned(w), node, p)};
    }
    state.in_pointer[p] = static_cast<Vc>(pointer(s.layout.in_pointer(0), p, router.input_vcs(p)));
    state.out_pointer[p] = static_cast<Port>(pointer(s.layout.out_pointer(0), p, s.ports));
  }
}

/// What this cycle will decide: in a copy, as the registers are still to be seen.
PlaneState PlaneNetwork::decided() const {
  PlaneState view = state_;
  if (view_.words() == 0) view_.resize(rows_.words() / kPlaneLanes);
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
    for (Vc v = 0; v < config_.router.input_vcs(in); ++v) {
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

void PlaneNetwork::report(Cycle now, FabricObserver& observer) const {
  const PlaneLayout& at = state_.layout;
  const PlaneState decided = this->decided();
  for (std::uint32_t k = 0; k < state_.words; ++k) {
    if ((state_.busy[k / 64] >> k % 64 & 1) == 0) continue;
    std::uint64_t holding = 0;
    for (int v = 0; v < state_.vcs; ++v) {
      for (int p = 0; p < state_.ports; ++p) holding |= state_.lane(k, at.occupied(v, 0), p);
    }
    for (; holding != 0; holding &= holding - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(holding));
      report_router(now, k * kPlaneRouters + bit, decided, observer);
    }
  }
}

void PlaneNetwork::report_router(Cycle now, NodeId node, const PlaneState& decided,
                                 FabricObserver& observer) const {
  RouterState state;
  registers(node, ~0u, state);
  add_grants(decided, node, state);
  report_blocked(state, config_, config_.address(node), node, now, observer);
  for (Port out = 0; out < state_.ports; ++out) {
    const Grant& grant = state.grant[out];
    if (!grant.valid) continue;
    Flit flit = state.input[grant.in_port][grant.in_vc].front;
    flit.vc = grant.out_vc;
    observer.moved(now, node, grant.in_port, grant.in_vc, out, flit);
  }
}

// Only heads have a place for each packet, so the flits in front of a flit are counted: those that
// were injected less those that are here and on the path to here.
Flit PlaneNetwork::front_flit(NodeId node, Port port, Vc vc) const {
  const std::uint32_t k = index_of_front(node, port, vc);
  const std::uint32_t packet = state_.front[state_.slot(node, port, vc)].handle();
  return {.data = state_.terminals->data(packet, k),
          .vc = vc,
          .head = k == 0,
          .tail = bit(state_, state_.layout.tail(vc, 0), node, port)};
}

/// The flits of the packet at the front of a FIFO; `tail`: the last of them is its tail.
unsigned PlaneNetwork::flits_of_front(NodeId node, Port port, Vc vc, bool& tail) const {
  unsigned flits = 0;
  tail = false;
  while (!tail && flits < static_cast<unsigned>(state_.depth) &&
         bit(state_, state_.layout.occupied(vc, static_cast<int>(flits)), node, port)) {
    tail = bit(state_, state_.layout.tail(vc, static_cast<int>(flits)), node, port);
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
  while (!tail && config_.router.is_external(port)) {
    const Port out = opposite(port);
    node += static_cast<NodeId>(s.neighbour[port]);
    const auto way = static_cast<std::uint8_t>(out << 3 | vc);
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

// ---- Channels -----------------------------------------------------------------------------------

void PlaneNetwork::count_flits() {
  state_.counters = counters_.resize(std::size_t{state_.words} * 2 * kPlaneCounterBits);
  counted_.assign(state_.words, 0);
  state_.counted = counted_.data();
}

std::uint64_t PlaneNetwork::flits_by(NodeId node, Port out) const {
  std::uint64_t flits = 0;
  if (state_.counters == nullptr) return 0;
  const std::uint32_t k = node / kPlaneRouters;
  const std::uint64_t* digit =
      state_.counters + std::size_t{k} * 2 * kPlaneCounterBits * kPlaneLanes + out;
  const auto bit_of = [&](std::uint64_t word) { return word >> node % kPlaneRouters & 1; };
  for (int d = 0; d < kPlaneCounterBits; ++d, digit += 2 * kPlaneLanes) {
    flits += bit_of(digit[0]) << d;
    if ((state_.counted[k] >> d & 1) != 0) flits += bit_of(digit[kPlaneLanes]) << d;
  }
  return flits;
}

}  // namespace annelid::systemc
