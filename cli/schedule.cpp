// `annelid schedule`: an algorithm's schedule on a network, step by step, from the reference alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "cli/commands.hpp"
#include "cli/key_options.hpp"
#include "cli/standard_output.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/calls.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/count_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "studies/schedule/drawing.hpp"
#include "studies/schedule/text.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::cli {
namespace {

/// The keys of the network and the collective that a schedule depends on.
std::vector<simulation::Key> schedule_keys() {
  constexpr std::array<std::string_view, 23> kWanted = {
      "network.size",          "network.topology",        "collective.operation",
      "collective.algorithm",  "collective.root",         "collective.bytes",
      "collective.operator",   "collective.type",         "collective.parameter",
      "collective.packets",    "collective.last",         "collective.ranks",
      "collective.embedding",  "collective.logical_mesh", "collective.template",
      "collective.dimensions", "collective.group",        "collective.root_rank",
      "collective.counts",     "collective.seed",         "collective.radices",
      "collective.steps",      "collective.ends"};
  std::vector<simulation::Key> keys;
  for (const std::span<const simulation::Key> all :
       {simulation::network_keys(), simulation::collective_keys()}) {
    std::ranges::copy_if(all, std::back_inserter(keys), [&](const simulation::Key& key) {
      return std::ranges::find(kWanted, key.name) != kWanted.end();
    });
  }
  return keys;
}

/// A schedule has no contents: the seed draws the lengths of blocks alone.
void require_seed_of_counts(const simulation::Settings& s) {
  if (s.has("collective.seed") && !simulation::draws_counts(s)) {
    s.refuse("collective.seed", "--counts random:A..B with it: a schedule draws nothing else");
  }
}

using reference::Message;
using reference::Node;
using reference::Step;
using reference::StepContention;

/// "(2,0)", with as many coordinates as the network has dimensions.
class NodeNames {
 public:
  explicit NodeNames(const systemc::NetworkConfig& network) : network_(network) {}
  [[nodiscard]] std::string operator()(Node n) const {
    return "(" + node_text(network_, simulation::node_address(n)) + ")";
  }

 private:
  const systemc::NetworkConfig& network_;
};

/// The messages of a step by sender, in the order of the reference.
void add_messages(std::string& text, const Step& step, bool with_bytes, const NodeNames& name) {
  std::map<std::tuple<int, int, int>, std::vector<const Message*>> senders;
  for (const Message& m : step) senders[{m.from.z, m.from.y, m.from.x}].push_back(&m);
  for (const auto& [sender, messages] : senders) {
    text += fmt::format("  {} ->", name(messages.front()->from));
    for (const Message* m : messages) {
      text += " " + name(m->to);
      if (with_bytes) text += fmt::format(" {} B{}", m->bytes, m == messages.back() ? "" : ",");
    }
    text += '\n';
  }
}

void add_contention(std::string& text, const StepContention& step, const NodeNames& name) {
  std::map<reference::Channel, std::set<Message>> users;
  for (const reference::Conflict& c : step.conflicts) {
    users[c.channel].insert(c.first);
    users[c.channel].insert(c.second);
  }
  for (const auto& [channel, messages] : users) {
    text += fmt::format("  contended: channel {} -> {}, by", name(channel.from), name(channel.to));
    std::string list;
    for (const Message& m : messages) {
      list += fmt::format("{} {} -> {}", list.empty() ? "" : ",", name(m.from), name(m.to));
    }
    text += list + '\n';
  }
}

/// Every step: who sends to whom, and the channels that several messages of the step need.
std::string schedule_text(const simulation::Collective& c, const systemc::NetworkConfig& network,
                          const reference::Schedule& schedule) {
  const NodeNames name(network);
  std::set<std::uint64_t> lengths;
  for (const Step& step : schedule.steps) {
    for (const Message& m : step) lengths.insert(m.bytes);
  }
  const auto contention = reference::contention(c.network, schedule);
  std::string text =
      fmt::format("{}\n{}\n", describe(c, network), studies::totals_text(c, schedule));
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const std::string trouble = studies::contended_text(contention[i]);
    text += fmt::format("\nstep {}: {}{}{}\n", i + 1,
                        studies::step_text(schedule.steps[i], contention[i]),
                        trouble.empty() ? "" : ", ", trouble);
    add_messages(text, schedule.steps[i], lengths.size() > 1, name);
    add_contention(text, contention[i], name);
  }
  return text;
}

/// All algorithms: operation, name, and the networks that each runs on.
std::string algorithm_list() {
  std::size_t width = 9;
  for (const auto& a : reference::algorithms()) width = std::max(width, a.name.size());
  std::string text = fmt::format("{:<16}{:<{}}  networks\n", "operation", "algorithm", width);
  std::string_view last;
  for (const auto& a : reference::algorithms()) {
    const std::string_view operation = reference::name_of(a.operation);
    text += fmt::format("{:<16}{:<{}}  {}\n", operation == last ? "" : operation, a.name, width,
                        a.sizes);
    last = operation;
  }
  text += fmt::format("{:<16}{:<{}}  {}\n", "all", simulation::kAuto, width,
                      "every network that the operation has an algorithm for");
  return text;
}

/// The arguments of `annelid schedule`.
struct ScheduleArguments {
  std::vector<simulation::Override> overrides;
  std::string svg;
  bool torus = false, list = false, quiet = false;
};

CLI::App* add_options(CLI::App& program, ScheduleArguments& a) {
  static const std::vector<simulation::Key> kKeys = schedule_keys();
  CLI::App* schedule =
      program.add_subcommand("schedule", "Shows the schedule of an algorithm, step by step.");
  add_key_options(*schedule, kKeys, a.overrides, "What to show");
  schedule->add_flag("--torus", a.torus, "The same as --topology torus.");
  schedule->add_option("--svg", a.svg, "Draws the schedule, with a panel for each step.")
      ->type_name("FILE.svg");
  schedule->add_flag("--list", a.list, "Lists all algorithms and the networks that they run on.");
  schedule->add_flag("--quiet", a.quiet, "Prints no steps.");
  schedule->footer(
      "Nothing is simulated: the schedule comes from the reference. "
      "docs/internals/algorithms/index.md "
      "describes the algorithms.\n"
      "\n"
      "Examples:\n"
      "  annelid schedule --list\n"
      "  annelid schedule --algorithm edn --size 8x8 --root 2,0\n"
      "  annelid schedule --algorithm edn --size 16x16 --root 2,0 --svg edn.svg --quiet\n"
      "  annelid schedule --algorithm recursive-doubling --size 4x4x4\n"
      "  annelid schedule --operation reduce --size 8x8 --svg reduce.svg\n"
      "  annelid schedule --algorithm binomial --size 8x8 --group \"row 3\"\n"
      "  annelid schedule --operation gather --algorithm intercom --size 3x2 --counts "
      "8,0,3,1,9,64\n"
      "  annelid schedule --algorithm two-tree --size 8x8 --embedding snake --ranks 40 --packets "
      "4\n"
      "\n"
      "Exit status: 0 if the schedule was shown; 2 for bad input.");
  schedule->callback([schedule, &a] {
    if (a.list) require_alone(*schedule, "--list");
  });
  return schedule;
}

int run(const ScheduleArguments& a) {
  if (a.list) {
    put_text(algorithm_list());
    return 0;
  }
  std::vector<simulation::Override> overrides = a.overrides;
  if (a.torus) overrides.push_back({"network.topology", "--torus", "torus"});
  const simulation::Settings settings(schedule_keys(), {}, overrides);
  require_seed_of_counts(settings);
  const systemc::NetworkConfig network = simulation::read_network(settings);
  const std::optional<simulation::ProcessGroup> group = simulation::read_group(settings, network);
  const simulation::Collective collective =
      simulation::read_collective(settings, network, group ? &*group : nullptr).collective;
  if (network.ideal && !a.svg.empty()) {
    throw InputError("--svg", "an ideal network", "a mesh or torus, whose channels it draws");
  }
  if (!a.svg.empty()) require_writable(a.svg, "--svg");
  const reference::Schedule schedule = collective.schedule();
  if (!a.quiet) put_text(schedule_text(collective, network, schedule));
  if (a.svg.empty()) return 0;
  write_file(a.svg, studies::draw_schedule(collective, network, schedule));
  if (!a.quiet) put("\ndrawing  {}\n", a.svg);
  return 0;
}

}  // namespace

Command add_schedule(CLI::App& program) {
  return command<ScheduleArguments>(program, add_options, run);
}

}  // namespace annelid::cli
