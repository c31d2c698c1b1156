#include "firmware/collectives/intercom/choice.hpp"

#include "firmware/collectives/intercom/rule.hpp"
#include "firmware/collectives/intercom/tuned_hybrids.hpp"
#include "firmware/platform/node.hpp"

namespace annelid::firmware::intercom {

extern template HybridWords choose_hybrid<HostTimes>(Operation, const Extents&, std::uint32_t,
                                                     bool);  // native_rule.cpp

namespace {

bool combines(Operation operation) {
  return operation == Operation::kReduce || operation == Operation::kAllReduce ||
         operation == Operation::kReduceScatter;
}

/// Whether a call takes the time of the NICs and routers alone: with native firmware, and if it is
/// prepared, because then the NICs play it.
bool takes_no_time([[maybe_unused]] Context& me) {
#ifdef __riscv
  return me.node().recording();
#else
  return true;
#endif
}

}  // namespace

Extents::Extents(const Group& group, std::uint32_t parameter_2, std::uint32_t ranks) {
  const SubmeshSizes submesh = group.submesh();
  for (std::uint32_t i = 0; i < submesh.count(); ++i) add(submesh[i]);
  if (submesh.count() > 0) return;
  const bool by_rows =
      group.is_all() && (parameter_2 & 0xFF) == static_cast<std::uint32_t>(Ranks::Embedding::kRows);
  const Topology& network = group.topology();
  const std::uint32_t row = network.x().value(), rows = network.x().quotient(ranks);
  if (!by_rows || rows * row != ranks) {
    add(ranks);
    return;
  }
  add(row);
  const std::uint32_t column = network.y().value(), planes = network.y().quotient(rows);
  if (planes * column == rows) {
    add(column);
    add(planes);
  } else {
    add(rows);
  }
}

template HybridWords choose_hybrid<CoreTimes>(Operation, const Extents&, std::uint32_t, bool);

void choose_unless_named(Context& me, std::uint32_t ranks, std::uint32_t bytes) {
  const Call& call = me.call();
  if (is_named(call)) return;
  const Operation operation = call.operation();
  const bool in_order =
      combines(operation) &&
      call.operator_code() == static_cast<std::uint32_t>(reg::CoreOperator::kAffine);
  const Extents extents(me.group(), call.parameter(2), ranks);
  const bool native = takes_no_time(me);
  HybridWords words;
  if (!in_order) {
    const bool rings = me.group().topology().has_rings();
    const HybridKey key = hybrid_key(native, operation, rings, extents[0], extents[1], extents[2]);
    words = find_hybrid(kBuiltInHybrids, key, bytes);
  }
  if (words.flags == 0) {
    words = native ? choose_hybrid<HostTimes>(operation, extents, bytes, in_order)
                   : choose_hybrid<CoreTimes>(operation, extents, bytes, in_order);
  }
  me.choose_hybrid(words.sizes, words.flags | call.word(reg::CallWord::kFlags));
}

}  // namespace annelid::firmware::intercom
