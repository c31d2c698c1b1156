#include "firmware/collectives/buffers/blocks.hpp"

namespace annelid::firmware {

CallResult check_blocks(const Context& me, std::uint32_t at_source, std::uint32_t at_target) {
  const Call& call = me.call();
  const std::uint64_t source = std::uint64_t{call.bytes()} * at_source;
  const std::uint64_t target = std::uint64_t{call.bytes()} * at_target;
  const bool good = call.bytes() <= reg::kMaxMessageBytes &&
                    are_apart(call.source(), source, call.target(), target) &&
                    me.in_memory(call.source(), source) && me.in_memory(call.target(), target);
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

CallResult check_reduction(const Context& me) {
  const Call& call = me.call();
  const auto last = static_cast<std::uint32_t>(reg::Operator::kXor);
  const std::uint32_t bytes = call.bytes();
  const bool good = call.operator_code() != 0 && call.operator_code() <= last &&
                    call.type() != reg::Type::kBytes && me.is_message(call.scratch(), bytes) &&
                    are_apart(call.scratch(), bytes, call.source(), bytes) &&
                    are_apart(call.scratch(), bytes, call.target(), bytes);
  return good ? check_blocks(me, 1, 1) : CallResult::kBadArgument;
}

}  // namespace annelid::firmware
