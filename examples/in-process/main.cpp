// Runs one scenario several times in this process, each time with another value of a key, and
// prints a table.
//
//     in-process [scenario.toml [key value...]]
#include <annelid/base/input_error.hpp>
#include <annelid/base/run_failure.hpp>
#include <annelid/simulation/run.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

using annelid::simulation::RunResult;
using annelid::simulation::Scenario;
using annelid::simulation::Settings;

/// Flit-cycles that flits stood blocked, by messages of the same step and of other steps.
annelid::systemc::BlockedCycles blocked(const RunResult& result) {
  annelid::systemc::BlockedCycles sum;
  for (const auto& [step, statistics] : result.call().steps) sum += statistics.blocked;
  return sum;
}

/// A row of the table; false if a check of the run failed.
bool print_row(const std::string& value, const RunResult& result) {
  const annelid::systemc::BlockedCycles waits = blocked(result);
  std::printf("%8s %9llu %8zu %10llu %11llu  %s\n", value.c_str(),
              static_cast<unsigned long long>(result.cycles), result.call().steps.size(),
              static_cast<unsigned long long>(waits.same_step),
              static_cast<unsigned long long>(waits.other_step),
              result.passed() ? "all checks held" : "A CHECK FAILED");
  return result.passed();
}

int run_all(const std::string& file, const std::string& key,
            const std::vector<std::string>& values) {
  const Scenario scenario = Scenario::read(file, {});
  std::printf("%s, %u nodes\n", scenario.name.c_str(), scenario.network.nodes());
  std::printf("%8s %9s %8s %10s %11s\n", key.substr(key.rfind('.') + 1).c_str(), "cycles", "steps",
              "same step", "other steps");
  bool held = true;
  for (const std::string& value : values) {
    Settings settings = scenario.settings;  // where the values came from stays known, for messages
    settings.set(key, value);
    held = print_row(value, annelid::simulation::run(Scenario::from(settings))) && held;
  }
  return held ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);  // or SystemC prints one at the first run
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty())
    arguments.emplace_back(ANNELID_DATA "/scenarios/recursive-doubling-8x8.toml");
  const std::string file = arguments[0];
  const std::string key = arguments.size() > 1 ? arguments[1] : "network.size";
  std::vector<std::string> values(arguments.begin() + (arguments.size() > 2 ? 2 : 0),
                                  arguments.end());
  if (arguments.size() < 3) values = {"4x4", "8x8", "12x12", "16x16"};
  try {
    return run_all(file, key, values);
  } catch (const annelid::RunFailure&
               failure) {  // it came to no end: a deadlock, a trap, the cycle limit
    std::fprintf(stderr, "in-process: %s\n", failure.what());
  } catch (
      const std::exception& error) {  // InputError: says the file, the key, and what it expects
    std::fprintf(stderr, "in-process: %s\n", error.what());
    return 2;
  }
  return EXIT_FAILURE;
}
