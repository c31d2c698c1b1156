#include "systemc/analysis/packet_tracker.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

/// The injection channel of an event.
template <typename Event>
std::pair<NodeId, Port> channel_of(const Event& e) {
  return {e.node, e.local};
}

/// Routers and NICs report in the order of their nodes already, unless they are stepped in reverse.
template <typename Event, typename Place>
void sort_by(std::vector<Event>& events, Place place) {
  if (!std::ranges::is_sorted(events, {}, place)) std::ranges::sort(events, {}, place);
}

}  // namespace

BlockedCycles& BlockedCycles::operator+=(const BlockedCycles& other) {
  same_step += other.same_step;
  same_step_ejection += other.same_step_ejection;
  other_step += other.other_step;
  other_call += other.other_call;
  control += other.control;
  back_pressure += other.back_pressure;
  return *this;
}

PacketTracker::PacketTracker(const NetworkConfig& config)
    : config_(config),
      ports_(static_cast<std::size_t>(config.router.ports())),
      vcs_(static_cast<std::size_t>(config.router.max_vcs())) {
  const std::size_t ports = config.nodes() * ports_;
  inputs_.resize(ports * vcs_);
  outputs_.resize(ports * vcs_);
  load_.resize(ports);
  injection_load_.resize(ports);
  crossed_.resize(ports);
  const auto make = [ports](Winners& winners) {
    winners.output.resize(ports, kNone);
    winners.input.resize(ports, kNone);
  };
  make(switch_winners_);
  if (config.router.stages == 4) make(vc_winners_);
  if (is_pipelined()) in_switch_.resize(ports, kNone);
  next_inputs_.resize(ports, kUnknown);
}

// The memory of the vectors is used again.
void PacketTracker::restart() {
  judge();
  cycle_ = 0;
  packets_.clear();
  for (InputVc& input : inputs_) {
    input.packets.clear();
    input.active = false;
  }
  std::ranges::fill(outputs_, OutputVc{});
  std::ranges::fill(load_, 0);
  std::ranges::fill(injection_load_, 0);
  for (auto& packets : crossed_) packets.clear();
  std::ranges::fill(in_switch_, kNone);
}

void PacketTracker::packet(Cycle cycle, NodeId node, Port local, const PacketInfo& info) {
  begin_event(cycle);
  packet_events_.push_back({node, local, info});
}

void PacketTracker::injected(Cycle cycle, NodeId node, Port local, const Flit& flit) {
  begin_event(cycle);
  injected_events_.push_back({node, local, flit});
}

void PacketTracker::allocated(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, Vc out_vc) {
  begin_event(cycle);
  allocated_events_.push_back({node, in, in_vc, out, out_vc});
}

void PacketTracker::granted(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out,
                            const Flit& flit) {
  begin_event(cycle);
  granted_events_.push_back({node, in, in_vc, out, flit});
}

void PacketTracker::moved(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) {
  begin_event(cycle);
  moved_events_.push_back({node, in, in_vc, out, flit});
}

void PacketTracker::all_granted(Cycle cycle, std::span<const SentFlit> flits) {
  begin_event(cycle);
  granted_events_.insert(granted_events_.end(), flits.begin(), flits.end());
}

void PacketTracker::all_moved(Cycle cycle, std::span<const SentFlit> flits) {
  begin_event(cycle);
  moved_events_.insert(moved_events_.end(), flits.begin(), flits.end());
}

void PacketTracker::blocked(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out,
                            BlockCause cause) {
  begin_event(cycle);
  if (cause == BlockCause::kNoCredit && inputs_[vc_index(node, in, in_vc)].active) {
    stopped_.push_back(front_packet(node, in, in_vc));
    return;
  }
  blocked_events_.push_back({node, in, in_vc, out, cause});
}

void PacketTracker::begin(Cycle cycle) {
  if (cycle == cycle_) return;
  judge();
  cycle_ = cycle;
}

void PacketTracker::begin_event(Cycle cycle) {
  begin(cycle);
  any_events_ = true;
}

void PacketTracker::flush() { judge(); }

void PacketTracker::fail(const char* what) {
  throw std::logic_error(std::string("PacketTracker: ") + what);
}

void PacketTracker::judge() {
  if (std::exchange(any_events_, false)) judge_events();
  times_ = 1;
}

// First all that reads the state at the start of the cycle, then what moves. The flits that move in
// a cycle are of different VCs, so their order does not matter. Then what enters. All is inlined
// here, because it runs for every flit.
[[gnu::flatten]] void PacketTracker::judge_events() {
  for (const PacketId id : stopped_) packets_[id].blocked.back_pressure += times_;
  if (!blocked_events_.empty()) judge_blocked();

  // With one stage a flit is granted and sent in one cycle, with more it is sent in the next.
  const bool pipelined = is_pipelined();
  for (const SentFlit& e : moved_events_) {
    const std::size_t out = port_index(e.node, e.out);
    load_[out] += times_;
    if (!is_body(e)) arrive(e, out, pipelined ? in_switch_[out] : send(e, out));
  }
  for (const SentFlit& e : granted_events_) {
    if (is_body(e)) continue;
    const std::size_t out = port_index(output_node(e), e.out);
    in_switch_[out] = send(e, out);
  }
  for (const AllocatedEvent& e : allocated_events_) {
    outputs_[vc_index(e.node, e.out, e.out_vc)].owner = front_packet(e.node, e.in, e.in_vc);
    inputs_[vc_index(e.node, e.in, e.in_vc)].active = true;
  }
  if (!injected_events_.empty()) enter_all();

  packet_events_.clear();
  injected_events_.clear();
  granted_events_.clear();
  allocated_events_.clear();
  moved_events_.clear();
  blocked_events_.clear();
  stopped_.clear();
}

void PacketTracker::judge_blocked() {
  const auto win = [this](Winners& winners, const auto& e, PacketId packet) {
    winners.output[port_index(output_node(e), e.out)] = packet;
    winners.input[port_index(e.node, e.in)] = packet;
  };
  for (const SentFlit& e : grants()) {
    win(switch_winners_, e, front_packet(e.node, e.in, e.in_vc));
  }
  for (const AllocatedEvent& e : allocated_events_) {
    win(vc_winners_, e, front_packet(e.node, e.in, e.in_vc));
  }
  sort_by(blocked_events_, [](const BlockedEvent& e) { return std::tuple(e.node, e.in, e.in_vc); });
  for (const BlockedEvent& e : blocked_events_) {
    blockers_.clear();
    find_blockers(e);
    count(e, packets_[front_packet(e.node, e.in, e.in_vc)]);
  }
  for (const SentFlit& e : grants()) win(switch_winners_, e, kNone);
  for (const AllocatedEvent& e : allocated_events_) win(vc_winners_, e, kNone);
}

void PacketTracker::find_blockers(const BlockedEvent& e) {
  const bool active = inputs_[vc_index(e.node, e.in, e.in_vc)].active;
  const auto add = [this](PacketId packet) {
    if (packet != kNone) blockers_.push_back(packet);
  };
  if (e.cause == BlockCause::kLostSwitch) {
    const Winners& winners = config_.router.stages == 4 && !active ? vc_winners_ : switch_winners_;
    const PacketId out = winners.output[port_index(output_node(e), e.out)];
    const PacketId in = winners.input[port_index(e.node, e.in)];
    if (out == kNone && in == kNone) return add_losers(e);
    return add(out != kNone ? out : in);
  }
  const HeadFields& head = packets_[front_packet(e.node, e.in, e.in_vc)].info.head;
  const VcRange open =
      config_.ideal ? VcRange{e.in_vc, 1}  // a lane keeps its number
                    : open_vcs(config_.router, config_.router.is_control(e.in, e.in_vc), e.out,
                               config_.address(e.node), head.source, head.destination);
  const OutputVc* output = &outputs_[vc_index(output_node(e), e.out, 0)];
  for (int w = open.first; w < open.first + open.count; ++w) {
    if (e.cause == BlockCause::kNoVc) {
      add(output[w].owner);
    } else if (output[w].owner == kNone) {
      add(output[w].last_user);
    }
  }
}

/// The others that lost at the same input.
void PacketTracker::add_losers(const BlockedEvent& e) {
  const std::pair input(e.node, e.in);
  auto other = std::ranges::lower_bound(blocked_events_, input, {}, [](const BlockedEvent& event) {
    return std::pair(event.node, event.in);
  });
  for (; other != blocked_events_.end() && std::pair(other->node, other->in) == input; ++other) {
    if (other->in_vc == e.in_vc || other->cause != BlockCause::kLostSwitch) continue;
    blockers_.push_back(front_packet(other->node, other->in, other->in_vc));
  }
}

void PacketTracker::count(const BlockedEvent& e, PacketRecord& packet) {
  bool same_step = false, other_step = false, other_call = false;
  for (const PacketId id : blockers_) {
    const PacketInfo& blocker = packets_[id].info;
    if (!blocker.control) {  // a control packet belongs to no step
      const bool message = !packet.info.control;
      const bool same_call = blocker.head.tag == packet.info.head.tag;
      (message && !same_call                         ? other_call
       : message && blocker.step == packet.info.step ? same_step
                                                     : other_step) = true;
    }
    const auto known = std::ranges::find(packet.blockers, id, &Blocker::packet);
    if (known != packet.blockers.end()) {
      known->cycles += times_;
    } else {
      packet.blockers.push_back({id, times_});
    }
  }
  BlockedCycles& blocked = packet.blocked;
  (blockers_.empty() ? blocked.back_pressure
   : same_step       ? blocked.same_step
   : other_step      ? blocked.other_step
   : other_call      ? blocked.other_call
                     : blocked.control) += times_;
  if (same_step && config_.router.is_ejection(e.out)) blocked.same_step_ejection += times_;
}

PacketTracker::InputVc& PacketTracker::next_input(const SentFlit& e, std::size_t out) {
  std::uint32_t& index = next_inputs_[out];
  if (index == kUnknown) {
    const auto next = receiver_of(config_, config_.address(e.node), e.out);
    if (!next) fail("a flit left the network");
    index = static_cast<std::uint32_t>(vc_index(config_.id(next->address), next->port, 0));
  }
  return inputs_[std::size_t{index} + e.flit.vc];
}

// A head takes the packet's number to the next input VC; its old one keeps it until the tail
// leaves. So the flits between them are only counted.
void PacketTracker::arrive(const SentFlit& e, std::size_t out, PacketId id) {
  PacketRecord& packet = packets_[id];
  if (config_.router.is_ejection(e.out)) {
    if (e.flit.head) packet.head_ejected = cycle_;
    if (e.flit.head && config_.ideal) packet.hops = 1;
    if (e.flit.tail) packet.tail_ejected = cycle_;
  } else if (e.flit.head) {
    if (config_.router.is_external(e.out)) {
      ++packet.hops;
      crossed_[out].push_back(id);
    }
    next_input(e, out).packets.push_back(id);
  }
}

/// Returns the packet.
PacketId PacketTracker::send(const SentFlit& e, std::size_t out) {
  InputVc& input = inputs_[vc_index(e.node, e.in, e.in_vc)];
  const PacketId id = front_of(input);
  outputs_[out * vcs_ + e.flit.vc] = {e.flit.tail ? kNone : id, id};
  input.active = !e.flit.tail;
  if (e.flit.tail) input.packets.erase(input.packets.begin());
  return id;
}

void PacketTracker::enter_all() {
  sort_by(packet_events_, channel_of<PacketEvent>);
  sort_by(injected_events_, channel_of<InjectedEvent>);
  for (const InjectedEvent& e : injected_events_) enter(e);
}

void PacketTracker::enter(const InjectedEvent& e) {
  const auto in = config_.router.injection_input(e.local);
  InputVc& input = inputs_[vc_index(e.node, in, e.flit.vc)];
  injection_load_[port_index(e.node, in)] += times_;
  if (e.flit.head) {
    input.packets.push_back(static_cast<PacketId>(packets_.size()));
    PacketRecord& record = packets_.emplace_back();
    record.info.head = unpack_head(e.flit.data);
    const auto known =
        std::ranges::lower_bound(packet_events_, channel_of(e), {}, channel_of<PacketEvent>);
    if (known != packet_events_.end() && channel_of(*known) == channel_of(e)) {
      record.info = known->info;
    }
    record.node = e.node;
    record.local = e.local;
    record.injected = cycle_;
  }
  packets_[input.packets.back()].flits += static_cast<std::uint32_t>(times_);
}

template <typename Wanted>
std::map<std::uint32_t, StepStatistics> PacketTracker::steps_of(Wanted wanted) const {
  std::map<std::uint32_t, StepStatistics> steps;
  for (const PacketRecord& packet : packets_) {
    if (wanted(packet.info)) steps[packet.info.step] += packet;
  }
  find_busiest(steps, wanted);
  return steps;
}

template <typename Wanted>
void PacketTracker::find_busiest(std::map<std::uint32_t, StepStatistics>& steps,
                                 Wanted wanted) const {
  std::vector<std::uint32_t> labels;  // of the messages on one channel
  for (const std::vector<PacketId>& channel : crossed_) {
    labels.clear();
    for (const PacketId id : channel) {
      if (wanted(packets_[id].info)) labels.push_back(packets_[id].info.step);
    }
    std::ranges::sort(labels);
    for (auto first = labels.begin(); first != labels.end();) {
      const auto end = std::upper_bound(first, labels.end(), *first);
      std::uint64_t& busiest = steps.at(*first).busiest;
      busiest = std::max(busiest, static_cast<std::uint64_t>(end - first));
      first = end;
    }
  }
}

std::map<std::uint32_t, StepStatistics> PacketTracker::steps() const {
  return steps_of([](const PacketInfo& info) { return !info.control; });
}

std::map<std::uint32_t, StepStatistics> PacketTracker::steps(std::uint16_t tag) const {
  return steps_of([tag](const PacketInfo& info) { return !info.control && info.head.tag == tag; });
}

StepStatistics PacketTracker::control() const {
  StepStatistics sum;
  for (const PacketRecord& packet : packets_) {
    if (packet.info.control) sum += packet;
  }
  return sum;
}

StepStatistics& StepStatistics::operator+=(const PacketRecord& packet) {
  ++messages;
  flits += packet.flits;
  hops += packet.hops;
  bytes += packet.info.bytes;
  longest = std::max<std::uint64_t>(longest, packet.info.bytes);
  first_injected = std::min(first_injected, packet.injected);
  if (packet.tail_ejected != kNever) last_ejected = std::max(last_ejected, packet.tail_ejected);
  blocked += packet.blocked;
  return *this;
}

std::uint64_t PacketTracker::channel_load(NodeId node, Port out) const {
  return load_[port_index(node, out)];
}

std::uint64_t PacketTracker::injection_load(NodeId node, Port local) const {
  return injection_load_[port_index(node, config_.router.injection_input(local))];
}

std::optional<PacketId> PacketTracker::front(NodeId node, Port in, Vc vc) const {
  const InputVc& input = inputs_[vc_index(node, in, vc)];
  if (input.packets.empty()) return std::nullopt;
  return input.packets.front();
}

}  // namespace annelid::systemc
