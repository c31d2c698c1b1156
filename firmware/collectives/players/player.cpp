#include "firmware/collectives/players/player.hpp"

#include <new>
#include <utility>

#include "firmware/collectives/buffers/copy.hpp"

namespace annelid::firmware {
namespace {

/// x -> a·x + b, first left, then right.
[[gnu::noinline]] void compose(Memory memory, std::uint32_t left, std::uint32_t right,
                               std::uint32_t to, std::uint32_t bytes) {
  for (std::uint32_t at = 0; at < bytes; at += 8) {
    const auto a_left = memory.load<std::uint32_t>(left + at);
    const auto b_left = memory.load<std::uint32_t>(left + at + 4);
    const auto a_right = memory.load<std::uint32_t>(right + at);
    const auto b_right = memory.load<std::uint32_t>(right + at + 4);
    memory.store(to + at, a_left * a_right);
    memory.store(to + at + 4, a_right * b_left + b_right);
  }
}

}  // namespace

OwnCopy::OwnCopy(Context& me, const PlannedCopy& copy) {
  if (copy.bytes == 0) return;
  const Buffer from{copy.from, copy.bytes};
  if (is_copied_by_core(me, copy.bytes)) {
    copy_by_core(me.memory(), copy.to, from);
    return;
  }
  const Address self = me.topology().self();
  to_.emplace(me, Direction::kReceive, message(me, self, {copy.to, copy.bytes}));
  from_.emplace(me, Direction::kSend, message(me, self, from));
}

Player::Player(Context& me, Plan& plan)
    : me_(me),
      plan_(plan),
      by_core_(me.call().operator_code() == kAffine),
      holds_(!by_core_ && !plan.by_core && me.node().holds()),
      tag_(me.tag()),
      receive_tag_(tag_ | (plan.in_turn ? kTagInTurn : 0)),
      copy_(me, plan.copy) {
  next_receive();
  next_send();
  if (!holds_) post_ahead();
}

Player::~Player() {
  for (; count_ > 0; --count_, first_ = after(first_)) {
    if (!first_->quiet) first_->transfer().~Transfer();
  }
  for (; sent_ > 0; --sent_, first_sent_ = after(first_sent_)) first_sent_->transfer().~Transfer();
  if (also_bytes_ != 0) also_.transfer().~Transfer();
  if (joined_) me_.node().forget(me_);
}

bool Player::begin() {
  // With many messages something has to wait in any case.
  if (!holds_ || plan_.most_receives > kReceivesAhead) return false;
  joins_ = true;
  const bool sends = horizon_ != kForever;
  post_few();
  const bool all = play_held();
  me_.node().reset_hold();
  if (!all || !joined_ || sends != last_joined_ || also_bytes_ != 0 || copy_.active()) return false;
  // With the last send all sends are complete.
  Receive* r = first_;
  for (std::uint32_t left = count_; left != 0; --left, r = after(r)) {
    if (!r->quiet) return false;
  }
  return true;
}

/// Posts a plan with few receives as far as no message waits for the bytes of another or for room
/// at the NIC.
void Player::post_few() {
  Node& node = me_.node();
  if (!node.has_receive_room()) return;
  const Registers& registers = node.registers();
  registers.write(reg::kRecvTag, receive_tag_);
  for (;;) {
    if (receive_is_next()) {
      const PlannedMessage& m = next_->planned;
      if (m.not_before != 0 || m.step <= plan_.last_reused || count_ == kReceivesAhead) break;
      post_fresh();
    } else if (horizon_ != kForever && sent_ != kSent) {
      send();
    } else {
      break;
    }
  }
  registers.write(reg::kRecvNotify, reg::kNoCounter);
}

/// Posts the next receive, whose bytes no other message has used. There is room for it.
inline void Player::post_fresh() {
  Node& node = me_.node();
  const Registers& registers = node.registers();
  Receive& r = *next_;
  const PlannedMessage& m = r.planned;
  const Address peer = m.peer;
  const std::uint32_t step = m.step;
  registers.write(reg::kRecvSource, peer.word());
  registers.write(reg::kRecvBytes, m.bytes);
  registers.write(reg::kRecvOffset, m.place);
  if (horizon_ != kForever) {
    registers.write(reg::kRecvNotify, me_.counter(round_) | reg::kRecvNotifyQuietField.in(1));
    if (node.post_described_receive(me_)) ++expected_[round_];
  } else {
    registers.write(reg::kRecvNotify, reg::kNoCounter);
    node.join_described_receive(me_, peer, step, join_);
    joined_ = true;
  }
  r.quiet = true;
  next_ = after(next_);
  ++count_;
  next_receive();
}

/// Gives its go to the last send, with which all others are complete.
void Player::join_send(Address peer, std::uint32_t step, bool held) {
  me_.node().join_described(me_, peer, step, held, join_);
  joined_ = last_joined_ = true;
  quiet_ = 0;
}

/// Whether everything up to a step is over.
bool Player::past(std::uint32_t step) {
  take_sent();
  return (count_ == 0 || first_->planned.step > step) && horizon_ > step &&
         (sent_ == 0 || first_sent_->since > step);
}

/// Forgets the sends that are complete.
inline void Player::take_sent() {
  for (; sent_ != 0 && first_sent_->transfer().await_ready(); --sent_) {
    sent_to_ = first_sent_->step;
    first_sent_ = after(first_sent_);
  }
}

/// Whether a second combination is under way.
bool Player::also_active() {
  if (also_bytes_ != 0 && also_.transfer().await_ready()) {
    also_.transfer().~Transfer();
    also_bytes_ = 0;
  }
  return also_bytes_ != 0;
}

/// Whether the next send needs its result.
bool Player::awaits_also() {
  return also_bytes_ != 0 && out_.place < also_target_ + also_bytes_ &&
         also_target_ < out_.place + out_.bytes && also_active();
}

/// Whether the next send needs the result of one that has not begun.
[[gnu::noinline]] bool Player::will_await_also() {
  Receive* r = first_;
  for (std::uint32_t left = count_; left != 0; --left, r = after(r)) {
    const PlannedMessage& m = r->planned;
    if ((m.flags & Flags::kAlso) != 0 && out_.place < m.also_target + m.bytes &&
        m.also_target < out_.place + out_.bytes) {
      return true;
    }
  }
  return false;
}

/// Posts the next receive. Returns false if it must wait.
inline bool Player::post() {
  Receive& r = *next_;
  const std::uint32_t reused = r.planned.not_before;
  if (count_ == kReceivesAhead ||
      (reused != 0 && (reused >= sent_to_ || also_posted_ != 0) && !past(reused))) {
    return false;
  }
  if ((r.planned.flags & Flags::kAlso) != 0) ++also_posted_;
  next_ = after(next_);
  ++count_;
  next_receive();
  begin_receive(r);
  return true;
}

inline void Player::begin_receive(Receive& r) {
  const PlannedMessage& m = r.planned;
  const bool combines = (m.flags & Flags::kCombines) != 0 && !by_core_;
  const bool counts = holds_ && horizon_ != kForever;
  const std::uint32_t notify = counts ? me_.counter(round_) : reg::kNoCounter;
  r.quiet = false;
  if (combines) {
    begin_combining(r, notify);
  } else if (!counts) {
    new (r.bytes)
        Transfer(me_, Direction::kReceive, Message{m.peer, m.place, m.bytes, receive_tag_, m.step});
    return;
  } else {
    Node& node = me_.node();
    const Registers& registers = node.registers();
    r.quiet = m.step > plan_.last_reused && !receive_is_next() && node.has_receive_room();
    if (r.quiet) {
      registers.write(reg::kRecvSource, m.peer.word());
      registers.write(reg::kRecvOffset, m.place);
      registers.write(reg::kRecvBytes, m.bytes);
      registers.write(reg::kRecvTag, receive_tag_);
      registers.write(reg::kRecvNotify, notify | reg::kRecvNotifyQuietField.in(1));
      const bool posted = node.post_described_receive(me_);
      registers.write(reg::kRecvNotify, reg::kNoCounter);
      if (posted) [[likely]]
        ++expected_[round_];
      return;
    }
    const Message expected{m.peer, m.place, m.bytes, receive_tag_, m.step};
    if (node.begins_at_once(Direction::kReceive)) [[likely]] {
      registers.write(reg::kRecvNotify, notify);
      new (r.bytes) Transfer(me_, Direction::kReceive, expected);
      registers.write(reg::kRecvNotify, reg::kNoCounter);
    } else {
      new (r.bytes) Transfer(me_, expected, ReceiveOptions{.notify = notify});
    }
  }
  // What is refused is complete at once, and counts for nothing.
  if (counts && !r.transfer().await_ready()) ++expected_[round_];
}

void Player::begin_combining(Receive& r, std::uint32_t notify) {
  const PlannedMessage& m = r.planned;
  const auto op = static_cast<reg::Operator>(me_.call().operator_code());
  const bool left = (m.flags & Flags::kMessageLeft) != 0;
  const bool apart = m.operand != m.target;
  new (r.bytes) Transfer(me_, Message{m.peer, m.target, m.bytes, receive_tag_, m.step},
                         ReceiveOptions{apart ? combining_apart(op, me_.call().type(), left)
                                              : combining(op, me_.call().type(), left),
                                        m.place, m.operand, notify});
}

/// Posts what can be posted; no counter counts it.
void Player::post_ahead() {
  while (receives_ && count_ < kReceivesAhead) {
    Receive& r = *next_;
    const PlannedMessage& m = r.planned;
    if (m.not_before != 0 && !past(m.not_before)) return;
    r.quiet = false;
    if ((m.flags & Flags::kCombines) != 0 && !by_core_) {
      begin_combining(r, reg::kNoCounter);
    } else {
      new (r.bytes) Transfer(me_, Direction::kReceive,
                             Message{m.peer, m.place, m.bytes, receive_tag_, m.step});
    }
    next_ = after(next_);
    ++count_;
    next_receive();
  }
}

/// Sends the next message when the counter of its round has counted what comes before it.
inline void Player::send() {
  Node& node = me_.node();
  const Registers& registers = node.registers();
  const std::uint32_t threshold = expected_[round_];
  const bool held = threshold != 0;
  const std::uint32_t trigger = held ? me_.counter(round_) : reg::kNoCounter;
  if (!node.begins_at_once(Direction::kSend)) [[unlikely]]
    return send_later({trigger, threshold, reg::kNoCounter});
  const Address peer = out_.peer;
  const std::uint32_t step = out_.step;
  registers.write(reg::kSendDestination, peer.word());
  registers.write(reg::kSendOffset, out_.place);
  registers.write(reg::kSendBytes, out_.bytes);
  registers.write(reg::kSendTag, tag_);
  registers.write(reg::kSendStep, step);
  registers.write(reg::kSendTrigger, trigger);
  registers.write(reg::kSendThreshold, threshold);
  next_send();
  if (quiet_++ == 0) since_ = step;
  std::uint32_t notify = reg::kNoCounter;
  if (horizon_ == kForever && joins_) {
    registers.write(reg::kSendNotify, notify);
    return join_send(peer, step, held);
  }
  if (horizon_ != kForever) {
    const bool ends_round = receive_is_next();
    if (ends_round && ++round_ == Context::kCounters) round_ = 0;
    notify = me_.counter(round_);
    ++expected_[round_];
    // Only a Transfer tells whether a send that is not held was refused, and when a receive may
    // take the bytes of a send.
    if (!ends_round && quiet_ < kQuiet && held && step > plan_.last_reused &&
        node.post_room() != 0) {
      registers.write(reg::kSendNotify, notify | reg::kSendNotifyQuietField.in(1));
      if (!node.post_described(me_, true)) --expected_[round_];
      return;
    }
  }
  registers.write(reg::kSendNotify, notify);
  node.begin_described(me_, peer, step, held, next_sent_->bytes);
  if (notify != reg::kNoCounter && next_sent_->transfer().await_ready()) [[unlikely]]
    --expected_[round_];
  next_sent_->since = since_;
  next_sent_->step = step;
  next_sent_ = after(next_sent_);
  ++sent_;
  quiet_ = 0;
}

/// Begins a held send for which the NIC has no place yet.
[[gnu::cold, gnu::noinline]] void Player::send_later(const Hold& hold) {
  const Message m{out_.peer, out_.place, out_.bytes, tag_, out_.step};
  SendOptions options;
  options.trigger = hold.trigger;
  options.threshold = hold.threshold;
  next_send();
  if (quiet_++ == 0) since_ = m.step;
  if (horizon_ != kForever) {
    if (receive_is_next() && ++round_ == Context::kCounters) round_ = 0;
    options.notify = me_.counter(round_);
  }
  new (next_sent_->bytes) Transfer(me_, m, options);
  if (horizon_ != kForever && !next_sent_->transfer().await_ready()) ++expected_[round_];
  next_sent_->since = since_;
  next_sent_->step = m.step;
  next_sent_ = after(next_sent_);
  ++sent_;
  quiet_ = 0;
}

/// Sends the next message, for which nothing has to wait.
inline void Player::send_at_once() {
  new (next_sent_->bytes)
      Transfer(me_, Direction::kSend, Message{out_.peer, out_.place, out_.bytes, tag_, out_.step});
  next_sent_->since = next_sent_->step = horizon_;
  next_sent_ = after(next_sent_);
  ++sent_;
  next_send();
}

/// Finishes a message that has arrived. Returns false while the second
/// combination of an earlier message is still under way.
bool Player::finish(const PlannedMessage& m) {
  if ((m.flags & Flags::kAlso) != 0) {
    if (also_active()) return false;
    if (holds_) --also_posted_;
  }
  if (by_core_ && (m.flags & Flags::kCombines) != 0) {
    const bool left = (m.flags & Flags::kMessageLeft) != 0;
    compose(me_.memory(), left ? m.place : m.operand, left ? m.operand : m.place, m.target,
            m.bytes);
  }
  if ((m.flags & Flags::kAlso) == 0 || m.bytes == 0) return true;
  if (by_core_) {
    compose(me_.memory(), m.place, m.also_operand, m.also_target, m.bytes);
    return true;
  }
  const Address self = me_.topology().self();
  const bool apart = m.also_operand != m.also_target;
  const auto op = static_cast<reg::Operator>(me_.call().operator_code());
  const reg::Type type = me_.call().type();
  also_bytes_ = m.bytes;
  also_target_ = m.also_target;
  new (also_.bytes)
      Transfer(me_, message(me_, self, {m.also_target, m.bytes}, m.step),
               ReceiveOptions{apart ? combining_apart(op, type, true) : combining(op, type, true),
                              apart ? m.also_target : plan_.stage, m.also_operand});
  if (holds_) me_.node().reset_hold();
  // Not awaited: it is complete when the other one is.
  const Transfer sent(me_, Direction::kSend, message(me_, self, {m.place, m.bytes}, m.step));
  return true;
}

/// Finishes the oldest message. Returns false if it has to wait.
bool Player::take_receive() {
  if (!is_complete(*first_)) {
    if (!first_->quiet) return wait_for(first_->transfer());
    if (joined_) return wait_for_join();
    if (sent_ == 0) stop("a plan waits for a receive that no send waits for");
    return wait_for(first_sent_->transfer());
  }
  const PlannedMessage& m = first_->planned;
  if (is_to_finish(m.flags)) {
    if (holds_ && plan_.sends_before_also && (m.flags & Flags::kAlso) != 0) {
      // It may be held.
      take_sent();
      if (sent_ != 0 && first_sent_->since <= m.step) return wait_for(first_sent_->transfer());
    }
    if (!finish(m)) return wait_for(also_.transfer());
  }
  first_ = after(first_);
  --count_;
  return true;
}

/// Begins all second combinations whose messages are posted. Returns false if it has to wait.
bool Player::take_also() {
  while (also_posted_ != 0) {
    if (!take_receive()) return false;
  }
  return true;
}

bool Player::done() {
  if (!holds_) return play_by_core();
  const bool is_done = play_held() && all_complete();
  me_.node().reset_hold();  // for the sends of others
  return is_done;
}

/// True: all has begun. False: awaited_ must be complete before it goes on.
inline bool Player::play_held() {
  take_sent();
  for (;;) {
    if (receive_is_next()) {
      if (post()) continue;
      if (also_posted_ != 0) {
        if (!take_also()) return false;
        continue;
      }
      // The window is full, or its bytes are in use.
      if (count_ == kReceivesAhead ||
          (count_ != 0 && first_->planned.step <= next_->planned.not_before)) {
        if (!take_receive()) return false;
        continue;
      }
      if (sent_ == 0) stop("a plan's receive waits for what comes after it");
      return wait_for(first_sent_->transfer());
    }
    if (horizon_ == kForever) return take_also();
    if (sent_ == kSent) {
      if (!take_also()) return false;
      Sent& awaited = plan_.two_rounds ? *after(first_sent_) : *first_sent_;
      return wait_for(awaited.transfer());
    }
    if (also_posted_ != 0 && will_await_also() && !take_also()) return false;
    if (awaits_also()) return wait_for(also_.transfer());
    send();
  }
}

/// True: everything is done.
[[gnu::cold]] bool Player::play_by_core() {
  for (;;) {
    while (count_ != 0 && first_->planned.step < horizon_) {
      Receive& r = *first_;
      if (!r.transfer().await_ready()) return wait_for(r.transfer());
      if (is_to_finish(r.planned.flags) && !finish(r.planned)) return wait_for(also_.transfer());
      first_ = after(first_);
      --count_;
      if (horizon_ == kForever) post_ahead();
    }
    if (receive_is_next()) {
      // It was not posted: the window was full, or its bytes were in use.
      post_ahead();
      if (count_ != 0) continue;
      if (sent_ == 0) stop("a plan's receive waits for what comes after it");
      return wait_for(first_sent_->transfer());
    }
    take_sent();
    if (sent_ != 0) return wait_for(first_sent_->transfer());
    if (horizon_ == kForever) return own_complete();
    if (awaits_also()) return wait_for(also_.transfer());
    send_at_once();
    post_ahead();
  }
}

/// Whether what the process does by itself is complete.
inline bool Player::own_complete() {
  if (also_active()) return wait_for(also_.transfer());
  return !copy_.active() || wait_for(copy_.transfer());
}

/// Whether all that has begun is complete.
inline bool Player::all_complete() {
  // With the last send all sends are complete, and often all receives.
  if (join_.outstanding != 1) return wait_for_join();
  if (sent_ != 0) {
    Sent& last = *(next_sent_ == sent_room_ ? sent_room_ + kSent - 1 : next_sent_ - 1);
    if (!last.transfer().await_ready()) return wait_for(last.transfer());
    sent_to_ = last.step;
    sent_ = 0;
  }
  while (count_ != 0) {
    if (!take_receive()) return false;
  }
  return own_complete();
}

namespace {

/// A player in the call's arena, which the task that plays it gives back.
struct InArena {
  InArena(void* in, std::size_t size) : room(in), bytes(size) {}
  InArena(InArena&& other) noexcept
      : room(std::exchange(other.room, nullptr)), bytes(other.bytes), player(other.player) {}
  InArena& operator=(InArena&&) = delete;
  ~InArena() {
    if (room == nullptr) return;
    if (player != nullptr) player->~Player();
    FrameArena::release(room, bytes);
  }

  void* room;
  std::size_t bytes;
  Player* player = nullptr;  // not made yet
};

/// While a call is recorded, transfers are made in the task, and so is the player.
Task play_on(Context& me, InArena at, MakePlayer make, const void* part) {
  if (at.player == nullptr) at.player = make(me, at.room, part);
  Player& player = *at.player;
  while (!player.done()) co_await player;
  co_return CallResult::kSuccess;
}

}  // namespace

Task play_in_arena(Context& me, std::size_t bytes, MakePlayer make, const void* part) {
  void* const room = me.frames().allocate_last(bytes);
  if (room == nullptr) return Task::none();
  InArena at(room, bytes);
  if (me.may_begin()) {
    Player* const player = make(me, room, part);
    if (player == nullptr || player->begin()) {
      at.room = nullptr;  // the end of the call gives it back
      return Task::none();
    }
    at.player = player;
  }
  return play_on(me, std::move(at), make, part);
}

Task play_nothing(Context& /*me*/) { co_return CallResult::kSuccess; }

Task play(Context& me, Plan& plan) {
  Player player(me, plan);
  while (!player.done()) co_await player;
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
