// The two-tree algorithms: docs/internals/algorithms/two-trees.md; Sanders, Speck and Träff
// 2009, Section 4. PARAMETER_1: packets of each tree, or 0: by the block's length; bit 16: an odd
// number's last process is the root of both trees.
#include "firmware/collectives/pipelines/ranked_scan.hpp"
#include "firmware/collectives/pipelines/ranked_trees.hpp"
#include "firmware/collectives/two_trees/two_trees.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kCommonRoot = 1U << 16;

CallResult check_two_trees(const Context& me) {
  // All but the root are in the trees.
  const std::uint32_t named = me.call().parameter(2) >> Ranks::kSizeShift;
  const bool is_even = (named != 0 ? named : me.group().size()) % 2 == 1;
  const bool has_order = is_even || (me.call().parameter(1) & kCommonRoot) != 0;
  return check_ranked(me, kPacketBits | kCommonRoot | kReceivesBits,
                      has_order && is_root_at_an_end(me));
}

Task play_two_trees(Context& me, bool shifting) {
  const Call& call = me.call();
  const bool common_root = (call.parameter(1) & kCommonRoot) != 0;
  auto& part = me.make<RankedPart>(me, [&](const Ranked& self) {
    if (self.size() == 1 || !self.member()) return TreeSchedule{};
    return TwoTrees(self.size() - 1, shifting, common_root).of(self.relative(), false);
  });
  part.packets = packets_of(call, ceil_log2(part.self.size() + 1), 400);
  return play_trees(me, part);
}

/// All are in the trees; the parameter's bit 16 does not matter.
CallResult check_two_tree_scan(const Context& me) {
  return check_ranked(me, kPacketBits | kCommonRoot | kReceivesBits, true);
}

Task play_two_tree_scan(Context& me, bool shifting) {
  const Call& call = me.call();
  std::uint32_t packets = 0;
  auto& part = me.make<ScanPart>(me, [&](const Ranked& self) {
    packets = packets_of(call, ceil_log2(self.size() + 2), 400);
    if (self.size() == 1 || !self.member()) return ScanSchedule{};
    return scan_along(TwoTrees(self.size(), shifting, true).of(self.relative() + 1, true), packets);
  });
  part.packets = packets;
  return play_scan(me, part);
}

}  // namespace

namespace two_tree {
CallResult check(const Context& me) { return check_two_trees(me); }
Task run(Context& me) { return play_two_trees(me, false); }
}  // namespace two_tree

namespace two_tree_shifted {
CallResult check(const Context& me) { return check_two_trees(me); }
Task run(Context& me) { return play_two_trees(me, true); }
}  // namespace two_tree_shifted

namespace two_tree_scan {
CallResult check(const Context& me) { return check_two_tree_scan(me); }
Task run(Context& me) { return play_two_tree_scan(me, false); }
}  // namespace two_tree_scan

namespace two_tree_shifted_scan {
CallResult check(const Context& me) { return check_two_tree_scan(me); }
Task run(Context& me) { return play_two_tree_scan(me, true); }
}  // namespace two_tree_shifted_scan

}  // namespace annelid::firmware
