#include "studies/reproduce/measurement_store.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/files.hpp"

namespace annelid::reproduction {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measurement, last, mean, messages, steps, hops, stepwise, depth,
                                   call_to_send)

}  // namespace annelid::reproduction

namespace annelid::studies {

using reproduction::Measurement;

MeasurementStore::MeasurementStore(std::filesystem::path file, std::string program,
                                   bool any_program)
    : file_(std::move(file)), program_(std::move(program)) {
  if (!std::filesystem::exists(file_)) return;
  try {
    const nlohmann::json json = nlohmann::json::parse(read_text(file_));
    if (any_program || json.at("program") == program_) json.at("runs").get_to(runs_);
  } catch (const nlohmann::json::exception&) {
    runs_.clear();
  }
}

const Measurement* MeasurementStore::find(const std::string& run) const {
  const auto found = runs_.find(run);
  return found == runs_.end() ? nullptr : &found->second;
}

void MeasurementStore::set(const std::string& run, const Measurement& measurement) {
  runs_[run] = measurement;
}

void MeasurementStore::write() const {
  write_file(file_, nlohmann::json{{"program", program_}, {"runs", runs_}}.dump(1) + "\n");
}

}  // namespace annelid::studies
