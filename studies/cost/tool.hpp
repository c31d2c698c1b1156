// Running the programs that do the work.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "studies/cost/estimate.hpp"

namespace annelid::cost {

struct Tool {
  const char* program;
  const char* package;  ///< of Debian
};
inline constexpr Tool kYosys{"yosys", "yosys"};
inline constexpr Tool kSta{"sta", "opensta"};
inline constexpr Tool kNextpnr{"nextpnr-ice40", "nextpnr-ice40"};

/// Throws MissingTool if the program is not in PATH.
void require(const Tool& tool);

/// Runs a program in `folder`, and returns all that it writes, which is also in `log_name`.log
/// there. Throws CostError if it fails or is not done in time; then it and all its children are
/// ended.
std::string run_tool(const Tool& tool, const std::vector<std::string>& arguments,
                     const std::filesystem::path& folder, const CostOptions& options,
                     const std::string& log_name = "");  // empty: the program's name

/// Runs OpenSTA with `script`.tcl of `folder`, and returns what it writes. OpenSTA goes on after an
/// error, and ends with status 0: its report decides. Throws CostError with the first error of the
/// log, and the line of the file that it complains about.
std::string run_sta(const std::string& script, const std::filesystem::path& folder,
                    const CostOptions& options);

/// The last lines of a log, after a line break: what a user wants to see of a tool that failed.
std::string tail_of(const std::string& log);

std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

/// A folder that is removed in the end, unless it was asked for by name.
class WorkFolder {
 public:
  explicit WorkFolder(const std::filesystem::path& keep);
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool kept_;
};

}  // namespace annelid::cost
