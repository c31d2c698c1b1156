#include "firmware/platform/frame_pool.hpp"

#include "firmware/platform/stop.hpp"

namespace annelid::firmware {

void* FramePool::allocate(std::size_t bytes) {
  if (bytes > kFrameBytes) return nullptr;
  for (std::size_t i = 0; i < kFrames; ++i) {
    const std::uint32_t bit = std::uint32_t{1} << i;
    if ((used_ & bit) != 0) continue;
    used_ |= bit;
    blocks_[i].pool = this;
    return blocks_[i].frame;
  }
  return nullptr;
}

void FramePool::release(void* frame) {
  auto* block =
      reinterpret_cast<Block*>(static_cast<std::byte*>(frame) - offsetof(FramePool::Block, frame));
  FramePool* pool = block->pool;
  const std::uint32_t bit = std::uint32_t{1} << (block - pool->blocks_.data());
  if ((pool->used_ & bit) == 0) stop("a coroutine frame was released twice");
  pool->used_ &= ~bit;
}

std::size_t FramePool::in_use() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < kFrames; ++i) count += (used_ >> i) & 1;
  return count;
}

}  // namespace annelid::firmware
