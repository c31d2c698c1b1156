#include "waves/wave_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/input_error.hpp"

namespace annelid::waves {
namespace {

constexpr std::uint64_t kWideEnough = 25;  ///< cycles whose flits are legible side by side

/// "2,0 xp" for "noc.n_2_0.xp.out.flit".
std::string place_of(const std::string& name) {
  const std::size_t port = name.find('.', 4) + 1;
  return WaveContents::text_of(name.substr(0, port - 1)) + " " +
         name.substr(port, name.find('.', port) - port);
}

/// What a channel is called in each view, and in the one that a run writes: "2,0 xp", "2,0 eject 1"
/// for what the router sends on these ports, "2,0 inject 1" for what it takes from its NIC.
std::string channel_name(const std::string& channel) {
  constexpr std::string_view kLocal = " local";
  std::string place = place_of(channel);
  const std::size_t local = place.find(kLocal);
  if (local == std::string::npos) return place;
  const bool out = channel.find(".out.") != std::string::npos;
  return place.replace(local, kLocal.size(), out ? " eject " : " inject ");
}

/// What a VC's row is called: "2,0 xp vc1 held by" for "noc.n_2_0.xp.in.vc1.held_by".
std::string vc_row_name(const std::string& name) {
  const std::size_t vc = name.find(".vc") + 1, dot = name.find('.', vc);
  std::string what = name.substr(dot + 1);
  what.resize(std::min(what.size(), what.find('[')));
  std::ranges::replace(what, '_', ' ');
  return fmt::format("{} {} {}", place_of(name), name.substr(vc, dot - vc), what);
}

void set_range(GtkwFile& file, const WaveContents& contents, std::uint64_t begin,
               std::uint64_t end) {
  begin = std::max(begin, contents.begin() + 1) - 1;
  file.set_range(begin, std::min(std::max(end + 2, begin + 10), contents.end()));
}

/// The NIC's rows of a node that exist, "firmware" and so on.
void add_nic(GtkwFile& file, const WaveContents& contents, const std::string& node,
             std::initializer_list<const char*> rows) {
  for (const char* row : rows) {
    const std::string name = node + ".nic." + row;
    if (!contents.has(name)) continue;
    file.add(name, GtkwFormat::kText, GtkwColour::kNormal, WaveContents::text_of(node) + " " + row);
  }
}

/// The VCs that have ever held a flit, "noc.n_2_0.xp.in.vc1." and so on: of an input, or, by their
/// owners, of an output.
std::vector<std::string> used_vcs(WaveContents& contents, const std::string& direction) {
  const bool input = direction.ends_with(".in.");
  const std::string_view telling = input ? "front" : "owner";
  std::vector<std::string> rows;
  for (const std::string& name : contents.names(direction + "vc")) {
    if (name.substr(name.rfind('.') + 1) == telling) rows.push_back(name);
  }
  contents.load(rows);
  std::vector<std::string> used;
  for (const std::string& row : rows) {
    const auto filled = [](const FstReader::Change& change) { return !change.value.empty(); };
    if (std::ranges::any_of(contents.changes(row), filled)) {
      used.push_back(row.substr(0, row.size() - telling.size()));
    }
  }
  return used;
}

/// Those of a VC's rows that exist, in this order.
void add_vc(GtkwFile& file, const WaveContents& contents, const std::string& vc,
            std::initializer_list<std::string_view> rows) {
  for (const std::string_view row : rows) {
    for (const std::string& name : contents.names(vc + std::string(row))) {
      const bool number = name.ends_with(']');
      const GtkwColour colour = row == "front"                         ? GtkwColour::kBlue
                                : row == "blocked" || row == "held_by" ? GtkwColour::kRed
                                                                       : GtkwColour::kNormal;
      file.add(name, number ? GtkwFormat::kDecimal : GtkwFormat::kText, colour, vc_row_name(name));
    }
  }
}

struct Hop {
  std::string channel;
  std::uint64_t head = 0, tail = 0;
};

/// Where a packet passes from `from` on, by time. A packet of the same name may come again later.
std::vector<Hop> way_of(WaveContents& contents, const std::string& packet, std::uint64_t from) {
  std::vector<Hop> hops;
  const std::vector<std::string> channels = contents.channels();
  contents.load(channels);
  for (const std::string& channel : channels) {
    std::optional<Hop> hop;
    for (const WaveFlit& flit : contents.flits(channel)) {
      if (flit.time < from || flit.packet != packet) continue;
      const bool head = flit.kind == 'H' || flit.kind == 'S';
      if (head && hop) break;
      if (head) hop = Hop{channel, flit.time, contents.end()};
      if (hop && (flit.kind == 'T' || flit.kind == 'S')) {
        hop->tail = flit.time;
        break;
      }
    }
    if (hop) hops.push_back(*hop);
  }
  std::ranges::stable_sort(hops, {}, &Hop::head);
  return hops;
}

/// An input VC with a flit that waits at the end.
struct Waiting {
  std::string vc;       ///< "noc.n_2_0.xm.in.vc0."
  std::string cause;    ///< "no_credit"
  std::string channel;  ///< the output that it wants, by the name of its flit signal
  std::uint64_t since = 0;
};

std::vector<Waiting> waiting_at_end(WaveContents& contents) {
  std::vector<std::string> rows;
  for (const std::string& node : contents.nodes()) {
    for (std::string& name : contents.names(node + ".")) {
      if (name.ends_with(".blocked")) rows.push_back(std::move(name));
    }
  }
  contents.load(rows);
  std::vector<Waiting> found;
  for (const std::string& row : rows) {
    // The last cycle's pulse ends with the waveform.
    const auto& changes = contents.changes(row);
    if (changes.size() < 2 || !changes.back().value.empty() ||
        changes.back().time != contents.end()) {
      continue;
    }
    // Of causes in a row the last one names what it waits for; it waits since the first.
    const auto& last = changes[changes.size() - 2];
    std::size_t first = changes.size() - 2;
    while (first > 0 && !changes[first - 1].value.empty()) --first;
    const std::size_t space = last.value.find(' ');
    const std::string node = row.substr(0, row.find('.', 4));
    found.push_back({row.substr(0, row.rfind('.') + 1), last.value.substr(0, space),
                     node + "." + last.value.substr(space + 1) + ".out.flit", changes[first].time});
  }
  return found;
}

/// A circle of flits that wait for each other, each for a flit of the next; empty if there is none.
std::vector<const Waiting*> circle_of(const WaveContents& contents,
                                      const std::vector<Waiting>& waiting) {
  const auto next = [&](const Waiting& w) -> const Waiting* {
    const std::string input = contents.has(w.channel) ? contents.receiver(w.channel) : "";
    if (input.empty()) return nullptr;
    const auto found = std::ranges::find_if(
        waiting, [&](const Waiting& other) { return other.vc.starts_with(input); });
    return found == waiting.end() ? nullptr : &*found;
  };
  for (const Waiting& start : waiting) {
    std::vector<const Waiting*> path;
    const Waiting* at = &start;
    while (at != nullptr && std::ranges::find(path, at) == path.end()) {
      path.push_back(at);
      at = next(*at);
    }
    if (at != nullptr) return {std::ranges::find(path, at), path.end()};
  }
  return {};
}

}  // namespace

GtkwFile message_view(WaveContents& contents, std::size_t number) {
  const std::vector<WaveMessage> messages = contents.messages();
  if (number < 1 || number > messages.size()) {
    throw InputError("--view", fmt::format("message {}", number),
                     messages.empty() ? "a waveform with messages"
                                      : fmt::format("1 to {}, see --list", messages.size()));
  }
  const WaveMessage& message = messages[number - 1];
  const std::vector<Hop> hops = way_of(contents, message.packet, message.time);
  GtkwFile file;
  file.open_group(fmt::format("message {}: {}", number, message.packet), false);
  for (const Hop& hop : hops) {
    file.add(hop.channel, GtkwFormat::kText, GtkwColour::kYellow, channel_name(hop.channel));
    const std::string input = contents.receiver(hop.channel);
    if (input.empty()) continue;
    for (const std::string& vc : used_vcs(contents, input)) {
      add_vc(file, contents, vc, {"blocked", "held_by", "front"});
    }
  }
  file.close_group();
  file.add_comment("");
  const std::string source = WaveContents::scope_of(message.node);
  add_nic(file, contents, source,
          {"collective", "step", "match", "function", ("send" + message.port.substr(5)).c_str()});
  const std::string text = message.packet.substr(message.packet.find('>') + 1);
  const std::string destination = WaveContents::scope_of(text.substr(0, text.find(' ')));
  if (destination != source) add_nic(file, contents, destination, {"step", "match", "firmware"});
  file.add_marker(message.time, "head enters");
  const std::uint64_t tail = hops.empty() ? message.time : hops.back().tail;
  if (tail < contents.end()) file.add_marker(tail, "tail leaves");
  set_range(file, contents, message.time, std::min(tail, message.time + 2 * kWideEnough));
  return file;
}

GtkwFile router_view(WaveContents& contents, const std::string& node) {
  const std::string scope = WaveContents::scope_of(node);
  const std::vector<std::string> ports = contents.ports(scope);
  if (ports.empty()) {
    throw InputError("--view", "router " + node,
                     "a node that is in the waveform, as in router:2,0");
  }
  GtkwFile file;
  std::uint64_t first = contents.end();
  for (const std::string& port : ports) {
    const auto in = contents.flits(port + ".in.flit"), out = contents.flits(port + ".out.flit");
    if (in.size() < 2 && out.size() < 2) continue;  // silent: the first change is ""
    const std::string place = place_of(port + ".");
    file.open_group(place, false);
    file.add(
        port + ".in.flit", GtkwFormat::kText, GtkwColour::kNormal,
        contents.is_injection(port + ".in.flit") ? channel_name(port + ".in.flit") : place + " in");
    for (const std::string& vc : used_vcs(contents, port + ".in.")) {
      add_vc(file, contents, vc, {"blocked", "held_by", "front", "count"});
    }
    file.add(port + ".out.grant", GtkwFormat::kText, GtkwColour::kNormal, place + " grant");
    file.add(port + ".out.flit", GtkwFormat::kText, GtkwColour::kYellow,
             channel_name(port + ".out.flit"));
    for (const std::string& vc : used_vcs(contents, port + ".out.")) {
      add_vc(file, contents, vc, {"credits", "owner"});
    }
    file.close_group();
    for (const WaveFlit& flit : in) {
      if (flit.kind == 'H') first = std::min(first, flit.time);
    }
  }
  if (first == contents.end()) first = contents.begin();
  set_range(file, contents, first, first + kWideEnough);
  return file;
}

GtkwFile step_view(WaveContents& contents, std::uint32_t step) {
  GtkwFile file;
  std::uint64_t first = contents.end(), last = 0;
  std::uint32_t steps = 0;
  for (const WaveMessage& message : contents.messages()) {
    steps = std::max(steps, message.step);
    if (message.step != step) continue;
    const std::vector<Hop> hops = way_of(contents, message.packet, message.time);
    if (hops.empty()) continue;
    file.open_group(fmt::format("message {}: {}", message.number, message.packet), false);
    file.add(hops.front().channel, GtkwFormat::kText, GtkwColour::kYellow,
             channel_name(hops.front().channel));
    if (hops.size() > 1) {
      file.add(hops.back().channel, GtkwFormat::kText, GtkwColour::kYellow,
               channel_name(hops.back().channel));
    }
    file.close_group();
    first = std::min(first, message.time);
    last = std::max(last, hops.back().tail);
  }
  if (last == 0) {
    throw InputError("--view", fmt::format("step {}", step),
                     steps == 0 ? "a waveform with steps" : fmt::format("1 to {}", steps));
  }
  file.add_marker(first, fmt::format("step {} begins", step));
  file.add_marker(last, fmt::format("step {} ends", step));
  set_range(file, contents, first, last);
  return file;
}

GtkwFile nics_view(WaveContents& contents) {
  GtkwFile file;
  std::set<std::uint32_t> marked;
  std::set<std::string> used;  // rows of ports that send anything
  std::uint64_t first = contents.end();
  for (const WaveMessage& message : contents.messages()) {
    first = std::min(first, message.time);
    used.insert(WaveContents::scope_of(message.node) + ".nic.send" + message.port.substr(5));
    if (marked.insert(message.step).second) {
      file.add_marker(message.time, fmt::format("step {}", message.step));
    }
  }
  for (const std::string& node : contents.nodes()) {
    for (const std::string& row : used) {
      if (!row.starts_with(node + ".") || !contents.has(row)) continue;
      file.add(row, GtkwFormat::kText, GtkwColour::kNormal,
               WaveContents::text_of(node) + " " + row.substr(row.rfind('.') + 1));
    }
    const bool of_program = !contents.has(node + ".nic.collective");
    if (of_program) add_nic(file, contents, node, {"send", "match"});
    add_nic(file, contents, node, {"firmware"});
  }
  if (first == contents.end()) first = contents.begin();
  set_range(file, contents, first, contents.end());
  return file;
}

GtkwFile deadlock_view(WaveContents& contents) {
  const std::vector<Waiting> waiting = waiting_at_end(contents);
  const std::vector<const Waiting*> circle = circle_of(contents, waiting);
  if (circle.empty()) {
    throw InputError("--view", "no flits that wait for each other in a circle",
                     "a waveform that ends in a deadlock, all of whose nodes are in it");
  }
  GtkwFile file;
  std::uint64_t first = contents.end(), last = 0;
  for (const Waiting* w : circle) {
    file.open_group(fmt::format("{} waits for {}", place_of(w->vc), place_of(w->channel)), false);
    add_vc(file, contents, w->vc, {"front", "blocked", "held_by"});
    file.add(w->channel, GtkwFormat::kText, GtkwColour::kYellow, channel_name(w->channel));
    file.close_group();
    file.add_marker(w->since, place_of(w->vc) + " waits");
    first = std::min(first, w->since);
    last = std::max(last, w->since);
  }
  set_range(file, contents, first, std::max(last + 5, first + kWideEnough));
  return file;
}

}  // namespace annelid::waves
