#include "firmware/collectives/blocks.hpp"

namespace annelid::firmware {

CallResult check_blocks(const Context& me, std::uint32_t at_source, std::uint32_t at_target) {
  const Call& call = me.call();
  const std::uint64_t source = std::uint64_t{call.bytes()} * at_source;
  const std::uint64_t target = std::uint64_t{call.bytes()} * at_target;
  const bool apart = call.source() + source <= call.target() ||
                     call.target() + target <= call.source() || call.count() == 0;
  const bool good = call.bytes() <= reg::kMaxMessageBytes && apart &&
                    me.in_memory(call.source(), source) && me.in_memory(call.target(), target);
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

}  // namespace annelid::firmware
