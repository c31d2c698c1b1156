#include "simulation/machine/nic_watch.hpp"

#include <fmt/format.h>

#include <utility>

#include "interface/names.hpp"

namespace annelid::simulation {

NicWatch::NicWatch(const std::vector<std::unique_ptr<nic::Nic>>& nics, Host& host,
                   std::size_t calls)
    : nics_(nics),
      host_(host),
      writes_(nics.size()),
      calls_(calls,
             {std::vector<Cycle>(nics.size(), kNever), std::vector<std::uint32_t>(nics.size())}) {
  for (NodeId node = 0; node < nics.size(); ++node) writes_[node].counted = writes_of(node);
}

std::uint64_t NicWatch::writes_of(NodeId node) const {
  return nics_[node] ? nics_[node]->memory().writes() : 0;
}

void NicWatch::gather(Exchange& exchange, NodeId first, NodeId end) {
  for (Call& call : calls_) {
    gather_parts(exchange, call.finished, first, end);
    gather_parts(exchange, call.results, first, end);
  }
  std::vector<Writes> stray(nics_.size());
  for (NodeId node = first; node < end; ++node) stray[node] = stray_writes(node);
  gather_parts(exchange, stray, first, end);
  gathered_ = std::move(stray);
}

NicWatch::Writes NicWatch::stray_writes(NodeId node) const {
  if (!gathered_.empty()) return gathered_[node];
  const NodeWrites& writes = writes_[node];
  Writes stray = writes.stray;
  if (writes.calls == 0) {
    (writes.called ? stray.after : stray.before) += writes_of(node) - writes.counted;
  }
  return stray;
}

void NicWatch::called(Cycle now, NodeId node, std::uint16_t ticket) {
  NodeWrites& writes = writes_[node];
  writes.stray = stray_writes(node);
  ++writes.calls;
  writes.called = true;
  NicObserverTee::called(now, node, ticket);
}
void NicWatch::call_finished(Cycle now, NodeId node, std::uint16_t ticket, std::uint32_t result) {
  Call& call = calls_[host_.call_of(node, ticket)];
  if (call.finished[node] == kNever) ++finished_count_;
  call.finished[node] = now;
  call.results[node] = result;
  --writes_[node].calls;
  writes_[node].counted = writes_of(node);
  NicObserverTee::call_finished(now, node, ticket, result);
  host_.ended(now, node, ticket);
}
void NicWatch::trapped(Cycle now, NodeId node, const nic::Trap& trap) {
  if (!failure_) {
    failure_ = {now, node,
                fmt::format("the firmware trapped at pc {:#010x}, cause {} ({}), value {:#x}",
                            trap.pc, trap.cause, nic::cause_name(trap.cause), trap.value)};
  }
  NicObserverTee::trapped(now, node, trap);
}
void NicWatch::failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string& text) {
  if (!failure_) {
    failure_ = {now, node, fmt::format("the NIC found {}: {}", name_of(cause), text)};
  }
  NicObserverTee::failed(now, node, cause, text);
}

}  // namespace annelid::simulation
