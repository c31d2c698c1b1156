#include "studies/reproduce/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <set>

#include "base/build.hpp"
#include "base/child_process.hpp"
#include "base/command_files.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/output_file.hpp"
#include "base/result_folder.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "studies/common/kept_files.hpp"
#include "studies/reproduce/job_laboratory.hpp"
#include "studies/reproduce/measurement_store.hpp"
#include "studies/reproduce/plot.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;
using reproduction::Claim;
using reproduction::Item;
using reproduction::Section;

constexpr const char* kUnknownCommit = "unknown";

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

/// A document names the commit of its program, so the program must be of a clean one.
void require_clean(const std::optional<BuildCommit>& commit) {
  if (commit && commit->clean) return;
  throw InputError("--document",
                   commit ? "a program that was built from commit " + commit->text()
                          : "a program that does not know its commit",
                   "one that was built from a commit without changes");
}

/// Results of other programs may stand in a document if their commits are known and clean.
void require_clean(const std::set<std::string>& commits, const Item& item) {
  for (const std::string& commit : commits) {
    if (commit != kUnknownCommit && commit.find(' ') == std::string::npos) continue;
    throw InputError("--any-build",
                     fmt::format("results of {} from a program of commit \"{}\"", item.id, commit),
                     "results of programs that were built from commits without changes; --fresh "
                     "simulates them again");
  }
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
  if (options.sources != 0) command += fmt::format(" --sources {}", options.sources);
  for (const simulation::Override& o : options.routers) command += " " + o.option + " " + o.text;
  const reproduction::Provenance provenance{options.date.empty() ? today() : options.date,
                                            options.commit->commit, command};
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
  const std::set<std::string> commits = laboratory.take_commits();
  if (!options.document.empty()) require_clean(commits, item);
  for (const std::string& commit : commits) {
    section.outcome.notes.push_back(
        fmt::format("Programs of commit {} simulated some of these runs.", commit));
  }
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

/// The chosen items, or the share of them that this shard has.
std::vector<const Item*> items_of(const ReproduceOptions& options) {
  std::vector<const Item*> chosen = chosen_items(options.items);
  if (!options.shard) return chosen;
  if (!options.document.empty()) {
    throw InputError("--document", "the option beside --shard",
                     "it with annelid merge, which knows all items");
  }
  std::vector<const Item*> items;
  for (const std::size_t i : places_of(options.shard, chosen.size())) items.push_back(chosen[i]);
  return items;
}

/// The document must not be one of the files of the items, or one beside it that it shows.
void require_apart(const ReproduceOptions& options, const std::vector<const Item*>& items) {
  CommandFiles files;
  files.writes("--document", options.document);
  files.writes("--out", options.folder, {kMeasurements, ResultFolder::kLockFile});
  for (const Item* const item : items) {
    for (const char* const end : {".csv", ".md", ".gp", ".svg", ".png"}) {
      files.writes("--out", options.folder / (std::string(item->id) + end));
    }
  }
}

[[noreturn]] void refuse_item(const std::string& name) {
  if (name == "list") throw InputError("annelid reproduce", "list beside items", "list alone");
  std::vector<std::string_view> known = {"list", "all"};
  for (const Item& item : reproduction::items()) known.emplace_back(item.id);
  throw InputError(
      "annelid reproduce", fmt::format("\"{}\"", name),
      "list, all, or an item that annelid reproduce list names" + did_you_mean(name, known));
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
      refuse_item(name);
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
  const std::vector<const Item*> items = items_of(options);
  require_apart(options, items);
  if (!options.document.empty()) require_clean(options.commit);
  const ResultFolder folder(options.folder, {kMeasurements});
  if (!options.document.empty()) require_writable(options.document, "--document");

  MeasurementStore store(options.folder / kMeasurements,
                         {build_name(), options.commit ? options.commit->text() : kUnknownCommit},
                         options.any_build);
  if (options.fresh) store.forget();
  JobLaboratory laboratory(
      store,
      {process_count(options.processes), options.sources, has_control_vcs(options), options.folder},
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
