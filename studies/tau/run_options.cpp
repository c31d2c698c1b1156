#include "studies/tau/run_options.hpp"

#include <algorithm>

#include "simulation/scenario/option_words.hpp"
#include "simulation/scenario/scenario.hpp"
#include "studies/common/call_kind.hpp"

namespace annelid::studies {

using simulation::Override;

bool are_prepared(const std::vector<Override>& options) {
  return std::ranges::any_of(
      options, [](const Override& o) { return o.key == kPreparedKey && o.text == "true"; });
}

void add_starts(std::vector<Override>& options) {
  if (!are_prepared(options)) return;
  options.push_back({kRepeatKey, "--repeat", std::to_string(kMeasuredStarts)});
}

std::string command_of(const std::vector<Override>& options) {
  const simulation::Settings known(simulation::run_keys());
  std::string command = "annelid run";
  for (const Override& o : options) {
    command += " " + simulation::option_words(*known.find_key(o.key), o.text);
  }
  return command;
}

}  // namespace annelid::studies
