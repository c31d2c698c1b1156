#include "firmware/platform/frame_pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>

namespace annelid::firmware {
namespace {

TEST(FramePool, GivesDistinctAlignedFramesUntilItIsEmpty) {
  FramePool pool;
  std::set<void*> frames;
  for (std::size_t i = 0; i < FramePool::kFrames; ++i) {
    void* frame = pool.allocate(FramePool::kFrameBytes);
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(frame) % alignof(std::max_align_t), 0U);
    std::memset(frame, 0xA5, FramePool::kFrameBytes);  // would spoil a neighbour that overlaps
    frames.insert(frame);
  }
  EXPECT_EQ(frames.size(), FramePool::kFrames);
  EXPECT_EQ(pool.in_use(), FramePool::kFrames);
  EXPECT_EQ(pool.allocate(1), nullptr);
  for (void* frame : frames) FramePool::release(frame);
  EXPECT_EQ(pool.in_use(), 0U);
}

TEST(FramePool, RefusesAFrameThatIsTooLarge) {
  FramePool pool;
  EXPECT_EQ(pool.allocate(FramePool::kFrameBytes + 1), nullptr);
  EXPECT_EQ(pool.in_use(), 0U);
}

TEST(FramePool, UsesAReleasedFrameAgain) {
  FramePool pool;
  for (std::size_t i = 1; i < FramePool::kFrames; ++i) ASSERT_NE(pool.allocate(1), nullptr);
  void* last = pool.allocate(1);
  FramePool::release(last);
  EXPECT_EQ(pool.allocate(1), last);
}

TEST(FramePoolDeathTest, StopsWhenAFrameIsReleasedTwice) {
  FramePool pool;
  void* frame = pool.allocate(1);
  FramePool::release(frame);
  EXPECT_DEATH(FramePool::release(frame), "released twice");
}

}  // namespace
}  // namespace annelid::firmware
