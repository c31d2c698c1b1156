#include "systemc/planes/plane_network.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "systemc/network/route.hpp"
#include "systemc/network/vc_selection.hpp"

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

/// The VCs that a kernel must have. Control VCs stay empty, as terminals send no control packets.
/// But with them the pointer of an input with one data VC moves, which a kernel of one VC omits.
int vcs_of(const RouterConfig& router) {
  const int data = std::max(router.vcs, router.local_vcs);
  return router.control_vc ? std::max(data, 2) : data;
}

bool is_pipelined(const RouterConfig& router) {
  return router.stages > 1 || router.link_registers > 0;
}

/// Kernels for more than 8 ports have one stage, and neither link registers nor many VCs: each
/// takes long to compile.
int most_ports(const RouterConfig& router) {
  return is_pipelined(router) || vcs_of(router) > 4 ? 8 : 12;
}

bool serves(const PlaneLayout& layout, const RouterConfig& router) {
  const bool one_port = router.one_port() && router.dims > 1;
  return layout.one_port() == one_port && layout.ports >= router.ports() &&
         layout.depth >= router.depth && layout.vcs >= vcs_of(router) &&
         (layout.classes > 1) == router.has_rings() && layout.pipelined == is_pipelined(router);
}

/// The smallest that serves the routers.
const PlaneKernel& kernel_for(const RouterConfig& router, PlaneBackend backend) {
  const PlaneKernels kernels = kernels_of(backend);
  const PlaneKernel* best = nullptr;
  for (const PlaneKernel* each = kernels.first; each != kernels.first + kernels.count; ++each) {
    if (!serves(each->layout, router)) continue;
    if (best == nullptr || each->layout.words() < best->layout.words()) best = each;
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
  const auto serves = []<class Unit>(Unit) { return Unit::kPlanes; };
  return !config.ideal && (!router.one_port() || router.dims <= 2) &&
         (!router.has_rings() || router.ring_classes() > 1) &&
         RoutingFunctions::with(router.routing, serves) &&
         Arbiters::with(router.arbiters, serves) &&
         VcSelections::with(router.vc_selection, serves) && router.ports() <= most_ports(router) &&
         router.depth <= (is_pipelined(router) ? 16 : 8);
}

PlaneNetwork::PlaneNetwork(const NetworkConfig& config, PlaneBackend backend,
                           PlaneTerminals& terminals, Cut* cut)
    : PlaneInputs(config), kernel_(&kernel_for(config.router, backend)) {
  const RouterConfig& router = config.router;
  const auto nodes = std::size_t{config.nodes()};
  PlaneState& s = state_;
  s.layout = kernel_->layout;
  s.word_size = static_cast<std::size_t>(s.layout.words());
  s.words = static_cast<std::uint32_t>((nodes + kPlaneRouters - 1) / kPlaneRouters);
  s.ports = router.ports();
  s.injection = router.injection_input(0);
  s.ejection = router.ejection_output(0);
  s.local_ports = router.local_ports;
  s.depth = router.depth;
  s.vcs = std::max(router.vcs, router.local_vcs);
  s.rotating = router.vc_selection == RotatingVc::kKind;
  s.terminals = &terminals;
  make_tables();
  make_rows();

  const std::size_t slots = s.words * std::size_t{kPlaneRouters} *
                            static_cast<std::size_t>(s.layout.ports * s.layout.vcs);
  s.front = front_.resize(slots);
  s.ring = ring_.resize(slots * static_cast<std::size_t>(s.layout.depth));
  for (auto* bytes : {&ring_first_, &ring_end_, &way_}) bytes->resize(slots);
  for (auto* set : {&busy_, &touched_}) set->resize((s.words + 63) / 64);
  used_.assign(s.words, 1);
  const std::size_t heads = nodes * static_cast<std::size_t>(s.ports + s.local_ports);
  s.flying = flying_.resize(s.layout.pipelined ? kPlaneFlight * heads : heads);
  if (s.layout.pipelined) make_pipeline(heads);
  s.ring_first = ring_first_.data();
  s.ring_end = ring_end_.data();
  s.way = way_.data();
  s.used = used_.data();
  s.busy = busy_.data();
  s.touched = touched_.data();
  if (cut != nullptr) cut_ = std::make_unique<PlaneCut>(*cut, s);
}

void PlaneNetwork::make_pipeline(std::size_t heads) {
  PlaneState& s = state_;
  const RouterConfig& router = config_.router;
  s.stages = router.stages;
  s.inner_delay = router.stages > 1 ? 1 : 0;
  s.delay = s.inner_delay + static_cast<unsigned>(router.link_registers);
  for (unsigned at = 0; at < kPlaneFlight; ++at) s.flights[at] = flying_.data() + at * heads;
  awake_.resize(s.words);
  s.awake = awake_.data();
  ejections_.resize(config_.nodes() * static_cast<std::size_t>(s.local_ports));
  s.ejections = ejections_.data();
  const int row_size = s.layout.lanes();
  std::uint64_t* const lanes = pipeline_.resize(3, row_size);
  for (int in = 0; in < s.ports; ++in) {
    const int row = router.is_external(in) ? 0 : router.is_injection(in) ? 2 : 1;
    lanes[row * row_size + in] = kAll;
  }
  s.from_outside = lanes;
  s.from_inside = lanes + row_size;
  s.from_source = s.from_inside + row_size;
}

std::uint64_t* PlaneNetwork::Rows::resize(std::size_t rows, int lanes) {
  constexpr std::size_t kWords = 8, kAlignment = kWords * sizeof(std::uint64_t);  // of a vector
  words_ = rows * static_cast<std::size_t>(lanes);
  storage_.assign(words_ + kWords, 0);
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
  const auto vcs = static_cast<std::size_t>(s.layout.vcs * s.layout.classes);
  const int lanes = s.layout.lanes();
  std::uint64_t* const steps = tables_.resize(5 + vcs, lanes);
  std::uint64_t *const own = steps + lanes, *const own_credits = own + lanes,
                       *const local = own_credits + lanes, *const around = local + lanes;
  std::int32_t stride = 1;
  for (int d = 0; d < router.dims; ++d) {
    const std::int32_t length = stride * (config_.size_of(d) - 1);
    for (const int port : {2 * d, 2 * d + 1}) {
      s.neighbour[port] = port % 2 == 0 ? stride : -stride;
      s.other_end[port] = port % 2 == 0 ? -length : length;
      eject_[port] = router.ejection_output(opposite(static_cast<Port>(port)) % router.local_ports);
      if (length < kPlaneRouters) around[port] = static_cast<std::uint64_t>(length);
      if (stride >= kPlaneRouters) continue;
      steps[port] = static_cast<std::uint64_t>(stride);
      own[port] = own_credits[port] = kAll;
    }
    stride *= config_.size_of(d);
  }
  for (int port = 0; port < s.ports; ++port) {
    if (router.is_external(port)) continue;
    if (router.is_ejection(port)) local[port] = kAll;
    if (!router.is_injection(port)) own[port] = kAll;         // from a switch of this router
    if (!router.is_ejection(port)) own_credits[port] = kAll;  // to one
  }
  s.steps = steps;
  s.own = own;
  s.own_credits = own_credits;
  s.local = local;
  s.around = around;
  s.open = around + lanes;
  make_open(around + lanes);
  for (NodeId node = 0; node < config_.nodes(); ++node) {
    address_.push_back(pack(config_.address(node)));
  }
  make_links();
}

/// Control VCs are not among them.
void PlaneNetwork::make_open(std::uint64_t* open) const {
  const RouterConfig& router = config_.router;
  const PlaneLayout& at = state_.layout;
  for (int port = 0; port < state_.ports; ++port) {
    const bool divided = router.classes_of(port) > 1;
    for (int c = 0; c < (at.classes > 1 ? router.ring_classes() : 1); ++c) {
      const VcRange vcs =
          divided ? vcs_of_class(router, c) : VcRange{0, router.output_data_vcs(port)};
      for (int w = vcs.first; w < vcs.first + vcs.count; ++w) {
        open[(c * at.vcs + w) * at.lanes() + port] = kAll;
      }
    }
  }
}

/// The links to other words and, with rings, those that close a ring.
void PlaneNetwork::make_links() {
  PlaneState& s = state_;
  std::map<std::tuple<int, std::int32_t, int>, std::vector<std::uint64_t>> far;
  rims_.resize(s.layout.classes > 1 ? s.words : 0);
  for (NodeId node = 0; node < config_.nodes(); ++node) {
    const std::uint32_t k = node / kPlaneRouters;
    const std::uint64_t bit = std::uint64_t{1} << node % kPlaneRouters;
    for (Port port = 0; port < s.ejection; ++port) {
      const std::optional<SwitchEnd> next = receiver_of(config_, config_.address(node), port);
      if (!next) continue;
      const NodeId there = config_.id(next->address);
      const auto distance = static_cast<std::int32_t>(there - node);
      const auto words = static_cast<std::int32_t>(there / kPlaneRouters - k);
      const bool closes = config_.router.is_external(port) && distance != s.neighbour[port];
      if (!rims_.empty()) {
        if (closes) rims_[k].closes[port] |= bit;
        if (words == 0) (closes ? rims_[k].around : rims_[k].next)[port] |= bit;
      }
      if (words == 0) continue;
      auto& routers = far[{port, words, distance - words * kPlaneRouters}];
      routers.resize(s.words);
      routers[k] |= bit;
    }
  }
  for (PlaneRim& rim : rims_) {  // an internal channel serves both its ends
    for (Port in = 0; in < s.ports; ++in) {
      if (!config_.router.is_external(in) && !config_.router.is_injection(in)) rim.next[in] = kAll;
    }
  }
  for (const auto& [link, routers] : far) {
    const auto [port, words, shift] = link;
    s.far_links[s.far_link_count++] = {port, words, shift};
    far_routers_.insert(far_routers_.end(), routers.begin(), routers.end());
  }
  s.rims = rims_.data();
  s.far_routers = far_routers_.data();
}

/// The reset values of section 4.
void PlaneNetwork::make_rows() {
  PlaneState& s = state_;
  const PlaneLayout& at = s.layout;
  s.rows = rows_.resize(std::size_t{s.words} * static_cast<std::size_t>(at.rows()), at.lanes());
  for (std::uint32_t k = 0; k < s.words; ++k) {
    for (int port = 0; port < at.lanes(); ++port) {
      for (int v = 0; v < at.vcs; ++v) {
        s.lane(k, at.in_pointer(v), port) = kAll;
        s.lane(k, at.out_vc(v, 0), port) = kAll;
        if (at.pipelined) s.lane(k, at.va_in_pointer(v), port) = kAll;
      }
      for (int w = 0; w < at.vcs && at.vcs > 1; ++w) s.lane(k, at.vc_pointer(w), port) = kAll;
      for (int i = 0; i < at.ports; ++i) {
        s.lane(k, at.out_pointer(i), port) = kAll;
        if (at.pipelined) s.lane(k, at.va_out_pointer(i), port) = kAll;
      }
    }
  }
}

std::size_t PlaneNetwork::hot_bytes() const {
  const PlaneState& s = state_;
  const auto slots = static_cast<std::size_t>(s.layout.ports * s.layout.vcs);
  return static_cast<std::size_t>(s.layout.words()) * sizeof(std::uint64_t) / kPlaneRouters +
         slots * ((static_cast<std::size_t>(s.layout.depth) + 1) * sizeof(PlanePacket) + 3);
}

// ---- Packets ------------------------------------------------------------------------------------

PlaneInputs::PlaneInputs(const NetworkConfig& config)
    : config_(config),
      legs_per_packet_(static_cast<std::size_t>(plane_legs(config.router.has_rings()))),
      only_hops_(!config.router.has_rings() && !config.router.one_port() &&
                 config.router.routing == PlainRouters::Routing::kKind) {}

void PlaneInputs::add_legs() {
  legs_.resize(std::max(64 * legs_per_packet_, 2 * legs_.size()));
  state_.legs = legs_.data();
}

void PlaneInputs::plan_any(std::uint32_t from, std::uint32_t to, PlaneLeg* leg) const {
  const RouterConfig& router = config_.router;
  int out = 0;
  int through = router.external_ports();  // of the switch that it is in
  const auto go_through = [&](int end) {
    if (!router.one_port()) return;
    for (; through < end; ++through) *leg++ = plane_leg(through, 1);
  };
  RoutingFunctions::with(router.routing, [&]<class Function>(Function) {
    Function::each_leg(from, to, [&](int d, int here, int there) {
      go_through(router.external_ports() + d);
      const int distance = signed_distance(here, there, config_.size_of(d), config_.is_ring(d));
      out = 2 * d + (distance < 0 ? 1 : 0);
      leg = plan_hops(out, distance, here, there, leg);
    });
  });
  go_through(router.ports() - 1);
  *leg = plane_leg(eject_[out], 1);
}

/// The legs along a dimension. In a ring, a packet changes its class behind the link that closes
/// the ring.
PlaneLeg* PlaneInputs::plan_hops(int out, int distance, int from, int to, PlaneLeg* leg) const {
  const int dim = out / 2, last = config_.size_of(dim) - 1;
  const bool up = distance > 0;
  int hops = up ? distance : -distance;
  if (!config_.is_ring(dim)) {
    *leg++ = plane_leg(out, hops);
    return leg;
  }
  const auto add = [&](int here, int length) {
    const unsigned vc_class = class_in_ring(config_.router.classes, up, here, from, to);
    *leg++ = plane_leg(out, length, static_cast<int>(vc_class));
    hops -= length;
  };
  const int to_other_end = 1 + (up ? last - from : from);
  int here = from;
  if (hops >= to_other_end) {
    add(here, to_other_end);
    here = up ? 0 : last;
  }
  if (hops > 0) add(here, hops);
  return leg;
}

PlaneInput PlaneInputs::input(std::uint32_t word, int local, int vc) const {
  const PlaneLayout& at = state_.layout;
  const int port = state_.injection + local;
  std::uint64_t* const lane = state_.word(word) + port;
  return {.full = lane + at.full(vc, state_.depth) * at.lanes(),
          .flits = lane + at.arriving(vc) * at.lanes(),
          .tails = lane + at.arriving_tail() * at.lanes(),
          .first = {static_cast<std::uint32_t>(state_.slot(word * kPlaneRouters, port, vc)),
                    static_cast<std::uint32_t>(state_.input(word, port, vc)),
                    {}}};
}

// ---- A cycle ------------------------------------------------------------------------------------

PlaneNetwork::Happened PlaneNetwork::step(Cycle now, FabricObserver* observer) {
  const std::uint64_t entered = state_.entered, moved = state_.moved, ejected = state_.ejected;
  state_.terminals->inject(now);
  if (observer != nullptr) report(now, *observer);
  view_is_current_ = false;
  kernel_->step(state_);
  if (cut_) cut_->end_cycle(now);
  return {state_.entered - entered, state_.moved - moved, state_.ejected - ejected};
}

Cycle PlaneNetwork::come(Cycle now) {
  view_is_current_ = false;
  return cut_->come(now, [this](std::uint32_t packet, NodeId source, NodeId destination) {
    (void)plan(packet, source, destination);
  });
}

// ---- Channels -----------------------------------------------------------------------------------

void PlaneNetwork::count_flits() {
  state_.counters =
      counters_.resize(std::size_t{state_.words} * 2 * kPlaneCounterBits, state_.layout.lanes());
  counted_.assign(state_.words, 0);
  state_.counted = counted_.data();
}

std::uint64_t PlaneNetwork::flits_by(NodeId node, Port out) const {
  std::uint64_t flits = 0;
  if (state_.counters == nullptr) return 0;
  const std::uint32_t k = node / kPlaneRouters;
  const auto lanes = static_cast<std::size_t>(state_.layout.lanes());
  const std::uint64_t* digit = state_.counters + k * 2 * kPlaneCounterBits * lanes + out;
  const auto bit_of = [&](std::uint64_t word) { return word >> node % kPlaneRouters & 1; };
  for (int d = 0; d < kPlaneCounterBits; ++d, digit += 2 * lanes) {
    flits += bit_of(digit[0]) << d;
    if ((state_.counted[k] >> d & 1) != 0) flits += bit_of(digit[lanes]) << d;
  }
  return flits;
}

}  // namespace annelid::systemc
