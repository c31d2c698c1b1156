#include "reference/intercom/line.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "reference/trees/halving.hpp"

namespace annelid::reference::intercom {
namespace {

/// The holder's half is never the shorter. The receiver is the member of the other half that is
/// next to it: then messages of a step have no channel in common.
LineSteps mst_scatter_steps(int members, int root) {
  LineSteps steps;
  for (const auto& halvings : halved_line_keeping_more(members, root)) {
    auto& step = steps.emplace_back();
    for (const Halving& h : halvings) step.push_back({h.from, h.to, h.first, h.first + h.length});
  }
  return steps;
}

LineSteps mst_broadcast_steps(int members, int root) {
  LineSteps steps = mst_scatter_steps(members, root);
  for (auto& step : steps) {
    for (LineMessage& m : step) {
      m.first = 0;
      m.end = members;
    }
  }
  return steps;
}

/// In step t, member c passes on what it received in step t - 1; in step 1, its own piece.
LineSteps bucket_collect_steps(int members) {
  LineSteps steps;
  for (int t = 1; t < members; ++t) {
    std::vector<LineMessage> step;
    for (int c = 0; c < members; ++c) {
      const int piece = (c - t + 1 + members) % members;
      step.push_back({c, (c + 1) % members, piece, piece + 1});
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

LineSteps in_reverse(LineSteps steps) {
  std::ranges::reverse(steps);
  for (auto& step : steps) {
    for (LineMessage& m : step) std::swap(m.from, m.to);
  }
  return steps;
}

LineSteps unsorted_steps(Primitive primitive, int members, int root) {
  switch (primitive) {
    case Primitive::kMstBroadcast:
      return mst_broadcast_steps(members, root);
    case Primitive::kMstCombineToOne:
      return in_reverse(mst_broadcast_steps(members, root));
    case Primitive::kMstScatter:
      return mst_scatter_steps(members, root);
    case Primitive::kMstGather:
      return in_reverse(mst_scatter_steps(members, root));
    case Primitive::kBucketCollect:
      return bucket_collect_steps(members);
    case Primitive::kDistributedCombine:
      return in_reverse(bucket_collect_steps(members));
  }
  throw std::invalid_argument("no building block of InterCom");
}

}  // namespace

char letter(Primitive primitive) { return "MRSGCD"[static_cast<std::size_t>(primitive)]; }

LineSteps line_steps(Primitive primitive, int members, int root) {
  if (members < 1) {
    throw std::invalid_argument("a line of " + std::to_string(members) +
                                " members: expected 1 or more");
  }
  if (root < 0 || root >= members) {
    throw std::invalid_argument("root " + std::to_string(root) + " of a line of " +
                                std::to_string(members) + " members: expected 0 .. " +
                                std::to_string(members - 1));
  }
  LineSteps steps = unsorted_steps(primitive, members, root);
  for (auto& step : steps) std::ranges::sort(step, {}, &LineMessage::from);
  return steps;
}

}  // namespace annelid::reference::intercom
