#include "waves/wave_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/input_error.hpp"
#include "waves/row_name.hpp"

namespace annelid::waves {
namespace {

constexpr std::uint64_t kWideEnough = 25;  ///< cycles whose flits are legible side by side

/// "2,0 xp" for "noc.n_2_0.xp.out.flit".
std::string place_of(const std::string& name) {
  const std::size_t port = name.find('.', 4) + 1;
  return WaveContents::text_of(name.substr(0, port - 1)) + " " +
         name.substr(port, name.find('.', port) - port);
}

void add_row(GtkwFile& file, const std::string& signal, GtkwFormat format,
             GtkwColour colour = GtkwColour::kNormal) {
  file.add(signal, format, colour, row_name(signal));
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
    add_row(file, name, GtkwFormat::kText);
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

/// Adds the rows of a VC that exist, in this order.
void add_vc(GtkwFile& file, const WaveContents& contents, const std::string& vc,
            std::initializer_list<std::string_view> rows) {
  for (const std::string_view row : rows) {
    for (const std::string& name : contents.names(vc + std::string(row))) {
      const bool number = name.ends_with(']');
      const GtkwColour colour = row == "front"                         ? GtkwColour::kBlue
                                : row == "blocked" || row == "held_by" ? GtkwColour::kRed
                                                                       : GtkwColour::kNormal;
      add_row(file, name, number ? GtkwFormat::kDecimal : GtkwFormat::kText, colour);
    }
  }
}

/// "send1" of "local1"; a one-port router has one local port, and injects at a through port.
std::string send_row(std::string_view port) {
  constexpr std::string_view kLocal = "local";
  return "send" + (port.starts_with(kLocal) ? std::string(port.substr(kLocal.size())) : "0");
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
    // The last one of several causes in a row names what it waits for; it waits since the first.
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
    add_row(file, hop.channel, GtkwFormat::kText, GtkwColour::kYellow);
    const std::string input = contents.receiver(hop.channel);
    if (input.empty()) continue;
    for (const std::string& vc : used_vcs(contents, input)) {
      add_vc(file, contents, vc, {"blocked", "held_by", "front"});
    }
  }
  file.close_group();
  file.add_comment("");
  const std::string source = WaveContents::scope_of(message.node);
  const std::string send = send_row(message.port);
  add_nic(file, contents, source, {"collective", "step", "match", "function", send.c_str()});
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
    add_row(file, port + ".in.flit", GtkwFormat::kText);
    for (const std::string& vc : used_vcs(contents, port + ".in.")) {
      add_vc(file, contents, vc, {"blocked", "held_by", "front", "count"});
    }
    add_row(file, port + ".out.grant", GtkwFormat::kText);
    add_row(file, port + ".out.flit", GtkwFormat::kText, GtkwColour::kYellow);
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
    add_row(file, hops.front().channel, GtkwFormat::kText, GtkwColour::kYellow);
    if (hops.size() > 1) {
      add_row(file, hops.back().channel, GtkwFormat::kText, GtkwColour::kYellow);
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
    used.insert(WaveContents::scope_of(message.node) + ".nic." + send_row(message.port));
    if (marked.insert(message.step).second) {
      file.add_marker(message.time, fmt::format("step {}", message.step));
    }
  }
  for (const std::string& node : contents.nodes()) {
    for (const std::string& row : used) {
      if (!row.starts_with(node + ".") || !contents.has(row)) continue;
      add_row(file, row, GtkwFormat::kText);
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
    add_row(file, w->channel, GtkwFormat::kText, GtkwColour::kYellow);
    file.close_group();
    file.add_marker(w->since, place_of(w->vc) + " waits");
    first = std::min(first, w->since);
    last = std::max(last, w->since);
  }
  set_range(file, contents, first, std::max(last + 5, first + kWideEnough));
  return file;
}

}  // namespace annelid::waves
