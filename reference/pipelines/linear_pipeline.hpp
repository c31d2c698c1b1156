// The linear pipeline that 2Tree compares with (Sections 2 and 6): each rank passes packets on to
// the next.
#pragma once

#include "reference/pipelines/stream_tree.hpp"

namespace annelid::reference {

/// Takes ranks - 2 + packets steps.
StreamTrees linear_pipeline(int ranks, int root, int packets);
/// Packets go from every rank to the next.
DataFlow linear_pipeline_scan(int ranks, int packets, bool exclusive);

}  // namespace annelid::reference
