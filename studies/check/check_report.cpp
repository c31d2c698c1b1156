#include "studies/check/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "simulation/scenario/network_keys.hpp"

namespace annelid::studies {
namespace {

using reference::Algorithm;

const char* mark(bool held) { return held ? "equal" : "DIFFER"; }

std::string steps_text(const JobResult& r) {
  if (r.fewest_steps == r.most_steps) return std::to_string(r.most_steps);
  return fmt::format("{}..{}", r.fewest_steps, r.most_steps);
}

const char* reason(LeftOut::Why why) {
  switch (why) {
    case LeftOut::Why::kSampled:
      return "long, made with other roots or on other networks";
    case LeftOut::Why::kTooDear:
      return "would take too long:";
    case LeftOut::Why::kTooLarge:
      return "buffers of all nodes too large:";
    case LeftOut::Why::kTooLong:
      return "messages or a root's blocks of more than 16 MiB:";
  }
  return "";
}

}  // namespace

CheckReport::CheckReport(const CheckPlan& plan) : plan_(plan) {
  for (const CheckJob& job : plan.jobs) row_of(job.algorithm);
}

CheckReport::Row& CheckReport::row_of(const Algorithm* algorithm) {
  const auto row = std::ranges::find(rows_, algorithm, &Row::algorithm);
  if (row != rows_.end()) return *row;
  rows_.emplace_back().algorithm = algorithm;
  return rows_.back();
}

void CheckReport::add(std::size_t place, const JobResult& r) {
  const CheckJob& job = plan_.jobs[place];
  Row& row = row_of(job.algorithm);
  row.networks.insert(simulation::describe_network(job.network));
  ++row.jobs;
  runs_ += r.runs;
  JobResult& s = row.sum;
  if (r.runs > 0) {
    s.fewest_steps = s.runs == 0 ? r.fewest_steps : std::min(s.fewest_steps, r.fewest_steps);
    s.most_steps = std::max(s.most_steps, r.most_steps);
  }
  s.runs += r.runs;
  s.bytes &= r.bytes;
  s.schedule &= r.schedule;
  s.contention &= r.contention;
  s.rest &= r.rest;
  s.depth += r.depth;
  if (!job.network.router.one_port() && !r.contention_free) {
    row.all_contention_free = false;
    s.stepwise += r.stepwise;
  }
  if (r.passed()) return;
  ++row.failed;
  if (place > row.first_failed) return;
  row.first_failed = place;
  s.difference = r.difference;
  s.command = r.command;
}

std::string CheckReport::text(bool colour) const {
  return table(colour) + differences() + left_out();
}

std::string CheckReport::table(bool colour) const {
  std::size_t width = 9;
  for (const Row& row : rows_) width = std::max(width, row.algorithm->name.size());
  std::string text = fmt::format(
      "{:<11} {:<{}}  networks   runs    steps  bytes   schedule  stepwise       depth  verdict\n",
      "operation", "algorithm", width);
  for (const Row& row : rows_) {
    const JobResult& s = row.sum;
    const bool failed = row.failed > 0;
    const std::string stepwise = !s.contention             ? "CONTENDS"
                                 : row.all_contention_free ? "none"
                                                           : std::to_string(s.stepwise);
    std::string verdict =
        failed ? fmt::format("FAILED, {} of {} jobs", row.failed, row.jobs) : "held";
    if (colour) verdict = fmt::format("\033[{}m{}\033[0m", failed ? 31 : 32, verdict);
    text += fmt::format("{:<11} {:<{}}  {:>8} {:>6} {:>8}  {:<6}  {:<8}  {:>8}  {:>10}  {}\n",
                        name_of(row.algorithm->operation), row.algorithm->name, width,
                        row.networks.size(), s.runs, steps_text(s), mark(s.bytes), mark(s.schedule),
                        stepwise, s.depth, verdict);
  }
  return text;
}

std::string CheckReport::differences() const {
  std::string text;
  for (const Row& row : rows_) {
    if (row.failed == 0) continue;
    text += fmt::format("\n{}\n  {}\n  {}\n", describe(plan_.jobs[row.first_failed]),
                        row.sum.difference, row.sum.command);
  }
  return text;
}

std::string CheckReport::left_out() const {
  struct Calls {
    std::size_t count = 0;
    int fewest = 0, most = 0;  ///< nodes
  };
  // Algorithms as the catalogue has them.
  std::map<LeftOut::Why, std::map<const Algorithm*, std::map<std::uint64_t, Calls>>> reasons;
  for (const LeftOut& l : plan_.left_out) {
    Calls& calls = reasons[l.why][l.algorithm][l.bytes];
    calls.fewest = calls.count == 0 ? l.nodes : std::min(calls.fewest, l.nodes);
    calls.most = std::max(calls.most, l.nodes);
    ++calls.count;
  }
  std::string text;
  for (const auto& [why, algorithms] : reasons) {
    std::size_t sum = 0;
    std::string lines;
    for (const auto& [algorithm, payloads] : algorithms) {
      lines += fmt::format("  {} {}:", name_of(algorithm->operation), algorithm->name);
      const char* separator = " ";
      for (const auto& [bytes, calls] : payloads) {
        lines += fmt::format("{}{} bytes on ", separator, bytes);
        lines += calls.fewest == calls.most ? fmt::format("{} nodes", calls.most)
                                            : fmt::format("{}..{}", calls.fewest, calls.most);
        separator = ", ";
        sum += calls.count;
      }
      lines += "\n";
    }
    const bool sampled = why == LeftOut::Why::kSampled;
    text += fmt::format("\nleft out: {} call{}, {}\n{}", sum, sum == 1 ? "" : "s", reason(why),
                        sampled ? "" : lines);
  }
  return text;
}

}  // namespace annelid::studies
