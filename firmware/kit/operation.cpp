#include "firmware/kit/operation.hpp"

namespace annelid::firmware::kit {
namespace {

/// Takes node memory; its offset, or kNowhere.
constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
std::uint32_t take(std::uint64_t bytes) {
  const void* memory = bytes < kNowhere ? take_memory(static_cast<std::size_t>(bytes)) : nullptr;
  return memory == nullptr ? kNowhere : offset_of(memory);
}

}  // namespace

int run_operation(Words words, const Group& group, const Served& served, const Area& source,
                  const Area& target) {
  const MemoryScope scope;
  const Buffered from(source.data, source.exists ? source.bytes : 0, source.use, source.room);
  const Buffered to(target.data, target.exists ? target.bytes : 0, target.use, target.room);
  const std::uint32_t from_at = source.exists ? from.offset() : take(source.bytes);
  const std::uint32_t to_at = target.exists ? to.offset() : take(target.bytes);
  std::uint32_t scratch_at = take(served.scratch);
  if (scratch_at == kNowhere && served.if_there_is_room) scratch_at = node().memory_bytes();
  if (!from.good() || !to.good() || from_at == kNowhere || to_at == kNowhere ||
      scratch_at == kNowhere)
    return number_of(reg::CallResult::kNoRoom);
  words.set(reg::CallWord::kSource, from_at);
  words.set(reg::CallWord::kTarget, to_at);
  words.set(reg::CallWord::kScratch, scratch_at);
  const int result = call(words, group, served.serve);
  if (result == number_of(reg::CallResult::kSuccess)) {
    from.finish();
    to.finish();
  }
  return result;
}

}  // namespace annelid::firmware::kit
