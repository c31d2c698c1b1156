#include "systemc/packet_tracker.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "systemc/route.hpp"

namespace annelid {
namespace {

/// The injection channel of an event.
template <typename Event>
std::pair<NodeId, Port> channel_of(const Event& e) {
  return {e.node, e.local};
}

}  // namespace

BlockedCycles& BlockedCycles::operator+=(const BlockedCycles& other) {
  same_step += other.same_step;
  other_step += other.other_step;
  control += other.control;
  back_pressure += other.back_pressure;
  return *this;
}

PacketTracker::PacketTracker(const NetworkConfig& config)
    : config_(config),
      ports_(static_cast<std::size_t>(config.router.ports())),
      vcs_(static_cast<std::size_t>(std::max(config.router.vcs, config.router.local_vcs))) {
  const std::size_t ports = config.nodes() * ports_;
  inputs_.resize(ports * vcs_);
  outputs_.resize(ports * vcs_);
  load_.resize(ports);
  injection_load_.resize(ports);
  granted_output_.resize(ports, kNone);
  granted_input_.resize(ports, kNone);
}

void PacketTracker::packet(Cycle cycle, NodeId node, Port local, const PacketInfo& info) {
  begin(cycle);
  packet_events_.push_back({node, local, info});
}

void PacketTracker::injected(Cycle cycle, NodeId node, Port local, const Flit& flit) {
  begin(cycle);
  injected_events_.push_back({node, local, flit});
}

void PacketTracker::moved(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) {
  begin(cycle);
  moved_events_.push_back({node, in, in_vc, out, flit});
}

void PacketTracker::blocked(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out,
                            BlockCause cause) {
  begin(cycle);
  blocked_events_.push_back({node, in, in_vc, out, cause});
}

void PacketTracker::begin(Cycle cycle) {
  if (cycle == cycle_) return;
  judge();
  cycle_ = cycle;
}

void PacketTracker::flush() { judge(); }

PacketId PacketTracker::front_packet(NodeId node, Port in, Vc vc) const {
  const InputVc& input = inputs_[vc_index(node, in, vc)];
  if (input.packets.empty()) {
    throw std::logic_error("PacketTracker: an event of a packet whose head was never seen");
  }
  return input.packets.front();
}

// First all that reads the state at the start of the cycle, then what leaves, then what arrives.
void PacketTracker::judge() {
  for (const MovedEvent& e : moved_events_) {
    const PacketId packet = front_packet(e.node, e.in, e.in_vc);
    granted_output_[port_index(e.node, e.out)] = packet;
    granted_input_[port_index(e.node, e.in)] = packet;
  }
  std::ranges::sort(blocked_events_, {},
                    [](const BlockedEvent& e) { return std::tuple(e.node, e.in, e.in_vc); });
  std::vector<PacketId> blockers;
  for (std::size_t i = 0; i < blocked_events_.size(); ++i) {
    const BlockedEvent& e = blocked_events_[i];
    blockers.clear();
    find_blockers(i, blockers);
    count(packets_[front_packet(e.node, e.in, e.in_vc)], blockers);
  }
  for (const MovedEvent& e : moved_events_) {
    granted_output_[port_index(e.node, e.out)] = kNone;
    granted_input_[port_index(e.node, e.in)] = kNone;
  }

  // What send() takes from the input, arrive() gives to the next one: the packet travels along.
  for (const MovedEvent& e : moved_events_) arrive(e);
  for (const MovedEvent& e : moved_events_) send(e);
  std::ranges::sort(packet_events_, {}, channel_of<PacketEvent>);
  std::ranges::sort(injected_events_, {}, channel_of<InjectedEvent>);
  for (const InjectedEvent& e : injected_events_) enter(e);

  packet_events_.clear();
  injected_events_.clear();
  moved_events_.clear();
  blocked_events_.clear();
}

void PacketTracker::find_blockers(std::size_t event, std::vector<PacketId>& blockers) const {
  const BlockedEvent& e = blocked_events_[event];
  const bool active = inputs_[vc_index(e.node, e.in, e.in_vc)].active;
  const auto vcs = static_cast<std::size_t>(config_.router.output_vcs(e.out));
  const OutputVc* output = &outputs_[vc_index(e.node, e.out, 0)];
  switch (e.cause) {
    case BlockCause::kNoVc:
      for (std::size_t w = 0; w < vcs; ++w) blockers.push_back(output[w].owner);
      break;
    case BlockCause::kNoCredit:
      if (active) break;
      for (std::size_t w = 0; w < vcs; ++w) {
        if (output[w].owner == kNone) blockers.push_back(output[w].last_user);
      }
      break;
    case BlockCause::kLostSwitch:
      if (const PacketId out = granted_output_[port_index(e.node, e.out)]; out != kNone) {
        blockers.push_back(out);
      } else if (const PacketId in = granted_input_[port_index(e.node, e.in)]; in != kNone) {
        blockers.push_back(in);
      } else {
        const std::pair input(e.node, e.in);
        auto same_input = std::ranges::lower_bound(
            blocked_events_, input, {},
            [](const BlockedEvent& other) { return std::pair(other.node, other.in); });
        for (; same_input != blocked_events_.end(); ++same_input) {
          const BlockedEvent& other = *same_input;
          if (std::pair(other.node, other.in) != input) break;
          if (other.in_vc == e.in_vc || other.cause != BlockCause::kLostSwitch) continue;
          blockers.push_back(front_packet(other.node, other.in, other.in_vc));
        }
      }
      break;
  }
  std::erase(blockers, kNone);
}

void PacketTracker::count(PacketRecord& packet, const std::vector<PacketId>& blockers) {
  bool same_step = false, other_step = false;
  for (const PacketId id : blockers) {
    const PacketInfo& blocker = packets_[id].info;
    if (!blocker.control) {
      (blocker.step == packet.info.step ? same_step : other_step) = true;
    }
    const auto known = std::ranges::find(packet.blockers, id, &Blocker::packet);
    if (known != packet.blockers.end()) {
      ++known->cycles;
    } else {
      packet.blockers.push_back({id, 1});
    }
  }
  BlockedCycles& blocked = packet.blocked;
  ++(blockers.empty() ? blocked.back_pressure
     : same_step      ? blocked.same_step
     : other_step     ? blocked.other_step
                      : blocked.control);
}

// A head takes the packet's number to the next input VC; its old one keeps it until the tail
// leaves.
void PacketTracker::arrive(const MovedEvent& e) {
  const PacketId id = front_packet(e.node, e.in, e.in_vc);
  PacketRecord& packet = packets_[id];
  ++load_[port_index(e.node, e.out)];
  if (config_.router.is_ejection(e.out)) {
    if (e.flit.head) packet.head_ejected = cycle_;
    if (e.flit.tail) packet.tail_ejected = cycle_;
  } else if (e.flit.head) {
    packet.hops += config_.router.is_external(e.out);
    const auto next = receiver_of(config_, config_.address(e.node), e.out);
    if (!next) throw std::logic_error("PacketTracker: a flit left the network");
    inputs_[vc_index(config_.id(next->address), next->port, e.flit.vc)].packets.push_back(id);
  }
}

void PacketTracker::send(const MovedEvent& e) {
  InputVc& input = inputs_[vc_index(e.node, e.in, e.in_vc)];
  OutputVc& output = outputs_[vc_index(e.node, e.out, e.flit.vc)];
  output.last_user = input.packets.front();
  output.owner = e.flit.tail ? kNone : input.packets.front();
  input.active = !e.flit.tail;
  if (e.flit.tail) input.packets.erase(input.packets.begin());
}

void PacketTracker::enter(const InjectedEvent& e) {
  const auto in = config_.router.injection_input(e.local);
  InputVc& input = inputs_[vc_index(e.node, in, e.flit.vc)];
  ++injection_load_[port_index(e.node, in)];
  if (e.flit.head) {
    PacketRecord record;
    record.info.head = unpack_head(e.flit.data);
    const auto known =
        std::ranges::lower_bound(packet_events_, channel_of(e), {}, channel_of<PacketEvent>);
    if (known != packet_events_.end() && channel_of(*known) == channel_of(e)) {
      record.info = known->info;
    }
    record.node = e.node;
    record.local = e.local;
    record.injected = cycle_;
    input.packets.push_back(static_cast<PacketId>(packets_.size()));
    packets_.push_back(record);
  }
  ++packets_[input.packets.back()].flits;
}

std::map<std::uint32_t, StepStatistics> PacketTracker::steps() const {
  std::map<std::uint32_t, StepStatistics> steps;
  for (const PacketRecord& packet : packets_) {
    if (!packet.info.control) steps[packet.info.step] += packet;
  }
  return steps;
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

}  // namespace annelid
