#include "simulation/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "firmware/image.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/cycle_limit.hpp"
#include "simulation/scenario/memory_plan.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"
#include "simulation/scenario/own_collective.hpp"
#include "simulation/scenario/prepared_keys.hpp"

namespace annelid::simulation {
namespace {

using Kind = Key::Kind;

constexpr std::size_t kLongestElf = std::size_t{16} << 20;

constexpr std::array kScenarioKeys = {
    Key{"name", Kind::kText, "text", nullptr, nullptr,
        "Name of the scenario, which names the folder of its results.",
        "the name of the scenario file"},
    Key{"firmware", Kind::kText, "\"rv32\", \"native\" or the path of an RV32 ELF file",
        "--firmware", "WHAT",
        "What the NICs execute. rv32 is the project's firmware on the RISC-V core; native is the "
        "same source code without instruction cost; a path names your own RV32 ELF file.",
        "rv32"},
    Key{"limits.cycles", Kind::kInteger, "an integer, cycles", "--cycle-limit", "N",
        "The run fails if it has not ended after N cycles.", "100000000"},
};

/// Each call by itself fits a node's memory; all of them and the lists of groups must as well.
void require_memory_for(const Scenario& s) {
  const std::uint64_t end = plan_memory(s).end;
  if (end <= kMostNodeMemory) return;
  throw InputError(s.origin("collective.bytes"),
                   fmt::format("calls and groups that need {} MiB of a node's memory", end >> 20),
                   fmt::format("at most {} MiB", kMostNodeMemory >> 20));
}

FirmwareChoice read_firmware(const Settings& s) {
  using FirmwareKind = FirmwareChoice::Kind;
  const std::string text = s.text("firmware", "rv32");
  if (text == "rv32") return {FirmwareKind::kRv32, {}};
  if (text == "native") return {FirmwareKind::kNative, {}};
  std::filesystem::path elf = text;
  if (s.from_file("firmware") && elf.is_relative()) elf = s.file().parent_path() / elf;
  return {FirmwareKind::kElfFile, elf};
}

}  // namespace

std::string name_of(const FirmwareChoice& firmware) {
  switch (firmware.kind) {
    case FirmwareChoice::Kind::kNative:
      return "native";
    case FirmwareChoice::Kind::kElfFile:
      return firmware.elf.string();
    default:
      return "rv32";
  }
}

CoreProgram read_program(const FirmwareChoice& firmware, const std::string& where) {
  if (firmware.kind == FirmwareChoice::Kind::kNative) return {};
  if (firmware.kind == FirmwareChoice::Kind::kRv32) {
    static const CoreProgram built_in({firmware_image().begin(), firmware_image().end()});
    return built_in;
  }
  try {
    constexpr std::array<std::string_view, 2> kNames = {"rv32", "native"};
    const std::string expected =
        "a readable file" + did_you_mean(firmware.elf.filename().string(), kNames);
    return CoreProgram(read_file(firmware.elf, where, kLongestElf, expected));
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw InputError(where + ": " + firmware.elf.string(), error.what());
  }
}

nic::Image read_image(const FirmwareChoice& firmware, const std::string& where) {
  return read_program(firmware, where).image;
}

std::vector<Key> run_keys() {
  std::vector<Key> keys(network_keys().begin(), network_keys().end());
  keys.insert(keys.end(), nic_keys().begin(), nic_keys().end());
  keys.insert(keys.end(), collective_keys().begin(), collective_keys().end());
  keys.insert(keys.end(), own_keys().begin(), own_keys().end());
  const auto calls = call_keys();
  keys.insert(keys.end(), calls.begin(), calls.end());
  keys.insert(keys.end(), kScenarioKeys.begin(), kScenarioKeys.end());
  return keys;
}

bool Scenario::has_prepared() const {
  return std::ranges::any_of(calls,
                             [](const ScenarioCall& call) { return call.collective.prepared; });
}

bool Scenario::concerns(std::size_t call, const reference::Node& node) const {
  if (calls[call].collective.calls(node)) return true;
  const std::size_t table = calls[call].table;
  if (call > 0 && calls[call - 1].table == table) return false;
  for (std::size_t i = call + 1; i < calls.size() && calls[i].table == table; ++i) {
    if (calls[i].collective.calls(node)) return false;
  }
  return true;
}

std::string describe(const Scenario& s) {
  if (!s.has_several()) return describe(s.call().collective, s.network);
  return fmt::format("{} call{} on the {}", s.calls.size(), s.calls.size() == 1 ? "" : "s",
                     describe_network(s.network));
}

Scenario Scenario::read(const std::filesystem::path& file, std::span<const Override> overrides) {
  return from(Settings(run_keys(), file, overrides));
}

Scenario Scenario::from(const Settings& settings) {
  Scenario s;
  s.settings = settings;
  s.name = settings.name("collective");
  s.network = read_network(settings, kControlVcWithNics);
  s.nic = read_nic(settings, s.network);
  s.firmware = read_firmware(settings);
  // The native firmware has the table of the built-in one for the core.
  const auto registered = [&] {
    const FirmwareChoice built_in{FirmwareChoice::Kind::kRv32, {}};
    const bool native = s.firmware.kind == FirmwareChoice::Kind::kNative;
    return read_image(native ? built_in : s.firmware, settings.origin("firmware")).collectives;
  };
  ScenarioCalls read = read_calls(settings, s.network, registered);
  s.calls = std::move(read.calls);
  s.groups = std::move(read.groups);
  s.repeat = read_repeat(settings);
  require_memory_for(s);
  s.cycle_limit = limit_of_cycles(settings, s.cycle_limit);
  return s;
}

}  // namespace annelid::simulation
