#include "reference/groups/one_sided.hpp"

#include "reference/pipelines/stream_tree.hpp"
#include "reference/schedule/data_flow.hpp"
#include "reference/schedule/parts.hpp"
#include "reference/trees/binomial.hpp"

namespace annelid::reference {
namespace {

StreamTrees binomial_tree_of(const Request& r) {
  require(r.network, r.root);
  return binomial_tree(rank_count(r.network, r.ranks), rank_of(r.network, r.ranks, r.root));
}

/// The messages of an operation along a tree, without their bytes.
Schedule without_bytes(const Request& r, const DataFlow& flow) {
  return schedule_of(placed(flow, members(r.network, r.ranks)), {0, flow.parts});
}

}  // namespace

Schedule sync_in(const Request& r) {
  return without_bytes(r, reduction_streams(binomial_tree_of(r)));
}
Schedule sync_out(const Request& r) {
  return without_bytes(r, broadcast_streams(binomial_tree_of(r)));
}

}  // namespace annelid::reference
