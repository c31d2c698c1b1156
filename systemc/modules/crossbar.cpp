#include "systemc/modules/crossbar.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "systemc/network/node_text.hpp"
#include "systemc/network/route.hpp"
#include "systemc/network/slot.hpp"

namespace annelid::systemc {

Crossbar::Crossbar(Fabric& fabric, const NetworkConfig& config)
    : fabric_(fabric),
      config_(config),
      ports_(static_cast<Index>(config.router.local_ports)),
      vcs_(static_cast<Index>(config.router.all_local_vcs())),
      depth_(static_cast<Index>(config.router.depth)) {
  validate(config);
  const std::size_t ports = std::size_t{config.nodes()} * ports_;
  inputs_.resize(ports * vcs_);
  occupied_.resize((inputs_.size() + 63) / 64);
  outputs_.resize(ports * vcs_);
  for (OutputVc& output : outputs_) output.credits = static_cast<std::uint8_t>(depth_);
  ejection_.resize(ports);
  injection_.resize(ports);
  data_.resize(inputs_.size() * depth_);
  flags_.resize(data_.size());
  to_nic_.resize(ports);
  for (Index port = 0; port < ports; ++port) ends_.emplace_back(*this, port);
  handle_ = fabric.add(*this);
}

void Crossbar::fail(Index port, const char* what) const {
  throw std::logic_error("ideal network, node " +
                         node_text(config_, config_.address(node_of(port))) + ", local port " +
                         std::to_string(port % ports_) + ", cycle " +
                         std::to_string(fabric_.now()) + ": " + what);
}

// ---- What arrives in a cycle is used in the next one --------------------------------------------

void Crossbar::wake() {
  const Cycle next = fabric_.now() + 1;
  if (awake_in_ == next) return;
  awake_in_ = next;
  fabric_.wake(handle_, next);
}

void Crossbar::take_flit(Index port, const Flit& flit) {
  if (flit.vc >= vcs_) fail(port, "a flit for a VC that does not exist");
  const Index index = port * vcs_ + flit.vc;
  InputVc& input = inputs_[index];
  if (input.count + input.arriving >= static_cast<int>(depth_)) fail(port, "a flit without room");
  const std::size_t place = std::size_t{index} * depth_ + input.write;
  data_[place] = flit.data;
  flags_[place] = static_cast<std::uint8_t>(unsigned{flit.head} | unsigned{flit.tail} << 1);
  input.write = static_cast<std::uint8_t>((input.write + 1u) % depth_);
  ++input.arriving;
  ++held_;
  flits_in_[fabric_.now() & 1].push_back(index);
  fabric_.flit_entered();
  wake();
}

void Crossbar::take_credit(Index port, Vc vc) {
  if (vc >= vcs_) fail(port, "a credit for a VC that does not exist");
  OutputVc& output = outputs_[port * vcs_ + vc];
  if (output.credits + output.arriving >= static_cast<int>(depth_)) {
    fail(port, "a credit without a place");
  }
  ++output.arriving;
  credits_in_[fabric_.now() & 1].push_back(port * vcs_ + vc);
  wake();
}

// ---- A cycle ------------------------------------------------------------------------------------

Cycle Crossbar::step(Cycle now) {
  deliver(now);
  absorb();
  line_up();
  nominate();
  choose();
  if (FabricObserver* const observer = fabric_.observer()) report_blocked(now, *observer);
  commit(now);
  if (held_ == 0) return kNever;
  awake_in_ = now + 1;
  return now + 1;
}

/// What was granted in the cycle before is on the ejection channels now.
void Crossbar::deliver(Cycle now) {
  sent_.swap(granted_);
  granted_.clear();
  for (const Grant& sent : sent_) {
    const Index port = sent.output / vcs_;
    LinkIf* const nic = to_nic_[port].get();
    if (nic == nullptr) fail(port, "a flit for a node without a NIC");
    nic->put_flit(sent.flit);
    fabric_.flit_moved();
    fabric_.flit_left();
    --held_;
    if (FabricObserver* const observer = fabric_.observer()) {
      const Index from = sent.input / vcs_;
      observer->moved(now, node_of(port), injection(from), static_cast<Vc>(sent.input % vcs_),
                      ejection(port), sent.flit);
    }
  }
}

void Crossbar::absorb() {
  const auto before = (fabric_.now() + 1) & 1;
  for (const Index index : flits_in_[before]) {
    InputVc& input = inputs_[index];
    --input.arriving;
    if (++input.count > 1) continue;
    occupied_[index / 64] |= std::uint64_t{1} << index % 64;
    if (input.active) {
      list(index / vcs_);
    } else {
      new_heads_.push_back(index);
    }
  }
  flits_in_[before].clear();
  for (const Index index : credits_in_[before]) {
    OutputVc& output = outputs_[index];
    --output.arriving;
    ++output.credits;
    if (output.owner != kNone) {
      list(output.owner / vcs_);
    } else {
      list_first(index);
    }
  }
  credits_in_[before].clear();
}

void Crossbar::line_up() {
  std::sort(new_heads_.begin(), new_heads_.end());
  for (const Index index : new_heads_) {
    const Index out = ejection_port_of(index) * vcs_ + index % vcs_;
    OutputVc& output = outputs_[out];
    inputs_[index].out = out;
    inputs_[index].next = kNone;
    if (output.first == kNone) {
      output.first = index;
      list(index / vcs_);
    } else {
      inputs_[output.last].next = index;
    }
    output.last = index;
  }
  new_heads_.clear();
}

/// A port that has no request leaves the list, until something happens that may make one.
void Crossbar::nominate() {
  current_.swap(listed_);
  listed_.clear();
  for (const Index port : current_) injection_[port].listed = false;
  for (const Index port : current_) {
    unsigned requests = 0;
    for (Index v = 0; v < vcs_; ++v) {
      if (requested(port * vcs_ + v) != kNone) requests |= 1u << v;
    }
    if (requests == 0) continue;
    list(port);
    const Index input = port * vcs_ + round_robin(requests, injection_[port].next_vc);
    const Index output = requested(input);
    EjectionPort& ejection = ejection_[output / vcs_];
    if (ejection.requests == 0) requested_ports_.push_back(output / vcs_);
    ejection.requests |= static_cast<std::uint8_t>(1u << output % vcs_);
    outputs_[output].nominee = input;
  }
}

void Crossbar::choose() {
  for (const Index port : requested_ports_) {
    EjectionPort& ejection = ejection_[port];
    const auto vc = static_cast<Vc>(round_robin(ejection.requests, ejection.next_vc));
    ejection.requests = 0;
    const Index output = port * vcs_ + vc, input = outputs_[output].nominee;
    inputs_[input].wins = true;
    granted_.push_back({input, output, front(input)});
  }
  requested_ports_.clear();
}

void Crossbar::commit(Cycle now) {
  FabricObserver* const observer = fabric_.observer();
  for (const Grant& grant : granted_) {
    InputVc& input = inputs_[grant.input];
    OutputVc& output = outputs_[grant.output];
    const Index from = grant.input / vcs_, to = grant.output / vcs_;
    const auto in_vc = static_cast<Vc>(grant.input % vcs_);
    if (observer != nullptr) {
      observer->granted(now, node_of(from), injection(from), in_vc, ejection(to), grant.flit);
    }
    injection_[from].next_vc = static_cast<Vc>((in_vc + 1u) % vcs_);
    ejection_[to].next_vc = static_cast<Vc>((grant.flit.vc + 1u) % vcs_);
    if (grant.flit.head) output.first = input.next;
    input.wins = false;
    input.active = !grant.flit.tail;
    input.read = static_cast<std::uint8_t>((input.read + 1u) % depth_);
    if (--input.count == 0) occupied_[grant.input / 64] &= ~(std::uint64_t{1} << grant.input % 64);
    --output.credits;
    output.owner = grant.flit.tail ? kNone : grant.input;
    if (grant.flit.tail && input.count > 0) new_heads_.push_back(grant.input);
    list_first(grant.output);
    to_nic_[from]->put_credit(in_vc);
  }
}

// ---- Requests -----------------------------------------------------------------------------------

void Crossbar::list(Index port) {
  if (injection_[port].listed) return;
  injection_[port].listed = true;
  listed_.push_back(port);
}

/// The first in line may request now.
void Crossbar::list_first(Index output) {
  const Index first = outputs_[output].first;
  if (first != kNone) list(first / vcs_);
}

/// The output VC that an input VC requests in this cycle, or none.
Crossbar::Index Crossbar::requested(Index index) const {
  const InputVc& input = inputs_[index];
  if (input.count == 0) return kNone;
  const OutputVc& output = outputs_[input.out];
  const bool turn = input.active || (output.first == index && output.owner == kNone);
  return turn && output.credits > 0 ? input.out : kNone;
}

Crossbar::Index Crossbar::ejection_port_of(Index input) const {
  const Flit flit = front(input);
  if (!flit.head) fail(input / vcs_, "a packet without a head");
  const Address from = config_.address(node_of(input / vcs_));
  const Address to = unpack_head(flit.data).destination;
  if (!config_.contains(to) || to == from) fail(input / vcs_, "a packet for no other node");
  return port_index(config_.id(to), last_input(config_, from, to) % config_.router.local_ports);
}

Flit Crossbar::front(Index input) const {
  const std::size_t place = std::size_t{input} * depth_ + inputs_[input].read;
  return {data_[place], static_cast<Vc>(input % vcs_), (flags_[place] & 1) != 0,
          (flags_[place] & 2) != 0};
}

// ---- Observation --------------------------------------------------------------------------------

BlockCause Crossbar::cause(const InputVc& input) const {
  const OutputVc& output = outputs_[input.out];
  if (!input.active && output.owner != kNone) return BlockCause::kNoVc;
  return output.credits == 0 ? BlockCause::kNoCredit : BlockCause::kLostSwitch;
}

void Crossbar::report_blocked(Cycle now, FabricObserver& observer) const {
  for (std::size_t word = 0; word < occupied_.size(); ++word) {
    for (std::uint64_t rest = occupied_[word]; rest != 0;) {
      const auto index = static_cast<Index>(64 * word + take_lowest(rest));
      const InputVc& input = inputs_[index];
      if (input.wins) continue;
      const Index port = index / vcs_, out = input.out / vcs_;
      observer.blocked(now, node_of(port), injection(port), static_cast<Vc>(index % vcs_),
                       ejection(out), cause(input));
    }
  }
}

bool Crossbar::was_used(NodeId node, Port port, Vc vc) const {
  const int local = port - injection(0);
  const InputVc& input = inputs_[port_index(node, local) * vcs_ + vc];
  return input.out != kNone || input.count + input.arriving > 0;
}

void Crossbar::state(NodeId node, RouterState& state) const {
  state = {};
  for (Index l = 0; l < ports_; ++l) {
    const Index port = port_index(node, static_cast<int>(l));
    for (Index v = 0; v < vcs_; ++v) {
      const InputVc& input = inputs_[port * vcs_ + v];
      const OutputVc& output = outputs_[port * vcs_ + v];
      InputVcState& in = state.input[injection(port)][v];
      in.count = static_cast<std::uint8_t>(input.count + input.arriving);
      if (in.count > 0) in.front = front(port * vcs_ + v);
      in.active = input.active;
      if (input.active) {
        in.out_port = ejection(input.out / vcs_);
        in.out_vc = static_cast<Vc>(input.out % vcs_);
      }
      state.output[ejection(port)][v] = {
          static_cast<std::uint8_t>(output.credits + output.arriving), output.owner != kNone};
    }
  }
}

}  // namespace annelid::systemc
