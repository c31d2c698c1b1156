#include "simulation/scenario/mode_keys.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

namespace annelid::simulation {
namespace {

constexpr const char* kMode = "collective.mode";
constexpr const char* kDevelop = "collective.develop";
constexpr std::array<std::string_view, 2> kModes = {"non-barrier", "barrier"};

}  // namespace

std::array<Key, 2> mode_keys() {
  return {Key{kMode, Key::Kind::kText, "\"non-barrier\" or \"barrier\"", "--mode", "NAME",
              "CCL's mode of the call. In barrier mode no process ends before all have begun. In "
              "non-barrier mode each ends when it has done its part.",
              "non-barrier"},
          Key{kDevelop, Key::Kind::kBoolean, "true or false", "--develop", "BOOL",
              "true lets the processes compare their calls before they begin (CCL's develop mode).",
              "false"}};
}

void read_modes(const Settings& s, Collective& c) {
  c.in_barrier_mode = s.choice(kMode, kModes, 0) == 1;
  c.in_develop_mode = s.boolean(kDevelop, false);
}

std::string describe_modes(const Collective& c) {
  if (c.in_barrier_mode) {
    return c.in_develop_mode ? "in barrier and develop mode" : "in barrier mode";
  }
  return c.in_develop_mode ? "in develop mode" : "";
}

std::string mode_options(const Collective& c) {
  std::string text;
  if (c.in_barrier_mode) text += " --mode barrier";
  if (c.in_develop_mode) text += " --develop true";
  return text;
}

void add_modes_json(const Collective& c, nlohmann::ordered_json& json) {
  if (c.in_barrier_mode) json["mode"] = kModes[1];
  if (c.in_develop_mode) json["develop"] = true;
}

}  // namespace annelid::simulation
