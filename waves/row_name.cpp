#include "waves/row_name.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/split.hpp"

namespace annelid::waves {
namespace {

constexpr std::string_view kLocalPort = "local";
constexpr std::string_view kInjection = "through_x";  // of a one-port router
/// What a router says of a port, and not what is on its channel.
constexpr std::array<std::string_view, 4> kOfThePort = {"grant", "from", "waiting", "message"};

std::string with_spaces(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '_', ' ');
  return spaced;
}

/// "xp", "xp in", "eject 1", "inject 1".
std::string channel_name(std::string_view port, bool input) {
  if (port == kInjection && input) return "inject 0";
  if (!port.starts_with(kLocalPort)) return std::string(port) + (input ? " in" : "");
  return (input ? "inject " : "eject ") + std::string(port.substr(kLocalPort.size()));
}

}  // namespace

std::string row_name(std::string_view signal) {
  const std::vector<std::string_view> scopes = split(signal.substr(0, signal.find('[')), ".");
  if (scopes.size() < 4) return std::string(signal);
  std::string name(scopes[1].substr(scopes[1].find('_') + 1));
  std::ranges::replace(name, '_', ',');
  name += ' ';
  const std::string_view port = scopes[2], last = scopes.back();
  if (port == "nic") return name + std::string(last);
  const bool input = scopes[3] == "in";
  if (scopes.size() == 6) {  // of a VC
    return name + std::string(port) + " " + std::string(scopes[4]) + " " + with_spaces(last);
  }
  if (last == "pointer") return name + std::string(port) + (input ? " in " : " out ") + "pointer";
  if (std::ranges::find(kOfThePort, last) != kOfThePort.end()) {
    return name + std::string(port) + " " + std::string(last);
  }
  name += channel_name(port, input);
  return last == "flit" ? name : name + " " + with_spaces(last);
}

}  // namespace annelid::waves
