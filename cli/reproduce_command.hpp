// `annelid reproduce`: the tables and figures of the papers, done again.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace annelid::cli {

/// What the user wrote behind `annelid reproduce`.
struct ReproduceArguments {
  std::vector<std::string> items;  ///< names; or "list", or "all"
  std::string out = "runs/reproduce";
  std::string document;      ///< the Markdown file of all items that were asked for; empty: none
  std::string date, commit;  ///< that the document names; empty: today, and what git says
  int jobs = 0;              ///< 0: one per core
  int sources = 8;           ///< random sources of a broadcast
  bool fresh = false, any_build = false, no_plots = false, quiet = false;
};

CLI::App* add_reproduce_command(CLI::App& program, ReproduceArguments& arguments);

/// Returns the exit status 0, also if claims differ: that is what is to be found out. Throws
/// InputError, RunFailure.
int run_reproduce(const ReproduceArguments& arguments);

}  // namespace annelid::cli
