#include "reference/all_ports_rows.hpp"

#include <algorithm>
#include <array>

#include "reference/all_ports/disjoint_trees.hpp"
#include "reference/all_ports/port_rings.hpp"
#include "reference/combs/combs.hpp"
#include "reference/operations.hpp"
#include "reference/rings/all_gather.hpp"
#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

bool for_every_network(const Network&) { return true; }
/// Later phases of all-gather and reduce-scatter send several pieces to one neighbour in a step.
bool at_most_one_dimension(const Network& net) {
  const auto sizes = net.size();
  return std::ranges::count_if(sizes, [](int size) { return size > 1; }) <= 1;
}

Schedule trees_broadcast(const Request& r) {
  return disjoint_trees_broadcast(r.network, r.root, r.bytes, r.parameter);
}
Schedule trees_reduction(const Request& r) {
  return disjoint_trees_reduction(r.network, r.root, r.bytes, r.parameter);
}
Schedule rings_all_gather(const Request& r) { return port_rings_all_gather(r.network, r.bytes); }
Schedule rings_all_reduce(const Request& r) { return port_rings_all_reduce(r.network, r.bytes); }
Schedule rings_reduce_scatter(const Request& r) {
  return port_rings_reduce_scatter(r.network, r.bytes);
}
Schedule combs_schedule(const Request& r) {
  return combs_all_reduce(r.network, r.bytes, r.parameter);
}

std::vector<Bytes> trees_results(const Inputs& in, const Request& r, Operator op,
                                 ElementType type) {
  std::vector<Bytes> results(in.source.size());
  results[at(index_of(r.network, r.root))] =
      disjoint_trees_result(r.network, r.root, in.source, op, type);
  return results;
}
std::vector<Bytes> rings_all_reduce_results(const Inputs& in, const Request& r, Operator op,
                                            ElementType type) {
  return {in.source.size(), port_rings_all_reduce_result(r.network, in.source, op, type)};
}
std::vector<Bytes> combs_results(const Inputs& in, const Request& r, Operator op,
                                 ElementType type) {
  return {in.source.size(), combs_result(r.network, in.source, op, type)};
}
std::vector<Bytes> rings_reduce_scatter_results(const Inputs& in, const Request& r, Operator op,
                                                ElementType type) {
  return port_rings_reduce_scatter_results(r.network, r.bytes, in.source, op, type);
}

constexpr Algorithm trees_row(Operation operation, decltype(Algorithm::schedule) schedule) {
  return {operation,
          "disjoint-trees",
          31,
          "networks with at most two dimensions of more than one node",
          disjoint_trees_support,
          schedule,
          for_every_network};
}
constexpr Algorithm rings_row(Operation operation, decltype(Algorithm::schedule) schedule) {
  return {operation, "port-rings",         32, "networks of up to 4096 nodes", squares_supports,
          schedule,  at_most_one_dimension};
}
constexpr Algorithm with_results(Algorithm row, decltype(Algorithm::results) results) {
  row.results = results;
  return row;
}

using enum Operation;
constexpr auto kAllPortsRows = std::to_array<Algorithm>({
    trees_row(kBroadcast, trees_broadcast),
    with_results(trees_row(kReduce, trees_reduction), trees_results),
    rings_row(kAllGather, rings_all_gather),
    with_results({kAllReduce, "port-rings", 32, "every network", for_every_network,
                  rings_all_reduce, for_every_network},
                 rings_all_reduce_results),
    with_results(
        {kAllReduce, "combs", 38, "meshes", combs_support, combs_schedule, for_every_network},
        combs_results),
    with_results(rings_row(kReduceScatter, rings_reduce_scatter), rings_reduce_scatter_results),
});

}  // namespace

std::span<const Algorithm> all_ports_rows() { return kAllPortsRows; }

}  // namespace annelid::reference
