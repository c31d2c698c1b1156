#include "deadlock/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/counted.hpp"

namespace annelid::deadlock {
namespace {

constexpr std::size_t kMostPackets = 24;  // lines of a terminal

/// "to c", "request to c".
std::string packet_text(const Report& r, StateId x) {
  const Packet packet = r.states[x].packet;
  const std::string to = "to " + r.network.nodes[packet.to].name;
  return r.network.classes.size() > 1 ? r.network.classes[packet.cls] + " " + to : to;
}

/// What a front waits for: "ab", or "ab and bc": it could take any of them, and has none.
std::string waits_text(const Report& r, StateId front) {
  return fmt::format("{}", fmt::join(next_names(r, front), " and "));
}

std::string way_text(const Report& r, const std::vector<StateId>& way) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (way.size() > kShown && i == kShown / 2) {
      text += fmt::format(" -> ({} more)", way.size() - kShown);
      i = way.size() - kShown / 2;
    }
    text += (i == 0 ? "" : " -> ") + state_name(r, way[i]);
  }
  return text;
}

void add_packets(const Report& r, std::string& text) {
  const Configuration& c = r.judgement.configuration;
  if (c.packets.empty()) return;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "\n  {}:\n",
                 c.reached ? "packets that block each other, in an order in which they can come"
                           : "packets that would block each other; whether they can come to it is "
                             "not known");
  for (std::size_t i = 0; i < std::min(c.packets.size(), kMostPackets); ++i) {
    const BlockedPacket& packet = c.packets[i];
    fmt::format_to(out, "  {:>4}  {}, holds {}, waits for {}\n", i + 1,
                   packet_text(r, packet.front()), fmt::join(held_names(r, packet), " and "),
                   waits_text(r, packet.front()));
    if (c.reached) fmt::format_to(out, "        comes by {}\n", way_text(r, packet.way));
  }
  if (c.packets.size() > kMostPackets) {
    fmt::format_to(out, "        and {} more\n", c.packets.size() - kMostPackets);
  }
}

void add_escapes(const Report& r, std::string& text) {
  const Judgement& j = r.judgement;
  const auto out = std::back_inserter(text);
  if (j.lacks_escape) {
    fmt::format_to(out, "  escapes     prove nothing: none is open to a packet {} at {}\n",
                   packet_text(r, j.escapeless), state_name(r, j.escapeless));
  } else if (!j.escape_cycle.empty()) {
    fmt::format_to(out, "  escapes     prove nothing: who holds one may wait for the next: {}\n",
                   circle_text(r.network, j.escape_cycle));
  }
}

void add_hopeless(const Report& r, std::string& text) {
  const Judgement& j = r.judgement;
  fmt::format_to(std::back_inserter(text), "  packet      {}, by {}: {}\n",
                 packet_text(r, j.hopeless), way_text(r, j.way_to),
                 r.states.next(j.hopeless).empty() ? "no channel is permitted from there"
                                                   : "no way from there leads to its destination");
}

}  // namespace

const char* verdict_word(Verdict verdict) {
  return verdict == Verdict::kProved ? "accepted" : "refused";
}

std::string verdict_text(const Judgement& j) {
  switch (j.verdict) {
    case Verdict::kProved:
      return "packets cannot deadlock";
    case Verdict::kDeadlock:
      return "packets can deadlock";
    case Verdict::kHopeless:
      return "a packet can come to where it is never delivered";
    case Verdict::kUndecided:
      return "not proved: no proof was found that packets cannot deadlock, and no way into a "
             "deadlock";
  }
  return "";
}

std::string proof_text(const Judgement& j) {
  switch (j.proof) {
    case Proof::kNone:
      return "";
    case Proof::kAcyclic:
      return "no cycle of channels (Dally and Seitz)";
    case Proof::kBubbles:
      return "no cycle of channels but the rings with bubbles, which never fill up";
    case Proof::kEscape:
      return "an escape is always open, and there is no cycle of escapes (Duato)";
    case Proof::kElimination:
      return fmt::format("no channel can be blocked for ever: all are ruled out in {}",
                         counted(j.rounds, "round"));
    case Proof::kSearch:
      return "no packets can hold what all of them wait for: every set of packets was tried";
  }
  return "";
}

std::string state_name(const Report& r, StateId x) {
  if (r.states.injected(x)) {
    return "@" + r.network.nodes[r.states.place(x) - r.network.places()].name;
  }
  return r.network.place_name(r.states.place(x));
}

std::vector<std::string> held_names(const Report& r, const BlockedPacket& packet) {
  std::vector<std::string> names;
  for (std::size_t i = packet.way.size() - packet.held; i < packet.way.size(); ++i) {
    names.push_back(state_name(r, packet.way[i]));
  }
  return names;
}

std::vector<std::string> next_names(const Report& r, StateId front) {
  std::vector<std::string> names;
  for (const Step& step : r.states.next(front)) names.push_back(state_name(r, step.to));
  return names;
}

std::string circle_text(const Network& network, const std::vector<std::uint32_t>& circle) {
  constexpr std::size_t kShown = 16;
  std::string text;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    if (circle.size() > kShown && i == kShown - 1) {
      text += fmt::format("({} more) -> ", circle.size() - kShown);
      i = circle.size() - 1;
    }
    text += network.place_name(circle[i]) + " -> ";
  }
  return circle.empty() ? text : text + network.place_name(circle.front());
}

std::string report_text(const Report& r) {
  const Judgement& j = r.judgement;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}: {}, {}, {}, {}\n", r.network.name,
                 counted(r.network.nodes.size(), "node"),
                 counted(r.network.channels.size(), "channel"),
                 counted(r.network.vcs(), "virtual channel"), name_of(r.network.switching));
  fmt::format_to(out, "  {:<12}{}\n", verdict_word(j.verdict), verdict_text(j));
  if (j.verdict == Verdict::kHopeless) {
    add_hopeless(r, text);
    return text;
  }
  if (j.proof != Proof::kNone) fmt::format_to(out, "  proof       {}\n", proof_text(j));
  fmt::format_to(
      out, "  graph       {}\n",
      j.dependencies == 1 ? "1 dependency" : fmt::format("{} dependencies", j.dependencies));
  add_escapes(r, text);
  if (!j.cycle.empty()) {
    fmt::format_to(out, "  cycle       {}\n", circle_text(r.network, j.cycle));
  }
  add_packets(r, text);
  return text;
}

}  // namespace annelid::deadlock
