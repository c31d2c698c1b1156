// `annelid merge`: joins the shards of a study, and ends it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "base/build.hpp"
#include "base/input_error.hpp"
#include "cli/commands.hpp"
#include "cli/program.hpp"
#include "cli/shards.hpp"
#include "cli/study_words.hpp"
#include "studies/merge/unite_results.hpp"
#include "studies/shard/part.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;
using studies::Part;

/// The arguments of `annelid merge`.
struct MergeArguments {
  std::vector<std::string> folders;
  std::string out, document;
  int jobs = 0;  ///< 0: one per core
  bool quiet = false;
};

CLI::App* add_options(CLI::App& program, MergeArguments& a) {
  CLI::App* merge = program.add_subcommand(
      "merge", "Joins the shards of a check, a sweep, a tuning or a reproduction.");
  merge->add_option("folder", a.folders, "The folders of all shards, in any order.")
      ->required()
      ->type_name("DIR");
  merge
      ->add_option("--out", a.out,
                   "Folder for the results of the whole study. Default: the folder around those "
                   "of the shards, unless they had folders of their own.")
      ->type_name("DIR");
  merge->add_option("--document", a.document, "The same as --document of annelid reproduce.")
      ->type_name("FILE");
  merge
      ->add_option(
          "--jobs", a.jobs,
          "Runs that are simulated at a time, if any are left. Default: one for each core.")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  merge->add_flag("--quiet", a.quiet, "Prints nothing.");
  merge->footer(
      "check, sweep, tune and reproduce do a share of their work with --shard I/N, on one machine "
      "or on "
      "many. merge copies what the shards have measured into one folder, and runs the study "
      "there: it finds its rows, and simulates only what no shard can do, such as the sizes that "
      "--refine adds. The files are the same, byte for byte, as those of a study without shards. "
      "Start it in the folder in which the shards were started.\n"
      "\n"
      "Examples:\n"
      "  annelid sweep scenarios/sweep-vcs.toml --shard 1/2\n"
      "  annelid sweep scenarios/sweep-vcs.toml --shard 2/2\n"
      "  annelid merge runs/sweep-vcs/shard-1-of-2 runs/sweep-vcs/shard-2-of-2\n"
      "\n"
      "Exit status: 0 if the study is complete; 1 if a run failed, or two shards have different "
      "results of one run; 2 for bad input, such as a missing shard.");
  return merge;
}

/// The folder around those of the shards, if these are called as `annelid --shard` calls them.
fs::path folder_around(const std::vector<Part>& parts) {
  fs::path around = parts.front().folder.parent_path();
  for (const Part& part : parts) {
    if (part.folder.parent_path() == around && part.folder.filename() == folder_name(part.shard)) {
      continue;
    }
    throw InputError("--out", "nothing",
                     "a folder for the whole study, as its shards had folders of their own");
  }
  return around;
}

fs::path results_folder(const MergeArguments& a, const std::vector<Part>& parts) {
  if (a.out.empty()) return folder_around(parts);
  fs::path out = fs::absolute(a.out);
  for (const Part& part : parts) {
    std::error_code error;  // a folder that does not exist is none of theirs
    if (!fs::equivalent(out, part.folder, error)) continue;
    throw InputError("--out",
                     fmt::format("\"{}\", the folder of shard {}", a.out, part.shard.text()),
                     "another folder");
  }
  return out;
}

/// Results replace what a link leads to. One that came with the shards may lead anywhere.
void require_no_links(const fs::path& folder) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (!entry.is_symlink()) continue;
    throw InputError(folder.string(),
                     fmt::format("the symbolic link \"{}\"", entry.path().filename().string()),
                     "a folder for results without links");
  }
}

/// The study's own command.
std::vector<std::string> words_of(const MergeArguments& a, const Part& part, const fs::path& out) {
  std::vector<std::string> words = part.study.words();
  words.insert(words.end(), {"--out", out.string()});
  if (!a.document.empty()) words.insert(words.end(), {"--document", a.document});
  if (a.jobs > 0) words.insert(words.end(), {"--jobs", std::to_string(a.jobs)});
  if (a.quiet) words.emplace_back("--quiet");
  return words;
}

/// The shards' files may be anybody's. So they decide nothing but which study it is: the user says
/// where it runs and where its results go.
int run(const MergeArguments& a) {
  std::vector<Part> parts;
  for (const std::string& folder : a.folders) {
    if (folder.empty()) {
      throw InputError("annelid merge", "a folder without a name", "the folders of all shards");
    }
    parts.push_back(
        studies::read_part((fs::absolute(folder) / "").lexically_normal().parent_path()));
    require_study(parts.back().study, (parts.back().folder / studies::kPartFile).string());
  }
  studies::require_whole(parts, build_name());
  const Part& first = parts.front();
  if (first.started_in != fs::current_path()) {
    throw InputError(first.folder.string(), "a study that began in " + first.started_in.string(),
                     "one of this folder: start annelid merge where the shards were started");
  }
  const fs::path out = results_folder(a, parts);
  require_no_links(out);
  unite_results(parts, out);
  return run_words(words_of(a, first, out));
}

}  // namespace

Command add_merge(CLI::App& program) { return command<MergeArguments>(program, add_options, run); }

}  // namespace annelid::cli
