// The node on which the program runs, its memory, and calls.
#include <new>

#include "firmware/kit/include/nic.h"
#include "firmware/kit/include/string.h"
#include "firmware/kit/kit.hpp"

namespace annelid::firmware::kit {
namespace {

alignas(Node) std::byte node_room[sizeof(Node)];
bool node_made = false;
std::uint32_t memory_taken = 0;  ///< the first free byte; 0: nobody has asked

/// Only the kit makes calls, so nothing is ever served that comes from the mailbox of the host.
reg::CallResult serve_no_host(Context&, std::optional<Task>&) {
  return reg::CallResult::kUnknownOperation;
}

constexpr std::uint32_t kUnit = 8;

std::uint32_t memory_bytes() { return registers().read(reg::kMemoryBytes); }

}  // namespace

Node& node() {
  if (!node_made) {
    node_made = true;
    new (node_room) Node{registers(), memory(), serve_no_host};
  }
  return *std::launder(reinterpret_cast<Node*>(node_room));
}

std::uint32_t memory_mark() {
  if (memory_taken == 0) memory_taken = variables_end();
  return memory_taken;
}

void* take_memory(std::size_t bytes) {
  const std::uint32_t from = memory_mark(), room = memory_bytes();
  if (from > room || bytes > room - from) return nullptr;
  memory_taken = from + ((static_cast<std::uint32_t>(bytes) + kUnit - 1) & ~(kUnit - 1));
  return pointer_to(from);
}

void free_memory_from(std::uint32_t mark) { memory_taken = mark; }

Buffered::Buffered(const void* data, std::uint64_t bytes, Use use) {
  if (in_node_memory(data)) {
    offset_ = offset_of(data);
    return;
  }
  void* copy =
      bytes <= reg::kMaxMessageBytes ? take_memory(static_cast<std::size_t>(bytes)) : nullptr;
  good_ = copy != nullptr;
  if (!good_) return;
  bytes_ = static_cast<std::uint32_t>(bytes);
  offset_ = offset_of(copy);
  if ((use & kIn) != 0) memcpy(copy, data, bytes_);
  if ((use & kOut) != 0) ram_ = const_cast<void*>(data);
}

void Buffered::finish() const {
  if (ram_ == nullptr) return;
  memcpy(ram_, pointer_to(offset_), bytes_);
}

bool known_words(const Call& call) {
  return call.tag() <= kTag && is_type(call.word(reg::CallWord::kType));
}

reg::CallResult wait(LocalCall& call) {
  Node& self = node();
  while (!call.done()) {
    self.run();
    if (call.done()) break;
    sleep();
  }
  return call.result();
}

std::uint64_t cycle_now() {
  const Registers own = registers();
  const std::uint32_t low = own.read(reg::kCycle);
  return std::uint64_t{own.read(reg::kCycleHigh)} << 32 | low;
}

bool wait_until(LocalCall& call, std::uint64_t cycle) {
  constexpr std::uint32_t kNever = 0xFFFFFFFF;
  const Registers own = registers();
  // Never early while half of it is written.
  own.write(reg::kTimerHigh, kNever);
  own.write(reg::kTimer, static_cast<std::uint32_t>(cycle));
  own.write(reg::kTimerHigh, static_cast<std::uint32_t>(cycle >> 32));
  let_timer_wake(true);
  Node& self = node();
  while (!call.done()) {
    self.run();
    if (call.done() || cycle_now() >= cycle) break;
    sleep();
  }
  let_timer_wake(false);
  own.write(reg::kTimerHigh, kNever);
  return call.done();
}

int call(const Words& words, const Group& group, Node::Serve serve) {
  LocalCall one;
  one.start(node(), words.words(), group, serve);
  return number_of(wait(one));
}

}  // namespace annelid::firmware::kit

using namespace annelid;
using namespace annelid::firmware;

extern "C" {

unsigned nic_node(void) { return kit::own_node(); }
nic_position nic_size(void) {
  const Registers own = kit::registers();
  return {static_cast<unsigned>(own.read(reg::kSizeX)),
          static_cast<unsigned>(own.read(reg::kSizeY)),
          static_cast<unsigned>(own.read(reg::kSizeZ))};
}
unsigned nic_nodes(void) {
  const nic_position size = nic_size();
  return size.x * size.y * size.z;
}
nic_position nic_position_of(unsigned node) {
  const nic_position size = nic_size();
  return {node % size.x, node / size.x % size.y, node / size.x / size.y};
}
unsigned nic_node_at(unsigned x, unsigned y, unsigned z) {
  const nic_position size = nic_size();
  return (z * size.y + y) * size.x + x;
}
uint64_t nic_cycle(void) {
  kit::pass_time();
  return kit::cycle_now();
}
const char* nic_result_name(int result) {
  const char* name = name_of(static_cast<reg::CallResult>(result));
  return name == nullptr ? "?" : name;
}

void* nic_alloc(size_t bytes) {
  void* memory = kit::take_memory(bytes);
  if (memory == nullptr) {
    static const char kText[] = "nic_alloc: there is no node memory left\n";
    kit::write_text(2, kText, sizeof kText - 1);
    stop("there is no node memory left");
  }
  return memory;
}
void nic_free_all(void* from) { kit::free_memory_from(kit::offset_of(from)); }

}  // extern "C"
