// The event that a waveform waits for, and what the view shows of that event.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "systemc/network/route.hpp"
#include "waves/wave_trace.hpp"

namespace annelid::waves {

void WaveTrace::trigger(Cycle cycle, std::string_view marker) {
  triggered_at_ = cycle;
  window_.end = std::min(window_.end, cycle + window_.after);
  file_.release();
  if (!marker.empty()) view_.add_marker(cycle, marker);
  view_.look_at(cycle);
  trigger_text_ = fmt::format("cycle {}", cycle);
}

/// Several packets with the tag may start in one cycle, and be reported in any order. The event is
/// that of the first node and port.
void WaveTrace::trigger_tag(Cycle cycle, std::pair<NodeId, Port> source,
                            const systemc::HeadFields& packet) {
  if (window_.trigger.kind != WaveTrigger::Kind::kTag || packet.tag != window_.trigger.value)
    return;
  if (triggered_at_ && (*triggered_at_ != cycle || source > trigger_source_)) return;
  if (!triggered_at_) trigger(cycle, fmt::format("tag {}", packet.tag));
  trigger_source_ = source;
  trigger_text_ = fmt::format("cycle {}: {}", cycle, text_of(packet));
  view_.choose(cycle, packet);
}

void WaveTrace::fail(std::string_view name, std::span<const systemc::Wait> waits) {
  if (recording_ && waits_for(WaveTrigger::Kind::kFailure)) {
    trigger_failure(name, waits);
  } else if (!name.empty()) {
    view_.add_marker(now_, name);
  }
}

/// After a pause nothing is to be seen in the last cycle but in that of the last movement.
void WaveTrace::trigger_failure(std::string_view name, std::span<const systemc::Wait> waits) {
  trigger(now_, name);
  if (!name.empty()) trigger_text_ += fmt::format(": {}", name);
  if (paused_ && last_move_ < now_) {
    view_.look_at(last_move_);
    view_.add_marker(last_move_, "last movement");
    trigger_text_ += fmt::format(", last movement in cycle {}", last_move_);
  }
  bool first = true;
  for (const systemc::Wait& wait : waits) {
    if (wait.what != systemc::Wait::For::kVc && wait.what != systemc::Wait::For::kRoom) continue;
    const auto& [node, in, in_vc] = wait.waiting;
    const std::string text = add_waiting(node, in, in_vc, wait.output);
    if (!std::exchange(first, false)) continue;
    if (wait.packet) show_packet(*wait.packet);
    trigger_text_ += ", " + text;
  }
}

/// Several inputs may have waited as long in one cycle, and be reported in any order. The event is
/// that of the first node, port and VC, which is known when the cycle is over.
void WaveTrace::trigger_blocked() {
  const auto input = std::exchange(longest_blocked_, std::nullopt);
  if (!input) return;
  const auto& [place, in, in_vc, out] = *input;
  const NodeId node = signals_->nodes[place].node;
  trigger(now_, fmt::format("{} {} blocked", at(node), signals_->input_names->of(in, in_vc)));
  const HeldPacket& packet = registers_->front(place, in, in_vc);
  if (packet.known) show_packet(systemc::unpack_head(packet.head));
  trigger_text_ += ", " + add_waiting(node, in, in_vc, out);
}

std::string WaveTrace::add_waiting(NodeId node, Port in, Vc in_vc, Port out) {
  std::string text =
      fmt::format("{} {} waits for {}", at(node), signals_->input_names->of(in, in_vc),
                  port_name(config_.router, out));
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone) return text;
  const NodeSignals& signals = signals_->nodes[place];
  view_.add_waiting(text, signals.port[in].in_vc[in_vc], signals.port[out].out.flit);
  return text;
}

void WaveTrace::show_packet(const systemc::HeadFields& packet) {
  trigger_text_ += ": " + text_of(packet);
  struct Passed {
    Cycle at;
    std::uint32_t channel;
    std::string name;
  };
  std::vector<Passed> passed;
  Cycle injected = 0;  // an older packet of the same name may have been there before
  const auto look = [&](std::uint32_t channel, std::string name) -> std::optional<Cycle> {
    if (channel == WaveSignals::kNone) return std::nullopt;
    const std::size_t begin = channels_[channel].packets;
    const std::size_t end = begin + packets_.size() / channels_.size();
    for (std::size_t vc = begin; vc < end; ++vc) {
      if (!packets_[vc].known || systemc::unpack_head(packets_[vc].head) != packet) continue;
      passed.push_back({heads_at_[vc], channel, std::move(name)});
      return heads_at_[vc];
    }
    return std::nullopt;
  };
  for (NodeId node = 0; node < config_.nodes(); ++node) {
    for (int local = 0; local < config_.router.local_ports; ++local) {
      const auto cycle = look(signals_->injection_channel(node, local),
                              fmt::format("{} inject {}", at(node), local));
      if (cycle) injected = *cycle;
    }
    for (Port out = 0; out < config_.router.ports(); ++out) {
      look(signals_->output_channel(node, out), hop_name(node, out));
    }
  }
  std::erase_if(passed, [&](const Passed& hop) { return hop.at < injected; });
  std::ranges::sort(passed, {}, &Passed::at);
  view_.choose(passed.empty() ? now_ : passed.front().at, packet);
  for (Passed& hop : passed) {
    view_.add_hop(signals_->channels[hop.channel], std::move(hop.name));
  }
}

std::string WaveTrace::text_of(const systemc::HeadFields& packet) const {
  return fmt::format("packet {}>{} #{}", node_name(config_.router, packet.source),
                     node_name(config_.router, packet.destination), packet.tag);
}

std::string WaveTrace::at(NodeId node) const {
  return node_name(config_.router, config_.address(node));
}

std::string WaveTrace::hop_name(NodeId node, Port out) const {
  return config_.router.is_ejection(out)
             ? fmt::format("{} eject {}", at(node), out - config_.router.ejection_output(0))
             : fmt::format("{} {}", at(node), port_name(config_.router, out));
}

/// While flits are blocked and none moves, what was before the pause is kept: the end of such a run
/// is recognized long after.
void WaveTrace::note_pause(Cycle cycle) {
  paused_ = std::exchange(blocked_now_, false) && last_move_ < now_;
  if (waits_for(WaveTrigger::Kind::kFailure)) file_.keep_last_from(paused_ ? last_move_ : cycle);
}

}  // namespace annelid::waves
