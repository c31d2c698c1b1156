#include "cli/check_command.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "cli/progress_line.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "studies/check/check_report.hpp"
#include "studies/check/check_runner.hpp"

namespace annelid::cli {
namespace {

using reference::Algorithm;

std::vector<systemc::RouterKind> chosen_routers(const std::string& text) {
  if (text.empty()) return {systemc::RouterKind::kAllPort, systemc::RouterKind::kOnePort};
  if (text == "all-port") return {systemc::RouterKind::kAllPort};
  if (text == "one-port") return {systemc::RouterKind::kOnePort};
  throw InputError("--router", "\"" + text + "\"", "all-port or one-port");
}

std::vector<simulation::FirmwareChoice> chosen_firmware(const std::string& text) {
  using Kind = simulation::FirmwareChoice::Kind;
  if (text.empty()) return {{Kind::kNative, {}}, {Kind::kRv32, {}}};
  if (text == "native") return {{Kind::kNative, {}}};
  if (text == "rv32") return {{Kind::kRv32, {}}};
  return {{Kind::kElfFile, text}};
}

std::vector<const Algorithm*> chosen_algorithms(const CheckArguments& a) {
  std::vector<const Algorithm*> found;
  std::set<std::string> operations, names;
  // Auto is other algorithms again: only if it is asked for.
  for (const Algorithm& algorithm :
       a.algorithm == simulation::kAuto ? simulation::auto_rows() : reference::algorithms()) {
    const std::string operation(name_of(algorithm.operation)), name(algorithm.name);
    operations.insert(operation);
    if (!a.operation.empty() && a.operation != operation) continue;
    names.insert(name);
    if (a.algorithm.empty() || a.algorithm == name) found.push_back(&algorithm);
  }
  const auto list = [](const std::set<std::string>& all) {
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
    return text;
  };
  if (!a.operation.empty() && !operations.contains(a.operation)) {
    throw InputError("--operation", "\"" + a.operation + "\"", "one of " + list(operations));
  }
  names.insert(std::string(simulation::kAuto));
  if (found.empty()) {
    throw InputError("--algorithm", "\"" + a.algorithm + "\"", "one of " + list(names));
  }
  if (a.ranks.empty()) return found;
  std::erase_if(found, [](const Algorithm* algorithm) { return !algorithm->by_rank; });
  if (found.empty()) {
    const std::string& asked = a.algorithm.empty() ? a.operation : a.algorithm;
    throw InputError("--ranks", "it for \"" + asked + "\", which goes by the nodes' coordinates",
                     "an algorithm by rank, as \"two-tree\"");
  }
  return found;
}

std::vector<simulation::Override> network_overrides(const CheckArguments& a) {
  std::vector<simulation::Override> options = a.network;
  if (a.torus) options.push_back({"network.topology", "--torus", "torus"});
  return options;
}

/// The network of --size and --topology, if they were given.
std::optional<systemc::NetworkConfig> chosen_network(const CheckArguments& a) {
  const std::vector<simulation::Override> options = network_overrides(a);
  if (options.empty()) return {};
  return simulation::read_network(simulation::Settings(
      {simulation::network_keys().begin(), simulation::network_keys().end()}, {}, options));
}

studies::CheckRequest request_of(const CheckArguments& a) {
  studies::CheckRequest request;
  request.routers = chosen_routers(a.router);
  request.firmwares = chosen_firmware(a.firmware);
  request.algorithms = chosen_algorithms(a);
  request.scope = {a.quick, a.seed};
  if (a.samples != 0 && a.ranks.empty()) {
    throw InputError("--samples", std::to_string(a.samples), "--ranks FIRST:LAST with it");
  }
  if (!a.ranks.empty()) {
    request.ranks = studies::networks_for(studies::rank_numbers(a.ranks, a.samples, a.seed),
                                          network_overrides(a));
    return request;
  }
  const auto given = chosen_network(a);
  request.networks = given ? std::vector{*given} : studies::check_networks(request.scope);
  request.every = a.quick || given;
  return request;
}

void require_jobs(const studies::CheckRequest& request, const studies::CheckPlan& plan) {
  if (!plan.jobs.empty() || !request.ranks.empty()) return;
  std::string sizes;
  for (const Algorithm* algorithm : request.algorithms) {
    sizes += fmt::format("{}\"{}\" ({}): {}", sizes.empty() ? "" : "; ", algorithm->name,
                         name_of(algorithm->operation), algorithm->sizes);
  }
  throw InputError("--size", simulation::describe_network(request.networks.front()),
                   "a network for " + sizes);
}

/// How far it is, by the jobs' estimated seconds: a bar that goes by their number would run fast at
/// the end, when the long ones are over.
class CheckProgress {
 public:
  CheckProgress(const std::vector<studies::CheckJob>& jobs, bool wanted)
      : jobs_(jobs), line_(wanted) {
    for (const studies::CheckJob& job : jobs) all_ += job.seconds;
    show("");
  }

  void ended(const studies::CheckJob& job, bool passed) {
    done_ += job.seconds;
    ++ended_;
    failed_ += passed ? 0 : 1;
    show(": " + describe(job));
  }
  void clear() { line_.clear(); }

  [[nodiscard]] std::size_t failed() const { return failed_; }
  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  void show(const std::string& last) {
    const double part = all_ > 0 ? std::min(1.0, done_ / all_) : 1;
    const std::string left =
        part < 0.02 ? "" : fmt::format(", {} left", minutes(elapsed() * (1 - part) / part));
    line_.show(fmt::format("check {} {} of {} jobs{}, {} failed{}", progress_bar(part), ended_,
                           jobs_.size(), left, failed_, last));
  }
  static std::string minutes(double seconds) {
    return seconds < 90 ? fmt::format("{:.0f} s", seconds)
                        : fmt::format("{:.0f} min", seconds / 60);
  }

  const std::vector<studies::CheckJob>& jobs_;
  ProgressLine line_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double all_ = 0, done_ = 0;
  std::size_t ended_ = 0, failed_ = 0;
};

}  // namespace

int run_check(const CheckArguments& arguments) {
  const studies::CheckRequest request = request_of(arguments);
  // One image is enough: there is one kind of firmware that needs any, the last one.
  const nic::Image image = simulation::read_image(request.firmwares.back(), "--firmware");
  ProgressLine planning(!arguments.quiet);
  planning.show("check: planning");
  const studies::CheckPlan plan = studies::plan_check(request);
  planning.clear();
  malloc_trim(0);  // planning has used much, and each job's process is a copy of this one
  require_jobs(request, plan);

  studies::CheckReport report(plan);
  CheckProgress progress(plan.jobs, !arguments.quiet);
  studies::CheckRunner runner(plan.jobs, image, process_count(arguments.jobs));
  runner.run([&](std::size_t place, const studies::JobResult& result) {
    report.add(place, result);
    progress.ended(plan.jobs[place], result.passed());
  });
  progress.clear();
  if (arguments.quiet && progress.failed() == 0) return 0;
  fmt::print("{}", report.text(isatty(STDOUT_FILENO) == 1));
  if (!request.ranks.empty()) {
    std::vector<int> numbers;
    for (const studies::RankNumbers& r : request.ranks) {
      numbers.insert(numbers.end(), r.numbers.begin(), r.numbers.end());
    }
    fmt::print("\nnumbers of ranks: {}\n", studies::numbers_text(numbers));
  }
  fmt::print("\n{} runs in {} jobs, seed {}, {:.0f} s: {}\n", report.runs(), plan.jobs.size(),
             arguments.seed, progress.elapsed(),
             progress.failed() == 0 ? "all equal the reference"
                                    : fmt::format("{} jobs failed", progress.failed()));
  return progress.failed() == 0 ? 0 : 1;
}

}  // namespace annelid::cli
