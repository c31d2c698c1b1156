#include "firmware/platform/local_call.hpp"

namespace annelid::firmware {

void LocalCall::start(Node& node, const Words& words, const Group& group, Node::Serve serve) {
  result_ = reg::CallResult::kNoRoom;
  if (node.idle_ == nullptr) return;
  Context& me = *node.idle_;
  node.idle_ = me.next_idle_;
  ++node.calls_;
  me.call_ = {words, 0};
  me.failed_ = me.of_host_ = false;
  me.group_ = &group;
  context_ = &me;
  const reg::CallResult result = serve(me, me.task_);
  if (result != reg::CallResult::kSuccess) return finish(result);
  // Its end is not the end of a host's call, of which the node would tell the mailbox.
  me.task_->start();
  node.run_ready();
}

bool LocalCall::done() {
  if (context_ == nullptr) return true;
  const Task& task = *context_->task_;
  if (!task.await_ready()) return false;
  const reg::CallResult result = task.await_resume();
  const bool failed = context_->failed_ && result == reg::CallResult::kSuccess;
  finish(failed ? reg::CallResult::kTransferFailed : result);
  return true;
}

void LocalCall::finish(reg::CallResult result) {
  Context& me = *context_;
  Node& node = me.node();
  me.task_.reset();
  for (std::uint32_t i = 0; i < Context::kCounters; ++i) {
    node.registers_.write(reg::kCounter + 4 * me.counter(i), 0);
  }
  me.next_idle_ = node.idle_;
  node.idle_ = &me;
  --node.calls_;
  context_ = nullptr;
  result_ = result;
}

}  // namespace annelid::firmware
