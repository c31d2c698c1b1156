// The node on which the program runs, its memory, and calls.
#include <new>

#include "firmware/kit/include/nic.h"
#include "firmware/kit/include/string.h"
#include "firmware/kit/kit.hpp"
#include "firmware/kit/system.hpp"

extern "C" const char node_memory_end[];  // program.ld

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

std::uint32_t memory_bytes() { return Registers{}.read(reg::kMemoryBytes); }

}  // namespace

Node& node() {
  if (!node_made) {
    node_made = true;
    new (node_room) Node{Registers{}, Memory{}, serve_no_host};
  }
  return *std::launder(reinterpret_cast<Node*>(node_room));
}

std::uint32_t memory_mark() {
  if (memory_taken == 0) memory_taken = offset_of(node_memory_end);
  return memory_taken;
}

void* take_memory(std::size_t bytes) {
  const std::uint32_t from = memory_mark(), room = memory_bytes();
  if (from > room || bytes > room - from) return nullptr;
  memory_taken = from + ((static_cast<std::uint32_t>(bytes) + kUnit - 1) & ~(kUnit - 1));
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(reg::kMemoryBase + from));
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
  memcpy(ram_, reinterpret_cast<const void*>(std::uintptr_t{reg::kMemoryBase} + offset_), bytes_);
}

bool known_words(const Call& call) {
  return call.tag() <= kTag && is_type(call.word(reg::CallWord::kType));
}

reg::CallResult wait(LocalCall& call) {
  Node& self = node();
  while (!call.done()) {
    self.run();
    if (call.done()) break;
    asm volatile("wfi" ::: "memory");
  }
  return call.result();
}

bool wait_until(LocalCall& call, std::uint64_t cycle) {
  constexpr std::uint32_t kTimerInterrupt = 1U << 7, kNever = 0xFFFFFFFF;
  const Registers registers;
  // Never early while half of it is written.
  registers.write(reg::kTimerHigh, kNever);
  registers.write(reg::kTimer, static_cast<std::uint32_t>(cycle));
  registers.write(reg::kTimerHigh, static_cast<std::uint32_t>(cycle >> 32));
  asm volatile("csrs mie, %0" : : "r"(kTimerInterrupt));
  Node& self = node();
  while (!call.done()) {
    self.run();
    if (call.done() || nic_cycle() >= cycle) break;
    asm volatile("wfi" ::: "memory");
  }
  asm volatile("csrc mie, %0" : : "r"(kTimerInterrupt));
  registers.write(reg::kTimerHigh, kNever);
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

unsigned nic_node(void) {
  unsigned hart = 0;
  asm("csrr %0, mhartid" : "=r"(hart));
  return hart;
}
nic_position nic_size(void) {
  const Registers registers;
  return {static_cast<unsigned>(registers.read(reg::kSizeX)),
          static_cast<unsigned>(registers.read(reg::kSizeY)),
          static_cast<unsigned>(registers.read(reg::kSizeZ))};
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
  const Registers registers;
  const uint32_t low = registers.read(reg::kCycle);
  return uint64_t{registers.read(reg::kCycleHigh)} << 32 | low;
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
