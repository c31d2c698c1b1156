// The choices of the program: for a call, for a group, and for itself. CCL, Section 4.2 (Bala and
// others 1995), calls its algorithms tunable; here all parameters of all algorithms are.
#include "firmware/kit/ccl.hpp"
#include "firmware/kit/choice.hpp"
#include "firmware/kit/trade_off.hpp"
#include "firmware/kit/used.hpp"

namespace annelid::firmware::kit {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

/// A choice that holds until another one takes its place.
struct Standing {
  bool taken = false;
  pgid group = NO_GROUP;  ///< NO_GROUP: for all groups
  unsigned operation = 0;
  nic_choice choice{};
};
constexpr std::uint32_t kStanding = 32;
Standing standing[kStanding];

bool has_next = false;
nic_choice next;

bool is_collective(unsigned operation) {
  switch (static_cast<Operation>(operation)) {
    case Operation::kBroadcast:
    case Operation::kReduce:
    case Operation::kAllReduce:
    case Operation::kScatter:
    case Operation::kGather:
    case Operation::kAllGather:
    case Operation::kAllToAll:
    case Operation::kReduceScatter:
    case Operation::kScan:
    case Operation::kShift:
    case Operation::kBarrier:
      return true;
    default:
      return false;
  }
}

Standing* find(unsigned operation, pgid group) {
  for (Standing& one : standing) {
    if (one.taken && one.operation == operation && one.group == group) return &one;
  }
  return nullptr;
}

/// A place for a choice; that of a group that there is no more, if there is no other.
Standing* free_place() {
  for (Standing& one : standing) {
    if (!one.taken) return &one;
  }
  for (Standing& one : standing) {
    if (one.group != NO_GROUP && find_group(one.group) == nullptr) return &one;
  }
  return nullptr;
}

int keep(unsigned operation, pgid group, const nic_choice* choice) {
  if (!is_collective(operation)) return number_of(CallResult::kUnknownOperation);
  Standing* place = find(operation, group);
  if (choice == nullptr) {
    if (place != nullptr) place->taken = false;
    return kSuccess;
  }
  const auto algorithm = static_cast<Algorithm>(choice->algorithm);
  if (algorithm != Algorithm::kNone && !has_used(static_cast<Operation>(operation), algorithm)) {
    return number_of(CallResult::kUnknownAlgorithm);
  }
  if (place == nullptr) place = free_place();
  if (place == nullptr) return kNoRoom;
  *place = {true, group, operation, *choice};
  return kSuccess;
}

bool has_costs(const nic_costs& costs) {
  return (costs.start_up | costs.transfer | costs.load) != 0;
}

}  // namespace

bool take_choice(Operation operation, pgid group, nic_choice& choice) {
  if (has_next) {
    has_next = false;
    choice = next;
    return true;
  }
  const auto code = static_cast<unsigned>(operation);
  const Standing* found = group == NO_GROUP ? nullptr : find(code, group);
  if (found == nullptr) found = find(code, NO_GROUP);
  if (found == nullptr) return false;
  choice = found->choice;
  return true;
}

CallResult complete_choice(Operation operation, std::uint32_t ranks, std::uint64_t bytes,
                           nic_choice& choice) {
  if (choice.algorithm != static_cast<unsigned>(Algorithm::kNone)) return CallResult::kSuccess;
  if ((choice.parameter[0] | choice.parameter[1] | choice.parameter[2] | choice.flags) != 0) {
    return CallResult::kBadArgument;  // parameters of no algorithm
  }
  if (!has_costs(choice.costs)) return CallResult::kSuccess;
  choose_by_costs(operation, ranks, bytes, choice);
  const bool found = choice.algorithm != static_cast<unsigned>(Algorithm::kNone);
  return found ? CallResult::kSuccess : CallResult::kUnknownAlgorithm;
}

CallResult serve_chosen(Context& me, std::optional<Task>& task) { return serve_used(me, task); }

}  // namespace annelid::firmware::kit

using namespace annelid::firmware::kit;

extern "C" {

int nic_tune(unsigned operation, const nic_choice* choice) {
  return keep(operation, NO_GROUP, choice);
}

void nic_tune_next(const nic_choice* choice) {
  has_next = choice != nullptr;
  if (has_next) next = *choice;
}

int ccl_tune(pgid G, unsigned operation, const nic_choice* choice) {
  return find_group(G) == nullptr ? kNoSuchGroup : keep(operation, G, choice);
}

nic_choice nic_by_hybrid(unsigned dimensions, const unsigned* sizes, int is_long, int far_first) {
  constexpr unsigned kLong = 1, kFarFirst = 2, kNamed = 4, kFlagBits = 8, kWidthBits = 4;
  nic_choice choice = nic_by(NIC_BY_INTERCOM);
  choice.flags = kNamed | (is_long != 0 ? kLong : 0) | (far_first != 0 ? kFarFirst : 0);
  // The last size follows from the others and from the number of ranks.
  unsigned at = 0;
  for (unsigned i = 0; i + 1 < dimensions; ++i) {
    unsigned width = 0;
    while (width < 32 && sizes[i] >> width != 0) ++width;
    // What does not fit its words is a hybrid that every call refuses.
    if (i > 5 || width > 15 || at + width > 32) return nic_by_packets(NIC_BY_INTERCOM, ~0U);
    choice.parameter[1] |= sizes[i] << at;
    choice.flags |= width << (kFlagBits + kWidthBits * i);
    at += width;
  }
  return choice;
}

}  // extern "C"
