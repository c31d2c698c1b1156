#include <fmt/format.h>

#include <iterator>
#include <unordered_set>

#include "deadlock/network_file.hpp"

namespace annelid::deadlock {

std::string network_text(const Network& network, const States& states) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "switching {}\n\n", name_of(network.switching));
  for (const Node& node : network.nodes) {
    text += "node " + node.name;
    if (node.placed) fmt::format_to(out, " {} {}", node.x, node.y);
    text += '\n';
  }
  text += '\n';
  for (const Channel& channel : network.channels) {
    fmt::format_to(out, "channel {} {} {} {}\n", channel.name, network.nodes[channel.from].name,
                   network.nodes[channel.to].name, channel.vcs);
  }
  const bool classes = network.classes.size() > 1;
  if (classes) fmt::format_to(out, "\nclass {}\n", fmt::join(network.classes, " "));
  for (const Answer& answer : network.answers) {
    fmt::format_to(out, "answer {} {}\n", network.classes[answer.request],
                   network.classes[answer.reply]);
  }
  for (const BubbleRing& ring : network.rings) {
    text += "bubble " + ring.name;
    for (const std::uint32_t vc : ring.vcs) text += " " + network.place_name(vc);
    text += '\n';
  }
  text += '\n';
  std::unordered_set<std::string> written;
  // Answers are injected, too: their places stand for their nodes.
  for (StateId x = 0; x < states.count(); ++x) {
    const State& state = states[x];
    const bool in_vc = state.place < network.vcs();
    if (in_vc && network.node_of(state.place) == state.packet.to) continue;
    if (states.next(x).empty()) continue;
    const std::uint32_t node =
        states.injected(x) ? state.place - network.places() : network.node_of(state.place);
    std::string from = fmt::format(
        "route {} {}", in_vc ? network.place_name(state.place) : "@" + network.nodes[node].name,
        network.nodes[state.packet.to].name);
    if (classes) from += " " + network.classes[state.packet.cls];
    if (!written.insert(from).second) continue;  // that of another sender
    text += from + ":";
    for (const Step& step : states.next(x)) {
      fmt::format_to(out, " {}{}", network.place_name(states.place(step.to)),
                     step.escape ? "!" : "");
    }
    text += '\n';
  }
  return text;
}

}  // namespace annelid::deadlock
