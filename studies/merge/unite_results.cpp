#include "studies/merge/unite_results.hpp"

#include "base/result_folder.hpp"
#include "studies/common/kept_files.hpp"
#include "studies/common/row_file.hpp"
#include "studies/reproduce/measurement_store.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;

void unite_rows(std::span<const Part> parts, const char* name, const fs::path& to) {
  RowFile rows(to / name);
  rows.read();
  bool any = false;
  for (const Part& part : parts) {
    RowFile more(part.folder / name);
    if (!fs::exists(more.path())) continue;
    more.read();
    rows.add(more);
    any = true;
  }
  if (any) rows.write({}, {}, {});
}

void unite_measurements(std::span<const Part> parts, const fs::path& to) {
  MeasurementStore all(to / kMeasurements, {}, false);
  bool any = false;
  for (const Part& part : parts) {
    const fs::path file = part.folder / kMeasurements;
    if (!fs::exists(file)) continue;
    all.add(MeasurementStore(file, {}, false), file);
    any = true;
  }
  if (any) all.write();
}

}  // namespace

void unite_results(std::span<const Part> parts, const fs::path& to) {
  const ResultFolder locked(to, {});
  for (const char* name : kRowFiles) unite_rows(parts, name, to);
  unite_measurements(parts, to);
}

}  // namespace annelid::studies
