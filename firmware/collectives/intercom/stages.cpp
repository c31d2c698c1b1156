#include "firmware/collectives/intercom/stages.hpp"

#include "firmware/platform/stop.hpp"

namespace annelid::firmware::intercom {
namespace {

using enum Block;

/// An operation's blocks: stage 1 of the long vector algorithm, the short vector algorithm, stage 2
/// of the long vector algorithm.
struct Template {
  reg::Operation operation;
  Block enter, last[2], leave;
};
constexpr Template kTemplates[] = {
    {reg::Operation::kBroadcast, kScatter, {kBroadcast, kNone}, kCollect},
    {reg::Operation::kScatter, kScatter, {kScatter, kNone}, kNone},
    {reg::Operation::kGather, kNone, {kGather, kNone}, kGather},
    {reg::Operation::kAllGather, kNone, {kGather, kBroadcast}, kCollect},
    {reg::Operation::kReduce, kDistributedCombine, {kReduce, kNone}, kGather},
    {reg::Operation::kAllReduce, kDistributedCombine, {kReduce, kBroadcast}, kCollect},
    {reg::Operation::kReduceScatter, kDistributedCombine, {kReduce, kScatter}, kNone},
};

const Template& template_of(reg::Operation operation) {
  for (const Template& t : kTemplates) {
    if (t.operation == operation) return t;
  }
  stop("InterCom does not have this operation");
}

}  // namespace

Stages::Stages(reg::Operation operation, std::uint32_t dimensions, bool is_short)
    : dimensions_(dimensions) {
  const Template& t = template_of(operation);
  const std::uint32_t by_long = is_short ? dimensions - 1 : dimensions;
  enter_ = t.enter;
  leave_ = t.leave;
  last_[0] = t.last[0];
  last_[1] = t.last[1];
  enters_ = enter_ == kNone ? 0 : by_long;
  leaves_ = leave_ == kNone ? 0 : by_long;
  in_last_ = !is_short ? 0 : last_[1] == kNone ? 1 : 2;
}

Stage Stages::operator[](std::uint32_t i) const {
  if (i < enters_) return {enter_, i};
  i -= enters_;
  if (i < in_last_) return {last_[i], dimensions_ - 1};
  return {leave_, leaves_ - 1 - (i - in_last_)};
}

}  // namespace annelid::firmware::intercom
