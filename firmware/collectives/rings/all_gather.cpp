// All-gather: docs/internals/algorithms/collect-and-exchange.md, "All-gather". SOURCE: a block;
// TARGET: the blocks of all members, by rank.
#include "firmware/collectives/buffers/blocks.hpp"
#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/communication/window.hpp"

namespace annelid::firmware {

/// The bucket collect of Barnett and others 1994, Section 4.2: blocks go round by ranks.
namespace bucket_all_gather {

CallResult check(const Context& me) { return check_blocks(me, 1, me.group().size()); }

Task run(Context& me) {
  const Group& group = me.group();
  const std::uint32_t size = group.size();
  const Blocks target = target_blocks(me);
  const Address next = group.address(rank_after(group, size > 1 ? 1 : 0));
  const Address previous = group.address(rank_before(group, size > 1 ? 1 : 0));
  Window<4> receives;  // posted ahead, so that no offer is waited for
  std::uint32_t posted = 0;
  const auto post = [&] {
    ++posted;
    receives.add(me, Direction::kReceive,
                 message(me, previous, target.at(rank_before(group, posted)), posted));
  };

  while (posted + 1 < size && !receives.full()) post();
  Exchange own = copy(me, source_block(me), target.at(group.rank()));
  for (std::uint32_t step = 1; step < size; ++step) {
    const Buffer newest = step == 1 ? source_block(me) : target.at(rank_before(group, step - 1));
    co_await Transfer(me, Direction::kSend, message(me, next, newest, step));
    co_await receives.oldest();
    if (posted + 1 < size) post();
  }
  co_await own;
  co_return CallResult::kSuccess;
}

}  // namespace bucket_all_gather

/// The circulant concat of CCL (Bala and others 1995, Section 4.3). SCRATCH: a block for each
/// member.
namespace dissemination_all_gather {

CallResult check(const Context& me) {
  const std::uint32_t size = me.group().size();
  const std::uint64_t bytes = std::uint64_t{size} * me.call().bytes();
  if (bytes > reg::kMaxMessageBytes || !me.in_memory(me.call().scratch(), bytes)) {
    return CallResult::kBadArgument;
  }
  return check_blocks(me, 1, size);
}

Task run(Context& me) {
  const Group& group = me.group();
  const std::uint32_t size = group.size(), to_end = size - group.rank();
  // From the own block on, in the order of ranks, the first one following the last.
  const Blocks collected{me.call().scratch(), me.call().bytes()}, target = target_blocks(me);
  {
    Exchange own = copy(me, source_block(me), collected.at(0));
    if (size > 1) {
      co_await send_receive(me, group, rank_before(group, 1), source_block(me),
                            rank_after(group, 1), collected.at(1), 1);
    }
    co_await own;
  }
  std::uint32_t step = 2;
  for (std::uint32_t have = 2; have < size; have *= 2, ++step) {
    const std::uint32_t count = have < size - have ? have : size - have;
    co_await send_receive(me, group, rank_before(group, have), collected.at(0, count),
                          rank_after(group, have), collected.at(have, count), step);
  }
  co_await copy(me, collected.at(0, to_end), target.at(group.rank(), to_end));
  co_await copy(me, collected.at(to_end, group.rank()), target.at(0, group.rank()));
  co_return CallResult::kSuccess;
}

}  // namespace dissemination_all_gather

/// The recursive exchange of CCL (Section 4.4), which rotates nothing:
/// docs/internals/algorithms/trade-offs.md, "Exchange".
namespace exchange_all_gather {

CallResult check(const Context& me) {
  const std::uint32_t size = me.group().size();
  if ((size & (size - 1)) != 0) return CallResult::kDoesNotFit;
  if (std::uint64_t{size} * me.call().bytes() > reg::kMaxMessageBytes)
    return CallResult::kBadArgument;
  return check_blocks(me, 1, size);
}

Task run(Context& me) {
  const Group& group = me.group();
  const std::uint32_t size = group.size();
  const Blocks target = target_blocks(me);
  // The blocks that a rank has before a step in which it goes so far.
  const auto blocks_of = [&](std::uint32_t rank, std::uint32_t distance) {
    return target.at(rank & ~(distance - 1), distance);
  };
  Window<8> receives;  // posted ahead, so that no offer is waited for
  std::uint32_t posted = 1, step = 0;
  const auto post = [&] {
    const std::uint32_t from = group.rank() ^ posted;
    receives.add(me, Direction::kReceive,
                 message(me, group.address(from), blocks_of(from, posted), ++step));
    posted *= 2;
  };

  if (size > 1) post();
  Batch<2> own;
  std::uint32_t sent = 0;
  for (std::uint32_t distance = 1; distance < size; distance *= 2) {
    const Buffer known = distance == 1 ? source_block(me) : blocks_of(group.rank(), distance);
    Transfer out(me, Direction::kSend,
                 message(me, group.address(group.rank() ^ distance), known, ++sent));
    if (distance == 1) add_copy(me, own, target.at(group.rank()).offset, source_block(me));
    while (posted < size && !receives.full()) post();
    co_await out;
    co_await receives.oldest();
    co_await own;
  }
  if (size == 1) add_copy(me, own, target.offset, source_block(me));
  co_await own;
  co_return CallResult::kSuccess;
}

}  // namespace exchange_all_gather

}  // namespace annelid::firmware
