#include "studies/check/kept_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "base/fnv1a.hpp"
#include "studies/common/stored_configuration.hpp"

namespace annelid::studies {
namespace {

constexpr const char* kResult = "result";

std::string hash_of(std::string_view text) { return fmt::format("{:016x}", fnv1a(text)); }

Configuration configuration_of(const CheckJob& job, const std::string& image) {
  std::string calls;
  for (const simulation::Collective& call : job.calls) calls += run_command(job, call) + "\n";
  return stored_configuration(
      {{"job", describe(job)}, {"calls", hash_of(calls)}, {"firmware_image", image}});
}

/// Nothing if the row has no such result: the job is run again.
std::optional<JobResult> result_in(const Columns& row) {
  const auto result = std::ranges::find(row, kResult, &Columns::value_type::first);
  if (result == row.end()) return std::nullopt;
  try {
    JobResult kept = job_result_of(result->second);
    if (kept.passed()) return kept;  // write() leaves out those that failed
    return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

KeptResults::KeptResults(const std::vector<CheckJob>& jobs, const nic::Image& image,
                         const std::filesystem::path& folder)
    : jobs_(jobs), results_(jobs.size()) {
  if (folder.empty()) return;
  file_.emplace(folder / "check.csv");
  file_->read();
  const std::string image_hash =
      hash_of({reinterpret_cast<const char*>(image.ram.data()), image.ram.size()});
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    configurations_.push_back(configuration_of(jobs[i], image_hash));
    if (const auto row = file_->find(configurations_.back())) results_[i] = result_in(*row);
  }
}

void KeptResults::write() const {
  if (!file_) return;
  std::vector<Columns> rows;
  std::set<std::string> own;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (!results_[i] || !results_[i]->passed()) continue;
    const Configuration& configuration = configurations_[i];
    Columns& row = rows.emplace_back(
        Columns{{"configuration", configuration.hash}, {kResult, to_json(*results_[i])}});
    row.insert(row.end(), configuration.columns.begin(), configuration.columns.end());
    own.insert(configuration.hash);
  }
  file_->write({"job", kResult}, rows, own);
}

}  // namespace annelid::studies
