// The memory for the coroutine frames of one call. The core has no heap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#if __STDC_HOSTED__
#include <memory>
#endif

namespace annelid::firmware {

/// An arena has a fixed number of blocks. A frame takes as many neighbouring blocks as it needs.
/// Each call in progress has an arena of its own, so only the collective itself determines whether
/// it has room.
class FrameArena {
 public:
  static constexpr std::size_t kBlocks = 32;
  /// Frames consist mostly of pointers and words, so on a 64-bit host they are up to twice as
  /// large.
  static constexpr std::size_t kBlockBytes = 32 * sizeof(void*);
  /// The largest frame, in bytes: 4 KiB on the core, less the pointer in front of each frame.
  static constexpr std::size_t kLargest = kBlocks * kBlockBytes - alignof(std::max_align_t);

  FrameArena() = default;
  FrameArena(const FrameArena&) = delete;
  FrameArena& operator=(const FrameArena&) = delete;

  /// Returns a frame of at least `bytes`, aligned for any type, or nullptr if there is no room.
  void* allocate(std::size_t bytes);
  /// Returns the last blocks of an arena, for what lives beside frames. nullptr if they are taken.
  void* allocate_last(std::size_t bytes);
  /// Returns a frame of `bytes` to its arena.
  static void release(void* frame, std::size_t bytes);

  /// Frees all frames.
  void clear() { used_ = 0; }

  [[nodiscard]] std::size_t blocks_in_use() const;

 private:
  struct alignas(std::max_align_t) Header {
    FrameArena* arena;  // a frame's deleter knows the frame only
  };

  std::uint32_t used_ = 0;  // bit i: block i is part of a frame
  struct Blocks {
    alignas(std::max_align_t) std::array<std::byte, kBlocks * kBlockBytes> bytes;
  };
#if !__STDC_HOSTED__
  Blocks blocks_;
  [[nodiscard]] std::byte* blocks() { return blocks_.bytes.data(); }
#else
  // On the host, made with the first frame. Most nodes of a large network make one call of all that
  // they could make at a time.
  std::unique_ptr<Blocks> blocks_;
  [[nodiscard]] std::byte* blocks() {
    if (blocks_ == nullptr) blocks_.reset(new Blocks);  // not make_unique, which would clear them
    return blocks_->bytes.data();
  }
#endif
};

}  // namespace annelid::firmware
