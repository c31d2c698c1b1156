#include "studies/schedule/schedule_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "simulation/scenario/auto_choice.hpp"

namespace annelid::studies {
namespace {

using reference::Message;
using reference::Node;
using reference::Step;
using reference::StepContention;

std::string counted(std::uint64_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::set<reference::Channel> contended(const StepContention& step) {
  std::set<reference::Channel> channels;
  for (const reference::Conflict& c : step.conflicts) channels.insert(c.channel);
  return channels;
}

/// "(2,0)", with as many coordinates as the network has dimensions.
class NodeNames {
 public:
  explicit NodeNames(const systemc::NetworkConfig& network) : network_(network) {}
  [[nodiscard]] std::string operator()(Node n) const {
    return "(" +
           simulation::node_text(network_,
                                 {static_cast<std::uint8_t>(n.x), static_cast<std::uint8_t>(n.y),
                                  static_cast<std::uint8_t>(n.z)}) +
           ")";
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

}  // namespace

std::string step_text(const Step& step, const StepContention& contention) {
  return counted(step.size(), "message") + ", " + counted(contention.hops, "hop");
}

std::string contended_text(const StepContention& contention) {
  const std::size_t channels = contended(contention).size();
  return channels == 0 ? "" : counted(channels, "channel") + " contended";
}

std::string totals_text(const simulation::Collective& c, const reference::Schedule& schedule) {
  std::size_t channels = 0;
  int load = 1;
  for (const StepContention& step : reference::contention(c.network, schedule)) {
    channels += contended(step).size();
    load = std::max(load, step.max_load);
  }
  const std::uint64_t messages = schedule.messages();
  std::string text = fmt::format("{}, {}, {}", counted(schedule.steps.size(), "step"),
                                 counted(messages, "message"),
                                 counted(reference::hops(c.network, schedule), "hop"));
  if (channels == 0) return text + "; no stepwise contention";
  return text + fmt::format("; {} contended in a step, by up to {} messages",
                            counted(channels, "channel"), load);
}

std::string schedule_text(const simulation::Collective& c, const systemc::NetworkConfig& network,
                          const reference::Schedule& schedule) {
  const NodeNames name(network);
  std::set<std::uint64_t> lengths;
  for (const Step& step : schedule.steps) {
    for (const Message& m : step) lengths.insert(m.bytes);
  }
  const auto contention = reference::contention(c.network, schedule);
  std::string text = fmt::format("{}\n{}\n", describe(c, network), totals_text(c, schedule));
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const std::string trouble = contended_text(contention[i]);
    text += fmt::format("\nstep {}: {}{}{}\n", i + 1, step_text(schedule.steps[i], contention[i]),
                        trouble.empty() ? "" : ", ", trouble);
    add_messages(text, schedule.steps[i], lengths.size() > 1, name);
    add_contention(text, contention[i], name);
  }
  return text;
}

std::string algorithm_list() {
  std::size_t width = 9;
  for (const auto& a : reference::algorithms()) width = std::max(width, a.name.size());
  std::string text = fmt::format("{:<12}{:<{}}  networks\n", "operation", "algorithm", width);
  std::string_view last;
  for (const auto& a : reference::algorithms()) {
    const std::string_view operation = reference::name_of(a.operation);
    text += fmt::format("{:<12}{:<{}}  {}\n", operation == last ? "" : operation, a.name, width,
                        a.sizes);
    last = operation;
  }
  text += fmt::format("{:<12}{:<{}}  {}\n", "all", simulation::kAuto, width,
                      "every network that the operation has an algorithm for");
  return text;
}

}  // namespace annelid::studies
