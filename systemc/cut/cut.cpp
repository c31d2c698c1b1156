#include "systemc/cut/cut.hpp"

#include <algorithm>

namespace annelid::systemc {
namespace {

// A crossing in a word: place, VC, what it is, and the cycle in which it gets there.
constexpr unsigned kVcBit = 16, kCreditBit = 19, kHeadBit = 20, kTailBit = 21, kCycleBit = 22;

}  // namespace

// A boundary between two slabs has the number of the one below it. With two slabs of a ring there
// are two boundaries between the same processes.
Cut::Cut(const NetworkConfig& network, Exchange& exchange, Pace pace)
    : slab_(network, exchange.process(), exchange.processes()),
      exchange_(exchange),
      pace_(pace),
      window_(pace == Pace::kEveryCycle ? 1
                                        : static_cast<Cycle>(network.router.link_registers) + 1),
      due_(window_) {
  const int process = slab_.process, processes = slab_.processes,
            before = (process + processes - 1) % processes;
  if (slab_.has_above()) {
    links_of_[kAbove] = links_.size();
    links_.push_back(
        {(process + 1) % processes, 2 * process % 1024, (2 * process + 1) % 1024, {}, {}});
  }
  if (slab_.has_below()) {
    links_of_[kBelow] = links_.size();
    links_.push_back({before, (2 * before + 1) % 1024, 2 * before % 1024, {}, {}});
  }
}

std::uint32_t Cut::pack(const Crossing& c) const {
  return c.place | std::uint32_t{c.vc} << kVcBit | std::uint32_t{c.credit} << kCreditBit |
         std::uint32_t{c.head} << kHeadBit | std::uint32_t{c.tail} << kTailBit |
         static_cast<std::uint32_t>(c.reaches + 1 - due_) << kCycleBit;
}

bool Cut::Reader::next(Crossing& c) {
  if (at_ == words_.size()) return false;
  const std::uint32_t word = words_[at_++];
  c = {.place = word & 0xffff,
       .vc = static_cast<Vc>(word >> kVcBit & 7),
       .credit = (word >> kCreditBit & 1) != 0,
       .head = (word >> kHeadBit & 1) != 0,
       .tail = (word >> kTailBit & 1) != 0,
       .reaches = due_ - 1 + (word >> kCycleBit)};
  return true;
}

PacketWords Cut::Reader::packet() {
  PacketWords packet;
  for (std::uint32_t& each : packet) each = word();
  return packet;
}

bool Cut::sends() const {
  return std::ranges::any_of(links_, [](const Exchange::Link& link) { return !link.out.empty(); });
}

void Cut::swap(Cycle now) {
  exchange_.swap(links_);
  for (Exchange::Link& link : links_) link.out.clear();
  due_ = now + window_;
  if (listener_ != nullptr) listener_->exchanged(now);
}

void Cut::set_end(Side side, NodeId place, CutEnd& end) {
  ends_[side].resize(slab_.plane);
  ends_[side][place] = &end;
}

void Cut::take(CutEnd& end, const Crossing& what, Reader& reader) const {
  if (what.credit) return end.take_credit(what.vc, what.reaches);
  const std::uint64_t low = reader.word();
  const std::uint64_t data = low | std::uint64_t{reader.word()} << 32;
  if (what.head && terminals_ != nullptr) (void)terminals_->come(reader.packet());
  end.take_flit({.data = data, .vc = what.vc, .head = what.head, .tail = what.tail}, what.reaches);
}

void Cut::come(Cycle now) const {
  for (const Side side : kSides) {
    if (!has(side)) continue;
    Reader reader = read(side, now);
    for (Crossing what; reader.next(what);) take(*end(side, what.place), what, reader);
  }
}

// The question goes round while the exchanges go on. If nothing could happen before cycle n when it
// was asked, nothing was sent since.
bool Cut::skip(Cycle now, Cycle next, Cycle& over) {
  if (asked_ == 0) {
    question_ = {next, ~over};
    exchange_.begin_least(question_);
  }
  if (++asked_ < kSwapsToAsk) return false;
  asked_ = 0;
  exchange_.end_least();
  if (question_[0] == kNever) {
    over = ~question_[1];
    return true;
  }
  if (question_[0] > now) due_ = now + std::max((question_[0] - now) / window_, Cycle{1}) * window_;
  return false;
}

Cut::Vote Cut::agree(const Vote& own) {
  std::array<std::uint64_t, 7> words = {own.next,
                                        ~own.last_move,
                                        ~own.last_plan,
                                        std::uint64_t{!own.sends},
                                        std::uint64_t{!own.news},
                                        std::uint64_t{own.done},
                                        std::uint64_t{!own.stop}};
  exchange_.least(words);
  return {.next = words[0],
          .last_move = ~words[1],
          .last_plan = ~words[2],
          .sends = words[3] == 0,
          .news = words[4] == 0,
          .done = words[5] != 0,
          .stop = words[6] == 0};
}

void CutLink::send(const Flit& flit, Cycle reaches) {
  cut_.add(
      side_,
      {.place = place_, .vc = flit.vc, .head = flit.head, .tail = flit.tail, .reaches = reaches});
  cut_.add_word(side_, static_cast<std::uint32_t>(flit.data));
  cut_.add_word(side_, static_cast<std::uint32_t>(flit.data >> 32));
  CutTerminals* const terminals = cut_.terminals();
  if (terminals == nullptr || (!flit.head && !flit.tail)) return;
  const std::uint32_t packet = terminals->packet_of(flit.data);
  if (flit.head) cut_.add_packet(side_, packet);
  if (flit.tail) terminals->gone(packet);
}

}  // namespace annelid::systemc
