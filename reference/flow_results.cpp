// combined() of data flows: reference/operations.hpp.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "reference/operations.hpp"
#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

/// Whose blocks a rank's result must have.
Combinations::Run run_of(Operation operation, int rank, int ranks) {
  if (operation == Operation::kScan) return {0, rank + 1};
  if (operation == Operation::kExscan) return {0, rank};
  return {0, ranks};
}

bool holds(const Combinations& values, int value, Combinations::Run run) {
  if (const auto in_order = values.in_order(value)) return *in_order == run;
  std::vector<int> ranks = values.operands_of(value);
  std::ranges::sort(ranks);
  if (static_cast<int>(ranks.size()) != run.end - run.first) return false;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != run.first + static_cast<int>(i)) return false;
  }
  return true;
}

void require_blocks(const Inputs& in, const DataFlow& flow, Operator op) {
  for (const FlowResult& result : flow.results) {
    const std::string who = "the result of rank " + std::to_string(result.first_rank);
    const bool scans = in.operation == Operation::kScan || in.operation == Operation::kExscan;
    const bool alike = !scans || result.end_rank == result.first_rank + 1;
    if (!alike ||
        !holds(flow.values, result.value, run_of(in.operation, result.first_rank, flow.ranks()))) {
      throw std::invalid_argument(who + " does not have the blocks of a " +
                                  std::string(name_of(in.operation)) + ", each of them once");
    }
    if (!commutes(op) && !flow.values.in_order(result.value)) {
      throw std::invalid_argument(who + " is not combined in the order of the ranks, and " +
                                  std::string(name_of(op)) + " does not commute");
    }
  }
}

/// Results by the parts that they have.
using Runs = std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<FlowResult>>;

Runs runs_of(const DataFlow& flow) {
  Runs runs;
  for (const FlowResult& result : flow.results) {
    runs[{result.first, result.end}].push_back(result);
  }
  return runs;
}

}  // namespace

std::vector<Bytes> combined(const Inputs& in, const DataFlow& flow, Operator op, ElementType type) {
  require_blocks(in, flow, op);
  std::vector<std::size_t> number;  // of the node of each rank
  for (const Node node : members(in.network, in.ranks)) {
    number.push_back(at(index_of(in.network, node)));
  }
  std::vector<Bytes> results(at(in.network.nodes()));
  for (const FlowResult& r : flow.results) {
    for (int rank = r.first_rank; rank < r.end_rank; ++rank) {
      results[number[at(rank)]].resize(in.bytes);
    }
  }
  constexpr std::uint64_t kPiece = 4096;  // bytes that are worked on at a time; whole elements
  const Parts parts(in.bytes, flow.parts);
  for (const auto& [run, of_run] : runs_of(flow)) {
    std::vector<int> wanted;
    for (const FlowResult& r : of_run) wanted.push_back(r.value);
    const std::uint64_t end = parts.begin(run.second);
    for (std::uint64_t from = parts.begin(run.first); from < end; from += kPiece) {
      const auto first = static_cast<std::ptrdiff_t>(from);
      const auto last = static_cast<std::ptrdiff_t>(std::min(end, from + kPiece));
      const auto values = flow.values.evaluated<Bytes>(
          wanted,
          [&](int rank) {
            const Bytes& source = in.source[number[at(rank)]];
            return Bytes(source.begin() + first, source.begin() + last);
          },
          [&](Bytes left, const Bytes& right) {
            combine(op, type, left, right);
            return left;
          });
      for (const FlowResult& r : of_run) {
        for (int rank = r.first_rank; rank < r.end_rank; ++rank) {
          std::ranges::copy(values[at(r.value)], results[number[at(rank)]].begin() + first);
        }
      }
    }
  }
  return results;
}

}  // namespace annelid::reference
