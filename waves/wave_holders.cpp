#include "waves/wave_holders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "systemc/network/route.hpp"
#include "waves/packet_texts.hpp"

namespace annelid::waves {

using systemc::BlockCause;

WaveHolders::WaveHolders(const systemc::NetworkConfig& config)
    : config_(config),
      ports_(static_cast<std::size_t>(config.router.ports())),
      vcs_(static_cast<std::size_t>(config.router.max_vcs())),
      pipelined_(config.router.stages > 1) {
  const std::size_t ports = config.nodes() * ports_;
  inputs_.resize(ports * vcs_);
  outputs_.resize(ports * vcs_);
  in_switch_.resize(ports);
  for (Winners* winners : {&switch_, &vc_}) {
    winners->output.resize(ports);
    winners->input.resize(ports);
  }
}

const WaveHolders::Packet* WaveHolders::front(NodeId node, Port in, Vc vc) const {
  const InputVc& input = inputs_[vc_index(node, in, vc)];
  return input.packets.empty() ? nullptr : &input.packets.front();
}

// First all that reads the state at the start of the cycle, then what leaves, then what arrives.
void WaveHolders::end_cycle(const Tell& tell) {
  if (!blocked_.empty()) {
    // Lists of packets must not depend on the order of the events.
    std::ranges::sort(blocked_, {},
                      [](const Blocked& b) { return std::tuple(b.node, b.in, b.in_vc); });
    set_winners(true);
    for (const Blocked& event : blocked_) {
      holders_.clear();
      find(event);
      tell(event.node, event.in, event.in_vc, holders_);
    }
    set_winners(false);
  }
  // With several stages, the heads on the channels were granted in the cycle before.
  if (pipelined_) pass_heads();
  for (const Switched& event : granted_) {
    if (const Packet* packet = front(event.node, event.in, event.in_vc)) {
      in_switch_[port_index(event.node, event.out)] = *packet;
    }
  }
  if (!pipelined_) pass_heads();
  std::ranges::for_each(granted_, [this](const Switched& event) { send(event); });
  for (const Switched& event : allocated_) {
    const Packet* const packet = front(event.node, event.in, event.in_vc);
    if (packet == nullptr) continue;
    outputs_[vc_index(event.node, event.out, event.out_vc)] = {*packet, true, true};
    inputs_[vc_index(event.node, event.in, event.in_vc)].active = true;
  }
  std::ranges::for_each(injected_, [this](const Injected& event) { enter(event); });
  packets_.clear();
  injected_.clear();
  allocated_.clear();
  granted_.clear();
  heads_.clear();
  blocked_.clear();
}

void WaveHolders::set_winners(bool won) {
  const auto set = [&](Winners& winners, const Switched& event) {
    const Packet* const packet = won ? front(event.node, event.in, event.in_vc) : nullptr;
    winners.output[port_index(event.node, event.out)] = packet;
    winners.input[port_index(event.node, event.in)] = packet;
  };
  for (const Switched& event : granted_) set(switch_, event);
  for (const Switched& event : allocated_) set(vc_, event);
}

void WaveHolders::find(const Blocked& event) {
  const InputVc& input = inputs_[vc_index(event.node, event.in, event.in_vc)];
  if (input.packets.empty()) return;
  if (event.cause == BlockCause::kLostSwitch) {
    find_at_switch(event, input.active);
  } else {
    find_at_output(event, input.active);
  }
}

void WaveHolders::find_at_switch(const Blocked& event, bool active) {
  const Winners& winners = config_.router.stages == 4 && !active ? vc_ : switch_;
  const Packet* const out = winners.output[port_index(event.node, event.out)];
  const Packet* const in = winners.input[port_index(event.node, event.in)];
  if (out != nullptr || in != nullptr) return holders_.push_back(out != nullptr ? *out : *in);
  // Without a winner: the others that lost at the same input.
  for (const Blocked& other : blocked_) {
    if (other.node != event.node || other.in != event.in || other.in_vc == event.in_vc) continue;
    if (other.cause != BlockCause::kLostSwitch) continue;
    if (const Packet* packet = front(other.node, other.in, other.in_vc)) {
      holders_.push_back(*packet);
    }
  }
}

/// The owners of the VCs that are open to a head or, if it lacks room, those whose flits still fill
/// the buffers behind the free ones. Behind a head, the packet's own flits are in the way.
void WaveHolders::find_at_output(const Blocked& event, bool active) {
  if (active) return;
  const systemc::HeadFields head =
      systemc::unpack_head(front(event.node, event.in, event.in_vc)->head);
  const systemc::VcRange open =
      systemc::open_vcs(config_.router, config_.router.is_control(event.in, event.in_vc), event.out,
                        config_.address(event.node), head.source, head.destination);
  const OutputVc* const output = &outputs_[vc_index(event.node, event.out, 0)];
  const bool owned = event.cause == BlockCause::kNoVc;
  for (int vc = open.first; vc < open.first + open.count; ++vc) {
    if (output[vc].used && output[vc].owned == owned) holders_.push_back(output[vc].packet);
  }
}

/// A head takes its packet to the next input VC. The old one keeps the packet until its tail
/// leaves.
void WaveHolders::pass_heads() {
  for (const Head& head : heads_) {
    const auto next = receiver_of(config_, config_.address(head.node), head.out);
    if (!next) continue;  // ejected
    inputs_[vc_index(config_.id(next->address), next->port, head.vc)].packets.push_back(
        in_switch_[port_index(head.node, head.out)]);
  }
}

void WaveHolders::send(const Switched& event) {
  InputVc& input = inputs_[vc_index(event.node, event.in, event.in_vc)];
  if (input.packets.empty()) return;
  outputs_[vc_index(event.node, event.out, event.out_vc)] = {input.packets.front(), true,
                                                             !event.tail};
  input.active = !event.tail;
  if (event.tail) input.packets.erase(input.packets.begin());
}

void WaveHolders::enter(const Injected& event) {
  const auto known = std::ranges::find_if(packets_, [&](const Announced& packet) {
    return packet.node == event.node && packet.local == event.local;
  });
  const Port in = config_.router.injection_input(event.local);
  inputs_[vc_index(event.node, in, event.flit.vc)].packets.push_back(
      {event.flit.data, known != packets_.end() && known->control});
}

std::string text_of(const systemc::RouterConfig& router,
                    std::span<const WaveHolders::Packet> holders) {
  if (holders.empty()) return "";
  std::string text;
  for (const WaveHolders::Packet& holder : holders) {
    const systemc::HeadFields fields = systemc::unpack_head(holder.head);
    text += fmt::format("{}{}{}>{} #{}", text.empty() ? "" : ", ", holder.control ? "control " : "",
                        node_name(router, fields.source), node_name(router, fields.destination),
                        fields.tag);
  }
  return coloured(colour_of(holders.front().head), text);
}

}  // namespace annelid::waves
