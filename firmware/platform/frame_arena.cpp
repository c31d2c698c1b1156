#include "firmware/platform/frame_arena.hpp"

#include "firmware/platform/stop.hpp"

namespace annelid::firmware {
namespace {

/// The blocks of a frame, 1..kBlocks, and as many low bits.
std::size_t blocks_of(std::size_t bytes) {
  return (bytes + alignof(std::max_align_t) + FrameArena::kBlockBytes - 1) /
         FrameArena::kBlockBytes;
}
std::uint32_t mask_of(std::size_t bytes) {
  return ~std::uint32_t{0} >> (FrameArena::kBlocks - blocks_of(bytes));
}

}  // namespace

void* FrameArena::allocate(std::size_t bytes) {
  static_assert(sizeof(Header) == alignof(std::max_align_t));
  if (bytes > kLargest) return nullptr;
  std::uint32_t mask = mask_of(bytes);
  std::byte* block = blocks();
  while ((used_ & mask) != 0) {
    if (mask >> (kBlocks - 1) != 0) return nullptr;  // the last place
    mask <<= 1;
    block += kBlockBytes;
  }
  used_ |= mask;
  reinterpret_cast<Header*>(block)->arena = this;
  return block + sizeof(Header);
}

void* FrameArena::allocate_last(std::size_t bytes) {
  if (bytes > kLargest) return nullptr;
  const std::size_t count = blocks_of(bytes);
  const std::uint32_t mask = ~std::uint32_t{0} << (kBlocks - count);
  if ((used_ & mask) != 0) return nullptr;
  used_ |= mask;
  std::byte* const block = blocks() + (kBlocks - count) * kBlockBytes;
  reinterpret_cast<Header*>(block)->arena = this;
  return block + sizeof(Header);
}

void FrameArena::release(void* frame, std::size_t bytes) {
  std::byte* block = static_cast<std::byte*>(frame) - sizeof(Header);
  FrameArena* arena = reinterpret_cast<Header*>(block)->arena;
  const auto first = static_cast<std::size_t>(block - arena->blocks()) / kBlockBytes;
  const std::uint32_t mask = mask_of(bytes) << first;
  if ((arena->used_ & mask) != mask) stop("a coroutine frame was released twice");
  arena->used_ &= ~mask;
}

std::size_t FrameArena::blocks_in_use() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < kBlocks; ++i) count += (used_ >> i) & 1;
  return count;
}

}  // namespace annelid::firmware
