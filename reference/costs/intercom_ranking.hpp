// Ranks hybrids by their exact cost. The paper has "not had a chance to fully study" the choice
// (Barnett and others 1994, Section 6).
#pragma once

#include "reference/costs/intercom_cost.hpp"
#include "reference/intercom/submesh.hpp"

namespace annelid::reference::intercom {

/// Returns all hybrids of p ranks: all factorizations, near and far dimensions first, both
/// templates. Hybrids with the same messages appear once.
std::vector<Hybrid> hybrids_of(Collective collective, int p);

/// Returns the hybrids whose dimensions lie within the dimensions of a submesh each: the
/// factorizations of its sizes one behind the other, the submesh's nearest dimension first with
/// near dimensions first, and its farthest dimension first with far dimensions first. So buckets
/// take (r + c - 2) alpha on r x c nodes (Section 7.1). With the short template, the last dimension
/// may also consist of several of these factors: then the short vector algorithm works in a part of
/// the submesh, or in all of it, as in a linear array.
std::vector<Hybrid> hybrids_of(Collective collective, const Submesh& submesh);

struct Ranked {
  Hybrid hybrid;
  double time;                  ///< time_of() its schedule
  std::vector<int> contention;  ///< stage_contention() of its schedule
};

/// Returns the hybrids, the fastest first; of equally fast ones, in the order given. Rank r is at
/// nodes[r]. Throws as schedule_of() and loads_of().
std::vector<Ranked> ranking(const Call& call, const std::vector<Hybrid>& hybrids,
                            const Network& net, const std::vector<Node>& nodes,
                            const Machine& machine);

}  // namespace annelid::reference::intercom
