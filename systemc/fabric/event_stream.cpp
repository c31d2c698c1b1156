#include "systemc/fabric/event_stream.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace annelid::systemc {
namespace {

using Phase = Fabric::Phase;

// An event is a word with its kind, phase and length, and as many words. A record of a cycle is a
// word and the cycle's two words; what follows belongs to this cycle.
constexpr unsigned kPhaseBit = 8, kLengthBit = 11;
constexpr std::size_t kMostWords = std::size_t{1} << 20;
enum Own : EventStream::Kind {
  kRecord,
  kObservedRecord,
  kPacket,
  kInjected,
  kAllocated,
  kGranted,
  kMoved,
  kBlocked,
  kFirstOfClients
};
constexpr std::size_t kRecordWords = 3;

std::uint32_t header(EventStream::Kind kind, Phase phase, std::size_t length) {
  return kind | static_cast<std::uint32_t>(phase) << kPhaseBit |
         static_cast<std::uint32_t>(length << kLengthBit);
}
EventStream::Kind kind_of(std::uint32_t header) { return header & 0xff; }
Phase phase_of(std::uint32_t header) { return static_cast<Phase>(header >> kPhaseBit & 7); }
std::size_t length_of(std::uint32_t header) { return header >> kLengthBit; }

/// Ports and VCs of a flit in a word. A channel has at most 16 ports and 8 VCs.
std::uint32_t pack(Port in, Vc in_vc, Port out, const Flit& flit) {
  return std::uint32_t{in} | std::uint32_t{in_vc} << 4 | std::uint32_t{out} << 8 |
         std::uint32_t{flit.vc} << 12 | std::uint32_t{flit.head} << 16 |
         std::uint32_t{flit.tail} << 17;
}

// Few enough words that they do not matter beside a network of this size, and enough that a gather
// costs little.
constexpr std::uint64_t kWordsToGather = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostExchanges = 4096;

}  // namespace

EventWriter& EventWriter::add_text(std::string_view text) {
  add(static_cast<std::uint32_t>(text.size()));
  const std::size_t at = words_.size();
  words_.resize(at + (text.size() + 3) / 4);
  if (!text.empty()) std::memcpy(&words_[at], text.data(), text.size());
  return *this;
}

std::string EventReader::next_text() {
  std::string text(next(), '\0');
  if (!text.empty()) std::memcpy(text.data(), words_.data(), text.size());
  words_ = words_.subspan((text.size() + 3) / 4);
  return text;
}

EventStream::EventStream(Fabric& fabric) : fabric_(fabric), cut_(*fabric.cut()) {
  cut_.set_listener(this);
  if (cut_.slab().process == 0) sources_.resize(static_cast<std::size_t>(cut_.slab().processes));
}

EventStream::~EventStream() { cut_.set_listener(nullptr); }

EventStream::Kind EventStream::add_kind(Replayer replayer) {
  kinds_.push_back(std::move(replayer));
  return kFirstOfClients + static_cast<Kind>(kinds_.size() - 1);
}

// ---- What happens in this process ---------------------------------------------------------------

void EventStream::begin_record(Cycle cycle, bool observed) {
  words_.insert(words_.end(),
                {header(observed ? kObservedRecord : kRecord, Phase::kBetween, kRecordWords - 1),
                 static_cast<std::uint32_t>(cycle), static_cast<std::uint32_t>(cycle >> 32)});
  recorded_ = cycle;
}

std::uint32_t* EventStream::add_event(Kind kind, std::size_t words, Phase phase) {
  if (words > kMostWords) throw std::logic_error("EventStream: an event of too many words");
  if (recorded_ != fabric_.now()) begin_record(fabric_.now(), false);
  const std::size_t at = words_.size();
  words_.resize(at + 1 + words);
  words_[at] = header(kind, phase, words);
  return words_.data() + at + 1;
}

void EventStream::add(Kind kind, Words words, Phase phase) {
  std::ranges::copy(words, add_event(kind, words.size(), phase));
}

void EventStream::add_registers(Kind kind, Cycle cycle, Words words) {
  if (cycle != recorded_) {
    if (recorded_ != kNever && cycle < recorded_) {
      throw std::logic_error("EventStream: registers of a cycle that is over");
    }
    begin_record(cycle, false);
  }
  words_.push_back(header(kind, Phase::kBetween, words.size()));
  words_.insert(words_.end(), words.begin(), words.end());
}

void EventStream::cycle(Cycle cycle) { begin_record(cycle, true); }

void EventStream::packet(Cycle, NodeId node, Port local, const PacketInfo& info) {
  const std::uint64_t head = systemc::pack(info.head);
  std::uint32_t* const to = add_event(kPacket, 6, fabric_.phase());
  to[0] = node;
  to[1] = std::uint32_t{local} | std::uint32_t{info.control} << 8;
  to[2] = static_cast<std::uint32_t>(head);
  to[3] = static_cast<std::uint32_t>(head >> 32);
  to[4] = info.bytes;
  to[5] = info.step;
}

void EventStream::add_flit_event(Kind kind, NodeId node, Port in, Vc in_vc, Port out,
                                 const Flit& flit) {
  std::uint32_t* const to = add_event(kind, 4, fabric_.phase());
  to[0] = node;
  to[1] = pack(in, in_vc, out, flit);
  to[2] = static_cast<std::uint32_t>(flit.data);
  to[3] = static_cast<std::uint32_t>(flit.data >> 32);
}

void EventStream::injected(Cycle, NodeId node, Port local, const Flit& flit) {
  add_flit_event(kInjected, node, local, 0, 0, flit);
}
void EventStream::granted(Cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) {
  add_flit_event(kGranted, node, in, in_vc, out, flit);
}
void EventStream::moved(Cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) {
  add_flit_event(kMoved, node, in, in_vc, out, flit);
}
void EventStream::allocated(Cycle, NodeId node, Port in, Vc in_vc, Port out, Vc out_vc) {
  std::uint32_t* const to = add_event(kAllocated, 2, fabric_.phase());
  to[0] = node;
  to[1] = pack(in, in_vc, out, {.vc = out_vc});
}
void EventStream::blocked(Cycle, NodeId node, Port in, Vc in_vc, Port out, BlockCause cause) {
  std::uint32_t* const to = add_event(kBlocked, 2, fabric_.phase());
  to[0] = node;
  to[1] = pack(in, in_vc, out, {.vc = static_cast<Vc>(cause)});
}

// ---- To process 0 -------------------------------------------------------------------------------

// The number of exchanges until the next time is the least that a process asks for.
void EventStream::exchanged(Cycle now) {
  for (const auto& f : before_arrivals_) f(now);
  if (++exchanges_ < interval_) return;
  exchanges_ = 0;
  std::uint64_t next =
      interval_ * kWordsToGather / std::max<std::uint64_t>(words_.size(), std::uint64_t{1});
  next = std::clamp<std::uint64_t>(next, 1, std::min(2 * interval_, kMostExchanges));
  gather(now);
  cut_.exchange().least({&next, 1});
  interval_ = next;
}

void EventStream::finish() {
  for (const auto& f : before_arrivals_) f(kNever);
  gather(kNever);
}

/// All cycles before `over` are over in all processes.
void EventStream::gather(Cycle over) {
  const auto all = gathered<std::uint32_t>(cut_.exchange(), words_);
  words_.clear();
  recorded_ = kNever;  // what comes next needs a record of its own
  if (all.empty()) return;
  for (std::size_t process = 0; process < all.size(); ++process) {
    const std::vector<std::uint32_t>& part = all[process];
    Source& source = sources_[process];
    source.words.erase(source.words.begin(),
                       source.words.begin() + static_cast<std::ptrdiff_t>(source.at));
    source.at = 0;
    source.words.insert(source.words.end(), part.begin(), part.end());
  }
  replay(over);
}

// ---- In process 0 -------------------------------------------------------------------------------

Cycle EventStream::next_cycle(const Source& source) {
  if (source.empty()) return kNever;
  return source.words[source.at + 1] | Cycle{source.words[source.at + 2]} << 32;
}

void EventStream::replay(Cycle over) {
  for (;;) {
    Cycle next = kNever;
    for (const Source& source : sources_) next = std::min(next, next_cycle(source));
    if (next >= over) return;
    replay_cycle(next);
  }
}

void EventStream::replay_cycle(Cycle cycle) {
  const auto processes = static_cast<int>(sources_.size());
  for (const Phase phase :
       {Phase::kBetween, Phase::kSent, Phase::kComponents, Phase::kRouters, Phase::kDelivery}) {
    bool observed = false;
    for (int process = 0; process < processes; ++process)
      observed |= replay_phase(process, cycle, phase);
    if (observed && observer_ != nullptr) observer_->cycle(cycle);
  }
}

/// True if there was the beginning of a cycle that the process has stepped.
bool EventStream::replay_phase(int process, Cycle cycle, Phase phase) {
  Source& source = sources_[static_cast<std::size_t>(process)];
  bool observed = false;
  while (!source.empty()) {
    const std::uint32_t head = source.words[source.at];
    const Kind kind = kind_of(head);
    if (kind == kRecord || kind == kObservedRecord) {
      if (next_cycle(source) != cycle) break;
      observed |= kind == kObservedRecord;
    } else if (phase_of(head) > phase) {
      break;
    } else {
      replay_event(process, cycle, kind,
                   Words(source.words).subspan(source.at + 1, length_of(head)));
    }
    source.at += 1 + length_of(head);
  }
  return observed;
}

void EventStream::replay_event(int process, Cycle cycle, Kind kind, Words words) {
  const bool client = kind >= kFirstOfClients;
  if (client) {
    kinds_[kind - kFirstOfClients](process, cycle, words);
  } else if (observer_ != nullptr) {
    replay_fabric_event(cycle, kind, words);
  }
}

void EventStream::replay_fabric_event(Cycle cycle, Kind kind, Words words) {
  const NodeId node = words[0];
  const auto in = static_cast<Port>(words[1] & 15), out = static_cast<Port>(words[1] >> 8 & 15);
  const auto in_vc = static_cast<Vc>(words[1] >> 4 & 15);
  Flit flit{.vc = static_cast<Vc>(words[1] >> 12 & 15),
            .head = (words[1] >> 16 & 1) != 0,
            .tail = (words[1] >> 17 & 1) != 0};
  if (words.size() > 3) flit.data = words[2] | std::uint64_t{words[3]} << 32;
  switch (kind) {
    case kPacket:
      return observer_->packet(cycle, node, static_cast<Port>(words[1] & 0xff),
                               {.head = unpack_head(flit.data),
                                .control = words[1] >> 8 != 0,
                                .bytes = words[4],
                                .step = words[5]});
    case kInjected:
      return observer_->injected(cycle, node, in, flit);
    case kAllocated:
      return observer_->allocated(cycle, node, in, in_vc, out, flit.vc);
    case kGranted:
      return observer_->granted(cycle, node, in, in_vc, out, flit);
    case kMoved:
      return observer_->moved(cycle, node, in, in_vc, out, flit);
    case kBlocked:
      return observer_->blocked(cycle, node, in, in_vc, out, static_cast<BlockCause>(flit.vc));
    default:
      throw std::logic_error("EventStream: an event of no kind");
  }
}

}  // namespace annelid::systemc
