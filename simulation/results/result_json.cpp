#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/version.hpp"
#include "simulation/results/run_result.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"

namespace annelid::simulation {
namespace {

using Json = nlohmann::ordered_json;

Json configuration(const RunResult& r) {
  const Scenario& s = r.scenario;
  Json collective = collective_json(s.collective, s.network);
  if (s.payload.empty()) {
    collective["seed"] = s.collective.seed;
  } else {
    collective["payload"] = s.payload.string();
  }
  collective["bytes"] = s.collective.bytes;
  collective["crc32"] = fmt::format("{:08x}", r.crc32);
  return {{"name", s.name},
          {"network", network_json(s.network)},
          {"router", router_json(s.network)},
          {"nic", nic_json(s.nic)},
          {"firmware", name_of(s.firmware)},
          {"collective", collective},
          {"limits", {{"cycles", s.cycle_limit}}}};
}

Json blocked(const systemc::BlockedCycles& b) {
  return {{"stepwise", b.same_step - b.same_step_ejection},
          {"stepwise_ejection", b.same_step_ejection},
          {"depth", b.other_step},
          {"control", b.control},
          {"back_pressure", b.back_pressure}};
}

Json statistics(const systemc::StepStatistics& s) {
  return {{"messages", s.messages},
          {"flits", s.flits},
          {"hops", s.hops},
          {"first_injected", s.first_injected},
          {"last_ejected", s.last_ejected},
          {"cycles", cycles_of(s)},
          {"blocked_flit_cycles", blocked(s.blocked)}};
}

Json steps(const RunResult& r) {
  Json all = Json::array();
  for (const auto& [label, step] : r.steps) {
    Json entry = {{"step", label}};
    entry.update(statistics(step));
    const auto waits = r.injection_waits.find(label);
    entry["injection_wait_cycles"] = waits == r.injection_waits.end() ? 0 : waits->second;
    all.push_back(entry);
  }
  return all;
}

Json checks(const RunResult& r) {
  Json all = Json::array();
  for (const Check& c : r.checks) {
    const char* verdict = c.verdict == Verdict::kHeld     ? "held"
                          : c.verdict == Verdict::kFailed ? "failed"
                                                          : "not run";
    all.push_back({{"check", c.name}, {"verdict", verdict}, {"detail", c.detail}});
  }
  return all;
}

Json node_json(const systemc::NetworkConfig& network, Address a) {
  Json node = {a.x};
  if (network.dims() > 1) node.push_back(a.y);
  if (network.dims() > 2) node.push_back(a.z);
  return node;
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
  return {{"cases", cycles.cases},
          {"least", cycles.least},
          {"mean", cycles.mean()},
          {"most", cycles.most}};
}

}  // namespace

std::string to_json(const RunResult& r) {
  Json json = {{"annelid", kVersion},
               {"passed", r.passed()},
               {"configuration", configuration(r)},
               {"cycles", r.cycles},
               {"instructions", r.instructions},
               {"firmware_cycles",
                {{"call_to_send", range(r.firmware_cycles.call_to_send)},
                 {"receive_to_send", range(r.firmware_cycles.receive_to_send)}}},
               {"messages", r.messages()},
               {"mean_hops", r.mean_hops()},
               {"flit_hops", r.flit_hops()},
               {"nodes_verified", r.nodes_verified},
               {"reference_conflicts", r.reference_conflicts},
               {"checks", checks(r)},
               {"steps", steps(r)},
               {"finished_cycle_per_node", r.finished},
               {"channels", channels(r)}};
  if (r.control.messages > 0) json["control_packets"] = statistics(r.control);
  return json_text(json, 1) + "\n";
}

}  // namespace annelid::simulation
