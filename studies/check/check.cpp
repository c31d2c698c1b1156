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
#include "studies/check/kept_results.hpp"
#include "studies/check/runner.hpp"

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
  request.scope = {o.quick, o.seed};
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

/// How far it is, by the jobs' estimated seconds: a bar that counts jobs would run fast at
/// the end, when the long ones are over.
class CheckProgress {
 public:
  CheckProgress(const std::vector<CheckJob>& jobs, const std::vector<std::size_t>& chosen,
                Progress& line)
      : jobs_(chosen.size()), line_(line) {
    for (const std::size_t job : chosen) all_ += jobs[job].seconds;
    show("");
  }

  void ended(const CheckJob& job, bool passed) {
    done_ += job.seconds;
    ++ended_;
    failed_ += passed ? 0 : 1;
    show(": " + describe(job));
  }
  void clear() { line_.clear(); }

  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  void show(const std::string& last) {
    const double part = all_ > 0 ? std::min(1.0, done_ / all_) : 1;
    const std::string left =
        part < 0.02 ? "" : fmt::format(", {} left", minutes(elapsed() * (1 - part) / part));
    line_.show(fmt::format("check {} {} of {} jobs{}, {} failed{}", progress_bar(part), ended_,
                           jobs_, left, failed_, last));
  }
  static std::string minutes(double seconds) {
    return seconds < 90 ? fmt::format("{:.0f} s", seconds)
                        : fmt::format("{:.0f} min", seconds / 60);
  }

  const std::size_t jobs_;
  Progress& line_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double all_ = 0, done_ = 0;
  std::size_t ended_ = 0, failed_ = 0;
};

/// Runs the jobs that have no result, and reports all in their order.
class Checking {
 public:
  Checking(const CheckPlan& plan, KeptResults& kept, std::vector<std::size_t> chosen,
           Progress& line)
      : plan_(plan), kept_(kept), chosen_(std::move(chosen)), progress_(plan.jobs, chosen_, line) {}

  void run(CheckRunner runner) {
    std::vector<std::size_t> missing;
    for (const std::size_t job : chosen_) {
      if (const auto& result = kept_.find(job)) {
        progress_.ended(plan_.jobs[job], result->passed());
      } else {
        missing.push_back(job);
      }
    }
    runner.run(std::move(missing), [&](std::size_t job, const JobResult& result) {
      kept_.set(job, result);
      progress_.ended(plan_.jobs[job], result.passed());
      if (Clock::now() - written_ < std::chrono::milliseconds(500)) return;
      kept_.write();  // an interrupted check goes on from there
      written_ = Clock::now();
    });
    progress_.clear();
  }

  void add_to(CheckReport& report) const {
    for (const std::size_t job : chosen_) report.add(plan_, job, *kept_.find(job));
    report.jobs = chosen_.size();
    report.seconds = progress_.elapsed();
  }

 private:
  using Clock = std::chrono::steady_clock;

  const CheckPlan& plan_;
  KeptResults& kept_;
  const std::vector<std::size_t> chosen_;
  CheckProgress progress_;
  Clock::time_point written_ = Clock::now();
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
    folder.emplace(options.folder, std::initializer_list<const char*>{"check.csv"});
  KeptResults kept(plan.jobs, image, options.folder);
  Checking checking(plan, kept, places_of(options.shard, plan.jobs.size()), progress);
  try {
    checking.run({plan.jobs, image, process_count(options.processes)});
  } catch (...) {
    kept.write();
    throw;
  }
  kept.write();
  checking.add_to(report);
  return report;
}

}  // namespace annelid::studies
