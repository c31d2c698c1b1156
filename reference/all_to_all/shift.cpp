#include "reference/all_to_all/shift.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

/// Where each rank's block goes over the network; -1 if it does not leave the rank.
std::vector<int> next_ranks(const Request& r, int ranks) {
  const Shift shift = shift_of(r.parameter, r.parameter_0);
  std::vector<int> next(at(ranks), -1);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::optional<int> to = shift.destination(ranks, rank);
    if (to && *to != rank) next[at(rank)] = *to;
  }
  return next;
}

/// Walks from `first` along a row or around a cycle, and puts each message into its step: those of
/// even positions into the first, those of odd ones into the second. A message that closes a cycle
/// of odd length would meet its receiver in a step in which that one sends, so it is in the third.
void add_row(const std::vector<int>& next, const std::vector<Node>& nodes, std::uint64_t bytes,
             int first, std::vector<bool>& walked, Schedule& schedule) {
  int rank = first;
  for (std::size_t position = 0; rank != -1 && !walked[at(rank)]; ++position) {
    walked[at(rank)] = true;
    const int to = next[at(rank)];
    if (to != -1) {
      const bool closes_odd_cycle = to == first && position % 2 == 0;
      const std::size_t step = closes_odd_cycle ? 2 : position % 2;
      schedule.steps[step].push_back({nodes[at(rank)], nodes[at(to)], bytes});
    }
    rank = to;
  }
}

}  // namespace

std::optional<int> Shift::destination(int ranks, int rank) const {
  const std::int64_t to = std::int64_t{rank} + steps;
  if (0 <= to && to < ranks) return static_cast<int>(to);
  if (with_ends) return std::nullopt;
  const std::int64_t rest = to % ranks;  // of the sign of `to`
  return static_cast<int>(rest < 0 ? rest + ranks : rest);
}

Shift shift_of(std::uint32_t parameter, std::uint32_t parameter_0) {
  if (parameter_0 > 1) {
    throw std::invalid_argument("PARAMETER_0 of a shift is " + std::to_string(parameter_0) +
                                ", expected 0 (cyclic) or 1 (with ends)");
  }
  return {static_cast<std::int32_t>(parameter), parameter_0 == 1};
}

Schedule shift_by_send_receive(const Request& r) {
  require(r.network, {});
  const std::vector<Node> nodes = members(r.network, r.ranks);
  const std::vector<int> next = next_ranks(r, static_cast<int>(nodes.size()));
  Step step;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    if (next[rank] != -1) step.push_back({nodes[rank], nodes[at(next[rank])], r.bytes});
  }
  Schedule schedule;
  if (!step.empty()) schedule.steps.push_back(std::move(step));
  return schedule;
}

Schedule shift_by_even_odd(const Request& r) {
  require(r.network, {});
  const std::vector<Node> nodes = members(r.network, r.ranks);
  const std::vector<int> next = next_ranks(r, static_cast<int>(nodes.size()));
  std::vector<bool> receives(nodes.size()), walked(nodes.size());
  for (const int to : next) {
    if (to != -1) receives[at(to)] = true;
  }
  Schedule schedule;
  schedule.steps.resize(3);
  const auto add = [&](std::size_t first) {
    add_row(next, nodes, r.bytes, static_cast<int>(first), walked, schedule);
  };
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    if (!receives[rank]) add(rank);
  }
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) add(rank);  // the cycles are left
  while (!schedule.steps.empty() && schedule.steps.back().empty()) schedule.steps.pop_back();
  return schedule;
}

}  // namespace annelid::reference
