#include "waves/wave_signals.hpp"

#include <algorithm>

#include "systemc/network/node_text.hpp"
#include "systemc/network/route.hpp"

namespace annelid::waves {

std::string port_name(const systemc::RouterConfig& router, Port port) {
  static constexpr const char* kExternal[] = {"xp", "xm", "yp", "ym", "zp", "zm"};
  static constexpr const char* kThrough[] = {"through_x", "through_y", "through_z"};
  if (router.is_external(port)) return kExternal[port];
  if (router.one_port()) return kThrough[port - router.external_ports()];
  return "local" + std::to_string(port - router.first_local());
}

WaveSignals::WaveSignals(FstWriter& file, const systemc::NetworkConfig& config,
                         const std::vector<NodeId>& chosen, const std::vector<NodeRow>& node_rows)
    : input_names(std::make_shared<const InputNames>(config.router)),
      nodes(chosen.size()),
      rows(node_rows.size(), kNone),
      config_(config),
      place_(config.nodes(), kNone),
      output_channel_(std::size_t{config.nodes()} * kMaxPorts, kNone),
      injection_channel_(std::size_t{config.nodes()} * kMaxLocalPorts, kNone) {
  const auto texts = std::make_shared<PacketTexts>(config);
  channel_ = std::make_shared<ChannelBundle>(texts);
  input_vc_ = std::make_shared<InputVcBundle>(texts, config.router.stages >= 3);
  output_vc_ = std::make_shared<OutputVcBundle>(input_names);
  file.open_scope("noc");
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    nodes[i].node = chosen[i];
    place_[chosen[i]] = static_cast<std::uint32_t>(i);
    add_node(file, nodes[i], node_rows);
  }
  file.close_scope();
}

void WaveSignals::add_node(FstWriter& file, NodeSignals& node,
                           const std::vector<NodeRow>& node_rows) {
  const Address at = config_.address(node.node);
  file.open_scope("n_" + systemc::node_text(at, std::max(config_.dims(), 2), '_'));
  for (std::size_t i = 0; i < node_rows.size(); ++i) {
    const NodeRow& row = node_rows[i];
    if (row.node != node.node) continue;
    if (node.rows.empty()) file.open_scope("nic");
    rows[i] = row.bits == 0 ? file.add_text(row.name) : file.add_bits(row.name, row.bits);
    node.rows.push_back(rows[i]);
  }
  if (!node.rows.empty()) file.close_scope();
  for (Port p = 0; p < config_.router.ports(); ++p) {
    PortSignals& port = node.port[p];
    port.exists = has_port(node.node, p);
    if (!port.exists) continue;
    node.ports |= 1u << p;
    file.open_scope(port_name(config_.router, p));
    add_output(file, node.node, p, port);
    add_input(file, node.node, p, port);
    file.close_scope();
  }
  file.close_scope();
}

void WaveSignals::add_output(FstWriter& file, NodeId node, Port port, PortSignals& signals) {
  file.open_scope("out");
  signals.out = add_channel(file, output_channel_[node * kMaxPorts + port]);
  signals.from = file.add_text("from");
  // With one stage the grant and the way through the switch are in the same cycle.
  signals.grant =
      config_.router.stages == 1 ? file.add_alias("grant", signals.from) : file.add_text("grant");
  signals.waiting = file.add_text("waiting");
  signals.out_pointer = file.add_bits("pointer", 4);
  for (Vc w = 0; w < config_.router.output_vcs(port); ++w) {
    file.open_scope("vc" + std::to_string(w));
    OutputVcSignals& vc = signals.out_vc[w];
    vc.all = file.add_bundle(output_vc_);
    vc.credits = file.add_bits("credits", 7);
    vc.owned = file.add_bits("owned", 1);
    vc.owner = file.add_text("owner");
    if (config_.router.stages == 4) vc.allocated = file.add_text("allocated");
    file.close_scope();
  }
  file.close_scope();
}

void WaveSignals::add_input(FstWriter& file, NodeId node, Port port, PortSignals& signals) {
  file.open_scope("in");
  signals.in = add_channel(file, input_channel(node, port));
  if (config_.router.is_injection(port)) signals.message = file.add_text("message");
  signals.in_pointer = file.add_bits("pointer", 3);
  for (Vc v = 0; v < config_.router.input_vcs(port); ++v) {
    file.open_scope("vc" + std::to_string(v));
    InputVcSignals& vc = signals.in_vc[v];
    vc.blocked = file.add_text("blocked");
    vc.held_by = file.add_text("held_by");
    vc.all = file.add_bundle(input_vc_);
    vc.front = file.add_text("front");
    vc.count = file.add_bits("count", 7);
    if (config_.router.stages >= 3) vc.routed = file.add_bits("routed", 1);
    vc.active = file.add_bits("active", 1);
    vc.out_port = file.add_bits("out_port", 4);
    vc.out_vc = file.add_bits("out_vc", 3);
    file.close_scope();
  }
  file.close_scope();
}

ChannelSignals WaveSignals::add_channel(FstWriter& file, std::uint32_t& channel) {
  ChannelSignals made;
  if (channel != kNone) {
    const ChannelSignals& other_end = channels[channel];
    made.number = channel;
    made.all = other_end.all;
    made.flit = file.add_alias("flit", other_end.flit);
    made.valid = file.add_alias("valid", other_end.valid);
    made.kind = file.add_alias("kind", other_end.kind);
    made.vc = file.add_alias("vc", other_end.vc);
    made.source = file.add_alias("source", other_end.source);
    made.destination = file.add_alias("destination", other_end.destination);
    made.tag = file.add_alias("tag", other_end.tag);
    made.data = file.add_alias("data", other_end.data);
    return made;
  }
  made.number = static_cast<std::uint32_t>(channels.size());
  made.all = file.add_bundle(channel_);
  made.flit = file.add_text("flit");
  made.valid = file.add_bits("valid", 1);
  made.kind = file.add_text("kind");
  made.vc = file.add_bits("vc", 3);
  made.source = file.add_text("source");
  made.destination = file.add_text("destination");
  made.tag = file.add_bits("tag", 16);
  made.data = file.add_bits("data", 64);
  channel = static_cast<std::uint32_t>(channels.size());
  channels.push_back(made);
  return made;
}

bool WaveSignals::has_port(NodeId node, Port port) const {
  return !config_.router.is_external(port) ||
         neighbour(config_, config_.address(node), port).exists;
}

std::uint32_t& WaveSignals::input_channel(NodeId node, Port port) {
  if (config_.router.is_injection(port)) {
    return injection_channel_[node * kMaxLocalPorts + unsigned{port} -
                              config_.router.injection_input(0)];
  }
  const systemc::SwitchEnd sender = *sender_of(config_, config_.address(node), port);
  return output_channel_[config_.id(sender.address) * kMaxPorts + sender.port];
}

}  // namespace annelid::waves
