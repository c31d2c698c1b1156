#include "simulation/machine/core_tracers.hpp"

namespace annelid::simulation {

/// Traces one core.
class CoreTracers::Node final : public nic::CoreTracer {
 public:
  Node(CoreTracers& owner, NodeId node) : owner_(owner), node_(node) {}

  void add(nic::CoreTracer& tracer) { tracers_.push_back(&tracer); }

  void retired(const nic::Retired& i) override {
    if (owner_.silent_) return;
    if (owner_.stream_ == nullptr) return tell(i);
    begin(true, i.cycle).add(i.pc).add(i.word).add(static_cast<std::uint32_t>(i.rd)).add(i.value);
    owner_.stream_->add(owner_.kind_, words_.words());
  }
  void trapped(Cycle cycle, const nic::Trap& trap) override {
    if (owner_.silent_) return;
    if (owner_.stream_ == nullptr) return tell(cycle, trap);
    begin(false, cycle).add(trap.pc).add(trap.cause).add(trap.value);
    owner_.stream_->add(owner_.kind_, words_.words());
  }

  void tell(const nic::Retired& instruction) {
    for (nic::CoreTracer* t : tracers_) t->retired(instruction);
  }
  void tell(Cycle cycle, const nic::Trap& trap) {
    for (nic::CoreTracer* t : tracers_) t->trapped(cycle, trap);
  }

 private:
  systemc::EventWriter& begin(bool retired, Cycle cycle) {
    words_.clear();
    return words_.add(node_).add(retired ? 1 : 0).add_long(cycle);
  }

  CoreTracers& owner_;
  const NodeId node_;
  std::vector<nic::CoreTracer*> tracers_;
  systemc::EventWriter words_;
};

CoreTracers::CoreTracers(const std::vector<std::unique_ptr<nic::Nic>>& nics,
                         systemc::EventStream* stream)
    : nics_(nics), stream_(stream), nodes_(nics.size()) {
  if (stream == nullptr) return;
  kind_ = stream->add_kind([this](int, Cycle, systemc::EventStream::Words words) {
    replay(systemc::EventReader(words));
  });
}

CoreTracers::~CoreTracers() = default;

CoreTracers::Node& CoreTracers::node(NodeId id) {
  if (nodes_[id]) return *nodes_[id];
  nodes_[id] = std::make_unique<Node>(*this, id);
  if (nics_[id] && nics_[id]->core() != nullptr) nics_[id]->core()->set_tracer(nodes_[id].get());
  return *nodes_[id];
}

void CoreTracers::add(NodeId id, nic::CoreTracer* tracer) {
  Node& traced = node(id);
  if (tracer != nullptr) traced.add(*tracer);
}

void CoreTracers::replay(systemc::EventReader words) {
  Node& traced = *nodes_[words.next()];
  const bool retired = words.next() != 0;
  const Cycle cycle = words.next_long();
  if (!retired) {
    return traced.tell(cycle, {.pc = words.next(), .cause = words.next(), .value = words.next()});
  }
  nic::Retired i{.cycle = cycle};
  i.pc = words.next();
  i.word = words.next();
  i.rd = static_cast<int>(words.next());
  i.value = words.next();
  traced.tell(i);
}

}  // namespace annelid::simulation
