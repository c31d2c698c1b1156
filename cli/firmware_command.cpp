#include "cli/firmware_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "base/run_failure.hpp"
#include "cli/key_options.hpp"
#include "cli/progress_line.hpp"
#include "cli/recording_options.hpp"
#include "simulation/program/firmware_run.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"

namespace annelid::cli {
namespace {

constexpr std::size_t kLongestElf = std::size_t{256} << 20;  // debug information is long
constexpr std::size_t kNodesListed = 64;

std::vector<simulation::Key> firmware_keys() {
  std::vector<simulation::Key> keys(simulation::network_keys().begin(),
                                    simulation::network_keys().end());
  keys.insert(keys.end(), simulation::nic_keys().begin(), simulation::nic_keys().end());
  return keys;
}

nic::NicConfig read_config(const FirmwareArguments& a) {
  simulation::Settings settings(firmware_keys());
  settings.set({"network.size", "--size", "1x1"});
  for (const simulation::Override& o : a.overrides) settings.set(o);
  nic::NicConfig nic = simulation::read_nic(settings, simulation::read_network(settings));
  // A trace of several nodes is in the order of cycles only if none runs ahead.
  if (!a.trace.empty()) nic.run_ahead = 1;
  return nic;
}

simulation::Program read_program(const std::string& path) {
  const auto elf = read_file(path, "firmware run", kLongestElf);
  try {
    return {nic::load_elf(elf), simulation::SourceLines(elf)};
  } catch (const std::runtime_error& error) {
    throw InputError(path, error.what());
  }
}

std::string how(const simulation::NodeEnd& end, const simulation::Program& program) {
  switch (end.how) {
    case simulation::NodeEnd::How::kExited:
      return fmt::format("exit {}", end.status);
    case simulation::NodeEnd::How::kTrapped:
      return fmt::format("{}, mtval {:#x}, at {}", simulation::cause_name(end.trap.cause),
                         end.trap.value, simulation::describe_place(program, end.trap.pc));
    case simulation::NodeEnd::How::kAsleep:
      return "asleep for good at " + simulation::describe_place(program, end.pc);
    case simulation::NodeEnd::How::kRunning:
      break;
  }
  return "running at " + simulation::describe_place(program, end.pc);
}

/// The nodes that get a row: of many those that did not end well first.
std::vector<bool> chosen_rows(const std::vector<simulation::NodeEnd>& ends) {
  std::vector<bool> chosen(ends.size());
  std::size_t left = kNodesListed;
  for (const bool good : {false, true}) {
    for (std::size_t i = 0; i < ends.size() && left > 0; ++i) {
      if (ends[i].good() != good) continue;
      chosen[i] = true;
      --left;
    }
  }
  return chosen;
}

void print(const std::vector<simulation::NodeEnd>& ends, const simulation::Program& program) {
  fmt::print("{:<7} {:>12} {:>14}  end\n", "node", "cycles", "instructions");
  const std::vector<bool> chosen = chosen_rows(ends);
  std::size_t left_out = 0, bad = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const simulation::NodeEnd& e = ends[i];
    if (!chosen[i]) {
      ++left_out;
      bad += e.good() ? 0 : 1;
      continue;
    }
    fmt::print("{:<7} {:>12} {:>14}  {}\n", e.node, e.cycles, e.instructions, how(e, program));
    for (const std::string& line : e.waits) fmt::print("{:>37}{}\n", "", line);
  }
  if (left_out > 0) {
    fmt::print("and {} more{}\n", left_out,
               bad > 0 ? fmt::format(", {} of which did not end well", bad) : "");
  }
}

void write_profile(const simulation::CoreProfile& profile, const FirmwareArguments& a) {
  if (a.profile == "-") {
    fmt::print("\n{}", profile.table());
  } else {
    write_file(a.profile, profile.table());
  }
}

}  // namespace

CLI::App* add_firmware_command(CLI::App& program, FirmwareArguments& a) {
  CLI::App* firmware = program.add_subcommand("firmware", "Run firmware of your own");
  firmware->require_subcommand(1);
  CLI::App* run = firmware->add_subcommand(
      "run", "Run an RV32 program on every node, to where it sleeps for good, exits or traps");
  run->add_option("elf", a.elf, "RV32IM executable, linked to start at address 0")->required();
  static const std::vector<simulation::Key> kKeys = firmware_keys();
  add_key_options(*run, kKeys, a.overrides);
  run->add_option("--cycles", a.cycles, "End the run before this cycle")
      ->type_name("N")
      ->check(CLI::Range(Cycle{1}, Cycle{1} << 62))
      ->capture_default_str();
  run->add_option("--trace", a.trace,
                  "Write a line for each instruction: cycle, node, pc, function, result, source")
      ->type_name("FILE");
  run->add_option("--trace-node", a.trace_nodes,
                  "Nodes that are traced and profiled: all, or numbers 3,4")
      ->type_name("NODES")
      ->capture_default_str();
  run->add_flag("--profile{-}", a.profile,
                "Print cycles and instructions of each function; --profile=FILE writes them");
  run->add_flag("--allow-errors", a.allow_errors, "Go on after an error of a NIC");
  add_recording_options(*run, a.recordings);
  run->add_flag("--quiet", a.quiet, "Print nothing unless a node does not end well");
  run->footer(
      "Every node of the network runs the same program; ID, NODE, SIZE_X ... and mhartid tell\n"
      "it where it is (docs/nic.md). Nodes are numbered y * size_x + x. Compile with -g for\n"
      "source lines.\n"
      "\n"
      "A node ends well if it sleeps in WFI with nothing that could wake it and nothing left in\n"
      "its NIC, or with ECALL, a7 = 93 and a0 = 0 (Linux's exit). The first other trap without\n"
      "a handler, EBREAK among them, ends the run, and so does an error of a NIC.\n"
      "\n"
      "Examples:\n"
      "  annelid firmware run hello.elf\n"
      "  annelid firmware run ring.elf --size 4x4\n"
      "  annelid firmware run ring.elf --size 2x1 --trace ring.txt --trace-node 1\n"
      "  annelid firmware run ring.elf --size 8x8 --profile\n"
      "  annelid firmware run server.elf --cycles 100000 --profile=server.txt\n"
      "\n"
      "Exit status: 0 every node ended well; 1 one trapped, exited with another status, still\n"
      "runs, or waits for what will not come; 2 bad input.");
  return run;
}

int run_firmware(const FirmwareArguments& a) {
  const nic::NicConfig nic = read_config(a);
  const NodeId nodes = nic.network.nodes();
  const std::set<NodeId> traced = simulation::parse_nodes("--trace-node", a.trace_nodes, nodes);
  const std::set<NodeId> rtl = simulation::rtl_nodes(a.recordings, nic.network);
  const simulation::Program program = read_program(a.elf);
  require_writable(a.recordings);
  if (!a.trace.empty()) require_writable(a.trace, "--trace");
  if (!a.profile.empty() && a.profile != "-") require_writable(a.profile, "--profile");

  simulation::FirmwareRun run(program, {nic, rtl, a.cycles, a.allow_errors});
  simulation::Recordings recordings(
      a.recordings, run.network(),
      fmt::format("{}: {}", std::filesystem::path(a.elf).filename().string(),
                  simulation::describe_network(nic.network)));
  run.watch(recordings.observers());
  std::optional<OutputFile> trace_file;
  std::optional<simulation::CoreTrace> trace;
  if (!a.trace.empty()) {
    trace_file.emplace(a.trace, "--trace");
    run.trace(trace.emplace(trace_file->stream(), program), traced);
  }
  std::optional<simulation::CoreProfile> profile;
  if (!a.profile.empty()) run.profile(profile.emplace(program.image), traced);

  ProgressLine progress(!a.quiet);
  run.run(progress);
  const std::string failure = run.failure();
  if (!failure.empty()) recordings.fail("the run failed");
  recordings.close();
  if (trace_file) trace_file->commit();
  if (!a.quiet || !failure.empty()) print(run.ends(), program);
  if (profile) write_profile(*profile, a);
  if (!failure.empty()) throw RunFailure(failure);
  if (!a.quiet) fmt::print("{}", recordings.described());
  return 0;
}

}  // namespace annelid::cli
