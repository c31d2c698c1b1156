#include "studies/check/report.hpp"

#include <algorithm>

#include "simulation/scenario/network_keys.hpp"

namespace annelid::studies {

CheckReport CheckReport::of(const CheckPlan& plan) {
  CheckReport report;
  report.left_out = plan.left_out;
  report.jobs = plan.jobs.size();
  for (const CheckJob& job : plan.jobs) report.row_of(job.algorithm);
  return report;
}

CheckRow& CheckReport::row_of(const reference::Algorithm* algorithm) {
  const auto row = std::ranges::find(rows, algorithm, &CheckRow::algorithm);
  if (row != rows.end()) return *row;
  rows.emplace_back().algorithm = algorithm;
  return rows.back();
}

void CheckReport::add(const CheckPlan& plan, std::size_t place, const JobResult& r) {
  const CheckJob& job = plan.jobs[place];
  CheckRow& row = row_of(job.algorithm);
  row.networks.insert(simulation::describe_network(job.network));
  ++row.jobs;
  runs += r.runs;
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
  s.control += r.control;
  if (!job.network.router.one_port() && !r.contention_free) {
    row.all_contention_free = false;
    s.stepwise += r.stepwise;
  }
  if (r.passed()) return;
  ++failed;
  ++row.failed;
  if (place > row.first_failed) return;
  row.first_failed = place;
  row.failed_job = describe(job);
  s.difference = r.difference;
  s.command = r.command;
}

}  // namespace annelid::studies
