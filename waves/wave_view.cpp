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
  add_rows(names, signals, config);
  for (const NodeSignals& node : signals.nodes) add_node(names, node, config, used);
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
                        const systemc::NetworkConfig& config, const UsedVcs& used) {
  const Address at = config.address(node.node);
  const std::string node_text = node_name(config.router, at);
  file_.open_group("node " + node_text, !packet_ || at != packet_->source);
  for (const FstWriter::Signal row : node.rows) add_row(names.name(row), node_text + " ");
  for (Port p = 0; p < config.router.ports(); ++p) {
    const PortSignals& port = node.port[p];
    if (!port.exists) continue;
    const PortNames called(config.router, node_text, p);
    file_.add(names.name(port.in.flit), GtkwFormat::kText, GtkwColour::kNormal, called.in);
    file_.add(names.name(port.out.flit), GtkwFormat::kText, GtkwColour::kYellow, called.out);
    file_.add(names.name(port.waiting), GtkwFormat::kText, GtkwColour::kRed,
              called.port + " waiting");
  }
  for (Port p = 0; p < config.router.ports(); ++p) {
    const PortSignals& port = node.port[p];
    if (!port.exists) continue;
    const PortNames called(config.router, node_text, p);
    file_.open_group(called.port, true);
    add_output(names, port, called, used[port.out.number]);
    add_input(names, port, called, used[port.in.number]);
    file_.close_group();
  }
  file_.close_group();
}

WaveView::PortNames::PortNames(const systemc::RouterConfig& router, const std::string& node, Port p)
    : port(node + " " + port_name(router, p)), in(port + " in"), out(port) {
  if (router.is_injection(p)) {
    in = node + " inject " + std::to_string(p - router.injection_input(0));
  }
  if (router.is_ejection(p)) {
    out = node + " eject " + std::to_string(p - router.ejection_output(0));
  }
}

void WaveView::add_output(const FstWriter& names, const PortSignals& port, const PortNames& called,
                          unsigned used) {
  file_.add_comment("output");
  const auto add = [&](FstWriter::Signal signal, GtkwFormat format, GtkwColour colour,
                       const std::string& name) {
    file_.add(names.name(signal), format, colour, name);
  };
  add(port.out.flit, GtkwFormat::kText, GtkwColour::kYellow, called.out);
  add(port.grant, GtkwFormat::kText, GtkwColour::kNormal, called.port + " grant");
  add(port.from, GtkwFormat::kText, GtkwColour::kNormal, called.port + " from");
  add(port.waiting, GtkwFormat::kText, GtkwColour::kRed, called.port + " waiting");
  add(port.out_pointer, GtkwFormat::kDecimal, GtkwColour::kNormal, called.port + " out pointer");
  for (std::size_t w = 0; w < kMaxVcs; ++w) {
    if ((used >> w & 1U) == 0) continue;
    const OutputVcSignals& vc = port.out_vc[w];
    const std::string prefix = called.port + " vc" + std::to_string(w) + " ";
    add(vc.credits, GtkwFormat::kDecimal, GtkwColour::kNormal, prefix + "credits");
    add(vc.owned, GtkwFormat::kBinary, GtkwColour::kNormal, prefix + "owned");
    add(vc.owner, GtkwFormat::kText, GtkwColour::kNormal, prefix + "owner");
    if (vc.allocated == 0) continue;
    add(vc.allocated, GtkwFormat::kText, GtkwColour::kNormal, prefix + "allocated");
  }
  add_channel(names, port.out, called.out);
}

void WaveView::add_input(const FstWriter& names, const PortSignals& port, const PortNames& called,
                         unsigned used) {
  file_.add_comment("input");
  const auto add = [&](FstWriter::Signal signal, GtkwFormat format, GtkwColour colour,
                       const std::string& name) {
    file_.add(names.name(signal), format, colour, name);
  };
  add(port.in.flit, GtkwFormat::kText, GtkwColour::kYellow, called.in);
  if (port.message != 0) {
    add(port.message, GtkwFormat::kText, GtkwColour::kNormal, called.port + " message");
  }
  add(port.in_pointer, GtkwFormat::kDecimal, GtkwColour::kNormal, called.port + " in pointer");
  for (std::size_t v = 0; v < kMaxVcs; ++v) {
    if ((used >> v & 1U) == 0) continue;
    const InputVcSignals& vc = port.in_vc[v];
    const std::string prefix = called.port + " vc" + std::to_string(v) + " ";
    add(vc.front, GtkwFormat::kText, GtkwColour::kBlue, prefix + "front");
    add(vc.blocked, GtkwFormat::kText, GtkwColour::kRed, prefix + "blocked");
    add(vc.held_by, GtkwFormat::kText, GtkwColour::kRed, prefix + "held by");
    add(vc.count, GtkwFormat::kDecimal, GtkwColour::kNormal, prefix + "count");
    if (vc.routed != 0) {
      add(vc.routed, GtkwFormat::kBinary, GtkwColour::kNormal, prefix + "routed");
    }
    add(vc.active, GtkwFormat::kBinary, GtkwColour::kNormal, prefix + "active");
    add(vc.out_port, GtkwFormat::kDecimal, GtkwColour::kNormal, prefix + "out port");
    add(vc.out_vc, GtkwFormat::kDecimal, GtkwColour::kNormal, prefix + "out vc");
  }
  add_channel(names, port.in, called.in);
}

void WaveView::add_channel(const FstWriter& names, const ChannelSignals& channel,
                           const std::string& called) {
  const auto add = [&](FstWriter::Signal signal, GtkwFormat format, const char* name) {
    file_.add(names.name(signal), format, GtkwColour::kNormal, called + " " + name);
  };
  add(channel.valid, GtkwFormat::kBinary, "valid");
  add(channel.kind, GtkwFormat::kText, "kind");
  add(channel.vc, GtkwFormat::kDecimal, "vc");
  add(channel.source, GtkwFormat::kText, "source");
  add(channel.destination, GtkwFormat::kText, "destination");
  add(channel.tag, GtkwFormat::kDecimal, "tag");
  add(channel.data, GtkwFormat::kHex, "data");
}

}  // namespace annelid::waves
