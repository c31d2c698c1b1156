#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/network_keys.hpp"
#include "cli/nic_keys.hpp"
#include "cli/run_result.hpp"
#include "cli/version.hpp"

namespace annelid::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string firmware_name(const FirmwareChoice& firmware) {
  switch (firmware.kind) {
    case FirmwareChoice::Kind::kNative:
      return "native";
    case FirmwareChoice::Kind::kElfFile:
      return firmware.elf.string();
    default:
      return "rv32";
  }
}

Json configuration(const RunResult& r) {
  const Scenario& s = r.scenario;
  return {{"name", s.name},
          {"network", network_json(s.network)},
          {"router", router_json(s.network.router)},
          {"nic", nic_json(s.nic)},
          {"firmware", firmware_name(s.firmware)},
          {"collective",
           {{"operation", name_of(s.operation)},
            {"algorithm", name_of(s.algorithm)},
            {"root", {s.root.x, s.root.y}},
            {"payload", s.payload.string()},
            {"bytes", r.payload_bytes},
            {"crc32", fmt::format("{:08x}", r.payload_crc32)}}},
          {"limits", {{"cycles", s.cycle_limit}}}};
}

Json blocked(const BlockedCycles& b) {
  return {{"stepwise", b.same_step},
          {"depth", b.other_step},
          {"control", b.control},
          {"back_pressure", b.back_pressure}};
}

Json statistics(const StepStatistics& s) {
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

Json channels(const RunResult& r) {
  Json all = Json::array();
  for (const ChannelLoad& c : r.channels) {
    all.push_back({{"node", {c.node.x, c.node.y}}, {"channel", c.channel}, {"flits", c.flits}});
  }
  return all;
}

}  // namespace

std::string to_json(const RunResult& r) {
  Json json = {{"annelid", kVersion},
               {"passed", r.passed()},
               {"configuration", configuration(r)},
               {"cycles", r.cycles},
               {"instructions", r.instructions},
               {"messages", r.messages()},
               {"mean_hops", r.mean_hops()},
               {"flit_hops", r.flit_hops()},
               {"nodes_verified", r.nodes_verified},
               {"checks", checks(r)},
               {"steps", steps(r)},
               {"finished_cycle_per_node", r.finished},
               {"channels", channels(r)}};
  if (r.control.messages > 0) json["control_packets"] = statistics(r.control);
  return json.dump(1) + "\n";
}

}  // namespace annelid::cli
