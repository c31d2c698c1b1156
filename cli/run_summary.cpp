#include "cli/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "cli/standard_output.hpp"
#include "simulation/scenario/count_keys.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::cli {
namespace {

void print_mark(simulation::Verdict verdict) {
  if (verdict == simulation::Verdict::kNotRun) return put("not run");
  const bool held = verdict == simulation::Verdict::kHeld;
  put_coloured(held ? Colour::kGreen : Colour::kRed, held ? "held   " : "FAILED ");
}

std::string firmware_text(const simulation::RunResult& r) {
  switch (r.scenario.firmware.kind) {
    case simulation::FirmwareChoice::Kind::kNative:
      return "native, no instruction cost";
    case simulation::FirmwareChoice::Kind::kElfFile:
      return fmt::format("{} on RV32IM, {} instructions",
                         one_line(r.scenario.firmware.elf.string()), r.instructions);
    default:
      return fmt::format("RV32IM, {} instructions", r.instructions);
  }
}

/// "1276 cycles", "1276 to 1900 cycles (mean 1500)". There must be cases.
std::string range_text(const simulation::CycleRange& cycles) {
  if (cycles.least == cycles.most) return fmt::format("{} cycles", cycles.least);
  return fmt::format("{} to {} cycles (mean {:.4g})", cycles.least, cycles.most, *cycles.mean());
}

/// When the nodes had started; native firmware needs no time for that.
std::string ready_text(const simulation::RunResult& r) {
  if (r.scenario.firmware.kind == simulation::FirmwareChoice::Kind::kNative) return "";
  return fmt::format("            at all nodes in its main loop from cycle {} on\n", r.ready);
}

/// What the core needs; native firmware needs none.
std::string core_text(const simulation::RunResult& r, const simulation::CallResult& call) {
  const simulation::FirmwareCycles& cycles = call.firmware_cycles;
  if (r.scenario.firmware.kind == simulation::FirmwareChoice::Kind::kNative) return "";
  std::string text;
  if (cycles.call_to_send.cases > 0) {
    text = fmt::format("            {} from the call to the first send\n",
                       range_text(cycles.call_to_send));
  }
  if (cycles.receive_to_send.cases > 0) {
    text += fmt::format("            {} from a last flit to the next send\n",
                        range_text(cycles.receive_to_send));
  }
  return text;
}

/// A line for each step. Columns without any wait are left out, but for stepwise and depth
/// contention.
std::string step_table(const simulation::RunResult& r, const simulation::CallResult& call,
                       bool control) {
  std::string text;
  auto out = std::back_inserter(text);
  const bool several = r.calls.size() > 1;
  std::uint64_t ejection = 0, injection = 0;
  for (const auto& [label, step] : call.steps) ejection += step.blocked.same_step_ejection;
  for (const auto& [label, cycles] : call.injection_waits) injection += cycles;
  const bool waits = ejection + injection > 0;
  fmt::format_to(out,
                 "                      first      last            contention, flit-cycles{}{}\n",
                 several && waits ? "       " : "", waits ? "         same step at" : "");
  fmt::format_to(out,
                 "  step  messages    head in  tail out    cycles  stepwise  depth  {}control{}\n",
                 several ? "calls  " : "", waits ? "  ejection  injection" : "");
  for (const auto& [label, step] : call.steps) {
    fmt::format_to(out, "  {:>4}  {:>8}  {:>9}  {:>8}  {:>8}  {:>8}  {:>5}", label, step.messages,
                   step.first_injected, step.last_ejected, simulation::cycles_of(step),
                   step.blocked.same_step - step.blocked.same_step_ejection,
                   step.blocked.other_step);
    if (several) fmt::format_to(out, "  {:>5}", step.blocked.other_call);
    fmt::format_to(out, "  {:>7}", step.blocked.control);
    if (waits) {
      const auto wait = call.injection_waits.find(label);
      fmt::format_to(out, "  {:>8}  {:>9}", step.blocked.same_step_ejection,
                     wait == call.injection_waits.end() ? 0 : wait->second);
    }
    fmt::format_to(out, "\n");
  }
  if (control && r.scenario.network.router.control_vc && r.control.messages > 0) {
    fmt::format_to(out, "  control  {:>5}  {:>9}  {:>8}  {:>8}  {:>8}  {:>5}  {:>7}\n",
                   r.control.messages, r.control.first_injected, r.control.last_ejected,
                   simulation::cycles_of(r.control), r.control.blocked.same_step,
                   r.control.blocked.other_step, r.control.blocked.control);
  }
  fmt::format_to(out, "\n");
  return text;
}

std::string contents_text(const simulation::ScenarioCall& asked,
                          const simulation::CallResult& call) {
  const simulation::Collective& c = asked.collective;
  return fmt::format(
      "  {}  {} ({}{}, crc32 {:08x})\n", asked.payload.empty() ? "contents" : "payload ",
      asked.payload.empty() ? fmt::format("random, seed {}", c.seed)
                            : one_line(asked.payload.string()),
      block_text(c), c.operation() == reference::Operation::kBroadcast ? "" : " a block",
      call.crc32);
}

std::string volume_text(const simulation::CallResult& call) {
  return fmt::format("  volume    {} bytes, {} of them in sequence\n", call.bytes(),
                     call.bytes_in_sequence());
}

void print_checks(const simulation::RunResult& r, std::optional<std::size_t> call) {
  for (const simulation::Check& c : r.checks) {
    if (call && c.call != *call) continue;
    put("  ");
    print_mark(c.verdict);
    put(" {}: {}\n", c.name, c.detail);
  }
}

std::string groups_text(const simulation::RunResult& r) {
  if (r.scenario.groups.empty()) return "";
  std::size_t groups = 0;
  for (const simulation::GroupSet& set : r.scenario.groups) groups += set.groups.size();
  return fmt::format("  groups    {}, made by the firmware before cycle {}\n", groups, r.start);
}

std::string prepared_text(const simulation::RunResult& r) {
  if (!r.scenario.has_prepared()) return "";
  return fmt::format("  prepared  in {} cycles, with lists of up to {} bytes at a node\n",
                     r.prepare_cycles, r.list_bytes);
}

std::string cycles_text(const simulation::RunResult& r) {
  const std::string which =
      r.starts.size() > 1 ? fmt::format(" in the last of {} starts", r.starts.size()) : "";
  return fmt::format("  cycles    {}{}  (simulated in {:.2f} s)\n", r.cycles, which,
                     r.host_seconds);
}

/// A line for each start, if there are several.
std::string start_table(const simulation::RunResult& r) {
  if (r.starts.size() < 2) return "";
  const bool native = r.scenario.firmware.kind == simulation::FirmwareChoice::Kind::kNative;
  std::string text =
      fmt::format("  start     from        to    cycles{}\n", native ? "" : "  instructions");
  auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < r.starts.size(); ++i) {
    const simulation::StartResult& start = r.starts[i];
    fmt::format_to(out, "  {:>5}  {:>7}  {:>8}  {:>8}", i + 1, start.first_called,
                   start.last_finished, start.cycles());
    if (!native) fmt::format_to(out, "  {:>12}", start.instructions);
    fmt::format_to(out, "\n");
  }
  return text + "\n";
}

void print_one(const simulation::RunResult& r) {
  const simulation::Scenario& s = r.scenario;
  const simulation::CallResult& call = r.call();
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{}: {}\n", one_line(s.name), one_line(describe(s)));
  fmt::format_to(out, "{}", contents_text(s.call(), call));
  fmt::format_to(out, "{}", groups_text(r));
  fmt::format_to(out, "  firmware  {}\n{}{}", firmware_text(r), ready_text(r), core_text(r, call));
  fmt::format_to(out, "{}{}", prepared_text(r), cycles_text(r));
  fmt::format_to(out, "  messages  {} in {} steps, mean path {} hops; {} control packets\n",
                 r.messages(), call.schedule_steps(), text_or_dash(r.mean_hops(), "{:.4g}"),
                 r.control.messages);
  fmt::format_to(out, "{}\n", volume_text(call));
  put_text(text + start_table(r) + step_table(r, call, true));
  print_checks(r, {});
}

/// Whether it is the only call of its table.
bool is_alone(const simulation::Scenario& s, std::size_t call) {
  const std::size_t table = s.calls[call].table;
  return std::ranges::count(s.calls, table, &simulation::ScenarioCall::table) == 1;
}

bool has_failed(const simulation::RunResult& r, std::size_t call) {
  return std::ranges::any_of(r.checks, [call](const simulation::Check& c) {
    return c.call == call + 1 && c.verdict == simulation::Verdict::kFailed;
  });
}

/// A line for each call.
std::string call_table(const simulation::RunResult& r) {
  std::size_t width = 4;
  for (const simulation::ScenarioCall& call : r.scenario.calls) {
    width = std::max(width, one_line(call.name).size());
  }
  std::string text = fmt::format(
      "\n  {:<{}}   members  messages  steps     from        to    cycles  checks held\n", "call",
      width);
  for (std::size_t i = 0; i < r.calls.size(); ++i) {
    const simulation::CallResult& call = r.calls[i];
    const auto members = std::ranges::count_if(call.called, [](Cycle c) { return c != kNever; });
    std::size_t held = 0, run = 0;
    for (const simulation::Check& c : r.checks) {
      if (c.call != i + 1 || c.verdict == simulation::Verdict::kNotRun) continue;
      ++run;
      if (c.verdict == simulation::Verdict::kHeld) ++held;
    }
    text += fmt::format("  {:<{}}  {:>8}  {:>8}  {:>5}  {:>7}  {:>8}  {:>8}  {:>4} of {}\n",
                        one_line(r.scenario.calls[i].name), width, members, call.messages(),
                        call.schedule_steps(), call.first_called(), call.last_finished(),
                        call.last_finished() + 1 - call.first_called(), held, run);
  }
  return text;
}

void print_call(const simulation::RunResult& r, std::size_t number) {
  const simulation::ScenarioCall& asked = r.scenario.calls[number];
  const simulation::CallResult& call = r.calls[number];
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "\n{}: {}\n", one_line(asked.name),
                 one_line(describe(asked.collective, r.scenario.network)));
  fmt::format_to(out, "{}{}", contents_text(asked, call), core_text(r, call));
  fmt::format_to(out, "  cycles    {}, from {} to {}\n",
                 call.last_finished() + 1 - call.first_called(), call.first_called(),
                 call.last_finished());
  fmt::format_to(out, "  messages  {} in {} steps, mean path {} hops\n", call.messages(),
                 call.schedule_steps(), text_or_dash(call.mean_hops(), "{:.4g}"));
  fmt::format_to(out, "{}\n", volume_text(call));
  put_text(text + step_table(r, call, false));
  print_checks(r, number + 1);
}

}  // namespace

void print_summary(const simulation::RunResult& r) {
  if (!r.scenario.has_several()) return print_one(r);
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{}: {}\n", one_line(r.scenario.name), one_line(describe(r.scenario)));
  fmt::format_to(out, "{}  firmware  {}\n{}", groups_text(r), firmware_text(r), ready_text(r));
  fmt::format_to(out, "{}{}", prepared_text(r), cycles_text(r));
  fmt::format_to(out, "  messages  {}, mean path {} hops; {} control packets\n", r.messages(),
                 text_or_dash(r.mean_hops(), "{:.4g}"), r.control.messages);
  const std::string starts = start_table(r);
  put_text(text + (starts.empty() ? "" : "\n" + starts.substr(0, starts.size() - 1)) +
           call_table(r));
  for (std::size_t i = 0; i < r.calls.size(); ++i) {
    if (is_alone(r.scenario, i) || has_failed(r, i)) print_call(r, i);
  }
  put("\n");
  print_checks(r, 0);
}

std::string account_text(const simulation::RunResult& r) {
  using simulation::Cause;
  constexpr std::size_t kWaitsShown = 8;
  const simulation::Account& account = r.account;
  std::string text = "critical path   cycles   share\n";
  auto out = std::back_inserter(text);
  const auto line = [&](std::string_view name, Cycle cycles) {
    fmt::format_to(out, "  {:<10}  {:>9}  {:>5.1f} %\n", name, cycles,
                   100.0 * static_cast<double>(cycles) / static_cast<double>(r.cycles));
  };
  for (std::size_t i = 0; i < simulation::kCauses; ++i) {
    const auto cause = static_cast<Cause>(i);
    line(name_of(cause), account.total(cause));
  }
  line("all", account.total());
  std::map<std::pair<NodeId, std::string>, Cycle> waits;
  for (const simulation::Stretch& s : account.stretches) {
    if (s.cause == Cause::kWaits) waits[{s.node, s.for_whom}] += s.cycles;
  }
  std::vector<std::pair<std::pair<NodeId, std::string>, Cycle>> longest(waits.begin(), waits.end());
  std::ranges::stable_sort(longest, std::greater{}, [](const auto& w) { return w.second; });
  if (longest.size() > kWaitsShown) longest.resize(kWaitsShown);
  if (!longest.empty()) fmt::format_to(out, "\nlongest waits on it\n");
  for (const auto& [wait, cycles] : longest) {
    const systemc::NetworkConfig& network = r.scenario.network;
    fmt::format_to(out, "  {:>9}  node {} for {}\n", cycles,
                   systemc::node_text(network, network.address(wait.first)), wait.second);
  }
  return text;
}

}  // namespace annelid::cli
