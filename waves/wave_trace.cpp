#include "waves/wave_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "systemc/network/route.hpp"

namespace annelid::waves {
namespace {

constexpr NodeId kDefaultNodes = 64;

const char* name_of(systemc::BlockCause cause) {
  switch (cause) {
    case systemc::BlockCause::kNoVc:
      return "no_vc";
    case systemc::BlockCause::kNoCredit:
      return "no_credit";
    case systemc::BlockCause::kLostSwitch:
      return "lost_switch";
  }
  return "?";
}

std::vector<NodeId> checked(std::vector<NodeId> nodes, const systemc::NetworkConfig& config) {
  if (nodes.empty()) return WaveTrace::default_nodes(config);
  std::vector<bool> seen(config.nodes());
  for (const NodeId node : nodes) {
    if (node >= config.nodes() || seen[node]) {
      throw systemc::ConfigError("wave.nodes", std::to_string(node),
                                 "nodes 0.." + std::to_string(config.nodes() - 1) + ", each once");
    }
    seen[node] = true;
  }
  return nodes;
}

}  // namespace

// ---- Setting up ---------------------------------------------------------------------------------

std::vector<NodeId> WaveTrace::default_nodes(const systemc::NetworkConfig& config) {
  std::vector<NodeId> nodes(std::min(config.nodes(), kDefaultNodes));
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  return nodes;
}

WaveTrace::WaveTrace(std::filesystem::path path, const systemc::NetworkConfig& config,
                     std::vector<NodeId> nodes, StateOf state_of, const WaveWindow& window)
    : path_(std::move(path)),
      config_(config),
      chosen_(checked(std::move(nodes), config)),
      shown_(config.nodes()),
      state_of_(std::move(state_of)),
      window_(window),
      file_(path_),
      holders_(config) {
  for (const NodeId node : chosen_) shown_[node] = true;
  if (window_.trigger.kind == WaveTrigger::Kind::kNone) {
    triggered_at_ = window_.begin;
  } else {
    file_.keep_last(window_.before);
  }
  for (const systemc::BlockCause cause :
       {systemc::BlockCause::kNoVc, systemc::BlockCause::kNoCredit,
        systemc::BlockCause::kLostSwitch}) {
    for (Port p = 0; p < kMaxPorts; ++p) {
      blocked_texts_.push_back(
          p < config_.router.ports()
              ? fmt::format("{} {}", name_of(cause), port_name(config_.router, p))
              : "");
    }
  }
}

std::filesystem::path WaveTrace::save_file() const { return save_file_of(path_); }

WaveTrace::Row WaveTrace::add_row(NodeRow row) {
  if (signals_) throw std::logic_error("WaveTrace: a row after the first cycle: " + row.name);
  rows_.push_back(std::move(row));
  return static_cast<Row>(rows_.size() - 1);
}

void WaveTrace::add_marker(Cycle cycle, std::string_view name) { view_.add_marker(cycle, name); }

void WaveTrace::declare() {
  signals_.emplace(file_, config_, chosen_, rows_);
  registers_.emplace(config_, *signals_, state_of_);
  nodes_.resize(signals_->nodes.size());
  channels_.resize(signals_->channels.size());
  used_vcs_.resize(channels_.size());
  receiver_.resize(channels_.size());
  const auto vcs = static_cast<std::size_t>(config_.router.max_vcs());
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    channels_[i].all = signals_->channels[i].all;
    channels_[i].packets = i * vcs;
  }
  packets_.resize(channels_.size() * vcs);
  heads_at_.resize(packets_.size());
  for (NodeId node = 0; node < config_.nodes(); ++node) {
    for (Port out = 0; out < config_.router.ports(); ++out) {
      const std::uint32_t channel = signals_->output_channel(node, out);
      if (channel == WaveSignals::kNone) continue;
      if (const std::uint32_t place = signals_->place(node); place != WaveSignals::kNone) {
        channels_[channel].sent_here = true;
        channels_[channel].sender = signals_->nodes[place].port[out].from;
      }
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

void WaveTrace::end_window() {
  end_cycle();
  file_.set_time(now_ + 1);
  clear_channels_before(now_ + 1);
  registers_->write(file_);
  recording_ = false;
  over_ = true;
}

// ---- Cycles -------------------------------------------------------------------------------------

void WaveTrace::cycle(Cycle cycle) {
  const bool first = !signals_;
  if (first) declare();
  if (!first && cycle <= now_) throw std::logic_error("WaveTrace::cycle: time goes back");
  trigger_blocked();
  note_pause(cycle);
  if (!recording_) holders_.end_cycle([](auto&&...) {});
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
  registers_->write(file_);
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
  write_holders();
  clear_channels_before(now_);
  std::swap(busy_now_, busy_before_);
  write_due(now_ + 1);
}

void WaveTrace::write_holders() {
  holders_.end_cycle(
      [&](NodeId node, Port in, Vc in_vc, std::span<const WaveHolders::Packet> holders) {
        const NodeSignals& signals = signals_->nodes[signals_->place(node)];
        file_.pulse(signals.port[in].in_vc[in_vc].held_by,
                    std::string_view(waves::text_of(config_.router, holders)));
      });
}

/// Only at the end of a cycle is it known which channels carry no flit in it.
void WaveTrace::clear_channels_before(Cycle cycle) {
  for (const std::uint32_t channel : busy_before_) {
    if (channels_[channel].at >= cycle) continue;
    channels_[channel].at = kNever;
    file_.set(channels_[channel].all, ChannelBundle::nothing());
    write_sender(channels_[channel], InputNames::kNone);
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
  trigger_blocked();
  if (!triggered_at_) return file_.discard();
  if (recording_) end_window();
  file_.close();
  view_.write(save_file(), path_, file_, *signals_, config_, used_vcs_);
}

// ---- Events -------------------------------------------------------------------------------------

void WaveTrace::packet(Cycle cycle, NodeId node, Port local, const systemc::PacketInfo& packet) {
  require_now(cycle);
  holders_.packet(node, local, packet.control);
  if (packet.control) view_.ignore(packet.head);
  if (!recording_) return;
  if (!packet.control) trigger_tag(cycle, {node, local}, packet.head);
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone) return;
  const std::string text = packet.control
                               ? std::string("control")
                               : fmt::format("step {}, {} bytes", packet.step, packet.bytes);
  file_.pulse(signals_->nodes[place].port[config_.router.injection_input(local)].message,
              std::string_view(text));
}

void WaveTrace::injected(Cycle cycle, NodeId node, Port local, const systemc::Flit& flit) {
  require_now(cycle);
  last_move_ = cycle;
  holders_.injected(node, local, flit);
  const std::uint32_t channel = signals_->injection_channel(node, local);
  if (channel == WaveSignals::kNone) return;
  registers_->touch_input(receiver_[channel], cycle);
  write_channel(channel, flit, InputNames::kNone);
  if (!recording_ || !triggered_at_ || !flit.head) return;
  if (view_.follows(cycle, channel, systemc::unpack_head(flit.data))) {
    view_.add_hop(signals_->channels[channel], fmt::format("{} inject {}", at(node), local));
  }
}

void WaveTrace::allocated(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, Vc out_vc) {
  require_now(cycle);
  holders_.allocated(node, in, in_vc, out, out_vc);
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone || !recording_) return;
  registers_->touch_input({place, in}, cycle);
  registers_->touch_output({place, out}, cycle);
  file_.pulse(signals_->nodes[place].port[out].out_vc[out_vc].allocated,
              std::string_view(signals_->input_names->of(in, in_vc)));
}

void WaveTrace::granted(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out,
                        const systemc::Flit& flit) {
  require_now(cycle);
  holders_.granted(node, in, in_vc, out, flit);
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone || !recording_) return;
  registers_->touch_input({place, in}, cycle);
  registers_->touch_output({place, out}, cycle);
  file_.pulse(signals_->nodes[place].port[out].grant,
              std::string_view(signals_->input_names->of(in, in_vc)));
}

void WaveTrace::moved(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out,
                      const systemc::Flit& flit) {
  require_now(cycle);
  last_move_ = cycle;
  holders_.moved(node, in, in_vc, out, flit);
  const std::uint32_t place = signals_->place(node);
  registers_->touch_input({place, in}, cycle);
  registers_->touch_output({place, out}, cycle);
  registers_->touch_output(credits_to_[node * kMaxPorts + in], cycle);
  const std::uint32_t channel = signals_->output_channel(node, out);
  if (channel == WaveSignals::kNone) return;
  registers_->touch_input(receiver_[channel], cycle);
  write_channel(channel, flit, InputNames::index(in, in_vc));
  if (place == WaveSignals::kNone || !recording_ || !triggered_at_) return;
  follow(channel, node, out, flit);
}

/// The view shows the path of one packet.
void WaveTrace::follow(std::uint32_t channel, NodeId node, Port out, const systemc::Flit& flit) {
  const bool leaves = flit.tail && config_.router.is_ejection(out);
  const HeldPacket& packet = packets_[channels_[channel].packets + flit.vc];
  if (!packet.known || !(flit.head || leaves)) return;
  if (!view_.follows(now_, channel, systemc::unpack_head(packet.head))) return;
  if (flit.head) view_.add_hop(signals_->channels[channel], hop_name(node, out));
  if (leaves) view_.end(now_);
}

void WaveTrace::blocked(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out,
                        systemc::BlockCause cause) {
  require_now(cycle);
  blocked_now_ = true;
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone || !recording_) return;
  holders_.blocked(node, in, in_vc, out, cause);
  const NodeSignals& signals = signals_->nodes[place];
  file_.pulse(signals.port[in].in_vc[in_vc].blocked,
              std::string_view(blocked_texts_[static_cast<std::size_t>(cause) * kMaxPorts + out]));
  std::string& waiting = nodes_[place].waiting[out];
  if (waiting.empty()) waiting_.emplace_back(place, out);
  if (!waiting.empty()) waiting += ", ";
  waiting.append(signals_->input_names->of(in, in_vc)).append(" ").append(name_of(cause));
  if (!waits_for(WaveTrigger::Kind::kBlocked)) return;
  InputVc& input = nodes_[place].input[in][in_vc];
  input.blocked_for = input.blocked_last + 1 == cycle ? input.blocked_for + 1 : 1;
  input.blocked_last = cycle;
  if (input.blocked_for < window_.trigger.value) return;
  const std::tuple here{place, in, in_vc, out};
  longest_blocked_ = std::min(longest_blocked_.value_or(here), here);
}

// ---- Channels -----------------------------------------------------------------------------------

// Before the window too, so that it knows whose the bodies are that it sees first.
void WaveTrace::write_channel(std::uint32_t channel, const systemc::Flit& flit,
                              InputNames::Index from) {
  Channel& state = channels_[channel];
  HeldPacket& packet = packets_[state.packets + flit.vc];
  if (flit.head) {
    packet = {flit.data, true};
    heads_at_[state.packets + flit.vc] = now_;
  }
  used_vcs_[channel] |= static_cast<std::uint8_t>(1U << flit.vc);
  if (!recording_) return;
  file_.set(state.all, ChannelBundle::record(packet, flit));
  write_sender(state, from);
  state.at = now_;
  busy_now_.push_back(channel);
}

/// The input that the sender's switch takes the flit from.
void WaveTrace::write_sender(Channel& channel, InputNames::Index from) {
  if (!channel.sent_here || channel.from == from) return;
  channel.from = from;
  file_.set(channel.sender, std::string_view((*signals_->input_names)[from]));
}

}  // namespace annelid::waves
