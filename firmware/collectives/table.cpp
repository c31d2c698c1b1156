// Finds the collective that a call asks for.
#include "firmware/collectives/collective.hpp"

// Their declarations, and then the table itself.
#define COLLECTIVE(operation, algorithm, name)            \
  namespace annelid::firmware::name {                     \
  CallResult check(const annelid::firmware::Context& me); \
  Task run(annelid::firmware::Context& me);               \
  }
#include "firmware/collectives/table.inc"
#undef COLLECTIVE

namespace annelid::firmware {
namespace {

#define COLLECTIVE(operation, algorithm, name) {operation, algorithm, name::check, name::run},
constexpr Collective kCollectives[] = {
#include "firmware/collectives/table.inc"
};
#undef COLLECTIVE

constexpr std::uint32_t kMaxTag = 0xFFFF;

}  // namespace

CallResult serve(Context& me, std::optional<Task>& task) {
  const Call& call = me.call();
  CallResult result = CallResult::kUnknownOperation;
  for (const Collective& collective : kCollectives) {
    if (collective.operation != call.operation()) continue;
    result = CallResult::kUnknownAlgorithm;
    if (collective.algorithm != call.algorithm()) continue;
    if (call.tag() > kMaxTag || !is_type(call.word(reg::CallWord::kType)))
      return CallResult::kBadArgument;
    result = collective.check(me);
    if (result == CallResult::kSuccess) task.emplace(collective.run(me));
    return result;
  }
  return result;
}

}  // namespace annelid::firmware
