#include "systemc/wave_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "systemc/route.hpp"

namespace annelid {
namespace {

constexpr NodeId kDefaultNodes = 64;

const char* kind_of(const Flit& flit) {
  return flit.head ? (flit.tail ? "single" : "head") : (flit.tail ? "tail" : "body");
}

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
                     std::vector<NodeId> nodes, StateOf state_of)
    : path_(std::move(path)),
      config_(config),
      chosen_(checked(std::move(nodes), config)),
      state_of_(std::move(state_of)),
      file_(path_) {}

std::filesystem::path WaveTrace::save_file() const {
  return std::filesystem::path(path_).replace_extension(".gtkw");
}

WaveTrace::Text WaveTrace::add_text(NodeId node, std::string name) {
  if (begun_) throw std::logic_error("WaveTrace::add_text after the first cycle: " + name);
  text_rows_.push_back({node, std::move(name)});
  return static_cast<Text>(text_rows_.size() - 1);
}

void WaveTrace::add_marker(Cycle cycle, std::string_view name) { view_.add_marker(cycle, name); }

void WaveTrace::declare() {
  signals_.emplace(file_, config_, chosen_, text_rows_);
  nodes_.resize(signals_->nodes.size());
  packets_.resize(signals_->channels.size());
}

// ---- Cycles -------------------------------------------------------------------------------------

void WaveTrace::cycle(Cycle cycle) {
  if (!begun_) {
    declare();
    begun_ = true;
    file_.set_time(cycle);
  } else {
    if (cycle <= now_) throw std::logic_error("WaveTrace::cycle: time goes back");
    end_cycle();
    // Nothing happened in the cycles that were left out, so the registers have their values since
    // the first of them.
    file_.set_time(now_ + 1);
  }
  write_registers();
  write_due_texts(cycle);
  file_.set_time(cycle);
  now_ = cycle;
}

void WaveTrace::require_now(Cycle cycle) const {
  if (!begun_ || cycle != now_) {
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
  write_due_texts(now_ + 1);
}

void WaveTrace::set_text(Text row, Cycle cycle, std::string text) {
  if (begun_ && cycle < now_) throw std::logic_error("WaveTrace::set_text: cycle is over");
  texts_.insert_or_assign({cycle, row}, std::move(text));
}

// Texts wait until their cycle is over, so that the last one told for a cycle is the one shown.
void WaveTrace::write_due_texts(Cycle until) {
  while (!texts_.empty() && texts_.begin()->first.first < until) {
    const auto due = texts_.extract(texts_.begin());
    const auto [cycle, row] = due.key();
    const FstWriter::Signal signal = signals_->texts[row];
    if (signal == WaveSignals::kNone) continue;
    file_.set_time(std::max(cycle, file_.time()));
    file_.set(signal, std::string_view(due.mapped()));
  }
}

void WaveTrace::close() {
  if (!begun_) cycle(0);
  end_cycle();
  file_.set_time(now_ + 1);
  write_registers();
  file_.close();
  view_.write(save_file(), path_, file_, *signals_, config_, now_ + 1);
}

// ---- Events -------------------------------------------------------------------------------------

void WaveTrace::packet(Cycle cycle, NodeId node, Port local, const PacketInfo& packet) {
  require_now(cycle);
  if (packet.control) view_.ignore(packet.head);
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone) return;
  buffer_ = packet.control ? std::string("control")
                           : fmt::format("step {}, {} bytes", packet.step, packet.bytes);
  file_.pulse(signals_->nodes[place].port[config_.router.injection_input(local)].message,
              std::string_view(buffer_));
}

void WaveTrace::injected(Cycle cycle, NodeId node, Port local, const Flit& flit) {
  require_now(cycle);
  wake(node);
  const std::uint32_t channel = signals_->injection_channel(node, local);
  if (channel == WaveSignals::kNone) return;
  const PacketText& packet = write_channel(channel, flit);
  if (flit.head && view_.follows(cycle, packet.head)) {
    view_.add_hop(signals_->channels[channel], node_name(config_.router, config_.address(node)) +
                                                   " inject " + std::to_string(local));
  }
}

void WaveTrace::moved(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) {
  require_now(cycle);
  const bool ejected = config_.router.is_ejection(out);
  const Address at = config_.address(node);
  if (!ejected) wake(config_.id(receiver_of(config_, at, out)->address));
  const std::uint32_t channel = signals_->output_channel(node, out);
  if (channel == WaveSignals::kNone) return;
  const PacketText& packet = write_channel(channel, flit);
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone) return;
  const PortSignals& port = signals_->nodes[place].port[out];
  buffer_ = fmt::format("{}.{}", port_name(config_.router, in), in_vc);
  file_.pulse(port.from, std::string_view(buffer_));
  if (!packet.known || !(flit.head || (ejected && flit.tail))) return;
  if (!view_.follows(cycle, packet.head)) return;
  if (flit.head) {
    view_.add_hop(port.out,
                  node_name(config_.router, at) +
                      (ejected ? " eject " + std::to_string(out - config_.router.ejection_output(0))
                               : " " + port_name(config_.router, out)));
  }
  if (ejected && flit.tail) view_.end(cycle);
}

void WaveTrace::blocked(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, BlockCause cause) {
  require_now(cycle);
  const std::uint32_t place = signals_->place(node);
  if (place == WaveSignals::kNone) return;
  const NodeSignals& signals = signals_->nodes[place];
  buffer_ = fmt::format("{} {}", name_of(cause), port_name(config_.router, out));
  file_.pulse(signals.port[in].in_vc[in_vc].blocked, std::string_view(buffer_));
  std::string& waiting = nodes_[place].waiting[out];
  if (waiting.empty()) waiting_.emplace_back(place, out);
  fmt::format_to(std::back_inserter(waiting), "{}{}.{} {}", waiting.empty() ? "" : ", ",
                 port_name(config_.router, in), in_vc, name_of(cause));
}

// ---- Channels -----------------------------------------------------------------------------------

WaveTrace::PacketText WaveTrace::text_of(const HeadFields& head) const {
  PacketText text{true,
                  head,
                  node_name(config_.router, head.source),
                  node_name(config_.router, head.destination),
                  {}};
  text.way = fmt::format(" {}>{} #{}", text.source, text.destination, head.tag);
  return text;
}

std::string_view WaveTrace::flit_text(const Flit& flit, const PacketText& packet) {
  buffer_ = flit.head ? (flit.tail ? 'S' : 'H') : (flit.tail ? 'T' : 'B');
  buffer_ += packet.way;
  return buffer_;
}

const WaveTrace::PacketText& WaveTrace::write_channel(std::uint32_t channel, const Flit& flit) {
  PacketText& packet = packets_[channel][flit.vc];
  if (flit.head) packet = text_of(unpack_head(flit.data));
  const ChannelSignals& row = signals_->channels[channel];
  file_.pulse(row.flit, flit_text(flit, packet));
  file_.pulse(row.valid, 1);
  file_.pulse(row.kind, std::string_view(kind_of(flit)));
  file_.pulse(row.vc, flit.vc);
  file_.pulse(row.source, std::string_view(packet.source));
  file_.pulse(row.destination, std::string_view(packet.destination));
  file_.pulse(row.tag, packet.head.tag);
  file_.pulse(row.data, flit.data);
  return packet;
}

// ---- Registers ----------------------------------------------------------------------------------

void WaveTrace::wake(NodeId node) {
  if (const std::uint32_t place = signals_->place(node); place != WaveSignals::kNone) {
    nodes_[place].asleep = false;
  }
}

// A router without flits and with all its credits changes only when a flit arrives.
bool WaveTrace::is_asleep(const RouterState& state) const {
  for (Port p = 0; p < config_.router.ports(); ++p) {
    for (Vc v = 0; v < config_.router.input_vcs(p); ++v) {
      if (state.input[p][v].count != 0) return false;
    }
    for (Vc w = 0; w < config_.router.output_vcs(p); ++w) {
      if (state.output[p][w].credits != config_.router.depth) return false;
    }
  }
  return true;
}

void WaveTrace::write_registers() {
  RouterState state;
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    Node& node = nodes_[place];
    if (node.asleep) continue;
    const NodeSignals& signals = signals_->nodes[place];
    state_of_(signals.node, state);
    write_node(signals, node, state);
    node.asleep = is_asleep(state);
  }
}

void WaveTrace::write_node(const NodeSignals& signals, Node& node, const RouterState& state) {
  for (Port p = 0; p < config_.router.ports(); ++p) {
    const PortSignals& port = signals.port[p];
    if (!port.exists) continue;
    for (Vc v = 0; v < config_.router.input_vcs(p); ++v) {
      if (!node.known || state.input[p][v] != node.shown.input[p][v]) {
        write_input(port.in_vc[v], state.input[p][v], node.front[p][v]);
      }
    }
    for (Vc w = 0; w < config_.router.output_vcs(p); ++w) {
      file_.set(port.out_vc[w].credits, state.output[p][w].credits);
      file_.set(port.out_vc[w].owned, state.output[p][w].owned ? 1 : 0);
    }
    file_.set(port.in_pointer, state.in_pointer[p]);
    file_.set(port.out_pointer, state.out_pointer[p]);
  }
  node.shown = state;
  node.known = true;
}

// Every packet's head is at the front in some cycle, before its body is.
void WaveTrace::write_input(const InputVcSignals& signals, const InputVcState& state,
                            PacketText& packet) {
  if (state.count > 0 && state.front.head) packet = text_of(unpack_head(state.front.data));
  file_.set(signals.front, state.count > 0 ? flit_text(state.front, packet) : std::string_view());
  file_.set(signals.count, state.count);
  file_.set(signals.active, state.active ? 1 : 0);
  file_.set(signals.out_port, state.out_port);
  file_.set(signals.out_vc, state.out_vc);
}

}  // namespace annelid
