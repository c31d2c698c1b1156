#include "reference/costs/intercom_cost.hpp"

#include <algorithm>

namespace annelid::reference::intercom {
namespace {

double doublings(int p) {
  int count = 0;
  for (std::int64_t reached = 1; reached < p; reached *= 2) ++count;
  return count;
}

}  // namespace

Terms terms_of(Primitive primitive, int p) {
  const double steps = doublings(p), others = p - 1, share = others / p;
  switch (primitive) {
    case Primitive::kMstBroadcast:
      return {steps, steps, 0};
    case Primitive::kMstCombineToOne:
      return {steps, steps, steps};
    case Primitive::kMstScatter:
    case Primitive::kMstGather:
      return {steps, share, 0};
    case Primitive::kBucketCollect:
      return {others, share, 0};
    case Primitive::kDistributedCombine:
      return {others, share, share};
  }
  throw std::invalid_argument("no building block of InterCom");
}

Terms hybrid_terms(Collective collective, Template form, const std::vector<int>& sizes,
                   const std::vector<int>& contention) {
  const std::vector<Stage> stages = stages_of(collective, form, sizes.size());
  Terms sum;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const auto [primitive, dimension] = stages[s];
    double share = 1;  // of the vector, in this dimension
    for (std::size_t i = 0; i < dimension; ++i) share /= sizes[i];
    const Terms alone = terms_of(primitive, sizes[dimension]);
    sum.starts += alone.starts;
    sum.volume += alone.volume * share * contention.at(s);
    sum.combined += alone.combined * share;
  }
  return sum;
}

Terms hybrid_terms(Collective collective, Template form, const std::vector<int>& sizes) {
  std::vector<int> contention;
  for (const Stage& stage : stages_of(collective, form, sizes.size())) {
    int nearer = 1;
    for (std::size_t i = 0; i < stage.dimension; ++i) nearer *= sizes[i];
    contention.push_back(nearer);
  }
  return hybrid_terms(collective, form, sizes, contention);
}

double time_of(const Machine& machine, const std::vector<StepLoad>& loads) {
  double time = 0;
  for (const StepLoad& load : loads) {
    const double channel = static_cast<double>(load.channel_bytes) / machine.messages_per_channel;
    const double bytes = std::max(channel, static_cast<double>(load.port_bytes));
    time += machine.alpha + machine.beta * bytes +
            machine.gamma * static_cast<double>(load.combined_bytes);
  }
  return time;
}

}  // namespace annelid::reference::intercom
