#include "studies/reproduce/measurement_store.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/files.hpp"
#include "base/json.hpp"

namespace annelid::reproduction {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measurement, last, mean, messages, steps, hops, stepwise, depth,
                                   control, call_to_send)

}  // namespace annelid::reproduction

namespace annelid::studies {

using reproduction::Measurement;

MeasurementStore::MeasurementStore(std::filesystem::path file, std::string program,
                                   bool any_program)
    : file_(std::move(file)), program_(std::move(program)), any_program_(any_program) {
  if (!std::filesystem::exists(file_)) return;
  try {
    const nlohmann::json json = parse_json(read_text(file_), file_.string());
    for (const auto& [run, stored] : json.at("runs").items()) {
      runs_[run] = {stored.at("program").get<std::string>(), stored.get<Measurement>()};
    }
  } catch (const nlohmann::json::exception&) {
    runs_.clear();
  }
}

const Measurement* MeasurementStore::find(const std::string& run) const {
  const auto found = runs_.find(run);
  if (found == runs_.end()) return nullptr;
  const Stored& stored = found->second;
  const bool known = stored.now || (!forgotten_ && (any_program_ || stored.program == program_));
  return known ? &stored.measurement : nullptr;
}

void MeasurementStore::set(const std::string& run, const Measurement& measurement) {
  runs_[run] = {program_, measurement, true};
}

void MeasurementStore::write() const {
  nlohmann::json runs = nlohmann::json::object();
  for (const auto& [run, stored] : runs_) {
    runs[run] = stored.measurement;
    runs[run]["program"] = stored.program;
  }
  write_file(file_, json_text(nlohmann::json{{"runs", runs}}, 1) + "\n");
}

}  // namespace annelid::studies
