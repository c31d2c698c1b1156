#include "firmware/platform/frame_arena.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <random>
#include <stdexcept>

namespace annelid::firmware {
namespace {

constexpr std::size_t kOneBlock = FrameArena::kBlockBytes - alignof(std::max_align_t);

TEST(FrameArena, GivesDistinctAlignedFramesUntilItIsFull) {
  FrameArena arena;
  std::map<std::byte*, std::size_t> frames;
  for (std::size_t i = 0; i < FrameArena::kBlocks; ++i) {
    void* frame = arena.allocate(kOneBlock);
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(frame) % alignof(std::max_align_t), 0U);
    std::memset(frame, 0xA5, kOneBlock);  // would spoil a neighbour that overlaps
    frames[static_cast<std::byte*>(frame)] = kOneBlock;
  }
  EXPECT_EQ(frames.size(), FrameArena::kBlocks);
  EXPECT_EQ(arena.blocks_in_use(), FrameArena::kBlocks);
  EXPECT_EQ(arena.allocate(1), nullptr);
  for (const auto& [frame, bytes] : frames) FrameArena::release(frame, bytes);
  EXPECT_EQ(arena.blocks_in_use(), 0U);
}

TEST(FrameArena, HasRoomForOneFrameOfItsWholeSizeAndRefusesALargerOne) {
  FrameArena arena;
  EXPECT_EQ(arena.allocate(FrameArena::kLargest + 1), nullptr);
  EXPECT_EQ(arena.blocks_in_use(), 0U);
  void* all = arena.allocate(FrameArena::kLargest);
  ASSERT_NE(all, nullptr);
  std::memset(all, 0xA5, FrameArena::kLargest);
  EXPECT_EQ(arena.allocate(1), nullptr);
  FrameArena::release(all, FrameArena::kLargest);
  EXPECT_EQ(arena.blocks_in_use(), 0U);
}

TEST(FrameArena, FramesOfAnySizesNeverOverlap) {
  std::mt19937 random(7);
  FrameArena arena;
  std::map<std::byte*, std::size_t> frames;
  int refused = 0, taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (random() % 2 == 0) {
      const std::size_t bytes = 1 + random() % (6 * FrameArena::kBlockBytes);
      auto* frame = static_cast<std::byte*>(arena.allocate(bytes));
      if (frame == nullptr) {
        ++refused;
        continue;
      }
      ++taken;
      const auto next = frames.lower_bound(frame);
      if (next != frames.end()) {
        ASSERT_LE(frame + bytes, next->first);
      }
      if (next != frames.begin()) {
        const auto& [before, length] = *std::prev(next);
        ASSERT_LE(before + length, frame);
      }
      frames[frame] = bytes;
    } else if (!frames.empty()) {
      const auto one = std::next(frames.begin(), static_cast<long>(random() % frames.size()));
      FrameArena::release(one->first, one->second);
      frames.erase(one);
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(taken, 5000);
  for (const auto& [frame, bytes] : frames) FrameArena::release(frame, bytes);
  EXPECT_EQ(arena.blocks_in_use(), 0U);
}

TEST(FrameArena, StopsWhenAFrameIsReleasedTwice) {
  FrameArena arena;
  void* frame = arena.allocate(1);
  FrameArena::release(frame, 1);
  EXPECT_THAT([&] { FrameArena::release(frame, 1); },
              ::testing::ThrowsMessage<std::logic_error>(::testing::HasSubstr("released twice")));
}

}  // namespace
}  // namespace annelid::firmware
