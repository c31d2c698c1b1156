#include "systemc/analysis/packet_tracker.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "base/label_map.hpp"
#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

/// The injection channel of an event.
template <typename Event>
std::uint64_t channel_of(const Event& e) {
  return std::uint64_t{e.node} << 8 | e.local;
}

/// Routers and NICs report in the order of their nodes already, unless they are stepped in reverse.
template <typename Event, typename Place>
void sort_by(EventList<Event>& events, Place place) {
  if (!std::ranges::is_sorted(events, {}, place)) std::ranges::sort(events, {}, place);
}

/// The statistics of a step while they are made.
struct Step {
  StepStatistics sum;
  const void* channel = nullptr;  // the last one that a message crossed
  std::uint64_t messages = 0;     // that crossed it
  /// The messages that cross a channel come one after the other.
  void cross(const void* its_channel) {
    if (std::exchange(channel, its_channel) != its_channel) messages = 0;
    sum.busiest = std::max(sum.busiest, ++messages);
  }
};

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
  output_vcs_.resize(ports * vcs_);
  outputs_.resize(ports);
  injection_load_.resize(ports);
  for (std::size_t out = 0; out < ports; ++out) {
    if (config.router.is_ejection(static_cast<int>(out % ports_))) outputs_[out].next = kEjects;
  }
  const auto make = [ports](Winners& winners) {
    winners.output.resize(ports);
    winners.input.resize(ports);
  };
  make(switch_winners_);
  if (config.router.stages == 4) make(vc_winners_);
}

// The memory of the vectors is used again.
void PacketTracker::restart() {
  judge();
  cycle_ = 0;
  packets_.clear();
  for (InputVc& input : inputs_) {
    input.front = kNone;
    input.active = false;
    input.behind.clear();
  }
  std::ranges::fill(output_vcs_, OutputVc{});
  for (Output& output : outputs_) output = {.next = output.next};
  std::ranges::fill(injection_load_, 0);
  crossings_.clear();
}

void PacketTracker::packet(Cycle cycle, NodeId node, Port local, const PacketInfo& info) {
  begin_event(cycle);
  packet_events_.add({node, local, info});
}

void PacketTracker::injected(Cycle cycle, NodeId node, Port local, const Flit& flit) {
  begin_event(cycle);
  injected_events_.add({node, local, flit});
}

void PacketTracker::allocated(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, Vc out_vc) {
  begin_event(cycle);
  allocated_events_.add({node, in, in_vc, out, out_vc});
}

void PacketTracker::granted(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out,
                            const Flit& flit) {
  begin_event(cycle);
  granted_events_.add({node, in, in_vc, out, flit});
}

void PacketTracker::moved(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) {
  begin_event(cycle);
  moved_events_.add({node, in, in_vc, out, flit});
}

void PacketTracker::all_granted(Cycle cycle, std::span<const SentFlit> flits) {
  begin_event(cycle);
  granted_events_.add(flits);
}

void PacketTracker::all_moved(Cycle cycle, std::span<const SentFlit> flits) {
  begin_event(cycle);
  moved_events_.add(flits);
}

void PacketTracker::blocked(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out,
                            BlockCause cause) {
  begin_event(cycle);
  if (cause == BlockCause::kNoCredit && inputs_[vc_index(node, in, in_vc)].active) {
    stopped_.push_back(front_packet(node, in, in_vc));
    return;
  }
  any_lost_ |= cause == BlockCause::kLostSwitch;
  blocked_events_.add({node, in, in_vc, out, cause});
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
    Output& output = outputs_[out];
    output.load += times_;
    if (!is_body(e)) arrive(e, output, pipelined ? output.in_switch : send(e, out));
  }
  for (const SentFlit& e : granted_events_) {
    if (is_body(e)) continue;
    const std::size_t out = port_index(output_node(e), e.out);
    outputs_[out].in_switch = send(e, out);
  }
  for (const AllocatedEvent& e : allocated_events_) {
    output_vcs_[vc_index(e.node, e.out, e.out_vc)].owner = front_packet(e.node, e.in, e.in_vc);
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

template <typename Event>
void PacketTracker::note(Winners& winners, const EventList<Event>& events) {
  std::uint32_t place = 0;
  for (const Event& e : events) {
    winners.output[port_index(output_node(e), e.out)] = place;
    winners.input[port_index(e.node, e.in)] = place;
    ++place;
  }
}

/// The packet that won the output of a flit that lost, or its input, or kNone.
template <typename Event>
PacketId PacketTracker::winner(const Winners& winners, const EventList<Event>& events,
                               const BlockedEvent& lost) const {
  const NodeId node = output_node(lost);
  const std::uint32_t at_output = winners.output[port_index(node, lost.out)];
  const std::uint32_t at_input = winners.input[port_index(lost.node, lost.in)];
  // What an earlier cycle left there is of another port, or beyond the end.
  const auto packet_at = [&](std::uint32_t place, auto is_of_port) {
    if (place >= events.size() || !is_of_port(events[place])) return kNone;
    return front_packet(events[place].node, events[place].in, events[place].in_vc);
  };
  const PacketId packet = packet_at(
      at_output, [&](const Event& e) { return e.out == lost.out && output_node(e) == node; });
  if (packet != kNone) return packet;
  return packet_at(at_input,
                   [&](const Event& e) { return e.in == lost.in && e.node == lost.node; });
}

void PacketTracker::judge_blocked() {
  if (std::exchange(any_lost_, false)) {
    note(switch_winners_, grants());
    note(vc_winners_, allocated_events_);
  }
  sort_by(blocked_events_, [](const BlockedEvent& e) { return std::tuple(e.node, e.in, e.in_vc); });
  for (const BlockedEvent& e : blocked_events_) {
    blockers_.clear();
    find_blockers(e);
    count(e, packets_[front_packet(e.node, e.in, e.in_vc)]);
  }
}

void PacketTracker::find_blockers(const BlockedEvent& e) {
  const bool active = inputs_[vc_index(e.node, e.in, e.in_vc)].active;
  const auto add = [this](PacketId packet) {
    if (packet != kNone) blockers_.push_back(packet);
  };
  if (e.cause == BlockCause::kLostSwitch) {
    const PacketId packet = config_.router.stages == 4 && !active
                                ? winner(vc_winners_, allocated_events_, e)
                                : winner(switch_winners_, grants(), e);
    return packet == kNone ? add_losers(e) : add(packet);
  }
  const HeadFields& head = packets_[front_packet(e.node, e.in, e.in_vc)].info.head;
  const VcRange open =
      config_.ideal ? VcRange{e.in_vc, 1}  // a lane keeps its number
                    : open_vcs(config_.router, config_.router.is_control(e.in, e.in_vc), e.out,
                               config_.address(e.node), head.source, head.destination);
  const OutputVc* output = &output_vcs_[vc_index(output_node(e), e.out, 0)];
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

PacketTracker::InputVc& PacketTracker::next_input(const SentFlit& e, Output& output) {
  if (output.next == kUnknown) [[unlikely]] {
    const auto next = receiver_of(config_, config_.address(e.node), e.out);
    if (!next) fail("a flit left the network");
    output.next = static_cast<std::uint32_t>(vc_index(config_.id(next->address), next->port, 0));
  }
  return inputs_[std::size_t{output.next} + e.flit.vc];
}

// A head takes the packet's number to the next input VC; its old one keeps it until the tail
// leaves. So the flits between them are only counted.
void PacketTracker::arrive(const SentFlit& e, Output& output, PacketId id) {
  if (output.next == kEjects) {
    PacketRecord& packet = packets_[id];
    if (e.flit.head) packet.head_ejected = cycle_;
    if (e.flit.head && config_.ideal) packet.hops = 1;
    if (e.flit.tail) packet.tail_ejected = cycle_;
  } else if (e.flit.head) {
    if (config_.router.is_external(e.out)) {
      ++packets_[id].hops;
      const auto number = static_cast<std::uint32_t>(crossings_.size());
      crossings_.push_back({id, std::exchange(output.crossings, number)});
    }
    next_input(e, output).push(id);
  }
}

/// Returns the packet.
PacketId PacketTracker::send(const SentFlit& e, std::size_t out) {
  InputVc& input = inputs_[vc_index(e.node, e.in, e.in_vc)];
  const PacketId id = front_of(input);
  output_vcs_[out * vcs_ + e.flit.vc] = {e.flit.tail ? kNone : id, id};
  input.active = !e.flit.tail;
  if (e.flit.tail) input.pop();
  return id;
}

void PacketTracker::enter_all() {
  sort_by(packet_events_, channel_of<PacketEvent>);
  sort_by(injected_events_, channel_of<InjectedEvent>);
  const PacketEvent* known = packet_events_.begin();
  for (const InjectedEvent& e : injected_events_) enter(e, known);
}

/// `known`: the next of the packets that the NICs have told of. It goes along with the heads.
void PacketTracker::enter(const InjectedEvent& e, const PacketEvent*& known) {
  const auto in = config_.router.injection_input(e.local);
  InputVc& input = inputs_[vc_index(e.node, in, e.flit.vc)];
  injection_load_[port_index(e.node, in)] += times_;
  if (e.flit.head) {
    input.push(static_cast<PacketId>(packets_.size()));
    PacketRecord record;
    const PacketEvent* const end = packet_events_.end();
    while (known != end && channel_of(*known) < channel_of(e)) ++known;
    if (known != end && channel_of(*known) == channel_of(e)) {
      record.info = known->info;
    } else {
      record.info.head = unpack_head(e.flit.data);
    }
    record.node = e.node;
    record.local = e.local;
    record.injected = cycle_;
    packets_.push_back(std::move(record));
  }
  packets_[input.latest()].flits += static_cast<std::uint32_t>(times_);
}

template <typename Wanted>
std::map<std::uint32_t, StepStatistics> PacketTracker::steps_of(Wanted wanted) const {
  LabelMap<Step> steps;
  for (const PacketRecord& packet : packets_) {
    if (wanted(packet.info)) steps[packet.info.step].sum += packet;
  }
  for (const Output& output : outputs_) {
    for (std::uint32_t i = output.crossings; i != kNoMore; i = crossings_[i].before) {
      const PacketInfo& info = packets_[crossings_[i].packet].info;
      if (wanted(info)) steps[info.step].cross(&output);
    }
  }
  std::map<std::uint32_t, StepStatistics> sums;
  for (const auto& [label, step] : steps.map()) sums.emplace_hint(sums.end(), label, step.sum);
  return sums;
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
  return outputs_[port_index(node, out)].load;
}

std::uint64_t PacketTracker::injection_load(NodeId node, Port local) const {
  return injection_load_[port_index(node, config_.router.injection_input(local))];
}

std::optional<PacketId> PacketTracker::front(NodeId node, Port in, Vc vc) const {
  const InputVc& input = inputs_[vc_index(node, in, vc)];
  if (input.front == kNone) return std::nullopt;
  return input.front;
}

}  // namespace annelid::systemc
