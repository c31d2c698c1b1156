// The protocol of docs/internals/nic/messages.md by itself: every order in which two nodes can
// post, send and receive, in a network that delivers packets in any order, is walked for all small
// programs. In each the sends and receives of a tag must be matched first to first, second to
// second, and nothing may happen that the document calls a bad packet. No code of the NIC is used:
// this checks the document, not the model.
//
// Of receives in turn other peers' are not walked: that they have got their messages is an event.
//
// One direction is enough: what two nodes tell each other about the messages of one direction never
// changes what they know of the other. ANNELID_PROTOCOL_MESSAGES = 4 walks programs of up to 4
// sends and 4 receives (a minute) instead of 3.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace {

constexpr int kMost = 4;  // sends, and receives, of a program
constexpr int kNone = 7;

struct Program {
  int sends = 0, receives = 0;
  std::array<int, kMost> send_tag{}, receive_tag{};
  std::array<bool, kMost> is_short{}, in_turn{};

  [[nodiscard]] std::string text() const {
    std::string t = "sends";
    for (int i = 0; i < sends; ++i)
      t += std::string(" ") + "AB"[send_tag[i]] + (is_short[i] ? "s" : "");
    t += ", receives";
    for (int i = 0; i < receives; ++i)
      t += std::string(" ") + "AB"[receive_tag[i]] + (in_turn[i] ? "t" : "");
    return t;
  }
};

enum class SendState : std::uint8_t { kNotPosted, kWaiting, kData, kEager, kSent };
enum class ReceiveState : std::uint8_t {
  kNotPosted,
  kWaiting,
  kOffered,
  kParked,
  kArriving,
  kDelivering,
  kDone
};

struct Packet {
  enum Kind : std::uint8_t {
    kFree,
    kFromReceiver,
    kFromSender,
    kDataHeader,
    kDataTail,
    kEagerHeader,
    kEagerTail
  };
  Kind kind = kFree;
  std::uint8_t offer = kNone, park = kNone, ask = 0, free = 0;  // control
  std::uint8_t send = kNone;                                    // data, eager
  friend bool operator<(const Packet& a, const Packet& b) {
    return std::memcmp(&a, &b, sizeof a) < 0;
  }
};

constexpr int kFlying = 8;

struct State {
  // The sender.
  std::array<SendState, kMost> send{};
  std::array<std::uint8_t, kMost> place{};  // the receive that a ready send goes to
  std::uint8_t kept = kNone, wanted = 0, eager_free = 1, eager_tag = 0;
  std::uint8_t due_park = kNone, due_ask = 0;
  // The receiver.
  std::array<ReceiveState, kMost> receive{};
  std::array<std::uint8_t, kMost> got{};  // the send that it received
  std::uint8_t outstanding = 0, asked = 0;
  std::uint8_t eager_send = kNone, eager_full = 0, eager_match = kNone;
  std::uint8_t due_offer = kNone, due_free = 0;
  std::array<std::uint8_t, kMost> turn{};  // of receives in turn: its turn came, as to other peers
  // The network.
  std::array<Packet, kFlying> flying{};

  friend bool operator==(const State& a, const State& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
  }
};
static_assert(std::has_unique_object_representations_v<State>);

struct Hash {
  std::size_t operator()(const State& s) const {
    std::uint64_t h = 14695981039346656037u;
    unsigned char bytes[sizeof s];
    std::memcpy(bytes, &s, sizeof s);
    for (const unsigned char b : bytes) h = (h ^ b) * 1099511628211u;
    return h;
  }
};

class Walk {
 public:
  explicit Walk(const Program& program) : p_(program) {
    State first;
    first.place.fill(kNone);
    first.got.fill(kNone);
    reach(first);
    while (!todo_.empty() && error_.empty()) {
      const State s = todo_.back();
      todo_.pop_back();
      expand(s);
    }
  }
  [[nodiscard]] std::size_t states() const { return seen_.size(); }
  [[nodiscard]] const std::string& error() const { return error_; }

  enum Count {
    kKeptUsed,
    kParkedKept,
    kParkedOffer,
    kAsks,
    kEagers,
    kPlaced,
    kDirect,
    kAskedAgain,
    kHeld,
    kCounts
  };
  std::array<std::uint64_t, kCounts> counts{};  // of what happened, over all steps

 private:
  void fail(const std::string& what) {
    if (error_.empty()) error_ = p_.text() + ": " + what;
  }
  void reach(State s) {
    std::sort(s.flying.begin(), s.flying.end());
    if (seen_.insert(s).second) todo_.push_back(s);
  }
  void launch(State& s, const Packet& packet) {
    for (Packet& f : s.flying) {
      if (f.kind != Packet::kFree) continue;
      f = packet;
      return;
    }
    fail("more packets than expected");
  }

  void expand(const State& s) {
    bool moved = false;
    const auto step = [&](auto&& action) {
      State next = s;
      action(next);
      reach(next);
      moved = true;
    };
    for (int i = 0; i < p_.sends; ++i) {  // posting, in the program's order
      if (s.send[i] != SendState::kNotPosted) continue;
      step([&](State& n) { admit(n, i); });
      break;
    }
    for (int i = 0; i < p_.receives; ++i) {
      if (s.receive[i] != ReceiveState::kNotPosted) continue;
      step([&](State& n) { post(n, i); });
      break;
    }
    for (int i = 0; i < p_.receives; ++i) {  // receives of other peers have got their messages
      if (!p_.in_turn[i] || s.turn[i] != 0 || s.receive[i] != ReceiveState::kWaiting) continue;
      if (has_older_in_turn(s, i)) continue;
      step([&](State& n) {
        n.turn[i] = 1;
        settle(n);
      });
    }
    if (s.due_park != kNone || s.due_ask != 0) {
      step([&](State& n) {
        launch(n, {.kind = Packet::kFromSender, .park = n.due_park, .ask = n.due_ask});
        n.due_park = kNone;
        n.due_ask = 0;
      });
    }
    if (s.due_offer != kNone || s.due_free != 0) {
      step([&](State& n) {
        launch(n, {.kind = Packet::kFromReceiver, .offer = n.due_offer, .free = n.due_free});
        n.due_offer = kNone;
        n.due_free = 0;
      });
    }
    for (int i = 0; i < p_.sends; ++i) {  // several ports: any ready send may be next
      const auto number = static_cast<std::uint8_t>(i);
      if (s.send[i] == SendState::kData) {
        step([&](State& n) {
          n.send[i] = SendState::kSent;
          launch(n, {.kind = Packet::kDataHeader, .send = number});
        });
      } else if (s.send[i] == SendState::kEager) {
        step([&](State& n) {
          n.send[i] = SendState::kSent;
          launch(n, {.kind = Packet::kEagerHeader, .send = number});
        });
      }
    }
    if (s.eager_match != kNone && s.eager_full != 0) {
      step([&](State& n) {  // the delivery is done
        n.receive[n.eager_match] = ReceiveState::kDone;
        n.got[n.eager_match] = n.eager_send;
        n.eager_send = n.eager_match = kNone;
        n.eager_full = 0;
        n.due_free = 1;
        settle(n);
      });
    }
    for (int f = 0; f < kFlying; ++f) {
      if (s.flying[f].kind == Packet::kFree) continue;
      if (f > 0 && !(s.flying[f - 1] < s.flying[f])) continue;  // its twin was tried
      step([&](State& n) {
        const Packet packet = n.flying[f];
        n.flying[f] = {};
        arrive(n, packet);
      });
    }
    if (!moved) judge(s);
  }

  // ---- Sender ----
  [[nodiscard]] bool waits(const State& s, int tag) const {
    for (int i = 0; i < p_.sends; ++i) {
      if (s.send[i] == SendState::kWaiting && (tag < 0 || p_.send_tag[i] == tag)) return true;
    }
    return false;
  }
  void admit(State& s, int i) {
    const int tag = p_.send_tag[i];
    if (s.kept != kNone && p_.receive_tag[s.kept] == tag) {
      s.send[i] = SendState::kData;
      s.place[i] = s.kept;
      s.kept = kNone;
      ++counts[kKeptUsed];
    } else if (p_.is_short[i] && s.eager_free != 0 && !waits(s, tag)) {
      s.send[i] = SendState::kEager;
      s.eager_free = 0;
      s.eager_tag = static_cast<std::uint8_t>(tag);
      ++counts[kEagers];
    } else {
      s.send[i] = SendState::kWaiting;
      const bool park = s.kept != kNone;
      if (park) {
        if (s.due_park != kNone) fail("two parks are due");
        s.due_park = s.kept;
        s.kept = kNone;
        ++counts[kParkedKept];
      }
      if (s.wanted != 0) {
        s.due_ask = 1;
        ++counts[kAsks];
      }
      s.wanted = park;
    }
  }
  void offer(State& s, std::uint8_t place) {
    const int tag = p_.receive_tag[place];
    const auto park = [&] {
      if (s.due_park != kNone) fail("two parks are due");
      s.due_park = place;
      s.wanted = 1;
      ++counts[kParkedOffer];
    };
    if (s.eager_free == 0 && s.eager_tag == tag) return park();
    for (int i = 0; i < p_.sends; ++i) {
      if (s.send[i] != SendState::kWaiting || p_.send_tag[i] != tag) continue;
      s.send[i] = SendState::kData;
      s.place[i] = place;
      return;
    }
    if (waits(s, -1)) return park();
    if (s.kept != kNone) return fail("an offer while one is kept");
    s.kept = place;
  }
  void freed(State& s) {
    if (s.eager_free != 0) fail("free of a free place");
    s.eager_free = 1;
    if (s.wanted != 0 && waits(s, -1)) {
      s.due_ask = 1;
      s.wanted = 0;
      ++counts[kAsks];
    }
  }

  // ---- Receiver ----
  [[nodiscard]] static bool unresolved(ReceiveState r) {
    return r == ReceiveState::kWaiting || r == ReceiveState::kOffered || r == ReceiveState::kParked;
  }
  [[nodiscard]] int oldest(const State& s, int tag) const {
    for (int i = 0; i < p_.receives; ++i) {
      if (p_.receive_tag[i] == tag && unresolved(s.receive[i])) return i;
    }
    return kNone;
  }
  void match_eager(State& s) {
    if (s.eager_send == kNone || s.eager_match != kNone) return;
    const int r = oldest(s, p_.send_tag[s.eager_send]);
    if (r == kNone || s.receive[r] == ReceiveState::kOffered) return;
    s.receive[r] = ReceiveState::kDelivering;
    s.eager_match = static_cast<std::uint8_t>(r);
  }
  [[nodiscard]] bool has_older_in_turn(const State& s, int i) const {
    for (int j = 0; j < i; ++j) {
      if (p_.in_turn[j] && p_.receive_tag[j] == p_.receive_tag[i] && unresolved(s.receive[j]))
        return true;
    }
    return false;
  }
  [[nodiscard]] bool held(const State& s, int i) const {
    return p_.in_turn[i] && s.receive[i] == ReceiveState::kWaiting &&
           (s.turn[i] == 0 || has_older_in_turn(s, i));
  }
  /// The eager place is matched if it can be, then the next receive is offered.
  void settle(State& s) {
    match_eager(s);
    if (s.outstanding != 0) return;
    for (int i = 0; i < p_.receives; ++i) {
      if (s.receive[i] != ReceiveState::kWaiting) continue;
      if (held(s, i)) {
        ++counts[kHeld];
        continue;
      }
      bool behind = false;
      for (int j = 0; j < i; ++j) {
        behind |= (s.receive[j] == ReceiveState::kParked || held(s, j)) &&
                  p_.receive_tag[j] == p_.receive_tag[i];
      }
      if (behind) continue;
      s.receive[i] = ReceiveState::kOffered;
      s.outstanding = 1;
      if (s.due_offer != kNone) fail("two offers are due");
      s.due_offer = static_cast<std::uint8_t>(i);
      return;
    }
  }
  void post(State& s, int i) {
    s.receive[i] = ReceiveState::kWaiting;
    settle(s);
  }
  void arrive(State& s, const Packet& packet) {
    switch (packet.kind) {
      case Packet::kFree:
        break;
      case Packet::kFromReceiver:
        if (packet.free != 0) freed(s);
        if (packet.offer != kNone) offer(s, packet.offer);
        break;
      case Packet::kFromSender:
        control(s, packet);
        break;
      case Packet::kDataHeader: {
        const int r = s.place[packet.send];
        if (s.receive[r] != ReceiveState::kOffered)
          return fail("data for a place that is not offered");
        if (p_.receive_tag[r] != p_.send_tag[packet.send]) return fail("data of another tag");
        s.receive[r] = ReceiveState::kArriving;
        s.outstanding = s.asked = 0;
        launch(s, {.kind = Packet::kDataTail, .send = packet.send});
        settle(s);
        break;
      }
      case Packet::kDataTail:
        s.receive[s.place[packet.send]] = ReceiveState::kDone;
        s.got[s.place[packet.send]] = packet.send;
        break;
      case Packet::kEagerHeader: {
        if (s.eager_send != kNone) return fail("an eager message whose place is taken");
        const int r = oldest(s, p_.send_tag[packet.send]);
        if (r != kNone && s.receive[r] != ReceiveState::kOffered) {
          s.receive[r] = ReceiveState::kDone;  // it takes the message directly
          s.got[r] = packet.send;
          s.due_free = 1;
          ++counts[kDirect];
          settle(s);
        } else {
          s.eager_send = packet.send;
          ++counts[kPlaced];
          launch(s, {.kind = Packet::kEagerTail, .send = packet.send});
        }
        break;
      }
      case Packet::kEagerTail:
        s.eager_full = 1;
        break;
    }
  }
  void control(State& s, const Packet& packet) {
    if (packet.park != kNone) {
      if (s.receive[packet.park] != ReceiveState::kOffered)
        return fail("a park of what was not offered");
      s.outstanding = 0;
      s.receive[packet.park] = s.asked != 0 ? ReceiveState::kWaiting : ReceiveState::kParked;
      counts[kAskedAgain] += s.asked;
      s.asked = 0;
      match_eager(s);
    }
    if (packet.ask != 0) {
      for (int i = 0; i < p_.receives; ++i) {
        if (s.receive[i] == ReceiveState::kParked) s.receive[i] = ReceiveState::kWaiting;
      }
      if (s.outstanding != 0) s.asked = 1;
    }
    settle(s);
  }
  void judge(const State& s) {
    for (int tag = 0; tag < 2; ++tag) {
      std::vector<int> sends, receives;
      for (int i = 0; i < p_.sends; ++i) {
        if (p_.send_tag[i] == tag) sends.push_back(i);
      }
      for (int i = 0; i < p_.receives; ++i) {
        if (p_.receive_tag[i] == tag) receives.push_back(i);
      }
      for (std::size_t k = 0; k < receives.size(); ++k) {
        const int got = s.got[receives[k]];
        const int expected = k < sends.size() ? sends[k] : kNone;
        if (got != expected) {
          fail("receive " + std::to_string(receives[k]) + " got send " + std::to_string(got) +
               ", expected " + std::to_string(expected));
        }
      }
    }
  }

  Program p_;
  std::unordered_set<State, Hash> seen_;
  std::vector<State> todo_;
  std::string error_;
};

TEST(Protocol, EveryOrderOfEverySmallProgramMatchesFirstToFirst) {
  std::size_t programs = 0, states = 0;
  std::array<std::uint64_t, Walk::kCounts> counts{};
  const char* const given = std::getenv("ANNELID_PROTOCOL_MESSAGES");
  const int most = given == nullptr ? 3 : std::min(std::atoi(given), kMost);
  for (int sends = 0; sends <= most; ++sends) {
    for (int receives = 0; receives <= most; ++receives) {
      for (int tags = 0; tags < 1 << (sends + receives); ++tags) {
        for (int lengths = 0; lengths < 1 << sends; ++lengths) {
          Program p{sends, receives, {}, {}, {}, {}};
          for (int i = 0; i < sends; ++i) {
            p.send_tag[i] = tags >> i & 1;
            p.is_short[i] = (lengths >> i & 1) != 0;
          }
          for (int i = 0; i < receives; ++i) p.receive_tag[i] = tags >> (sends + i) & 1;
          for (const int turns : {0, 0b1111, 0b0101}) {  // of receives in turn
            if (turns != 0 && receives == 0) continue;
            for (int i = 0; i < receives; ++i) p.in_turn[i] = (turns >> i & 1) != 0;
            const Walk walk(p);
            ASSERT_EQ(walk.error(), "");
            ++programs;
            states += walk.states();
            for (std::size_t c = 0; c < counts.size(); ++c) counts[c] += walk.counts[c];
          }
        }
      }
    }
  }
  std::printf("%zu programs, %zu states\n", programs, states);
  EXPECT_GT(states, 500'000U);
  for (const std::uint64_t c : counts) EXPECT_GT(c, 0U);
}

}  // namespace
