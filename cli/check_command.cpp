#include "cli/check_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <thread>

#include "cli/check_runner.hpp"
#include "cli/collective_keys.hpp"
#include "cli/input_error.hpp"
#include "cli/network_keys.hpp"
#include "cli/progress.hpp"

namespace annelid::cli {
namespace {

using reference::Algorithm;

struct Row {
  const Algorithm* algorithm = nullptr;
  std::set<std::string> networks;
  std::size_t jobs = 0, failed = 0;
  JobResult sum;                               ///< of all its jobs; `difference` is the first job's
  std::size_t first_failed = ~std::size_t{0};  ///< that job's place
  bool all_contention_free = true;             ///< on every network and router on which it can be
};

std::vector<RouterKind> chosen_routers(const std::string& text) {
  if (text.empty()) return {RouterKind::kAllPort, RouterKind::kOnePort};
  if (text == "all-port") return {RouterKind::kAllPort};
  if (text == "one-port") return {RouterKind::kOnePort};
  throw InputError("--router", "\"" + text + "\"", "all-port or one-port");
}

std::vector<FirmwareChoice> chosen_firmware(const std::string& text) {
  using Kind = FirmwareChoice::Kind;
  if (text.empty()) return {{Kind::kNative, {}}, {Kind::kRv32, {}}};
  if (text == "native") return {{Kind::kNative, {}}};
  if (text == "rv32") return {{Kind::kRv32, {}}};
  return {{Kind::kElfFile, text}};
}

std::vector<const Algorithm*> chosen_algorithms(const CheckArguments& a) {
  std::vector<const Algorithm*> found;
  std::set<std::string> operations, names;
  for (const Algorithm& algorithm : reference::algorithms()) {
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
  if (found.empty()) {
    throw InputError("--algorithm", "\"" + a.algorithm + "\"", "one of " + list(names));
  }
  return found;
}

/// The network of --size and --topology, if they were given.
std::optional<NetworkConfig> chosen_network(const CheckArguments& a) {
  if (a.network.empty() && !a.torus) return {};
  Settings settings({network_keys().begin(), network_keys().end()});
  for (const Override& o : a.network) settings.set(o);
  if (a.torus) settings.set({"network.topology", "--torus", "torus"});
  return read_network(settings);
}

NetworkConfig with_router(NetworkConfig network, RouterKind kind) {
  network.router.kind = kind;
  network.router.local_ports = network.router.one_port() ? 1 : 2 * network.router.dims;
  return network;
}

std::vector<CheckJob> plan(const CheckArguments& a) {
  const std::vector<RouterKind> routers = chosen_routers(a.router);
  const std::vector<FirmwareChoice> firmwares = chosen_firmware(a.firmware);
  const CheckScope scope{a.quick, a.seed};
  const auto given = chosen_network(a);
  const auto networks = given ? std::vector{*given} : check_networks(scope);

  std::vector<CheckJob> jobs;
  std::string sizes;
  for (const Algorithm* algorithm : chosen_algorithms(a)) {
    sizes += fmt::format("{}\"{}\" ({}): {}", sizes.empty() ? "" : "; ", algorithm->name,
                         name_of(algorithm->operation), algorithm->sizes);
    for (const NetworkConfig& network : networks) {
      if (!algorithm->supports(reference_network(network))) continue;
      std::vector<Collective> calls = check_calls(*algorithm, network, scope);
      for (const RouterKind router : routers) {
        // Large networks once, small ones on both kinds of routers; a network that was asked for on
        // both as well.
        const bool large = network.nodes() > 256 && routers.size() > 1 && !given;
        if (large && router == RouterKind::kOnePort) continue;
        for (const FirmwareChoice& firmware : firmwares) {
          jobs.push_back({algorithm, with_router(network, router), firmware, calls});
        }
      }
    }
  }
  if (jobs.empty()) {
    throw InputError("--size", describe_network(networks.front()), "a network for " + sizes);
  }
  return jobs;
}

void add(Row& row, std::size_t place, const CheckJob& job, const JobResult& r) {
  row.networks.insert(describe_network(job.network));
  ++row.jobs;
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

const char* mark(bool held) { return held ? "equal" : "DIFFER"; }

std::string steps_text(const JobResult& r) {
  if (r.fewest_steps == r.most_steps) return std::to_string(r.most_steps);
  return fmt::format("{}..{}", r.fewest_steps, r.most_steps);
}

std::string table(const std::vector<Row>& rows, bool colour) {
  std::size_t width = 9;
  for (const Row& row : rows) width = std::max(width, row.algorithm->name.size());
  std::string text = fmt::format(
      "{:<11} {:<{}}  networks   runs    steps  bytes   schedule  stepwise       depth  verdict\n",
      "operation", "algorithm", width);
  for (const Row& row : rows) {
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

std::string differences(const std::vector<Row>& rows, const std::vector<CheckJob>& jobs) {
  std::string text;
  for (const Row& row : rows) {
    if (row.failed == 0) continue;
    text += fmt::format("\n{}\n  {}\n  {}\n", describe(jobs[row.first_failed]), row.sum.difference,
                        row.sum.command);
  }
  return text;
}

}  // namespace

int run_check(const CheckArguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<CheckJob> jobs = plan(arguments);
  std::vector<Row> rows;
  const auto row_of = [&rows](const Algorithm* algorithm) -> Row& {
    const auto row = std::ranges::find(rows, algorithm, &Row::algorithm);
    if (row != rows.end()) return *row;
    rows.emplace_back().algorithm = algorithm;
    return rows.back();
  };
  for (const CheckJob& job : jobs) row_of(job.algorithm);

  // One image is enough: there is one kind of firmware that needs any.
  const Image image = read_image(jobs.back().firmware, "--firmware");
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  Progress progress(!arguments.quiet);
  std::size_t done = 0, failed = 0, runs = 0;
  CheckRunner runner(jobs, image,
                     arguments.jobs > 0 ? static_cast<std::size_t>(arguments.jobs) : cores);
  runner.run([&](std::size_t place, const JobResult& result) {
    const CheckJob& job = jobs[place];
    add(row_of(job.algorithm), place, job, result);
    ++done;
    runs += result.runs;
    failed += result.passed() ? 0 : 1;
    constexpr std::size_t kWidth = 30;
    const std::size_t bar = done * kWidth / jobs.size();
    progress.show(fmt::format("check [{}{}] {} of {} jobs, {} failed: {}", std::string(bar, '#'),
                              std::string(kWidth - bar, '.'), done, jobs.size(), failed,
                              describe(job)));
  });
  progress.clear();
  if (arguments.quiet && failed == 0) return 0;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{}", table(rows, isatty(STDOUT_FILENO) == 1));
  fmt::print("{}", differences(rows, jobs));
  fmt::print("\n{} runs in {} jobs, seed {}, {:.0f} s: {}\n", runs, jobs.size(), arguments.seed,
             seconds,
             failed == 0 ? "all equal the reference" : fmt::format("{} jobs failed", failed));
  return failed == 0 ? 0 : 1;
}

}  // namespace annelid::cli
