#include "cli/reproduce_command.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "cli/progress_line.hpp"
#include "studies/reproduce/markdown.hpp"
#include "studies/reproduce/measurement_store.hpp"
#include "studies/reproduce/reproduce_laboratory.hpp"
#include "studies/reproduce/reproduce_plot.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;
using reproduction::Claim;
using reproduction::Item;
using reproduction::Section;

std::vector<const Item*> chosen(const std::vector<std::string>& names) {
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

int print_list() {
  int seconds = 0;
  for (const Item& item : reproduction::items()) {
    fmt::print("{:<18} {:>5}  {} ({})\n", item.id,
               item.seconds == 0 ? "" : fmt::format("{} s", item.seconds), item.title, item.source);
    seconds += item.seconds;
  }
  fmt::print("\n{} items, about {} minutes on two cores\n", reproduction::items().size(),
             (seconds + 59) / 60);
  return 0;
}

/// Names this build of the program.
std::string build_name() {
  const std::string program = read_text(own_program());
  return fmt::format("{:08x}",
                     crc32_z(0, reinterpret_cast<const Bytef*>(program.data()), program.size()));
}

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

/// What a git command prints, without its last line end; nothing if it fails.
std::optional<std::string> git(const std::vector<std::string>& arguments, const fs::path& output) {
  std::optional<std::string> text;
  try {
    if (wait_process(start_process("git", arguments, output)) == 0) text = read_text(output);
  } catch (const std::runtime_error&) {  // no git
  }
  std::error_code ignored;
  fs::remove(output, ignored);
  if (text && text->ends_with('\n')) text->pop_back();
  return text;
}

std::string commit_of(const fs::path& folder) {
  const auto commit = git({"rev-parse", "--short=10", "HEAD"}, folder / "git.tmp");
  if (!commit) return "unknown";
  const auto changes = git({"status", "--porcelain", "--untracked-files=no"}, folder / "git.tmp");
  return *commit + (changes && changes->empty() ? "" : " with changes");
}

void print_claims(const Section& section) {
  fmt::print("{}: {} ({})\n", section.item->id, section.item->title, section.item->source);
  for (const Claim& c : section.outcome.claims) {
    fmt::print("  {:<16}  {}\n{:20}paper {}; ours {}{}\n", name_of(c.verdict), c.text, "", c.paper,
               c.ours, c.deviation ? fmt::format(" ({:+.1f} %)", 100 * *c.deviation) : "");
    if (!c.why.empty()) fmt::print("{:20}{}\n", "", c.why);
  }
}

/// The document, and copies of its plots beside it.
void write_document(const ReproduceArguments& arguments, std::vector<Section> sections,
                    const fs::path& out) {
  const fs::path document = arguments.document;
  const fs::path images = document.parent_path() / "images" / "reproduction";
  for (Section& section : sections) {
    if (section.picture.empty()) continue;
    fs::create_directories(images);
    write_file(images / section.picture, read_text(out / section.picture));
    section.picture = "images/reproduction/" + section.picture;
  }
  std::string command = "annelid reproduce";
  for (const std::string& item : arguments.items) command += " " + item;
  const reproduction::Provenance provenance{
      arguments.date.empty() ? today() : arguments.date,
      arguments.commit.empty() ? commit_of(out) : arguments.commit, command};
  write_file(document, document_markdown(sections, provenance));
}

}  // namespace

int run_reproduce(const ReproduceArguments& arguments) {
  if (arguments.items == std::vector<std::string>{"list"}) return print_list();
  const std::vector<const Item*> items = chosen(arguments.items);
  const fs::path out = arguments.out;
  prepare_folder(out, {"measurements.json"});
  if (!arguments.document.empty()) require_writable(arguments.document, "--document");

  studies::MeasurementStore store(out / "measurements.json", build_name(), arguments.any_build);
  if (arguments.fresh) store.forget();
  ProgressLine progress(!arguments.quiet);
  studies::ProgramLaboratory laboratory(store, out / "runs.tmp", process_count(arguments.jobs),
                                        arguments.sources, progress);
  const auto began = std::chrono::steady_clock::now();
  std::vector<Section> sections;
  std::vector<Claim> claims;
  for (const Item* item : items) {
    laboratory.set_title(fmt::format("{} ({} of {})", item->id, sections.size() + 1, items.size()));
    progress.show(fmt::format("reproduce {}", item->id));
    Section section{item, item->reproduce(laboratory), {}};
    const std::string name(item->id);
    write_file(out / (name + ".csv"), csv(section.outcome.table));
    if (!arguments.no_plots && !section.outcome.plots.empty()) {
      studies::draw_plots(section.outcome.plots, out, name);
      section.picture = name + ".svg";
    }
    write_file(out / (name + ".md"), section_markdown(section));
    progress.clear();
    if (!arguments.quiet && items.size() == 1) print_claims(section);
    if (!arguments.quiet && items.size() > 1) {
      fmt::print("{:<18} {}\n", item->id, verdict_counts(section.outcome.claims));
      std::fflush(stdout);  // also into a pipe: it takes minutes
    }
    claims.insert(claims.end(), section.outcome.claims.begin(), section.outcome.claims.end());
    sections.push_back(std::move(section));
  }
  if (!arguments.document.empty()) write_document(arguments, sections, out);
  if (arguments.quiet) return 0;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  fmt::print("\n  {} claims: {}\n  {} runs simulated, {} kept, {:.0f} s\n  results   {}\n",
             claims.size(), verdict_counts(claims), laboratory.simulated(), laboratory.kept(),
             seconds.count(), out.string());
  if (!arguments.document.empty()) fmt::print("  document  {}\n", arguments.document);
  return 0;
}

}  // namespace annelid::cli
