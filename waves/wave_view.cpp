#include "waves/wave_view.hpp"

#include <algorithm>
#include <utility>

#include "systemc/network/route.hpp"
#include "waves/row_name.hpp"

namespace annelid::waves {
namespace {

// The texts of flits are legible if the window shows no more than this many cycles.
constexpr Cycle kFewest = 10, kMost = 15;
// More rows than this are folded, or they would push the nodes out of the window.
constexpr std::size_t kMostRows = 16;

}  // namespace

void WaveView::ignore(const systemc::HeadFields& packet) {
  if (!chosen_) ignored_.insert(pack(packet));
}

bool WaveView::follows(Cycle cycle, std::uint32_t channel, const systemc::HeadFields& packet) {
  if (packet_ && !chosen_ && cycle > begin_) {
    chosen_ = true;
    ignored_.clear();
  }
  if (!chosen_ && (!packet_ || channel < channel_) && !ignored_.contains(pack(packet))) {
    packet_ = packet;
    channel_ = channel;
    begin_ = cycle;
    end_ = kNever;
    hops_.clear();
  }
  return end_ == kNever && packet_ && packet == *packet_;
}

void WaveView::choose(Cycle cycle, const systemc::HeadFields& packet) {
  chosen_ = true;
  ignored_.clear();
  packet_ = packet;
  begin_ = cycle;
  end_ = kNever;
  hops_.clear();
}

void WaveView::add_waiting(std::string name, const InputVcSignals& vc, FstWriter::Signal output) {
  waits_.push_back({std::move(name), vc.front, vc.blocked, vc.held_by, output});
}

void WaveView::add_hop(const ChannelSignals& channel, std::string name) {
  hops_.push_back({std::move(name), channel});
}

void WaveView::end(Cycle cycle) { end_ = cycle; }

void WaveView::write(const std::filesystem::path& path, const std::filesystem::path& waveform,
                     const FstWriter& names, const WaveSignals& signals,
                     const systemc::NetworkConfig& config, const UsedVcs& used) {
  const Cycle last = names.time();
  if (looked_at_) {
    const Cycle begin = std::max(*looked_at_, names.begin() + kMost) - kMost;
    file_.set_range(begin, begin + 2 * kMost);
  } else if (packet_) {
    const Cycle length = std::clamp(std::min(end_, last) - begin_ + 2, kFewest, kMost);
    const Cycle begin = begin_ - std::min<Cycle>(begin_, 1);
    file_.set_range(begin, begin + length);
  } else {
    file_.set_range(names.begin(), names.begin() + kMost);
  }
  add_waits(names);
  if (packet_) add_way(names, config);
  add_rows(names, signals);
  for (const NodeSignals& node : signals.nodes) add_node(names, node, config, used);
  file_.write(path, waveform);
}

void WaveView::add(const std::string& signal, GtkwFormat format, GtkwColour colour) {
  file_.add(signal, format, colour, row_name(signal));
}

void WaveView::add_waits(const FstWriter& names) {
  for (const Waiting& wait : waits_) {
    file_.open_group(wait.name, false);
    add(names.name(wait.front), GtkwFormat::kText, GtkwColour::kBlue);
    add(names.name(wait.blocked), GtkwFormat::kText, GtkwColour::kRed);
    add(names.name(wait.held_by), GtkwFormat::kText, GtkwColour::kRed);
    add(names.name(wait.output), GtkwFormat::kText, GtkwColour::kYellow);
    file_.close_group();
  }
  if (!waits_.empty()) file_.add_comment("");
}

void WaveView::add_way(const FstWriter& names, const systemc::NetworkConfig& config) {
  file_.open_group("packet " + node_name(config.router, packet_->source) + ">" +
                       node_name(config.router, packet_->destination) + " #" +
                       std::to_string(packet_->tag),
                   false);
  for (const Hop& hop : hops_) {
    file_.add(names.name(hop.channel.flit), GtkwFormat::kText, GtkwColour::kYellow, hop.name);
  }
  file_.close_group();
  file_.add_comment("");
}

void WaveView::add_rows(const FstWriter& names, const WaveSignals& signals) {
  const auto rows = static_cast<std::size_t>(
      std::count_if(signals.rows.begin(), signals.rows.end(),
                    [](FstWriter::Signal row) { return row != WaveSignals::kNone; }));
  if (rows == 0) return;
  file_.open_group("NICs", rows > kMostRows);
  for (const NodeSignals& node : signals.nodes) add_nic(names, node);
  file_.close_group();
  file_.add_comment("");
}

/// Texts have no range.
void WaveView::add_nic(const FstWriter& names, const NodeSignals& node) {
  for (const FstWriter::Signal row : node.rows) {
    const std::string& name = names.name(row);
    add(name, name.ends_with(']') ? GtkwFormat::kHex : GtkwFormat::kText);
  }
}

// The rows that say most come first and stay open within the node; the rest folds.
void WaveView::add_node(const FstWriter& names, const NodeSignals& node,
                        const systemc::NetworkConfig& config, const UsedVcs& used) {
  const Address at = config.address(node.node);
  const std::string place = node_name(config.router, at);
  file_.open_group("node " + place, !packet_ || at != packet_->source);
  add_nic(names, node);
  for (Port p = 0; p < config.router.ports(); ++p) {
    const PortSignals& port = node.port[p];
    if (!port.exists) continue;
    add(names.name(port.in.flit), GtkwFormat::kText);
    add(names.name(port.out.flit), GtkwFormat::kText, GtkwColour::kYellow);
    add(names.name(port.waiting), GtkwFormat::kText, GtkwColour::kRed);
  }
  for (Port p = 0; p < config.router.ports(); ++p) {
    const PortSignals& port = node.port[p];
    if (!port.exists) continue;
    file_.open_group(place + " " + port_name(config.router, p), true);
    add_output(names, port, used[port.out.number]);
    add_input(names, port, used[port.in.number]);
    file_.close_group();
  }
  file_.close_group();
}

void WaveView::add_output(const FstWriter& names, const PortSignals& port, unsigned used) {
  file_.add_comment("output");
  add(names.name(port.out.flit), GtkwFormat::kText, GtkwColour::kYellow);
  add(names.name(port.grant), GtkwFormat::kText);
  add(names.name(port.from), GtkwFormat::kText);
  add(names.name(port.waiting), GtkwFormat::kText, GtkwColour::kRed);
  add(names.name(port.out_pointer), GtkwFormat::kDecimal);
  for (std::size_t w = 0; w < kMaxVcs; ++w) {
    if ((used >> w & 1U) == 0) continue;
    const OutputVcSignals& vc = port.out_vc[w];
    add(names.name(vc.credits), GtkwFormat::kDecimal);
    add(names.name(vc.owned), GtkwFormat::kBinary);
    add(names.name(vc.owner), GtkwFormat::kText);
    if (vc.allocated != 0) add(names.name(vc.allocated), GtkwFormat::kText);
  }
  add_channel(names, port.out);
}

void WaveView::add_input(const FstWriter& names, const PortSignals& port, unsigned used) {
  file_.add_comment("input");
  add(names.name(port.in.flit), GtkwFormat::kText, GtkwColour::kYellow);
  if (port.message != 0) add(names.name(port.message), GtkwFormat::kText);
  add(names.name(port.in_pointer), GtkwFormat::kDecimal);
  for (std::size_t v = 0; v < kMaxVcs; ++v) {
    if ((used >> v & 1U) == 0) continue;
    const InputVcSignals& vc = port.in_vc[v];
    add(names.name(vc.front), GtkwFormat::kText, GtkwColour::kBlue);
    add(names.name(vc.blocked), GtkwFormat::kText, GtkwColour::kRed);
    add(names.name(vc.held_by), GtkwFormat::kText, GtkwColour::kRed);
    add(names.name(vc.count), GtkwFormat::kDecimal);
    if (vc.routed != 0) add(names.name(vc.routed), GtkwFormat::kBinary);
    add(names.name(vc.active), GtkwFormat::kBinary);
    add(names.name(vc.out_port), GtkwFormat::kDecimal);
    add(names.name(vc.out_vc), GtkwFormat::kDecimal);
  }
  add_channel(names, port.in);
}

void WaveView::add_channel(const FstWriter& names, const ChannelSignals& channel) {
  add(names.name(channel.valid), GtkwFormat::kBinary);
  add(names.name(channel.kind), GtkwFormat::kText);
  add(names.name(channel.vc), GtkwFormat::kDecimal);
  add(names.name(channel.source), GtkwFormat::kText);
  add(names.name(channel.destination), GtkwFormat::kText);
  add(names.name(channel.tag), GtkwFormat::kDecimal);
  add(names.name(channel.data), GtkwFormat::kHex);
}

}  // namespace annelid::waves
