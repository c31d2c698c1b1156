#include "reference/pipelines/linear_pipeline.hpp"

#include "reference/schedule/index.hpp"

namespace annelid::reference {

StreamTrees linear_pipeline(int ranks, int root, int packets) {
  StreamTree tree = unlinked_tree(ranks, packets);
  for (int r = 1; r < ranks; ++r) {
    tree.parent[at((root + r) % ranks)] = (root + r - 1) % ranks;
    tree.arrival[at((root + r) % ranks)] = r;
  }
  return {{tree}, 1};
}

DataFlow linear_pipeline_scan(int ranks, int packets, bool exclusive) {
  // A tree in which every rank is the left child of the next: what goes up is all that is needed.
  ScanTree tree{{}, {}, {}, 0, static_cast<std::uint64_t>(packets)};
  for (int r = 0; r < ranks; ++r) {
    tree.parent.push_back(r + 1 < ranks ? r + 1 : -1);
    tree.up.push_back(r + 1);
    tree.down.push_back(0);
  }
  return scan_streams({tree}, 1, exclusive);
}

}  // namespace annelid::reference
