// `annelid firmware run`: a user's own RV32 program on every node of a network.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "base/run_failure.hpp"
#include "base/standard_error.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/gdb_option.hpp"
#include "cli/key_options.hpp"
#include "cli/processes.hpp"
#include "cli/progress_line.hpp"
#include "cli/recording_options.hpp"
#include "cli/standard_output.hpp"
#include "simulation/program_run.hpp"
#include "simulation/scenario/cycle_limit.hpp"

namespace annelid::cli {
namespace {

constexpr std::size_t kNodesListed = 64;

/// The arguments of `annelid firmware run`.
struct FirmwareArguments {
  std::string elf;
  std::vector<std::string> arguments;
  std::vector<simulation::Override> overrides;
  simulation::RecordingOptions recordings;
  Cycle cycles = 100'000'000;
  CoreArguments cores;
  std::optional<std::uint16_t> gdb;
  bool native = false, allow_errors = false, quiet = false, print_cycles = false;
  std::string mode;
  bool develop = false;
};

constexpr const char* kBarrier = "barrier";
constexpr const char* kNonBarrier = "non-barrier";

/// The word of CCL's modes (docs/internals/algorithms/ccl-modes.md), if the user says something of
/// them.
std::optional<std::uint32_t> ccl_modes(const FirmwareArguments& a) {
  if (a.mode.empty() && !a.develop) return std::nullopt;
  constexpr std::uint32_t kNonBarrierBit = 1, kDevelopBit = 2;
  return (a.mode == kNonBarrier ? kNonBarrierBit : 0) | (a.develop ? kDevelopBit : 0);
}

CLI::App* add_options(CLI::App& program, FirmwareArguments& a) {
  CLI::App* firmware = program.add_subcommand(
      "firmware", "Builds and runs programs of your own on the NICs' cores.");
  firmware->require_subcommand(1);
  firmware->footer(
      "Try: annelid firmware build hello.c && annelid firmware run hello.elf --size 2x2\n"
      "Help: annelid firmware build --help, annelid firmware run --help");
  CLI::App* run = firmware->add_subcommand(
      "run", "Runs an RV32 program on every node until all nodes sleep for good or exit.");
  run->add_option("elf", a.elf,
                  "RV32IM executable that is linked to start at address 0; with --native a program "
                  "that is built for this machine.")
      ->required();
  run->add_option("arguments", a.arguments,
                  "Behind --: what main gets as its arguments, behind the program's name.");
  static const std::vector<simulation::Key> kKeys = simulation::program_keys();
  add_key_options(*run, kKeys, a.overrides, "The network and its NICs");
  run->add_option("--cycles", a.cycles, "Ends the run before this cycle.")
      ->type_name("N")
      ->check(CLI::Range(Cycle{1}, simulation::kMostCycles))
      ->capture_default_str();
  run->add_option("--mode", a.mode,
                  "The mode of CCL's operations. barrier: none ends before all members have begun "
                  "it; this is the default of ccl.h. non-barrier: each ends when the node has done "
                  "its part.")
      ->type_name("MODE")
      ->check(CLI::IsMember({kBarrier, kNonBarrier}));
  run->add_flag("--develop", a.develop,
                "CCL's members compare their arguments before each operation, and say which of "
                "them differ.");
  run->add_flag("--native", a.native,
                "Runs a program of `annelid firmware build --native`. Its code runs in this "
                "process, and may do all that you may do: trust the file.");
  add_core_options(*run, a.cores);
  run->add_flag("--allow-errors", a.allow_errors,
                "Continues after an error of a NIC, so that the program can handle it.");
  add_gdb_option(*run, a.gdb);
  add_recording_options(*run, a.recordings);
  run->add_flag("--print-cycles", a.print_cycles,
                "Shows the cycle of each line that a node prints.");
  run->add_flag("--quiet", a.quiet,
                "Prints nothing but the lines of the nodes, unless a node does not end well.");
  run->footer(
      "Every node runs the same program. The program reads the registers NODE, SIZE_X, ... and "
      "mhartid to find out where it runs (docs/internals/nic/index.md). Nodes are numbered (z * "
      "size_y + "
      "y) * size_x + x. Compile with -g to see source lines.\n"
      "\n"
      "A node ends well in one of two ways. It sleeps in WFI, nothing can wake it any more, and "
      "its NIC has nothing left to do. Or it executes ECALL with a7 = 93 and a0 = 0, like exit in "
      "Linux. The first other trap without a handler ends the run; EBREAK is such a trap. An error "
      "of a NIC also ends the run.\n"
      "\n"
      "What a node writes by ECALL with a7 = 64, as printf of `annelid firmware build` does, is "
      "printed line by line, in the order of cycles and nodes, behind the node's name.\n"
      "\n"
      "Examples:\n"
      "  annelid firmware run hello.elf\n"
      "  annelid firmware run heat.elf --size 4x4 -- 16 30\n"
      "  annelid firmware run heat.elf --size 4x4 --quiet --print-cycles -- 16 30\n"
      "  annelid firmware run heat.elf --size 4x4 --mode non-barrier --develop -- 16 30\n"
      "  annelid firmware run heat.so --native --size 4x4 -- 16 30\n"
      "  annelid firmware run ring.elf --size 4x4\n"
      "  annelid firmware run ring.elf --size 2x1 --trace ring.txt --trace-node 1\n"
      "  annelid firmware run ring.elf --size 8x8 --profile\n"
      "  annelid firmware run server.elf --cycles 100000 --profile=server.txt\n"
      "\n"
      "With --gdb, start gdb-multiarch in another terminal, and enter: target remote "
      "localhost:PORT. gdb sees a node as a thread. While it only looks, the run is the same as "
      "without it.\n"
      "\n"
      "Exit status: 0 if every node ended well; 1 if a node trapped, exited with another status, "
      "still runs, sleeps but may be woken, or waits for something that cannot happen; 2 for bad "
      "input.");
  return run;
}

std::string how(const simulation::NodeEnd& end) {
  switch (end.how) {
    case simulation::NodeEnd::How::kExited:
      return fmt::format("exit {}", end.status);
    case simulation::NodeEnd::How::kTrapped:
      return fmt::format("{}, mtval {:#x}, at {}", nic::cause_name(end.trap.cause), end.trap.value,
                         end.place);
    case simulation::NodeEnd::How::kAsleepForGood:
      return "asleep for good at " + end.place;
    case simulation::NodeEnd::How::kAsleep:
      if (end.wakes == kNever) return "asleep at " + end.place;
      return fmt::format("asleep until cycle {} at {}", end.wakes, end.place);
    case simulation::NodeEnd::How::kRunning:
      break;
  }
  return "running at " + end.place;
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

void print(const std::vector<simulation::NodeEnd>& ends) {
  put("{:<7} {:>12} {:>14}  end\n", "node", "cycles", "instructions");
  const std::vector<bool> chosen = chosen_rows(ends);
  std::size_t left_out = 0, bad = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const simulation::NodeEnd& e = ends[i];
    if (!chosen[i]) {
      ++left_out;
      bad += e.good() ? 0 : 1;
      continue;
    }
    put("{:<7} {:>12} {:>14}  {}\n", e.node, e.cycles, e.instructions, how(e));
    for (const std::string& line : e.waits) put("{:>37}{}\n", "", line);
  }
  if (left_out > 0) {
    put("and {} more{}\n", left_out,
        bad > 0 ? fmt::format(", {} of which did not end well", bad) : "");
  }
}

/// A line of a node, on the output that the program has chosen.
void print_line(const simulation::NodeLine& line, bool with_cycle) {
  const std::string cycle = with_cycle ? fmt::format("{:>10} ", line.cycle) : "";
  const std::string text = fmt::format("{}{}: {}\n", cycle, line.node, terminal_text(line.text));
  if (line.descriptor == 1) {
    put_text(text);
  } else {
    put_error(text);
  }
}

/// Returns the exit status: 0 if every node's program ended well.
int run(const FirmwareArguments& a) {
  require_one_process("annelid firmware run");
  require_use(a.cores);
  const auto scenario =
      simulation::ProgramScenario::read(a.elf, a.overrides, a.arguments, ccl_modes(a), a.native);
  ProgressLine progress(!a.quiet);
  const auto take_line = [&](const simulation::NodeLine& line) {
    progress.clear();
    print_line(line, a.print_cycles);
  };
  const simulation::ProgramResult result =
      simulation::run_program(scenario,
                              {.recordings = a.recordings,
                               .cycle_limit = a.cycles,
                               .errors_allowed = a.allow_errors,
                               .take_line = take_line,
                               .gdb = a.gdb,
                               .listening = say_port,
                               .cores = a.cores.options()},
                              progress);
  if (!a.quiet || !result.failure.empty()) print(result.ends);
  if (a.cores.printed()) put_text("\n" + result.profile);
  if (!result.failure.empty()) throw RunFailure(result.failure);
  warn_of_missing(result.recorded);
  if (!a.quiet) put_text(recorded_text(result.recorded));
  return 0;
}

}  // namespace

Command add_firmware(CLI::App& program) {
  return command<FirmwareArguments>(program, add_options, run);
}

}  // namespace annelid::cli
