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

/// Runs a program in `folder`, and returns all that it writes. Throws CostError if it fails or is
/// not done in time; then it and all its children are ended.
std::string run_tool(const Tool& tool, const std::vector<std::string>& arguments,
                     const std::filesystem::path& folder, const CostOptions& options);

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
