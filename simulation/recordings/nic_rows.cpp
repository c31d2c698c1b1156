#include "simulation/recordings/nic_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "interface/names.hpp"
#include "simulation/recordings/core_times.hpp"
#include "simulation/scenario/scenario.hpp"
#include "systemc/network/node_text.hpp"
#include "waves/packet_texts.hpp"

namespace annelid::simulation {
namespace {

/// Messages of even and odd steps differ at a glance: with two trees, the two trees.
std::string of_step(std::uint32_t step, const std::string& text) {
  return waves::coloured(step % 2 == 0 ? "DarkOrange3" : "DarkCyan", text);
}

std::uint64_t key_of(const nic::MessageInfo& info) {
  return std::uint64_t{info.source} << 40 | std::uint64_t{info.destination} << 16 | info.sequence;
}

const char* busy(bool at_work) { return at_work ? "busy" : ""; }

}  // namespace

/// Which function a core is in, and its pc. The core tells it ahead of the network.
class NicRows::CoreRows final : public nic::CoreTracer {
 public:
  CoreRows(waves::WaveTrace& wave, NodeId node, const nic::Image& image)
      : wave_(wave),
        image_(image),
        function_row_(wave.add_text(node, "function")),
        pc_row_(wave.add_bits(node, "pc", 32)) {}

  void retired(const nic::Retired& i) override {
    wave_.set_bits(pc_row_, i.cycle, i.pc);
    const bool asleep = i.word == kWfiInstruction;
    if (asleep == asleep_ && function_ != nullptr && i.pc - function_->address < function_->bytes) {
      return;
    }
    asleep_ = asleep;
    function_ = image_.find_function(i.pc);
    const std::string name = function_ == nullptr ? "?" : function_->name;
    wave_.set_text(function_row_, i.cycle, asleep ? name + " asleep" : name);
  }
  void trapped(Cycle, const nic::Trap&) override {}

 private:
  waves::WaveTrace& wave_;
  const nic::Image& image_;
  const waves::WaveTrace::Row function_row_, pc_row_;
  const nic::Image::Function* function_ = nullptr;
  bool asleep_ = false;
};

NicRows::NicRows(waves::WaveTrace& wave, const Scenario& scenario, const Simulation& simulation,
                 const nic::Image* image, EnginesOf engines_of)
    : wave_(wave),
      simulation_(simulation),
      engines_of_(std::move(engines_of)),
      network_(scenario.network),
      collective_(scenario.has_several() ? "" : describe(scenario)) {
  for (NodeId n = 0; n < network_.nodes(); ++n) {
    if (!wave.shows(n)) continue;
    NodeState& node = nodes_[n];
    Rows& rows = node.rows;
    rows.collective = wave.add_text(n, "collective");
    rows.step = wave.add_text(n, "step");
    rows.firmware = wave.add_text(n, "firmware");
    if (image != nullptr) node.core = std::make_unique<CoreRows>(wave, n, *image);
    node.match.add(wave, n);
    for (std::size_t l = 0; l < static_cast<std::size_t>(network_.router.local_ports); ++l) {
      rows.send[l] = wave.add_text(n, fmt::format("send{}", l));
      rows.send_engine[l] = wave.add_text(n, fmt::format("send{}_engine", l));
      rows.receive_engine[l] = wave.add_text(n, fmt::format("receive{}_engine", l));
    }
    rows.start_up = wave.add_text(n, "start_up");
    rows.delivery = wave.add_text(n, "delivery");
    rows.combine = wave.add_text(n, "combine");
  }
}

NicRows::~NicRows() = default;

nic::CoreTracer* NicRows::tracer(NodeId node) {
  const auto found = nodes_.find(node);
  return found == nodes_.end() ? nullptr : found->second.core.get();
}

std::string NicRows::shown(NodeId node) const {
  return node_text(network_, network_.address(node));
}

std::string NicRows::step_name(std::uint16_t tag, std::uint32_t step) const {
  const auto& names = simulation_.names_by_tag();
  const std::string text = fmt::format("step {}", step);
  return tag < names.size() && !names[tag].empty() ? names[tag] + ": " + text : text;
}

std::string NicRows::calls_text(const NodeState& node) const {
  const auto& names = simulation_.names_by_tag();
  std::string text;
  for (const std::uint16_t tag : node.calls) {
    const bool named = tag < names.size() && !names[tag].empty();
    text += (text.empty() ? "" : " + ") + (named ? names[tag] : collective_);
  }
  return text;
}

void NicRows::called(Cycle now, NodeId node, std::uint16_t ticket) {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return;
  found->second.calls.push_back(simulation_.tag_of(node, ticket));
  set(found->second.rows.collective, now, calls_text(found->second));
}

void NicRows::matched(Cycle now, NodeId node, const nic::MatchInfo& match) {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return;
  found->second.match.matched(wave_, now, match, network_);
}

void NicRows::send_started(Cycle now, const nic::MessageInfo& info, Port local) {
  std::uint32_t& marked = steps_marked_[info.tag];
  const auto& names = simulation_.names_by_tag();
  const bool named = info.tag < names.size() && !names[info.tag].empty();
  if (info.step > marked && (!named || marked == 0)) {  // of several calls, where each begins
    marked = info.step;
    wave_.add_marker(now, step_name(info.tag, info.step));
  }
  steps_[key_of(info)] = info.step;
  const auto found = nodes_.find(info.source);
  if (found == nodes_.end()) return;
  found->second.sending[local] = info.destination;
  set(found->second.rows.step, now, std::to_string(info.step));
  set(found->second.rows.send[local], now,
      of_step(info.step, fmt::format("{} to {}, {} bytes", step_name(info.tag, info.step),
                                     shown(info.destination), info.bytes)));
}

void NicRows::send_completed(Cycle now, const nic::MessageInfo& info) {
  const auto found = nodes_.find(info.source);
  if (found == nodes_.end()) return;
  for (std::size_t l = 0; l < static_cast<std::size_t>(network_.router.local_ports); ++l) {
    if (found->second.sending[l] == info.destination) set(found->second.rows.send[l], now + 1, "");
  }
}

void NicRows::received(Cycle now, const nic::MessageInfo& info) {
  const auto found = nodes_.find(info.destination);
  if (found == nodes_.end()) return;
  const std::uint32_t step = steps_[key_of(info)];
  set(found->second.rows.step, now, std::to_string(step));
  set(found->second.rows.firmware, now,
      of_step(step, fmt::format("received {} bytes from {}", info.bytes, shown(info.source))));
}

void NicRows::call_finished(Cycle now, NodeId node, std::uint16_t ticket, std::uint32_t result) {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return;
  std::erase(found->second.calls, simulation_.tag_of(node, ticket));
  set(found->second.rows.collective, now + 1, calls_text(found->second));
  set(found->second.rows.firmware, now,
      result == 0 ? "finished" : "finished: " + reg::text_of(static_cast<reg::CallResult>(result)));
}

void NicRows::trapped(Cycle now, NodeId node, const nic::Trap& trap) {
  wave_.add_marker(now, fmt::format("trap at {}", shown(node)));
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return;
  set(found->second.rows.firmware, now, fmt::format("trap {} at {:#x}", trap.cause, trap.pc));
}

void NicRows::failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string&) {
  wave_.add_marker(now, fmt::format("{} at {}", name_of(cause), shown(node)));
}

void NicRows::cycle(Cycle now) {
  for (auto& [n, node] : nodes_) {
    const nic::NicEngines engines = engines_of_(n);
    if (engines == node.engines) continue;
    for (std::size_t l = 0; l < kMaxLocalPorts; ++l) {
      if (engines.send[l] != node.engines.send[l]) {
        set(node.rows.send_engine[l], now, std::string(engines.send[l]));
      }
      if (engines.receive[l] != node.engines.receive[l]) {
        set(node.rows.receive_engine[l], now, std::string(engines.receive[l]));
      }
    }
    set(node.rows.start_up, now, busy(engines.start_up));
    set(node.rows.delivery, now, busy(engines.delivery));
    set(node.rows.combine, now, busy(engines.combine));
    node.engines = engines;
  }
}

}  // namespace annelid::simulation
