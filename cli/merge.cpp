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
#include "studies/shard/part.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;
using studies::Part;

/// What the user wrote behind `annelid merge`.
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
                   "Folder for the results of the whole study. Default: that of the study, "
                   "runs/NAME, unless the shards had folders of their own.")
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
      "--refine adds. The files are the same, byte for byte, as those of a study without shards.\n"
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

fs::path results_folder(const MergeArguments& a, const std::vector<Part>& parts) {
  if (!a.out.empty()) {
    fs::path out = fs::absolute(a.out);
    for (const Part& part : parts) {
      if (!fs::exists(out) || !fs::equivalent(out, part.folder)) continue;
      throw InputError("--out",
                       fmt::format("\"{}\", the folder of shard {}", a.out, part.shard.text()),
                       "another folder");
    }
    return out;
  }
  const Part& part = parts.front();
  if (!part.results.empty()) return part.started_in / part.results;
  throw InputError("--out", "nothing",
                   "a folder for the whole study, as its shards had folders of their own");
}

/// The study's own command.
std::vector<std::string> words_of(const MergeArguments& a, const Part& part, const fs::path& out) {
  std::vector<std::string> words = part.command;
  words.insert(words.end(), {"--out", out.string()});
  if (!a.document.empty()) words.insert(words.end(), {"--document", fs::absolute(a.document)});
  if (a.jobs > 0) words.insert(words.end(), {"--jobs", std::to_string(a.jobs)});
  if (a.quiet) words.emplace_back("--quiet");
  return words;
}

int run(const MergeArguments& a) {
  std::vector<Part> parts;
  for (const std::string& folder : a.folders) {
    parts.push_back(studies::read_part(fs::absolute(folder).lexically_normal()));
  }
  studies::require_whole(parts, build_name());
  const Part& first = parts.front();
  const fs::path out = results_folder(a, parts);
  const std::vector<std::string> words = words_of(a, first, out);
  if (!fs::is_directory(first.started_in)) {
    throw InputError(first.folder.string(), "a study that began in " + first.started_in.string(),
                     "that folder, in which its scenario is looked for");
  }
  unite_results(parts, out);
  fs::current_path(first.started_in);
  return run_words(words);
}

}  // namespace

Command add_merge(CLI::App& program) { return command<MergeArguments>(program, add_options, run); }

}  // namespace annelid::cli
