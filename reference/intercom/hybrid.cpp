#include "reference/intercom/hybrid.hpp"

#include <optional>
#include <stdexcept>

namespace annelid::reference::intercom {
namespace {

/// A row of Figure 3's template.
struct Algorithms {
  std::optional<Primitive> stage_1;
  std::vector<Primitive> short_vector;
  std::optional<Primitive> stage_2;
};

/// The short vector algorithms of Section 5.1, and the two stages of the long vector algorithms of
/// Section 5.2.
Algorithms algorithms_of(Collective collective) {
  using enum Primitive;
  switch (collective) {
    case Collective::kBroadcast:
      return {kMstScatter, {kMstBroadcast}, kBucketCollect};
    case Collective::kScatter:
      return {kMstScatter, {kMstScatter}, {}};
    case Collective::kGather:
      return {{}, {kMstGather}, kMstGather};
    case Collective::kCollect:
      return {{}, {kMstGather, kMstBroadcast}, kBucketCollect};
    case Collective::kCombineToOne:
      return {kDistributedCombine, {kMstCombineToOne}, kMstGather};
    case Collective::kCombineToAll:
      return {kDistributedCombine, {kMstCombineToOne, kMstBroadcast}, kBucketCollect};
    case Collective::kDistributedCombine:
      return {kDistributedCombine, {kMstCombineToOne, kMstScatter}, {}};
  }
  throw std::invalid_argument("no collective operation of InterCom");
}

/// Figure 3, from dimension i on.
void append_stages(const Algorithms& algorithms, Template form, std::size_t i,
                   std::size_t dimensions, std::vector<Stage>& stages) {
  if (i == dimensions) return;
  if (form == Template::kShort && i + 1 == dimensions) {
    for (Primitive p : algorithms.short_vector) stages.push_back({p, i});
    return;
  }
  if (algorithms.stage_1) stages.push_back({*algorithms.stage_1, i});
  append_stages(algorithms, form, i + 1, dimensions, stages);
  if (algorithms.stage_2) stages.push_back({*algorithms.stage_2, i});
}

}  // namespace

std::string_view name_of(Collective collective) {
  constexpr std::array<std::string_view, kCollectives.size()> kNames{
      "broadcast",          "scatter", "gather", "collect", "combine-to-one", "combine-to-all",
      "distributed combine"};
  return kNames.at(static_cast<std::size_t>(collective));
}

std::vector<Stage> stages_of(Collective collective, Template form, std::size_t dimensions) {
  std::vector<Stage> stages;
  append_stages(algorithms_of(collective), form, 0, dimensions, stages);
  return stages;
}

std::string letters(const std::vector<Stage>& stages) {
  std::string text;
  for (const Stage& s : stages) text += letter(s.primitive);
  return text;
}

}  // namespace annelid::reference::intercom
