// Runs of scenarios with native firmware, which may be another one than the project's.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/new_file.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/results/run_result.hpp"
#include "systemc/modules/elaboration.hpp"

namespace annelid::simulation {

/// How a scenario file of 4x4 nodes with native firmware begins.
inline const std::string kNative = "firmware = \"native\"\n[network]\nsize = [4, 4]\n";

/// The scenario of a file that begins in this way.
inline Scenario scenario_of(const std::string& toml) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "calls.toml";
  std::ofstream(file) << kNative << toml;
  return Scenario::read(file, {});
}

/// Makes the firmware of a NIC; an empty pointer leaves it the project's own.
using MakeFirmware = std::function<std::unique_ptr<firmware::NativeFirmware>(nic::Nic&)>;
/// Runs the machine once, and checks it.
using RunOnce = std::function<RunResult(Simulation&, const std::vector<reference::Inputs>&)>;

/// The result of the last of several runs of one machine.
inline RunResult last_result(const Scenario& scenario, const MakeFirmware& make, int times,
                             const RunOnce& run_once) {
  const systemc::Elaboration elaboration;
  const std::vector<reference::Inputs> inputs = inputs_of(scenario);
  Simulation simulation(scenario, nullptr, {}, plan_memory(scenario).end);
  for (NodeId node = 0; make && node < scenario.network.nodes(); ++node) {
    if (auto firmware = make(simulation.nic(node))) simulation.nic(node).load(std::move(firmware));
  }
  RunResult result;
  for (int i = 0; i < times; ++i) result = run_once(simulation, inputs);
  return result;
}

/// "name: detail" of each check that has failed.
inline std::vector<std::string> failed(const RunResult& result) {
  std::vector<std::string> names;
  for (const Check& check : result.checks) {
    if (check.verdict == Verdict::kFailed) names.push_back(check.name + ": " + check.detail);
  }
  return names;
}

}  // namespace annelid::simulation
