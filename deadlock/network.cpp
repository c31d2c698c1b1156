#include "deadlock/network.hpp"

#include <fmt/format.h>

#include <utility>

namespace annelid::deadlock {

std::string_view name_of(Switching switching) {
  switch (switching) {
    case Switching::kWormhole:
      return "wormhole";
    case Switching::kShared:
      return "shared";
    case Switching::kCutThrough:
      return "cut-through";
  }
  return "";
}

void Network::add_channel(std::string channel_name, std::uint32_t from, std::uint32_t to,
                          std::uint32_t vcs_of_it) {
  const auto number = static_cast<std::uint32_t>(channels.size());
  channels.push_back({std::move(channel_name), from, to, vcs_of_it, vcs()});
  of_vc_.insert(of_vc_.end(), vcs_of_it, number);
}

std::uint32_t Network::node_of(std::uint32_t place) const {
  if (place < vcs()) return end_of(place);
  return (place - vcs()) / static_cast<std::uint32_t>(answers.size());
}

std::string Network::place_name(std::uint32_t place) const {
  if (place >= vcs()) {
    const Answer& answer = answers[(place - vcs()) % answers.size()];
    return fmt::format("node {}'s {}", nodes[node_of(place)].name, classes[answer.reply]);
  }
  const Channel& channel = channels[of_vc_[place]];
  if (channel.vcs == 1) return channel.name;
  return fmt::format("{}.{}", channel.name, place - channel.first_vc);
}

}  // namespace annelid::deadlock
