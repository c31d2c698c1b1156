#include "studies/check/kept_results.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/fnv1a.hpp"
#include "studies/common/kept_files.hpp"
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
  const std::string* const result = find_column(row, kResult);
  if (result == nullptr) return std::nullopt;
  try {
    JobResult kept = job_result_of(*result);
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
  file_.emplace(folder / kCheckRows);
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
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (!results_[i] || !results_[i]->passed()) continue;
    rows.push_back(row_of(configurations_[i], {{kResult, to_json(*results_[i])}}));
  }
  file_->write({"job", kResult}, rows);
}

}  // namespace annelid::studies
