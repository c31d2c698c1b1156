// Runs the external programs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/new_file.hpp"
#include "studies/cost/estimate.hpp"

namespace annelid::cost {

struct Tool {
  const char* program;
  const char* package;  ///< the Debian package
};
inline constexpr Tool kYosys{"yosys", "yosys"};
inline constexpr Tool kSta{"sta", "opensta"};
inline constexpr Tool kNextpnr{"nextpnr-ice40", "nextpnr-ice40"};

/// Throws MissingTool if the program is not in PATH.
void require(const Tool& tool);

/// Runs a program in `folder`. Returns its whole output, which it also writes to `log_name`.log
/// there. Throws CostError if the program fails or exceeds the time limit; then the program and all
/// its children are ended.
std::string run_tool(const Tool& tool, const std::vector<std::string>& arguments,
                     const std::filesystem::path& folder, const CostOptions& options,
                     const std::string& log_name = "");  // empty: the program's name

/// Runs OpenSTA with `script`.tcl of `folder`, and returns its output. OpenSTA continues after an
/// error and exits with status 0, so this function looks for errors in the log. Throws CostError
/// with the first error of the log, and the line of the file to which it refers.
std::string run_sta(const std::string& script, const std::filesystem::path& folder,
                    const CostOptions& options);

/// Returns a line break and the last lines of a log, to show a user why a tool failed.
std::string tail_of(const std::string& log);

std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

/// A working folder. It is removed at the end, unless the user named it.
class WorkFolder {
 public:
  explicit WorkFolder(const std::filesystem::path& keep);
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<TemporaryFolder> temporary_;
  std::filesystem::path path_;
};

}  // namespace annelid::cost
