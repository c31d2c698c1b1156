#include "studies/reproduce/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <stdexcept>

#include "base/build.hpp"
#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "base/result_folder.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "studies/reproduce/job_laboratory.hpp"
#include "studies/reproduce/measurement_store.hpp"
#include "studies/reproduce/plot.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;
using reproduction::Claim;
using reproduction::Item;
using reproduction::Section;

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

/// What a git command prints, without its last line end; nothing if it fails.
std::optional<std::string> git(const std::vector<std::string>& arguments) {
  try {
    EndedProgram ended = run_program("git", arguments);
    if (ended.status != 0) return std::nullopt;
    if (ended.text.ends_with('\n')) ended.text.pop_back();
    return ended.text;
  } catch (const std::runtime_error&) {  // no git
    return std::nullopt;
  }
}

std::string this_commit() {
  const auto commit = git({"rev-parse", "--short=10", "HEAD"});
  if (!commit) return "unknown";
  const auto changes = git({"status", "--porcelain", "--untracked-files=no"});
  return *commit + (changes && changes->empty() ? "" : " with changes");
}

/// The document, and copies of its plots beside it.
void write_document(const ReproduceOptions& options, std::vector<Section> sections) {
  const fs::path& document = options.document;
  const fs::path& out = options.folder;
  const fs::path images = document.parent_path() / "images" / "reproduction";
  for (Section& section : sections) {
    if (section.picture.empty()) continue;
    fs::create_directories(images);
    write_file(images / section.picture, read_text(out / section.picture));
    section.picture = "images/reproduction/" + section.picture;
  }
  std::string command = "annelid reproduce";
  for (const std::string& item : options.items) command += " " + item;
  for (const simulation::Override& o : options.routers) command += " " + o.option + " " + o.text;
  const reproduction::Provenance provenance{options.date.empty() ? today() : options.date,
                                            options.commit.empty() ? this_commit() : options.commit,
                                            command};
  write_file(document, document_markdown(sections, provenance));
}

/// For the notes of an item, so that each comparison of simulated times shows what they contain.
std::string describe(const Waits& waits) {
  return fmt::format(
      "Waits in all simulations of this item ({}): {} flit-cycles for messages of the same step, "
      "{} for messages of other steps, {} for control packets.",
      waits.runs, waits.stepwise, waits.depth, waits.control);
}

/// Simulates an item, and writes its files.
Section section_of(const Item& item, const ReproduceOptions& options, JobLaboratory& laboratory) {
  Section section{&item, item.reproduce(laboratory), {}};
  const Waits waits = laboratory.take_waits();
  if (waits.runs > 0) section.outcome.notes.push_back(describe(waits));
  const std::string name(item.id);
  write_file(options.folder / (name + ".csv"), csv(section.outcome.table));
  if (options.plots && !section.outcome.plots.empty()) {
    draw_plots(section.outcome.plots, options.folder, name);
    section.picture = name + ".svg";
  }
  write_file(options.folder / (name + ".md"), section_markdown(section));
  return section;
}

bool has_control_vcs(const ReproduceOptions& options) {
  const auto keys = simulation::network_keys();
  return simulation::Settings({keys.begin(), keys.end()}, {}, options.routers)
      .boolean("router.control_vc", simulation::kControlVcWithNics);
}

}  // namespace

std::vector<const Item*> chosen_items(const std::vector<std::string>& names) {
  std::vector<const Item*> result;
  for (const std::string& name : names) {
    if (name == "all") {
      result.clear();
      for (const Item& item : reproduction::items()) result.push_back(&item);
      return result;
    }
    const Item* const item = reproduction::find_item(name);
    if (item == nullptr) {
      throw InputError("annelid reproduce", fmt::format("\"{}\"", name),
                       "list, all, or an item that annelid reproduce list names");
    }
    if (std::ranges::find(result, item) == result.end()) result.push_back(item);
  }
  return result;
}

std::vector<Claim> ReproduceReport::claims() const {
  std::vector<Claim> all;
  for (const Section& section : sections) {
    all.insert(all.end(), section.outcome.claims.begin(), section.outcome.claims.end());
  }
  return all;
}

ReproduceReport run_reproduce(const ReproduceOptions& options,
                              const std::function<void(const Section&)>& done, Progress& progress) {
  const std::vector<const Item*> items = chosen_items(options.items);
  const ResultFolder folder(options.folder, {"measurements.json"});
  if (!options.document.empty()) require_writable(options.document, "--document");

  MeasurementStore store(options.folder / "measurements.json", build_name(), options.any_build);
  if (options.fresh) store.forget();
  JobLaboratory laboratory(
      store, {process_count(options.processes), options.sources, has_control_vcs(options)},
      progress);
  const auto began = std::chrono::steady_clock::now();
  ReproduceReport report;
  for (const Item* item : items) {
    laboratory.set_title(
        fmt::format("{} ({} of {})", item->id, report.sections.size() + 1, items.size()));
    progress.show(fmt::format("reproduce {}", item->id));
    report.sections.push_back(section_of(*item, options, laboratory));
    progress.clear();
    if (done) done(report.sections.back());
  }
  if (!options.document.empty()) write_document(options, report.sections);
  report.simulated = laboratory.simulated();
  report.kept = laboratory.kept();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return report;
}

}  // namespace annelid::studies
