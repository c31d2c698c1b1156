#include "simulation/recordings/core_recordings.hpp"

#include "base/files.hpp"
#include "simulation/recordings/recordings.hpp"

namespace annelid::simulation {

/// Hands on what one node's core does.
class CoreRecordings::Listener final : public nic::CoreTracer {
 public:
  Listener(std::string node, CoreTrace* trace, CoreProfile* profile)
      : node_(std::move(node)), trace_(trace) {
    if (profile != nullptr) profile_.emplace(*profile);
  }
  void retired(const nic::Retired& instruction) override {
    if (trace_ != nullptr) trace_->retired(node_, instruction);
    if (profile_) profile_->retired(instruction);
  }
  void trapped(Cycle cycle, const nic::Trap& trap) override {
    if (trace_ != nullptr) trace_->trapped(node_, cycle, trap);
    if (profile_) profile_->trapped(cycle, trap);
  }
  void end(Cycle cycle) {
    if (profile_) profile_->end(cycle);
  }

 private:
  const std::string node_;
  CoreTrace* trace_;
  std::optional<CoreProfile::Node> profile_;
};

void require_possible(const CoreRecordingOptions& options, NodeId nodes, CommandFiles& files) {
  (void)parse_nodes("--trace-node", options.nodes, nodes);
  files.writes("--trace", options.trace);
  files.writes("--profile", options.profile);
  if (!options.trace.empty()) annelid::require_writable(options.trace, "--trace");
  if (!options.profile.empty()) annelid::require_writable(options.profile, "--profile");
}

CoreRecordings::CoreRecordings(const CoreRecordingOptions& options, const CoreProgram& program,
                               NodeId nodes)
    : options_(options), program_(program), listeners_(nodes) {
  if (!options.any()) return;
  nodes_ = parse_nodes("--trace-node", options.nodes, nodes);
  if (!options.trace.empty()) {
    trace_file_.emplace(options.trace, "--trace");
    trace_.emplace(trace_file_->stream(), program);
  }
  if (options.profiled || !options.profile.empty()) {
    profile_.emplace(program.image, options.by);
  }
}

CoreRecordings::~CoreRecordings() = default;

nic::CoreTracer* CoreRecordings::tracer(NodeId node, const std::string& name) {
  if (!nodes_.contains(node)) return nullptr;
  auto& listener = listeners_[node];
  listener = std::make_unique<Listener>(name, trace_ ? &*trace_ : nullptr,
                                        profile_ ? &*profile_ : nullptr);
  return listener.get();
}

void CoreRecordings::end(NodeId node, Cycle cycle) {
  if (listeners_[node]) listeners_[node]->end(cycle);
}

std::string CoreRecordings::close() {
  if (trace_file_) trace_file_->commit();
  std::string table = profile_ ? profile_->text(program_.lines()) : "";
  if (!options_.profile.empty()) write_file(options_.profile, table);
  return table;
}

}  // namespace annelid::simulation
