#include "simulation/scenario/shift_keys.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace annelid::simulation {
namespace {

constexpr const char* kSteps = "collective.steps";
constexpr const char* kEnds = "collective.ends";
constexpr std::int32_t kUsualSteps = 1;

}  // namespace

std::array<Key, 2> shift_keys() {
  return {Key{kSteps, Key::Kind::kInteger, "an integer", "--steps", "S",
              "For a shift: by how many ranks each block moves, towards higher ranks. A negative "
              "number moves it towards lower ones.",
              "1"},
          Key{kEnds, Key::Kind::kBoolean, "true or false", "--ends", "BOOL",
              "For a shift: false goes round from the last rank to the first; true ends there, and "
              "a block that would go further goes nowhere.",
              "false"}};
}

void read_shift(const Settings& s, Collective& c) {
  if (!is_shift(c)) {
    for (const char* key : {kSteps, kEnds}) {
      s.refuse_idle(key, "collective.operation",
                    fmt::format("a value for {}", name_of(c.operation())), "a shift");
    }
    return;
  }
  using Limits = std::numeric_limits<std::int32_t>;
  const auto steps =
      static_cast<std::int32_t>(s.integer(kSteps, kUsualSteps, Limits::min(), Limits::max()));
  set_shift(c, steps, s.boolean(kEnds, false));
}

bool is_shift(const Collective& c) {
  return !c.own && c.operation() == reference::Operation::kShift;
}
void set_shift(Collective& c, std::int32_t steps, bool ends) {
  c.parameter = static_cast<std::uint32_t>(steps);
  c.parameter_0 = ends ? 1 : 0;
}
std::int32_t shift_steps(const Collective& c) { return static_cast<std::int32_t>(c.parameter); }
bool shift_has_ends(const Collective& c) { return c.parameter_0 != 0; }

std::string describe_shift(const Collective& c) {
  if (!is_shift(c)) return "";
  const std::int64_t steps = shift_steps(c);
  return fmt::format("{} by {}{}", steps < 0 ? "down" : "up", steps < 0 ? -steps : steps,
                     shift_has_ends(c) ? " with ends" : "");
}

std::string shift_options(const Collective& c) {
  return fmt::format(" --steps {}{}", shift_steps(c), shift_has_ends(c) ? " --ends true" : "");
}

void add_shift_json(const Collective& c, nlohmann::ordered_json& json) {
  json["steps"] = shift_steps(c);
  json["ends"] = shift_has_ends(c);
}

}  // namespace annelid::simulation
