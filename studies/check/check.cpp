#include "studies/check/check.hpp"

#include <fmt/ranges.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/result_folder.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"
#include "studies/check/job.hpp"
#include "studies/check/kept_results.hpp"
#include "studies/common/kept_files.hpp"
#include "studies/common/kept_jobs.hpp"

namespace annelid::studies {
namespace {

using reference::Algorithm;

std::vector<systemc::RouterKind> chosen_routers(const std::string& text) {
  if (text.empty()) return {systemc::RouterKind::kAllPort, systemc::RouterKind::kOnePort};
  if (text == "all-port") return {systemc::RouterKind::kAllPort};
  if (text == "one-port") return {systemc::RouterKind::kOnePort};
  constexpr std::array<std::string_view, 2> kNames = {"all-port", "one-port"};
  throw InputError("--router", "\"" + text + "\"",
                   "all-port or one-port" + did_you_mean(text, kNames));
}

std::vector<simulation::FirmwareChoice> chosen_firmware(const std::string& text) {
  using Kind = simulation::FirmwareChoice::Kind;
  if (text.empty()) return {{Kind::kNative, {}}, {Kind::kRv32, {}}};
  if (text == "native") return {{Kind::kNative, {}}};
  if (text == "rv32") return {{Kind::kRv32, {}}};
  return {{Kind::kElfFile, text}};
}

std::vector<const Algorithm*> chosen_algorithms(const CheckOptions& o) {
  std::vector<const Algorithm*> found;
  std::set<std::string> operations, names;
  // Auto is other algorithms again: only if it is asked for.
  for (const Algorithm& algorithm :
       o.algorithm == simulation::kAuto ? simulation::auto_rows() : reference::algorithms()) {
    const std::string operation(name_of(algorithm.operation)), name(algorithm.name);
    operations.insert(operation);
    if (!o.operation.empty() && o.operation != operation) continue;
    names.insert(name);
    if (o.algorithm.empty() || o.algorithm == name) found.push_back(&algorithm);
  }
  const auto one_of = [](const std::set<std::string>& all, const std::string& name) {
    const std::vector<std::string_view> known(all.begin(), all.end());
    return fmt::format("one of {}{}", fmt::join(known, ", "), did_you_mean(name, known));
  };
  if (!o.operation.empty() && !operations.contains(o.operation)) {
    throw InputError("--operation", "\"" + o.operation + "\"", one_of(operations, o.operation));
  }
  names.insert(std::string(simulation::kAuto));
  if (found.empty()) {
    throw InputError("--algorithm", "\"" + o.algorithm + "\"", one_of(names, o.algorithm));
  }
  if (o.ranks.empty()) return found;
  std::erase_if(found, [](const Algorithm* algorithm) { return !algorithm->serves_groups(); });
  if (found.empty()) {
    const std::string& asked = o.algorithm.empty() ? o.operation : o.algorithm;
    throw InputError("--ranks", "a value for \"" + asked + "\", which uses the nodes' coordinates",
                     "an algorithm by rank, as \"two-tree\"");
  }
  return found;
}

simulation::Settings network_settings(std::span<const simulation::Override> overrides) {
  return {{simulation::network_keys().begin(), simulation::network_keys().end()}, {}, overrides};
}

/// The network that the options describe, if they describe one.
std::optional<systemc::NetworkConfig> chosen_network(const CheckOptions& o) {
  if (o.network.empty()) return {};
  return simulation::read_network(network_settings(o.network));
}

void set_routers(const CheckOptions& o, CheckRequest& request) {
  const bool control_vc =
      network_settings(o.routers).boolean("router.control_vc", simulation::kControlVcWithNics);
  for (systemc::NetworkConfig& n : request.networks) n.router.control_vc = control_vc;
  for (RankNumbers& r : request.ranks) r.network.router.control_vc = control_vc;
}

std::uint32_t chosen_eager_bytes(const CheckOptions& o) {
  const simulation::Settings settings(
      {simulation::nic_keys().begin(), simulation::nic_keys().end()}, {}, o.nics);
  return simulation::read_nic(settings, {}).eager_bytes;
}

CheckRequest request_of(const CheckOptions& o) {
  CheckRequest request;
  request.eager_bytes = chosen_eager_bytes(o);
  request.routers = chosen_routers(o.router);
  request.firmwares = chosen_firmware(o.firmware);
  request.algorithms = chosen_algorithms(o);
  request.scope = {o.quick, o.seed, o.prepared};
  if (o.samples != 0 && o.ranks.empty()) {
    throw InputError("--samples", std::to_string(o.samples), "--ranks FIRST:LAST with it");
  }
  if (!o.ranks.empty()) {
    request.ranks = networks_for(rank_numbers(o.ranks, o.samples, o.seed), o.network);
    set_routers(o, request);
    return request;
  }
  const auto given = chosen_network(o);
  request.networks = given ? std::vector{*given} : check_networks(request.scope);
  request.every = o.quick || given;
  set_routers(o, request);
  return request;
}

void require_jobs(const CheckRequest& request, const CheckPlan& plan) {
  if (!plan.jobs.empty() || !request.ranks.empty()) return;
  std::string sizes;
  for (const Algorithm* algorithm : request.algorithms) {
    sizes += fmt::format("{}\"{}\" ({}): {}", sizes.empty() ? "" : "; ", algorithm->name,
                         name_of(algorithm->operation), algorithm->sizes);
  }
  throw InputError("--size", simulation::describe_network(request.networks.front()),
                   "a network for " + sizes);
}

/// What a job found that a copy of this process has done. If the process died, the job has failed.
JobResult result_of(const CheckJob& job, const EndedWork& ended) {
  if (ended.status == 0) return job_result_of(ended.text);
  JobResult lost;
  lost.rest = false;
  lost.difference = fmt::format("the process ended with status {}: {}", ended.status, ended.text);
  if (!job.calls.empty()) lost.command = run_command(job, job.calls.front());
  return lost;
}

std::string minutes(double seconds) {
  return seconds < 90 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

/// Runs the jobs that have no result, and reports all in their order.
class Checking {
 public:
  Checking(const CheckPlan& plan, const nic::Image& image, KeptResults& kept,
           std::vector<std::size_t> chosen, Progress& line)
      : plan_(plan),
        image_(image),
        kept_(kept),
        chosen_(std::move(chosen)),
        line_(line),
        jobs_({.has_result = [this](std::size_t job) { return kept_.find(job).has_value(); },
               .seconds = [this](std::size_t job) { return plan_.jobs[job].seconds; },
               .take = [this](const EndedWork& ended) { take(ended); },
               .show = [this](std::size_t job) { show(": " + describe(plan_.jobs[job])); },
               .write = [this] { kept_.write(); }}) {}

  void run(std::size_t processes) {
    jobs_.begin(chosen_);
    show("");
    const std::vector<std::size_t> missing = jobs_.missing();
    ForkedJobs copies([this](std::size_t job) { return to_json(run_job(plan_.jobs[job], image_)); },
                      processes, CopyFor::kManyJobs);
    jobs_.run(copies, missing);
    line_.clear();
  }

  void add_to(CheckReport& report) const {
    for (const std::size_t job : chosen_) report.add(plan_, job, *kept_.find(job));
    report.jobs = chosen_.size();
    report.seconds = elapsed();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void take(const EndedWork& ended) {
    const JobResult result = result_of(plan_.jobs[ended.work], ended);
    failed_ += result.passed() ? 0 : 1;
    kept_.set(ended.work, result);
  }

  void show(const std::string& last) {
    const JobCount& count = jobs_.count();
    const double part = count.jobs > 0 ? count.part() : 1;
    const std::string left =
        part < 0.02 ? "" : fmt::format(", {} left", minutes(elapsed() * (1 - part) / part));
    line_.show(fmt::format("check {} {} of {} jobs{}, {} failed{}", progress_bar(part), count.ended,
                           count.jobs, left, failed_, last));
  }

  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  const CheckPlan& plan_;
  const nic::Image& image_;
  KeptResults& kept_;
  const std::vector<std::size_t> chosen_;
  Progress& line_;
  KeptJobs jobs_;
  const Clock::time_point start_ = Clock::now();
  std::size_t failed_ = 0;
};

CheckPlan plan_of(const CheckRequest& request, Progress& progress) {
  progress.show("check: planning");
  CheckPlan plan = plan_check(request);
  progress.clear();
  malloc_trim(0);  // planning has used much, and each process that runs jobs is a copy of this one
  require_jobs(request, plan);
  return plan;
}

}  // namespace

std::size_t count_jobs(const CheckOptions& options, Progress& progress) {
  const CheckRequest request = request_of(options);
  (void)simulation::read_image(request.firmwares.back(), "--firmware");
  return plan_of(request, progress).jobs.size();
}

CheckReport run_check(const CheckOptions& options, Progress& progress) {
  const CheckRequest request = request_of(options);
  // One image is enough: there is one kind of firmware that needs any, the last one.
  const nic::Image image = simulation::read_image(request.firmwares.back(), "--firmware");
  const CheckPlan plan = plan_of(request, progress);

  CheckReport report = CheckReport::of(plan);
  for (const RankNumbers& r : request.ranks) {
    report.ranks.insert(report.ranks.end(), r.numbers.begin(), r.numbers.end());
  }
  std::optional<ResultFolder> folder;
  if (!options.folder.empty())
    folder.emplace(options.folder, std::initializer_list<const char*>{kCheckRows});
  KeptResults kept(plan.jobs, image, options.folder);
  Checking checking(plan, image, kept, places_of(options.shard, plan.jobs.size()), progress);
  write_behind([&] { checking.run(process_count(options.processes)); }, [&] { kept.write(); });
  checking.add_to(report);
  return report;
}

}  // namespace annelid::studies
