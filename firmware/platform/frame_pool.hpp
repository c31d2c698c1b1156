// Where coroutines live: a fixed number of equal blocks, part of the node's context. There is no
// heap on the core, and an exhausted pool must be a plain answer rather than a surprise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace annelid::firmware {

class FramePool {
 public:
  /// Coroutines alive at once: the main one, a collective, and two that a collective may start.
  static constexpr std::size_t kFrames = 4;
  /// Bytes of one frame; the largest, a broadcast's with its plan, takes about half on the host,
  /// and less on the core.
  static constexpr std::size_t kFrameBytes = 1024;

  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  /// A frame of at least `bytes`, aligned for any type; nullptr if none is free or it is too large.
  void* allocate(std::size_t bytes);
  /// Gives back a frame to the pool that it came from.
  static void release(void* frame);

  [[nodiscard]] std::size_t in_use() const;

 private:
  struct Block {
    FramePool* pool;  // a frame's deleter knows the frame only
    alignas(std::max_align_t) std::byte frame[kFrameBytes];
  };

  std::uint32_t used_ = 0;  // bit i: blocks_[i] holds a frame
  std::array<Block, kFrames> blocks_;
};

}  // namespace annelid::firmware
