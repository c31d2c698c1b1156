#include "firmware/collectives/trees/tree.hpp"

namespace annelid::firmware {
namespace {

// Trees are as deep as they have steps at most: recursion is safe on the core's stack.
template <typename Visit>
void for_each_node(const TreeRule& rule, const Frame& frame, Address top, const Visit& visit) {
  visit(top);
  TreePlan plan;
  rule.find_parent(frame, top, plan);
  while (rule.next_step(frame, top, plan)) {
    plan.sort();
    for (const Address child : plan.sends()) for_each_node(rule, frame, child, visit);
  }
}

}  // namespace

Address Frame::other_address(Address node) const {
  return listed_ ? group_->address(node.word()) : to_network(node);
}

void TreePlan::add(Address to) {
  std::uint32_t at = next();
  for (; at > 0 && sends_[at - 1].word() > to.word(); --at) sends_[at] = sends_[at - 1];
  sends_[at] = to;
}
void TreePlan::sort() {
  const std::uint32_t count = count_;
  for (count_ = 0; count_ < count;) add(sends_[count_]);
}

std::uint32_t subtree_nodes(const TreeRule& rule, const Frame& frame, Address node) {
  if (rule.subtree != nullptr) return rule.subtree(frame, node);
  std::uint32_t nodes = 0;
  for_each_node(rule, frame, node, [&](Address) { ++nodes; });
  return nodes;
}

ChildTrees child_trees(const TreeRule& rule, const Frame& frame, const TreePlan& plan) {
  const std::span<const Address> sends = plan.sends();
  ChildTrees result;
  for (std::size_t i = 0; i < sends.size(); ++i) {
    result.tree[i].nodes = subtree_nodes(rule, frame, sends[i]);
    result.nodes += result.tree[i].nodes;
  }
  for (std::size_t i = 0; i < sends.size(); ++i) {
    result.tree[i].first = 0;
    for (std::size_t j = 0; j < sends.size(); ++j) {
      if (sends[j].word() < sends[i].word()) result.tree[i].first += result.tree[j].nodes;
    }
  }
  return result;
}

std::uint32_t list_subtree(const TreeRule& rule, const Frame& frame, Address top, Memory memory,
                           std::uint32_t offset) {
  for_each_node(rule, frame, top, [&](Address node) {
    memory.store<std::uint32_t>(offset, frame.rank(node));
    offset += 4;
  });
  return offset;
}

}  // namespace annelid::firmware
