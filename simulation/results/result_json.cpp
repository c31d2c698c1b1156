#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json.hpp"
#include "base/version.hpp"
#include "simulation/results/run_result.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"

namespace annelid::simulation {
namespace {

using Json = nlohmann::ordered_json;

Json node_json(const systemc::NetworkConfig& network, Address a) {
  Json node = {a.x};
  if (network.dims() > 1) node.push_back(a.y);
  if (network.dims() > 2) node.push_back(a.z);
  return node;
}

/// All groups with their members by rank.
Json groups(const Scenario& s) {
  constexpr std::array kMakers = {"list", "partition", "grid"};
  Json all = Json::array();
  for (const GroupSet& set : s.groups) {
    for (const ProcessGroup& group : set.groups) {
      Json members = Json::array();
      for (const reference::Node& node : group.nodes->nodes()) {
        members.push_back(node_json(s.network, node_address(node)));
      }
      all.push_back({{"name", group.name},
                     {"made_by", kMakers[static_cast<std::size_t>(set.maker)]},
                     {"place", group.place},
                     {"members", members}});
    }
  }
  return all;
}

Json configuration(const ScenarioCall& call, const CallResult& result, const Scenario& s) {
  Json collective = collective_json(call.collective, s.network);
  if (call.payload.empty()) {
    collective["seed"] = call.collective.seed;
  } else {
    collective["payload"] = call.payload.string();
  }
  if (call.collective.lengths.empty()) collective["bytes"] = call.collective.bytes;
  collective["crc32"] = fmt::format("{:08x}", result.crc32);
  return collective;
}

Json configuration(const RunResult& r) {
  const Scenario& s = r.scenario;
  Json json = {{"name", s.name},
               {"network", network_json(s.network)},
               {"router", router_json(s.network)},
               {"nic", nic_json(s.nic)},
               {"firmware", name_of(s.firmware)}};
  if (!s.has_several()) json["collective"] = configuration(s.call(), r.call(), s);
  if (!s.groups.empty()) json["groups"] = groups(s);
  if (s.repeat > 1) json["repeat"] = s.repeat;
  json["limits"] = {{"cycles", s.cycle_limit}};
  return json;
}

Json blocked(const systemc::BlockedCycles& b, bool several) {
  Json json = {{"stepwise", b.same_step - b.same_step_ejection},
               {"stepwise_ejection", b.same_step_ejection},
               {"depth", b.other_step}};
  if (several) json["other_calls"] = b.other_call;
  json["control"] = b.control;
  json["back_pressure"] = b.back_pressure;
  return json;
}

Json statistics(const systemc::StepStatistics& s, bool several) {
  return {{"messages", s.messages},
          {"bytes", s.bytes},
          {"longest_message", s.longest},
          {"flits", s.flits},
          {"hops", s.hops},
          {"first_injected", s.first_injected},
          {"last_ejected", s.last_ejected},
          {"cycles", cycles_of(s)},
          {"blocked_flit_cycles", blocked(s.blocked, several)}};
}

Json steps(const CallResult& call, bool several) {
  Json all = Json::array();
  for (const auto& [label, step] : call.steps) {
    Json entry = {{"step", label}};
    entry.update(statistics(step, several));
    entry["busiest_channel_messages"] = step.busiest;
    const auto waits = call.injection_waits.find(label);
    entry["injection_wait_cycles"] = waits == call.injection_waits.end() ? 0 : waits->second;
    all.push_back(entry);
  }
  return all;
}

/// The checks of a call by its number and 1, of the run as a whole (0), or all.
Json checks(const RunResult& r, std::optional<std::size_t> call) {
  Json all = Json::array();
  for (const Check& c : r.checks) {
    if (call && c.call != *call) continue;
    const char* verdict = c.verdict == Verdict::kHeld     ? "held"
                          : c.verdict == Verdict::kFailed ? "failed"
                                                          : "not run";
    all.push_back({{"check", c.name}, {"verdict", verdict}, {"detail", c.detail}});
  }
  return all;
}

Json channels(const RunResult& r) {
  Json all = Json::array();
  for (const ChannelLoad& c : r.channels) {
    all.push_back({{"node", node_json(r.scenario.network, c.node)},
                   {"channel", c.channel},
                   {"flits", c.flits}});
  }
  return all;
}

Json range(const CycleRange& cycles) {
  const bool any = cycles.cases > 0;
  return {{"cases", cycles.cases},
          {"least", any ? Json(cycles.least) : Json()},
          {"mean", value_or_null<Json>(cycles.mean())},
          {"most", any ? Json(cycles.most) : Json()}};
}

Json firmware_cycles(const FirmwareCycles& cycles) {
  return {{"call_to_send", range(cycles.call_to_send)},
          {"receive_to_send", range(cycles.receive_to_send)}};
}

/// By the ranks of a group, or by node.
Json members(const Collective& c, const std::vector<Cycle>& by_node) {
  if (!c.ranks.listed) return by_node;
  Json all = Json::array();
  for (const reference::Node& node : c.ranks.listed->nodes()) {
    all.push_back(by_node[static_cast<std::size_t>(reference::index_of(c.network, node))]);
  }
  return all;
}

Json calls(const RunResult& r) {
  Json all = Json::array();
  for (std::size_t i = 0; i < r.calls.size(); ++i) {
    const CallResult& call = r.calls[i];
    const ScenarioCall& asked = r.scenario.calls[i];
    all.push_back({{"name", asked.name},
                   {"collective", configuration(asked, call, r.scenario)},
                   {"first_called", call.first_called()},
                   {"last_finished", call.last_finished()},
                   {"cycles", call.last_finished() + 1 - call.first_called()},
                   {"firmware_cycles", firmware_cycles(call.firmware_cycles)},
                   {"messages", call.messages()},
                   {"bytes", call.bytes()},
                   {"bytes_in_sequence", call.bytes_in_sequence()},
                   {"mean_hops", value_or_null<Json>(call.mean_hops())},
                   {"nodes_verified", call.nodes_verified},
                   {"reference_conflicts", call.reference_conflicts},
                   {"checks", checks(r, i + 1)},
                   {"steps", steps(call, true)},
                   {"called_cycles", members(asked.collective, call.called)},
                   {"finished_cycles", members(asked.collective, call.finished)}});
  }
  return all;
}

/// Adds what there is to say of starts; nothing for a run without them.
void add_starts(const RunResult& r, Json& json) {
  if (r.starts.empty()) return;
  if (r.scenario.has_prepared()) {
    json["prepared"] = {{"cycles", r.prepare_cycles}, {"list_bytes", r.list_bytes}};
  }
  Json starts = Json::array();
  for (const StartResult& start : r.starts) {
    starts.push_back({{"first_called", start.first_called},
                      {"last_finished", start.last_finished},
                      {"cycles", start.cycles()},
                      {"instructions", start.instructions}});
    if (r.scenario.has_several()) starts.back()["call_cycles"] = start.cycles_of_calls;
  }
  json["starts"] = std::move(starts);
}

std::string several_json(const RunResult& r) {
  Json json = {{"annelid", kVersion},
               {"passed", r.passed()},
               {"configuration", configuration(r)},
               {"ready_cycle", r.ready},
               {"first_cycle", r.start}};
  add_starts(r, json);
  json.update({{"cycles", r.cycles},
               {"instructions", r.instructions},
               {"messages", r.messages()},
               {"mean_hops", value_or_null<Json>(r.mean_hops())},
               {"flit_hops", r.flit_hops()},
               {"checks", checks(r, 0)},
               {"calls", calls(r)},
               {"channels", channels(r)}});
  if (r.control.messages > 0) json["control_packets"] = statistics(r.control, true);
  return json_text(json, 1) + "\n";
}

}  // namespace

std::string to_json(const RunResult& r) {
  if (r.scenario.has_several()) return several_json(r);
  const CallResult& call = r.call();
  Json json = {{"annelid", kVersion},
               {"passed", r.passed()},
               {"configuration", configuration(r)},
               {"ready_cycle", r.ready},
               {"first_cycle", r.start}};
  add_starts(r, json);
  json.update({{"cycles", r.cycles},
               {"instructions", r.instructions},
               {"firmware_cycles", firmware_cycles(call.firmware_cycles)},
               {"messages", r.messages()},
               {"bytes", call.bytes()},
               {"bytes_in_sequence", call.bytes_in_sequence()},
               {"mean_hops", value_or_null<Json>(r.mean_hops())},
               {"flit_hops", r.flit_hops()},
               {"nodes_verified", call.nodes_verified},
               {"reference_conflicts", call.reference_conflicts},
               {"checks", checks(r, {})},
               {"steps", steps(call, false)}});
  if (r.scenario.call().collective.ranks.listed) {
    json["finished_cycles"] = members(r.scenario.call().collective, call.finished);
  } else {
    json["finished_cycle_per_node"] = call.finished;
  }
  json["channels"] = channels(r);
  if (r.control.messages > 0) json["control_packets"] = statistics(r.control, false);
  return json_text(json, 1) + "\n";
}

}  // namespace annelid::simulation
