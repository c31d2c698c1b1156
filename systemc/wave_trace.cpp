#include "systemc/wave_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "systemc/route.hpp"

namespace annelid {
namespace {

constexpr NodeId kDefaultNodes = 64;

const char* name_of(BlockCause cause) {
  switch (cause) {
    case BlockCause::kNoVc:
      return "no_vc";
    case BlockCause::kNoCredit:
      return "no_credit";
    case BlockCause::kLostSwitch:
      return "lost_switch";
  }
  return "?";
}

std::vector<NodeId> checked(std::vector<NodeId> nodes, const NetworkConfig& config) {
  if (nodes.empty()) return WaveTrace::default_nodes(config);
  std::vector<bool> seen(config.nodes());
  for (const NodeId node : nodes) {
    if (node >= config.nodes() || seen[node]) {
      throw ConfigError("wave.nodes", std::to_string(node),
                        "nodes 0.." + std::to_string(config.nodes() - 1) + ", each once");
    }
    seen[node] = true;
  }
  return nodes;
}

}  // namespace

// ---- Setting up ---------------------------------------------------------------------------------

std::vector<NodeId> WaveTrace::default_nodes(const NetworkConfig& config) {
  std::vector<NodeId> nodes(std::min(config.nodes(), kDefaultNodes));
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  return nodes;
}

WaveTrace::WaveTrace(std::filesystem::path path, const NetworkConfig& config,
                     std::vector<NodeId> nodes, StateOf state_of, const WaveWindow& window)
    : path_(std::move(path)),
      config_(config),
      chosen_(checked(std::move(nodes), config)),
      shown_(config.nodes()),
      state_of_(std::move(state_of)),
      window_(window),
      file_(path_),
      texts_(config),
      reach_(static_cast<Cycle>(config.router.credit_loop() + config.router.stages)) {
  for (const NodeId node : chosen_) shown_[node] = true;
  if (window_.trigger.kind == WaveTrigger::Kind::kNone) {
    triggered_at_ = window_.begin;
  } else {
    file_.keep_last(window_.before);
  }
  for (Port p = 0; p < config_.router.ports(); ++p) {
    for (Vc v = 0; v < kMaxVcs; ++v) {
      input_names_.push_back(fmt::format("{}.{}", port_name(config_.router, p), v));
    }
  }
  for (const BlockCause cause :
       {BlockCause::kNoVc, BlockCause::kNoCredit, BlockCause::kLostSwitch}) {
    for (Port p = 0; p < kMaxPorts; ++p) {
      blocked_texts_.push_back(
          p < config_.router.ports()
              ? fmt::format("{} {}", name_of(cause), port_name(config_.router, p))
              : "");
    }
  }
}

std::filesystem::path WaveTrace::save_file() const {
  return std::filesystem::path(path_).replace_extension(".gtkw");
}

WaveTrace::Row WaveTrace::add_row(NodeRow row) {
  if (signals_) throw std::logic_error("WaveTrace: a row after the first cycle: " + row.name);
  rows_.push_back(std::move(row));
  return static_cast<Row>(rows_.size() - 1);
}

void WaveTrace::add_marker(Cycle cycle, std::string_view name) { view_.add_marker(cycle, name); }

void WaveTrace::declare() {
  signals_.emplace(file_, config_, chosen_, rows_);
  nodes_.resize(signals_->nodes.size());
  channels_.resize(signals_->channels.size());
  receiver_.resize(channels_.size());
  sender_.resize(channels_.size());
  for (NodeId node = 0; node < config_.nodes(); ++node) {
    for (Port out = 0; out < config_.router.ports(); ++out) {
      const std::uint32_t channel = signals_->output_channel(node, out);
      if (channel == WaveSignals::kNone) continue;
      sender_[channel] = {signals_->place(node), out};
      const auto receiver = receiver_of(config_, config_.address(node), out);
      if (!receiver) continue;
      receiver_[channel] = {signals_->place(config_.id(receiver->address)), receiver->port};
    }
    for (int l = 0; l < config_.router.local_ports; ++l) {
      const std::uint32_t channel = signals_->injection_channel(node, l);
      if (channel == WaveSignals::kNone) continue;
      receiver_[channel] = {signals_->place(node), config_.router.injection_input(l)};
    }
  }
  credits_to_.resize(std::size_t{config_.nodes()} * kMaxPorts);
  for (NodeId node = 0; node < config_.nodes(); ++node) {
    for (Port in = 0; in < config_.router.ports(); ++in) {
      const auto sender = sender_of(config_, config_.address(node), in);
      if (!sender) continue;
      credits_to_[node * kMaxPorts + in] = {signals_->place(config_.id(sender->address)),
                                            sender->port};
    }
  }
}

// ---- The window ---------------------------------------------------------------------------------

void WaveTrace::trigger(Cycle cycle, std::string_view marker) {
  triggered_at_ = cycle;
  window_.end = std::min(window_.end, cycle + window_.after);
  file_.release();
  if (!marker.empty()) view_.add_marker(cycle, marker);
}

void WaveTrace::fail(std::string_view name) {
  if (recording_ && waits_for(WaveTrigger::Kind::kFailure)) {
    trigger(now_, name);
  } else if (!name.empty()) {
    view_.add_marker(now_, name);
  }
}

void WaveTrace::end_window() {
  end_cycle();
  file_.set_time(now_ + 1);
  clear_channels_before(now_ + 1);
  write_registers();
  recording_ = false;
  over_ = true;
}

// ---- Cycles -------------------------------------------------------------------------------------

void WaveTrace::cycle(Cycle cycle) {
  const bool first = !signals_;
  if (first) declare();
  if (!first && cycle <= now_) throw std::logic_error("WaveTrace::cycle: time goes back");
  if (recording_ && cycle > window_.end) end_window();
  if (over_ || cycle < window_.begin) {
    write_due(cycle);
    now_ = cycle;
    return;
  }
  // Nothing happened in the cycles that were left out, so the registers have their values since
  // the first of them.
  if (recording_) end_cycle();
  file_.set_time(first ? cycle : std::max(window_.begin, now_ + 1));
  if (!first && cycle > now_ + 1) clear_channels_before(cycle);
  recording_ = true;
  write_registers();
  write_due(cycle);
  file_.set_time(cycle);
  now_ = cycle;
}

void WaveTrace::require_now(Cycle cycle) const {
  if (!signals_ || cycle != now_) {
    throw std::logic_error("WaveTrace: an event of cycle " + std::to_string(cycle) + " in cycle " +
                           std::to_string(now_));
  }
}

void WaveTrace::end_cycle() {
  for (const auto& [place, out] : waiting_) {
    std::string& text = nodes_[place].waiting[out];
    file_.pulse(signals_->nodes[place].port[out].waiting, std::string_view(text));
    text.clear();
  }
  waiting_.clear();
  clear_channels_before(now_);
  std::swap(busy_now_, busy_before_);
  write_due(now_ + 1);
}

/// Only at the end of a cycle is it known which channels carry no flit in it.
void WaveTrace::clear_channels_before(Cycle cycle) {
  for (const std::uint32_t channel : busy_before_) {
    if (channels_[channel].at < cycle) clear_channel(channel);
  }
  busy_before_.clear();
}

void WaveTrace::set_text(Row row, Cycle cycle, std::string text) {
  set(row, cycle, {0, std::move(text)});
}

void WaveTrace::set_bits(Row row, Cycle cycle, std::uint64_t bits) { set(row, cycle, {bits, {}}); }

void WaveTrace::set(Row row, Cycle cycle, Due value) {
  if (signals_ && cycle < now_) throw std::logic_error("WaveTrace: the row's cycle is over");
  if (!over_ && shows(rows_[row].node)) due_.insert_or_assign({cycle, row}, std::move(value));
}

// They wait until their cycle is over, so that the last one told for a cycle is the one shown.
void WaveTrace::write_due(Cycle until) {
  while (!due_.empty() && due_.begin()->first.first < until) {
    const auto due = due_.extract(due_.begin());
    const auto [cycle, row] = due.key();
    if (over_) continue;
    if (recording_) file_.set_time(std::max(cycle, file_.time()));
    if (rows_[row].bits == 0) {
      file_.set(signals_->rows[row], std::string_view(due.mapped().text));
    } else {
      file_.set(signals_->rows[row], due.mapped().bits);
    }
  }
}

void WaveTrace::close() {
  if (!signals_) cycle(0);
  if (!triggered_at_) return file_.discard();
  if (recording_) end_window();
  file_.close();
  if (window_.trigger.kind != WaveTrigger::Kind::kNone) view_.look_at(*triggered_at_);
  view_.write(save_file(), path_, file_, *signals_, config_);
}

// ---- Events -------------------------------------------------------------------------------------

void WaveTrace::packet(Cycle cycle, NodeId node, Port local, const PacketInfo& packet) {
  require_now(cycle);
  if (packet.control) view_.ignore(packet.head);
  if (!recording_) return;
  if (waits_for(WaveTrigger::Kind::kTag) && !packet.control &&
      packet.head.tag == window_.trigger.value) {
    trigger(cycle, fmt::format("tag {}", packet.head.tag));
  }
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone) return;
  const std::string text = packet.control
                               ? std::string("control")
                               : fmt::format("step {}, {} bytes", packet.step, packet.bytes);
  file_.pulse(signals_->nodes[place].port[config_.router.injection_input(local)].message,
              std::string_view(text));
}

void WaveTrace::injected(Cycle cycle, NodeId node, Port local, const Flit& flit) {
  require_now(cycle);
  const std::uint32_t channel = signals_->injection_channel(node, local);
  if (channel == WaveSignals::kNone) return;
  touch_input(receiver_[channel]);
  write_channel(channel, flit, 0);
  if (!recording_ || !triggered_at_ || !flit.head) return;
  if (view_.follows(cycle, unpack_head(flit.data))) {
    view_.add_hop(signals_->channels[channel], node_name(config_.router, config_.address(node)) +
                                                   " inject " + std::to_string(local));
  }
}

void WaveTrace::allocated(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, Vc out_vc) {
  require_now(cycle);
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone || !recording_) return;
  touch_input({place, in});
  touch_output({place, out});
  file_.pulse(signals_->nodes[place].port[out].out_vc[out_vc].allocated,
              std::string_view(input_name(in, in_vc)));
}

void WaveTrace::granted(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit&) {
  require_now(cycle);
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone || !recording_) return;
  touch_input({place, in});
  touch_output({place, out});
  file_.pulse(signals_->nodes[place].port[out].grant, std::string_view(input_name(in, in_vc)));
}

void WaveTrace::moved(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) {
  require_now(cycle);
  const std::uint32_t place = signals_->place(node);
  touch_input({place, in});
  touch_output({place, out});
  touch_output(credits_to_[node * kMaxPorts + in]);
  const std::uint32_t channel = signals_->output_channel(node, out);
  if (channel == WaveSignals::kNone) return;
  touch_input(receiver_[channel]);
  write_channel(channel, flit, static_cast<std::uint8_t>(in * kMaxVcs + in_vc));
  if (place == WaveSignals::kNone || !recording_ || !triggered_at_) return;
  const bool leaves = flit.tail && config_.router.is_ejection(out);
  const Held& packet = channels_[channel].packet;
  if (!packet.known || !(flit.head || leaves)) return;
  if (!view_.follows(cycle, unpack_head(packet.head))) return;
  if (flit.head) {
    const std::string at = node_name(config_.router, config_.address(node));
    view_.add_hop(signals_->channels[channel],
                  config_.router.is_ejection(out)
                      ? at + " eject " + std::to_string(out - config_.router.ejection_output(0))
                      : at + " " + port_name(config_.router, out));
  }
  if (leaves) view_.end(cycle);
}

void WaveTrace::blocked(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, BlockCause cause) {
  require_now(cycle);
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone || !recording_) return;
  const NodeSignals& signals = signals_->nodes[place];
  file_.pulse(signals.port[in].in_vc[in_vc].blocked,
              std::string_view(blocked_texts_[static_cast<std::size_t>(cause) * kMaxPorts + out]));
  std::string& waiting = nodes_[place].waiting[out];
  if (waiting.empty()) waiting_.emplace_back(place, out);
  if (!waiting.empty()) waiting += ", ";
  waiting.append(input_name(in, in_vc)).append(" ").append(name_of(cause));
  if (!waits_for(WaveTrigger::Kind::kBlocked)) return;
  InputVc& input = nodes_[place].input[in][in_vc];
  input.blocked_for = input.blocked_last + 1 == cycle ? input.blocked_for + 1 : 1;
  input.blocked_last = cycle;
  if (input.blocked_for >= window_.trigger.value) {
    trigger(cycle, fmt::format("{} {} blocked", node_name(config_.router, config_.address(node)),
                               input_name(in, in_vc)));
  }
}

// ---- Channels -----------------------------------------------------------------------------------

// Before the window too, so that it knows whose the bodies are that it sees first.
void WaveTrace::write_channel(std::uint32_t channel, const Flit& flit, std::uint8_t from) {
  Channel& state = channels_[channel];
  Held& held = state.packets[flit.vc];
  if (flit.head) held = {flit.data, true};
  if (!recording_) return;
  const ChannelSignals& row = signals_->channels[channel];
  const bool idle = state.at == kNever;
  const bool other = idle || held != state.packet || flit.vc != state.vc;
  const auto kind = static_cast<std::uint8_t>((flit.tail ? 2 : 0) + (flit.head ? 1 : 0));
  if (other || kind != state.kind) {
    file_.set(row.flit, std::string_view(text_of(held).of(flit)));
    file_.set(row.kind, kind_of(flit));
  }
  if (other) {
    const PacketText& packet = text_of(held);
    file_.set(row.valid, 1);
    file_.set(row.vc, flit.vc);
    file_.set(row.source, std::string_view(packet.source));
    file_.set(row.destination, std::string_view(packet.destination));
    file_.set(row.tag, packet.tag);
  }
  file_.set(row.data, flit.data);
  const End& sender = sender_[channel];
  if (sender.node != WaveSignals::kNone && (idle || from != state.from)) {
    file_.set(signals_->nodes[sender.node].port[sender.port].from,
              std::string_view(input_names_[from]));
  }
  state.packet = held;
  state.at = now_;
  state.vc = flit.vc;
  state.kind = kind;
  state.from = from;
  busy_now_.push_back(channel);
}

void WaveTrace::clear_channel(std::uint32_t channel) {
  const ChannelSignals& row = signals_->channels[channel];
  for (const FstWriter::Signal text : {row.flit, row.kind, row.source, row.destination}) {
    file_.set(text, std::string_view());
  }
  for (const FstWriter::Signal bits : {row.valid, row.vc, row.tag, row.data}) file_.set(bits, 0);
  const End& sender = sender_[channel];
  if (sender.node != WaveSignals::kNone) {
    file_.set(signals_->nodes[sender.node].port[sender.port].from, std::string_view());
  }
  channels_[channel].at = kNever;
}

// ---- Registers ----------------------------------------------------------------------------------

void WaveTrace::write_registers() {
  const Cycle now = file_.time();
  const Port all = static_cast<Port>(config_.router.ports());
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    Node& node = nodes_[place];
    const NodeSignals& signals = signals_->nodes[place];
    unsigned inputs = 0, outputs = 0;
    for (Port p = 0; p < all; ++p) {
      inputs |= unsigned{node.input_settled[p] >= now} << p;
      outputs |= unsigned{node.output_settled[p] >= now} << p;
    }
    if (!node.known) inputs = outputs = signals.ports;
    if ((inputs | outputs) == 0) continue;
    state_of_(signals.node, inputs | outputs, state_);
    write_inputs(signals, node, inputs);
    write_outputs(signals, node, outputs);
    node.known = true;
  }
}

/// Whether an ejection channel's credits are not all there.
bool WaveTrace::waits_for_nic(Port port) const {
  for (Vc w = 0; w < config_.router.output_vcs(port); ++w) {
    if (state_.output[port][w].credits != config_.router.depth) return true;
  }
  return false;
}

void WaveTrace::write_inputs(const NodeSignals& signals, Node& node, unsigned ports) {
  for (; ports != 0; ports &= ports - 1) {
    const auto p = static_cast<Port>(std::countr_zero(ports));
    for (Vc v = 0; v < config_.router.input_vcs(p); ++v) {
      const InputVcState& input = state_.input[p][v];
      if (node.known && input == node.shown.input[p][v]) continue;
      write_input(signals.port[p].in_vc[v], input, node.input[p][v].front);
      node.shown.input[p][v] = input;
    }
    file_.set(signals.port[p].in_pointer, state_.in_pointer[p]);
  }
}

/// After the inputs, which own them.
void WaveTrace::write_outputs(const NodeSignals& signals, Node& node, unsigned ports) {
  for (; ports != 0; ports &= ports - 1) {
    const auto p = static_cast<Port>(std::countr_zero(ports));
    for (Vc w = 0; w < config_.router.output_vcs(p); ++w) {
      const OutputVcState& output = state_.output[p][w];
      OutputVcState& shown = node.shown.output[p][w];
      const OutputVcSignals& row = signals.port[p].out_vc[w];
      if (output.owned) file_.set(row.owner, owner(node.shown, p, w));
      if (node.known && output == shown) continue;
      file_.set(row.credits, output.credits);
      file_.set(row.owned, output.owned ? 1 : 0);
      if (!output.owned) file_.set(row.owner, std::string_view());
      shown = output;
    }
    file_.set(signals.port[p].out_pointer, state_.out_pointer[p]);
    if (!config_.router.is_ejection(p)) continue;
    // The NIC's credits come when it likes.
    if (waits_for_nic(p)) {
      node.output_settled[p] = kNever;
    } else if (node.output_settled[p] == kNever) {
      node.output_settled[p] = file_.time();
    }
  }
}

// Every packet's head is at the front in some cycle, before its body is.
void WaveTrace::write_input(const InputVcSignals& signals, const InputVcState& state,
                            Held& packet) {
  if (state.count > 0 && state.front.head) packet = {state.front.data, true};
  file_.set(signals.front, state.count > 0 ? std::string_view(text_of(packet).of(state.front))
                                           : std::string_view());
  file_.set(signals.count, state.count);
  if (config_.router.stages >= 3) file_.set(signals.routed, state.routed ? 1 : 0);
  file_.set(signals.active, state.active ? 1 : 0);
  file_.set(signals.out_port, state.out_port);
  file_.set(signals.out_vc, state.out_vc);
}

/// An output VC is owned by the input VC whose packet has it.
std::string_view WaveTrace::owner(const RouterState& state, Port out, Vc vc) const {
  for (Port p = 0; p < config_.router.ports(); ++p) {
    for (Vc v = 0; v < config_.router.input_vcs(p); ++v) {
      const InputVcState& input = state.input[p][v];
      if (input.active && input.out_port == out && input.out_vc == vc) return input_name(p, v);
    }
  }
  return "";
}

}  // namespace annelid
