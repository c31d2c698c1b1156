#include "cli/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "cli/standard_output.hpp"
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

/// "1276 cycles", "1276 to 1900 cycles (mean 1500)".
std::string range_text(const simulation::CycleRange& cycles) {
  if (cycles.least == cycles.most) return fmt::format("{} cycles", cycles.least);
  return fmt::format("{} to {} cycles (mean {:.4g})", cycles.least, cycles.most, cycles.mean());
}

/// What the core needs; native firmware needs none.
std::string core_text(const simulation::RunResult& r) {
  const simulation::FirmwareCycles& cycles = r.firmware_cycles;
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
std::string step_table(const simulation::RunResult& r) {
  std::string text;
  auto out = std::back_inserter(text);
  std::uint64_t ejection = 0, injection = 0;
  for (const auto& [label, step] : r.steps) ejection += step.blocked.same_step_ejection;
  for (const auto& [label, cycles] : r.injection_waits) injection += cycles;
  const bool waits = ejection + injection > 0;
  fmt::format_to(out,
                 "                      first      last            contention, flit-cycles{}\n",
                 waits ? "         same step at" : "");
  fmt::format_to(out,
                 "  step  messages    head in  tail out    cycles  stepwise  depth  control{}\n",
                 waits ? "  ejection  injection" : "");
  for (const auto& [label, step] : r.steps) {
    fmt::format_to(out, "  {:>4}  {:>8}  {:>9}  {:>8}  {:>8}  {:>8}  {:>5}  {:>7}", label,
                   step.messages, step.first_injected, step.last_ejected,
                   simulation::cycles_of(step),
                   step.blocked.same_step - step.blocked.same_step_ejection,
                   step.blocked.other_step, step.blocked.control);
    if (waits) {
      const auto wait = r.injection_waits.find(label);
      fmt::format_to(out, "  {:>8}  {:>9}", step.blocked.same_step_ejection,
                     wait == r.injection_waits.end() ? 0 : wait->second);
    }
    fmt::format_to(out, "\n");
  }
  if (r.scenario.network.router.control_vc && r.control.messages > 0) {
    fmt::format_to(out, "  control  {:>5}  {:>9}  {:>8}  {:>8}  {:>8}  {:>5}  {:>7}\n",
                   r.control.messages, r.control.first_injected, r.control.last_ejected,
                   simulation::cycles_of(r.control), r.control.blocked.same_step,
                   r.control.blocked.other_step, r.control.blocked.control);
  }
  fmt::format_to(out, "\n");
  return text;
}

}  // namespace

void print_summary(const simulation::RunResult& r) {
  const simulation::Scenario& s = r.scenario;
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{}: {}\n", one_line(s.name), one_line(describe(s.collective, s.network)));
  fmt::format_to(
      out, "  {}  {} ({} bytes{}, crc32 {:08x})\n", s.payload.empty() ? "contents" : "payload ",
      s.payload.empty() ? fmt::format("random, seed {}", s.collective.seed)
                        : one_line(s.payload.string()),
      s.collective.bytes,
      s.collective.operation() == reference::Operation::kBroadcast ? "" : " a block", r.crc32);
  fmt::format_to(out, "  firmware  {}\n{}", firmware_text(r), core_text(r));
  fmt::format_to(out, "  cycles    {}  (simulated in {:.2f} s)\n", r.cycles, r.host_seconds);
  fmt::format_to(out, "  messages  {} in {} steps, mean path {:.4g} hops; {} control packets\n\n",
                 r.messages(), r.steps.size(), r.mean_hops(), r.control.messages);
  put_text(text + step_table(r));
  for (const simulation::Check& c : r.checks) {
    put("  ");
    print_mark(c.verdict);
    put(" {}: {}\n", c.name, c.detail);
  }
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
