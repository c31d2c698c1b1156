#include "waves/wave_view.hpp"

#include <algorithm>
#include <utility>

#include "systemc/network/route.hpp"

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
                     const systemc::NetworkConfig& config) {
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
  add_rows(names, signals, config);
  for (const NodeSignals& node : signals.nodes) add_node(names, node, config);
  file_.write(path, waveform);
}

void WaveView::add_waits(const FstWriter& names) {
  for (const Waiting& wait : waits_) {
    file_.open_group(wait.name, false);
    file_.add(names.name(wait.front), GtkwFormat::kText, GtkwColour::kBlue, "front");
    file_.add(names.name(wait.blocked), GtkwFormat::kText, GtkwColour::kRed, "blocked");
    file_.add(names.name(wait.held_by), GtkwFormat::kText, GtkwColour::kRed, "held by");
    file_.add(names.name(wait.output), GtkwFormat::kText, GtkwColour::kYellow, "wanted");
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

void WaveView::add_rows(const FstWriter& names, const WaveSignals& signals,
                        const systemc::NetworkConfig& config) {
  const auto rows = static_cast<std::size_t>(
      std::count_if(signals.rows.begin(), signals.rows.end(),
                    [](FstWriter::Signal row) { return row != WaveSignals::kNone; }));
  if (rows == 0) return;
  file_.open_group("NICs", rows > kMostRows);
  for (const NodeSignals& node : signals.nodes) {
    for (const FstWriter::Signal row : node.rows) {
      add_row(names.name(row), node_name(config.router, config.address(node.node)) + " ");
    }
  }
  file_.close_group();
  file_.add_comment("");
}

/// `name` with its scopes; texts have no range.
void WaveView::add_row(const std::string& name, const std::string& prefix) {
  const std::string last = name.substr(name.rfind('.') + 1);
  file_.add(name, last.ends_with(']') ? GtkwFormat::kHex : GtkwFormat::kText, GtkwColour::kNormal,
            prefix + last.substr(0, last.find('[')));
}

// The rows that say most come first and stay open within the node; the rest folds.
void WaveView::add_node(const FstWriter& names, const NodeSignals& node,
                        const systemc::NetworkConfig& config) {
  const Address at = config.address(node.node);
  file_.open_group("node " + node_name(config.router, at), !packet_ || at != packet_->source);
  for (const FstWriter::Signal row : node.rows) add_row(names.name(row), "");
  for (Port p = 0; p < config.router.ports(); ++p) {
    const PortSignals& port = node.port[p];
    if (!port.exists) continue;
    const std::string name = port_name(config.router, p);
    file_.add(names.name(port.in.flit), GtkwFormat::kText, GtkwColour::kNormal, name + " in");
    file_.add(names.name(port.out.flit), GtkwFormat::kText, GtkwColour::kYellow, name + " out");
    file_.add(names.name(port.waiting), GtkwFormat::kText, GtkwColour::kRed, name + " waiting");
  }
  for (Port p = 0; p < config.router.ports(); ++p) {
    const PortSignals& port = node.port[p];
    if (!port.exists) continue;
    file_.open_group(node_name(config.router, at) + " " + port_name(config.router, p), true);
    add_output(names, port, config.router.output_vcs(p));
    add_input(names, port, config.router.input_vcs(p));
    file_.close_group();
  }
  file_.close_group();
}

void WaveView::add_output(const FstWriter& names, const PortSignals& port, int vcs) {
  file_.add_comment("output");
  file_.add(names.name(port.out.flit), GtkwFormat::kText, GtkwColour::kYellow);
  file_.add(names.name(port.grant), GtkwFormat::kText);
  file_.add(names.name(port.from), GtkwFormat::kText);
  file_.add(names.name(port.waiting), GtkwFormat::kText, GtkwColour::kRed);
  file_.add(names.name(port.out_pointer), GtkwFormat::kDecimal);
  for (int w = 0; w < vcs; ++w) {
    const OutputVcSignals& vc = port.out_vc[static_cast<std::size_t>(w)];
    const std::string prefix = "vc" + std::to_string(w) + " ";
    file_.add(names.name(vc.credits), GtkwFormat::kDecimal, GtkwColour::kNormal,
              prefix + "credits");
    file_.add(names.name(vc.owned), GtkwFormat::kBinary, GtkwColour::kNormal, prefix + "owned");
    file_.add(names.name(vc.owner), GtkwFormat::kText, GtkwColour::kNormal, prefix + "owner");
    if (vc.allocated == 0) continue;
    file_.add(names.name(vc.allocated), GtkwFormat::kText, GtkwColour::kNormal,
              prefix + "allocated");
  }
  add_channel(names, port.out);
}

void WaveView::add_input(const FstWriter& names, const PortSignals& port, int vcs) {
  file_.add_comment("input");
  file_.add(names.name(port.in.flit), GtkwFormat::kText, GtkwColour::kYellow);
  if (port.message != 0) file_.add(names.name(port.message), GtkwFormat::kText);
  file_.add(names.name(port.in_pointer), GtkwFormat::kDecimal);
  for (int v = 0; v < vcs; ++v) {
    const InputVcSignals& vc = port.in_vc[static_cast<std::size_t>(v)];
    const std::string prefix = "vc" + std::to_string(v) + " ";
    const auto add = [&](FstWriter::Signal signal, GtkwFormat format, GtkwColour colour,
                         const char* name) {
      file_.add(names.name(signal), format, colour, prefix + name);
    };
    add(vc.front, GtkwFormat::kText, GtkwColour::kBlue, "front");
    add(vc.blocked, GtkwFormat::kText, GtkwColour::kRed, "blocked");
    add(vc.held_by, GtkwFormat::kText, GtkwColour::kRed, "held by");
    add(vc.count, GtkwFormat::kDecimal, GtkwColour::kNormal, "count");
    if (vc.routed != 0) add(vc.routed, GtkwFormat::kBinary, GtkwColour::kNormal, "routed");
    add(vc.active, GtkwFormat::kBinary, GtkwColour::kNormal, "active");
    add(vc.out_port, GtkwFormat::kDecimal, GtkwColour::kNormal, "out_port");
    add(vc.out_vc, GtkwFormat::kDecimal, GtkwColour::kNormal, "out_vc");
  }
  add_channel(names, port.in);
}

void WaveView::add_channel(const FstWriter& names, const ChannelSignals& channel) {
  file_.add(names.name(channel.valid), GtkwFormat::kBinary);
  file_.add(names.name(channel.kind), GtkwFormat::kText);
  file_.add(names.name(channel.vc), GtkwFormat::kDecimal);
  file_.add(names.name(channel.source), GtkwFormat::kText);
  file_.add(names.name(channel.destination), GtkwFormat::kText);
  file_.add(names.name(channel.tag), GtkwFormat::kDecimal);
  file_.add(names.name(channel.data), GtkwFormat::kHex);
}

}  // namespace annelid::waves
