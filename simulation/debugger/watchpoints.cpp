#include "simulation/debugger/watchpoints.hpp"

#include <algorithm>
#include <cstddef>

#include "nic/core_costs.hpp"
#include "simulation/debugger/gdb_node.hpp"

namespace annelid::simulation {
namespace {

/// Only the core changes its RAM, and nothing but the core loads.
bool may_change(const Watchpoint& w) {
  return w.kind != Watchpoint::Kind::kLoad && !nic::in_ram(w.address, 1);
}

/// The first watched byte that this access of a core is about.
std::optional<std::uint32_t> first_byte(const Watchpoint& w, const nic::BusAccess& access) {
  if (w.kind != Watchpoint::Kind::kAccess && (w.kind == Watchpoint::Kind::kStore) != access.store)
    return std::nullopt;
  // An end may be that of the address space.
  const std::uint64_t begin = w.address, from = access.address;
  if (from >= begin + w.bytes || begin >= from + access.bytes) return std::nullopt;
  return std::max(w.address, access.address);
}

/// The first watched byte that is not what it was.
std::optional<std::uint32_t> first_change(const Watchpoint& w, const std::vector<std::byte>& was,
                                          nic::Nic& nic) {
  if (!may_change(w)) return std::nullopt;
  const auto is = read_bytes(nic, w.address, w.bytes);
  const auto at = std::ranges::mismatch(was, is).in1;
  if (at == was.end()) return std::nullopt;
  return w.address + static_cast<std::uint32_t>(at - was.begin());
}

}  // namespace

bool Watchpoints::contains(const Watchpoint& w) const {
  return std::ranges::find(all_, w) != all_.end();
}

std::uint32_t Watchpoints::bytes() const {
  std::uint32_t sum = 0;
  for (const Watchpoint& w : all_) sum += w.bytes;
  return sum;
}

bool Watchpoints::add(const Watchpoint& w) {
  if (contains(w)) return true;
  if (all_.size() == kMost || w.bytes > kMostBytes - bytes()) return false;
  all_.push_back(w);
  return true;
}

void Watchpoints::remove(const Watchpoint& w) { std::erase(all_, w); }

void Watchpoints::before_cycle(const std::vector<nic::Nic*>& nics) {
  before_.clear();
  if (empty()) return;
  before_.resize(nics.size());
  for (NodeId node = 0; node < nics.size(); ++node) {
    nic::Nic& nic = *nics[node];
    before_[node].access = nic.core()->next_access();
    before_[node].instructions = nic.instructions();
    before_[node].contents.resize(all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!may_change(all_[i])) continue;
      before_[node].contents[i] = read_bytes(nic, all_[i].address, all_[i].bytes);
    }
  }
}

std::vector<Watchpoints::Hit> Watchpoints::after_cycle(const std::vector<nic::Nic*>& nics) {
  std::vector<Hit> hits;
  for (NodeId node = 0; node < before_.size(); ++node) {
    // The core executes at most one instruction in a cycle, unless an interrupt comes before it.
    const Before& before = before_[node];
    const bool executed = nics[node]->instructions() > before.instructions;
    const std::size_t first = hits.size();
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Watchpoint& w = all_[i];
      std::optional<std::uint32_t> address;
      if (executed && before.access) address = first_byte(w, *before.access);
      if (!address) address = first_change(w, before.contents[i], *nics[node]);
      // A debugger looks for all watchpoints of an address.
      const bool known =
          std::any_of(hits.begin() + static_cast<std::ptrdiff_t>(first), hits.end(),
                      [&w](const Hit& h) { return h.address - w.address < w.bytes; });
      if (address && !known) hits.push_back({node, w, *address});
    }
  }
  before_.clear();
  return hits;
}

std::optional<Watchpoints::Hit> Watchpoints::find(NodeId node, const nic::BusAccess& access) const {
  for (const Watchpoint& w : all_) {
    if (const auto address = first_byte(w, access)) return Hit{node, w, *address};
  }
  return std::nullopt;
}

}  // namespace annelid::simulation
