#include "studies/reproduce/measurement_store.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/files.hpp"
#include "base/fnv1a.hpp"
#include "base/json.hpp"
#include "base/run_failure.hpp"

namespace annelid::reproduction {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measurement, last, mean, messages, steps, hops, bytes,
                                   in_sequence, stepwise, depth, control, call_to_send, account,
                                   wait)

}  // namespace annelid::reproduction

namespace annelid::studies {

using reproduction::Measurement;

namespace {

constexpr const char* kRunChecksum = "checksum";

/// The checksum of a run and all that is kept of it.
std::string checksum_of(const std::string& run, nlohmann::json stored) {
  stored.erase(kRunChecksum);
  return fmt::format("{:016x}", fnv1a(run + "\n" + json_text(stored)));
}

}  // namespace

std::string to_json(const Measurement& measurement) { return nlohmann::json(measurement).dump(); }

Measurement measurement_of(const std::string& json) {
  return nlohmann::json::parse(json).get<Measurement>();
}

MeasurementStore::MeasurementStore(std::filesystem::path file, Build build, bool any_program)
    : file_(std::move(file)), build_(std::move(build)), any_program_(any_program) {
  if (!std::filesystem::exists(file_)) return;
  try {
    const nlohmann::json json = parse_json(read_text(file_), file_.string());
    for (const auto& [run, stored] : json.at("runs").items()) {
      if (stored.value(kRunChecksum, "") != checksum_of(run, stored)) continue;
      runs_[run] = {
          {stored.at("program").get<std::string>(), stored.at("commit").get<std::string>()},
          stored.get<Measurement>()};
    }
  } catch (const nlohmann::json::exception&) {
    runs_.clear();
  }
}

const Measurement* MeasurementStore::find(const std::string& run) const {
  const auto found = runs_.find(run);
  if (found == runs_.end()) return nullptr;
  const Stored& stored = found->second;
  const bool known =
      stored.now || (!forgotten_ && (any_program_ || stored.build.program == build_.program));
  return known ? &stored.measurement : nullptr;
}

std::optional<std::string> MeasurementStore::foreign_commit(const std::string& run) const {
  const auto found = runs_.find(run);
  if (found == runs_.end() || found->second.build.program == build_.program) return std::nullopt;
  return found->second.build.commit;
}

void MeasurementStore::set(const std::string& run, const Measurement& measurement) {
  runs_[run] = {build_, measurement, true};
}

void MeasurementStore::add(const MeasurementStore& other, const std::filesystem::path& from) {
  for (const auto& [run, stored] : other.runs_) {
    const auto [here, added] = runs_.emplace(run, stored);
    if (added) continue;
    if (here->second.build.program != stored.build.program) {
      here->second = stored;
      continue;
    }
    const nlohmann::json found = stored.measurement, known = here->second.measurement;
    if (found == known) continue;
    throw RunFailure(from.string() + ": run \"" + run + "\": found " + json_text(found) +
                     ", but another part has " + json_text(known));
  }
}

void MeasurementStore::write() const {
  nlohmann::json runs = nlohmann::json::object();
  for (const auto& [run, stored] : runs_) {
    runs[run] = stored.measurement;
    runs[run]["program"] = stored.build.program;
    runs[run]["commit"] = stored.build.commit;
    runs[run][kRunChecksum] = checksum_of(run, runs[run]);
  }
  write_file(file_, json_text(nlohmann::json{{"runs", runs}}, 1) + "\n");
}

}  // namespace annelid::studies
