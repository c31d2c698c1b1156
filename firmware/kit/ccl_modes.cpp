// Barrier mode, and the word of the modes.
#include "firmware/kit/ccl_modes.hpp"

#include "firmware/kit/ccl_words.hpp"

namespace annelid::firmware {

// `annelid firmware run` finds it by its name.
extern "C" {
unsigned ccl_modes_word = CCL_BARRIER | CCL_RUN;
}

namespace kit {
namespace {

/// A binomial tree that carries nothing.
int empty(const Group& group, reg::Operation operation, std::uint32_t root) {
  if (group.size() == 1) return kSuccess;
  const Words words{{reg::CallWord::kOperation, static_cast<std::uint32_t>(operation)},
                    {reg::CallWord::kRoot, root},
                    {reg::CallWord::kType, static_cast<std::uint32_t>(reg::Type::kUint32)},
                    {reg::CallWord::kOperator, static_cast<std::uint32_t>(reg::Operator::kOr)}};
  return call(words, group, serve_by<binomial::check, binomial::run>);
}

}  // namespace

bool barrier_mode() { return (ccl_modes_word & CCL_NON_BARRIER) == 0; }
bool develop_mode() { return (ccl_modes_word & CCL_DEVELOP) != 0; }

int sync_in(const Group& group, std::uint32_t dest) {
  return empty(group, reg::Operation::kReduce, dest);
}
int sync_out(const Group& group, std::uint32_t orig) {
  return empty(group, reg::Operation::kBroadcast, orig);
}
int whole_barrier(const Group& group) {
  const Words words{
      {reg::CallWord::kOperation, static_cast<std::uint32_t>(reg::Operation::kBarrier)}};
  return call(words, group, serve_by<dissemination_barrier::check, dissemination_barrier::run>);
}

int before_fan_out(const Group& group, std::uint32_t orig) {
  return barrier_mode() ? sync_in(group, orig) : kSuccess;
}
int after_fan_in(const Group& group, std::uint32_t dest, int result) {
  return barrier_mode() && result == kSuccess ? sync_out(group, dest) : result;
}

}  // namespace kit
}  // namespace annelid::firmware

extern "C" void ccl_modes(unsigned modes) { annelid::firmware::ccl_modes_word = modes; }
