// `annelid deadlock`: whether a network can deadlock, without running it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/command_files.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "cli/commands.hpp"
#include "cli/key_options.hpp"
#include "cli/standard_output.hpp"
#include "deadlock/judge.hpp"
#include "deadlock/network_file.hpp"
#include "deadlock/of_network.hpp"
#include "deadlock/report.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "studies/cost/router_cost.hpp"
#include "systemc/network/channel_dependencies.hpp"

namespace annelid::cli {
namespace {

/// The arguments of `annelid deadlock`.
struct DeadlockArguments {
  std::string scenario, network;
  std::vector<simulation::Override> overrides;
  std::string picture, json, write;
  bool quiet = false;
};

CLI::App* add_options(CLI::App& program, DeadlockArguments& a) {
  CLI::App* command = program.add_subcommand(
      "deadlock", "Decides whether a network can deadlock, without running it, and shows why.");
  command->add_option("scenario", a.scenario,
                      "Scenario file (TOML) that describes the network. Default: the default "
                      "network.");
  command
      ->add_option("--network", a.network,
                   "Judges the network of this file, a list of channels and permitted routes, in "
                   "place of one of Annelid's routers.")
      ->type_name("FILE");
  add_key_options(*command, simulation::network_keys(), a.overrides);
  command
      ->add_option("--picture", a.picture,
                   "Draws the network, and the cycle of channels in red, if there is one.")
      ->type_name("FILE.svg");
  command->add_option("--json", a.json, "Writes the verdict as JSON.")->type_name("FILE");
  command
      ->add_option("--write", a.write,
                   "Writes the network as --network reads it: to change it, and to judge it again.")
      ->type_name("FILE");
  command->add_flag("--quiet", a.quiet, "Prints nothing.");
  command->footer(
      "A network is accepted if it is proved that packets cannot deadlock in it. Otherwise it is\n"
      "refused, with the packets that wait for each other, channel by channel. A refused network\n"
      "of Annelid's routers can be run all the same: annelid traffic --allow-deadlock true.\n"
      "docs/reference/deadlock-files.md describes the file of --network.\n"
      "\n"
      "Examples:\n"
      "  annelid deadlock --size 8x8 --topology torus --vcs 2\n"
      "  annelid deadlock scenarios/traffic-torus-tornado.toml\n"
      "  annelid deadlock --network scenarios/deadlock/west-first.network\n"
      "  annelid deadlock --network scenarios/deadlock/odd-even.network --picture odd-even.svg\n"
      "\n"
      "Exit status: 0 if the network is accepted; 1 if it is refused; 2 for bad input.");
  return command;
}

void write(const std::string& file, const char* option, const std::string& text) {
  if (file.empty()) return;
  OutputFile out(file, fmt::format("{} {}", option, file));
  out.stream() << text;
  out.commit();
}

/// The files that the command may write, each with its option.
std::array<std::pair<std::string, const char*>, 3> outputs(const DeadlockArguments& a) {
  return {{{a.picture, "--picture"}, {a.json, "--json"}, {a.write, "--write"}}};
}

/// A network too large for the judge: the tables of its lines and rings say the same of it.
int judge_by_tables(const DeadlockArguments& a, const systemc::NetworkConfig& network) {
  for (const auto& [file, option] : outputs(a)) {
    if (!file.empty()) {
      throw InputError(option, "a network with too many routes to write down", "a smaller network");
    }
  }
  const auto cycle = systemc::find_cycle(network);
  if (!a.quiet) {
    put("{}\n  {:<12}packets {} deadlock\n", simulation::describe_network(network),
        cycle ? "refused" : "accepted", cycle ? "can" : "cannot");
    if (cycle) {
      put("  cycle       {}\n", cycle->text);
    } else {
      const auto counts = systemc::count_dependencies(network);
      put("  proof       no cycle of channels (Dally and Seitz)\n  graph       {} dependencies of "
          "{} channels, by the tables of its dimensions\n",
          counts.dependencies, counts.channels);
    }
  }
  return cycle ? 1 : 0;
}

int judge_network(const DeadlockArguments& a, const deadlock::Network& network,
                  const deadlock::States& states) {
  const deadlock::Judgement judgement = deadlock::judge(network, states);
  const deadlock::Report report{network, states, judgement};
  if (!a.picture.empty()) write(a.picture, "--picture", report_picture(report));
  if (!a.json.empty()) write(a.json, "--json", report_json(report));
  if (!a.write.empty()) write(a.write, "--write", network_text(network, states));
  if (!a.quiet) {
    put_text(report_text(report));
    if (!a.picture.empty()) put("\n  picture     {}\n", a.picture);
  }
  return judgement.verdict == deadlock::Verdict::kProved ? 0 : 1;
}

int judge_file(const DeadlockArguments& a) {
  if (!a.scenario.empty()) throw InputError("--network", "a scenario", "one of the two");
  if (!a.overrides.empty()) {
    throw InputError(a.overrides.front().option, "an option of routers beside --network",
                     "a network of the file alone");
  }
  const deadlock::Network network = deadlock::read_network_file(a.network);
  const deadlock::States states(network);
  if (!states.complete()) {
    throw InputError(a.network,
                     fmt::format("more than {} ways to hold a channel", deadlock::States::kMost),
                     "a smaller network");
  }
  return judge_network(a, network, states);
}

/// The verdict is the judge's, so what reads the network must not refuse it first.
systemc::NetworkConfig read_config(const DeadlockArguments& a) {
  constexpr const char* kAllow = "router.allow_deadlock";
  std::vector<simulation::Override> overrides = a.overrides;
  std::erase_if(overrides, [&](const auto& one) { return one.key == kAllow; });
  overrides.push_back({kAllow, "--allow-deadlock", "true"});
  try {
    return studies::read_router(a.scenario, overrides);
  } catch (const InputError&) {
    return studies::read_router(a.scenario, a.overrides);  // says what is wrong in the user's words
  }
}

int run(const DeadlockArguments& a) {
  CommandFiles files;
  files.reads("the scenario", a.scenario);
  files.reads("--network", a.network);
  for (const auto& [file, option] : outputs(a)) files.writes(option, file);
  for (const auto& [file, option] : outputs(a)) {
    if (!file.empty()) require_writable(file, option);
  }
  if (!a.network.empty()) return judge_file(a);

  const systemc::NetworkConfig config = read_config(a);
  constexpr NodeId kMostNodes = 2000;
  if (config.nodes() > kMostNodes) return judge_by_tables(a, config);
  deadlock::Network network = deadlock::of_network(config);
  network.name = simulation::describe_network(config);
  const deadlock::States states(network);
  return states.complete() ? judge_network(a, network, states) : judge_by_tables(a, config);
}

}  // namespace

Command add_deadlock(CLI::App& program) {
  return command<DeadlockArguments>(program, add_options, run);
}

}  // namespace annelid::cli
