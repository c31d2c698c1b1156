// Records what the cores of a run execute, as the user asked: in a trace, in a profile.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/command_files.hpp"
#include "base/output_file.hpp"
#include "nic/nic.hpp"
#include "simulation/recordings/core_profile.hpp"
#include "simulation/recordings/core_trace.hpp"

namespace annelid::simulation {

struct CoreRecordingOptions {
  std::string nodes = "all";           ///< that are traced and profiled: "all", or "3,4"
  std::filesystem::path trace = {};    ///< a line for each instruction; empty: none
  std::filesystem::path profile = {};  ///< the profile's table; empty: none
  bool profiled = false;               ///< a table without a file
  ProfileBy by = ProfileBy::kFunction;

  [[nodiscard]] bool any() const { return !trace.empty() || !profile.empty() || profiled; }
};

/// Throws InputError for nodes that the network does not have, and for files that cannot be created
/// or are in `files`, to which it adds them.
void require_possible(const CoreRecordingOptions& options, NodeId nodes, CommandFiles& files);

class CoreRecordings {
 public:
  /// `program` must outlive it. A trace of several nodes is in the order of cycles only if no core
  /// runs ahead (NicConfig::run_ahead).
  CoreRecordings(const CoreRecordingOptions& options, const CoreProgram& program, NodeId nodes);
  ~CoreRecordings();

  /// Records what a node's core executes; nullptr if that is not wanted. `name` is the node's name.
  [[nodiscard]] nic::CoreTracer* tracer(NodeId node, const std::string& name);
  /// The core did nothing more up to this cycle.
  void end(NodeId node, Cycle cycle);
  /// Finishes the files. Returns the profile's table, or "" if there is no profile.
  std::string close();

 private:
  class Listener;

  CoreRecordingOptions options_;
  const CoreProgram& program_;
  std::set<NodeId> nodes_;
  std::optional<OutputFile> trace_file_;
  std::optional<CoreTrace> trace_;
  std::optional<CoreProfile> profile_;
  std::vector<std::unique_ptr<Listener>> listeners_;  // by node; nullptr: nobody listens
};

}  // namespace annelid::simulation
