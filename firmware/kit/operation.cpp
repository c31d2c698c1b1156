#include "firmware/kit/operation.hpp"

namespace annelid::firmware::kit {
namespace {

/// Takes node memory; its offset, or kNoRoom.
constexpr std::uint32_t kNoRoom = 0xFFFFFFFF;
std::uint32_t take(std::uint64_t bytes) {
  const void* memory = bytes < kNoRoom ? take_memory(static_cast<std::size_t>(bytes)) : nullptr;
  return memory == nullptr ? kNoRoom : offset_of(memory);
}

}  // namespace

int run_operation(Words words, const Group& group, Node::Serve serve, const Area& source,
                  const Area& target, std::uint64_t scratch) {
  const MemoryScope scope;
  const Buffered from(source.data, source.exists ? source.bytes : 0, source.use);
  const Buffered to(target.data, target.exists ? target.bytes : 0, target.use);
  const std::uint32_t from_at = source.exists ? from.offset() : take(source.bytes);
  const std::uint32_t to_at = target.exists ? to.offset() : take(target.bytes);
  const std::uint32_t scratch_at = take(scratch);
  if (!from.good() || !to.good() || from_at == kNoRoom || to_at == kNoRoom || scratch_at == kNoRoom)
    return number_of(reg::CallResult::kNoRoom);
  words.set(reg::CallWord::kSource, from_at);
  words.set(reg::CallWord::kTarget, to_at);
  words.set(reg::CallWord::kScratch, scratch_at);
  const int result = call(words, group, serve);
  if (result == number_of(reg::CallResult::kSuccess)) {
    from.finish();
    to.finish();
  }
  return result;
}

}  // namespace annelid::firmware::kit
