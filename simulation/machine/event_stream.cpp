#include "simulation/machine/event_stream.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace annelid::simulation {
namespace {

template <typename T>
void append(std::vector<std::byte>& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* const first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

}  // namespace

/// What each event begins with. What else it says follows: a cycle, a flit, a packet or a message.
struct EventStream::Event {
  enum class What : std::uint8_t {
    kCycle,
    kPacket,
    kInjected,
    kAllocated,
    kGranted,
    kMoved,
    kBlocked,
    kPosted,
    kStarted,
    kCompleted,
    kReceived
  };

  What what;
  Port in = 0, out = 0;
  Vc in_vc = 0, out_vc = 0;  ///< or the cause of a block
  NodeId node = 0;
};

void EventStream::add(Cycle cycle, const Event& event) {
  if (cycle != cycle_) {
    cycle_ = cycle;
    append(bytes_, Event{.what = Event::What::kCycle});
    append(bytes_, cycle);
  }
  append(bytes_, event);
}

void EventStream::packet(Cycle now, NodeId node, Port local, const systemc::PacketInfo& info) {
  add(now, {.what = Event::What::kPacket, .in = local, .node = node});
  append(bytes_, info);
}
void EventStream::injected(Cycle now, NodeId node, Port local, const systemc::Flit& flit) {
  add(now, {.what = Event::What::kInjected, .in = local, .node = node});
  append(bytes_, flit);
}
void EventStream::allocated(Cycle now, NodeId node, Port in, Vc in_vc, Port out, Vc out_vc) {
  add(now, {.what = Event::What::kAllocated,
            .in = in,
            .out = out,
            .in_vc = in_vc,
            .out_vc = out_vc,
            .node = node});
}
void EventStream::granted(Cycle now, NodeId node, Port in, Vc in_vc, Port out,
                          const systemc::Flit& flit) {
  add(now, {.what = Event::What::kGranted, .in = in, .out = out, .in_vc = in_vc, .node = node});
  append(bytes_, flit);
}
void EventStream::moved(Cycle now, NodeId node, Port in, Vc in_vc, Port out,
                        const systemc::Flit& flit) {
  add(now, {.what = Event::What::kMoved, .in = in, .out = out, .in_vc = in_vc, .node = node});
  append(bytes_, flit);
}
void EventStream::blocked(Cycle now, NodeId node, Port in, Vc in_vc, Port out,
                          systemc::BlockCause cause) {
  add(now, {.what = Event::What::kBlocked,
            .in = in,
            .out = out,
            .in_vc = in_vc,
            .out_vc = static_cast<Vc>(cause),
            .node = node});
}

void EventStream::send_posted(Cycle now, const nic::MessageInfo& info) {
  add(now, {.what = Event::What::kPosted});
  append(bytes_, info);
}
void EventStream::send_started(Cycle now, const nic::MessageInfo& info, Port local) {
  add(now, {.what = Event::What::kStarted, .in = local});
  append(bytes_, info);
}
void EventStream::send_completed(Cycle now, const nic::MessageInfo& info) {
  add(now, {.what = Event::What::kCompleted});
  append(bytes_, info);
}
void EventStream::received(Cycle now, const nic::MessageInfo& info) {
  add(now, {.what = Event::What::kReceived});
  append(bytes_, info);
}

/// The events of a process.
class EventStream::Reader {
 public:
  explicit Reader(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) { next_cycle(); }

  /// Of the next event; kNever if there is none.
  [[nodiscard]] Cycle cycle() const { return cycle_; }

  /// Reports the events of this cycle.
  void report(systemc::FabricObserver& fabric, nic::NicObserver& nics) {
    while (at_ < bytes_.size()) {
      const auto event = take<Event>();
      if (event.what == Event::What::kCycle) {
        at_ -= sizeof event;
        break;
      }
      report(event, fabric, nics);
    }
    next_cycle();
  }

 private:
  template <typename T>
  T take() {
    T value;
    std::memcpy(static_cast<void*>(&value), &bytes_[at_], sizeof value);
    at_ += sizeof value;
    return value;
  }
  void next_cycle() {
    cycle_ = kNever;
    if (at_ == bytes_.size()) return;
    (void)take<Event>();
    cycle_ = take<Cycle>();
  }
  void report(const Event& e, systemc::FabricObserver& fabric, nic::NicObserver& nics) {
    switch (e.what) {
      case Event::What::kCycle:
        return;
      case Event::What::kPacket:
        return fabric.packet(cycle_, e.node, e.in, take<systemc::PacketInfo>());
      case Event::What::kInjected:
        return fabric.injected(cycle_, e.node, e.in, take<systemc::Flit>());
      case Event::What::kAllocated:
        return fabric.allocated(cycle_, e.node, e.in, e.in_vc, e.out, e.out_vc);
      case Event::What::kGranted:
        return fabric.granted(cycle_, e.node, e.in, e.in_vc, e.out, take<systemc::Flit>());
      case Event::What::kMoved:
        return fabric.moved(cycle_, e.node, e.in, e.in_vc, e.out, take<systemc::Flit>());
      case Event::What::kBlocked:
        return fabric.blocked(cycle_, e.node, e.in, e.in_vc, e.out,
                              static_cast<systemc::BlockCause>(e.out_vc));
      case Event::What::kPosted:
        return nics.send_posted(cycle_, take<nic::MessageInfo>());
      case Event::What::kStarted: {
        const auto info = take<nic::MessageInfo>();
        return nics.send_started(cycle_, info, e.in);
      }
      case Event::What::kCompleted:
        return nics.send_completed(cycle_, take<nic::MessageInfo>());
      case Event::What::kReceived:
        return nics.received(cycle_, take<nic::MessageInfo>());
    }
  }

  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
  Cycle cycle_ = kNever;
};

void EventStream::replay(systemc::FabricObserver& fabric, nic::NicObserver& nics) {
  std::vector<Reader> readers;
  for (std::vector<std::byte>& part : exchange_.gather(bytes_))
    readers.emplace_back(std::move(part));
  bytes_.clear();
  cycle_ = kNever;
  for (;;) {
    const auto first = std::ranges::min_element(readers, {}, &Reader::cycle);
    if (first == readers.end() || first->cycle() == kNever) return;
    const Cycle now = first->cycle();
    fabric.cycle(now);
    for (Reader& reader : readers) {
      if (reader.cycle() == now) reader.report(fabric, nics);
    }
  }
}

}  // namespace annelid::simulation
