// The protocol of open messages (docs/internals/nic/open-messages.md) by itself: every order in
// which two nodes can send, a third one can post receives, and packets can arrive, is walked for
// all small programs. Nothing may happen that the document calls a bad packet, every pair that fits
// must find each other in the end, and the matchings that can come out are those of a machine that
// has no packets at all. No code of the NIC is used: this checks the document, not the model.
// ANNELID_PROTOCOL_MESSAGES = 3 also walks programs of 3 sends and 3 receives (half a minute).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace {

constexpr int kMost = 3;     // sends, and receives, of a program
constexpr int kSenders = 2;  // each has its sends in the order of the program
constexpr int kAny = 2;      // of source and tag
constexpr std::uint8_t kNone = 7;

struct Program {
  int sends = 0, receives = 0;
  std::array<int, kMost> from{}, send_tag{};       // 0 or 1
  std::array<int, kMost> source{}, receive_tag{};  // 0, 1 or kAny

  [[nodiscard]] bool fits(int receive, int send) const {
    return (source[receive] == kAny || source[receive] == from[send]) &&
           (receive_tag[receive] == kAny || receive_tag[receive] == send_tag[send]);
  }
  [[nodiscard]] std::string text() const {
    std::string t = "sends";
    for (int i = 0; i < sends; ++i) t += std::string(" ") + "PQ"[from[i]] + "AB"[send_tag[i]];
    t += ", receives";
    for (int i = 0; i < receives; ++i)
      t += std::string(" ") + "PQ*"[source[i]] + "AB*"[receive_tag[i]];
    return t;
  }
};

/// By receive: the send that it got.
using Matching = std::array<std::uint8_t, kMost>;

// ---- Without packets
// -----------------------------------------------------------------------------

/// A send arrives when those before it of its sender have been taken. It is taken by the oldest
/// receive that fits; a receive that is posted takes the send that arrived first.
class Ideal {
 public:
  explicit Ideal(const Program& program) : p_(program) {
    State first;
    first.got.fill(kNone);
    walk(first);
  }
  [[nodiscard]] const std::set<Matching>& matchings() const { return found_; }

 private:
  struct State {
    int posted = 0;
    std::array<int, kSenders> arrived{};  // sends of each sender that have
    std::vector<int> there;               // arrived and not taken, in the order of arrival
    Matching got{};
    friend auto operator<=>(const State&, const State&) = default;
  };
  void walk(const State& s) {
    if (!seen_.insert(s).second) return;
    bool moved = false;
    if (s.posted < p_.receives) {
      State next = s;
      const int r = next.posted++;
      const auto first = std::find_if(next.there.begin(), next.there.end(),
                                      [&](int send) { return p_.fits(r, send); });
      if (first != next.there.end()) {
        next.got[r] = static_cast<std::uint8_t>(*first);
        next.there.erase(first);
      }
      walk(next);
      moved = true;
    }
    for (int sender = 0; sender < kSenders; ++sender) {
      const bool one_is_there = std::any_of(s.there.begin(), s.there.end(),
                                            [&](int send) { return p_.from[send] == sender; });
      int count = 0, send = kNone;
      for (int i = 0; i < p_.sends; ++i) {
        if (p_.from[i] == sender && count++ == s.arrived[sender]) send = i;
      }
      if (one_is_there || send == kNone) continue;
      State next = s;
      ++next.arrived[sender];
      int r = 0;
      while (r < next.posted && !(next.got[r] == kNone && p_.fits(r, send))) ++r;
      if (r < next.posted) {
        next.got[r] = static_cast<std::uint8_t>(send);
      } else {
        next.there.push_back(send);
      }
      walk(next);
      moved = true;
    }
    if (!moved) found_.insert(s.got);
  }

  Program p_;
  std::set<State> seen_;
  std::set<Matching> found_;
};

// ---- With packets
// --------------------------------------------------------------------------------

enum class SendState : std::uint8_t { kNotPosted, kWaiting, kReady, kSent };
enum class ReceiveState : std::uint8_t { kNotPosted, kWaiting, kGranted, kArriving, kDone };

struct Packet {
  enum Kind : std::uint8_t { kFree, kRequest, kGrant, kDataHeader, kDataTail };
  Kind kind = kFree;
  std::uint8_t sender = 0;
  std::uint8_t what = 0;  // request: the tag; grant: the place; data: the send
  friend bool operator<(const Packet& a, const Packet& b) {
    return std::memcmp(&a, &b, sizeof a) < 0;
  }
};

constexpr int kFlying = 8;

struct State {
  std::array<SendState, kMost> send{};
  std::array<std::uint8_t, kMost> place{};  // the receive that a ready send goes to
  std::array<std::uint8_t, kSenders> requested{}, due_request{kNone, kNone};
  std::array<ReceiveState, kMost> receive{};
  std::array<std::uint8_t, kMost> source{}, tag{};  // of a receive that is granted
  std::array<std::uint8_t, kMost> got{};
  std::array<std::uint8_t, kSenders> request{kNone, kNone};  // valid: its tag
  std::uint8_t first = kNone;                                // of two valid ones the older
  std::array<std::uint8_t, kSenders> due_grant{kNone, kNone};
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
  [[nodiscard]] const std::set<Matching>& matchings() const { return found_; }

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
    for (std::uint8_t sender = 0; sender < kSenders; ++sender) {
      for (int i = 0; i < p_.sends; ++i) {  // in the order of the program
        if (p_.from[i] != sender || s.send[i] != SendState::kNotPosted) continue;
        step([&](State& n) {
          n.send[i] = SendState::kWaiting;
          request_next(n, sender);
        });
        break;
      }
      if (s.due_request[sender] != kNone) {
        step([&](State& n) {
          launch(n, {Packet::kRequest, sender, n.due_request[sender]});
          n.due_request[sender] = kNone;
        });
      }
      if (s.due_grant[sender] != kNone) {
        step([&](State& n) {
          launch(n, {Packet::kGrant, sender, n.due_grant[sender]});
          n.due_grant[sender] = kNone;
        });
      }
    }
    for (int i = 0; i < p_.receives; ++i) {
      if (s.receive[i] != ReceiveState::kNotPosted) continue;
      step([&](State& n) { post(n, i); });
      break;
    }
    for (int i = 0; i < p_.sends; ++i) {  // several ports: any ready send may be next
      if (s.send[i] != SendState::kReady) continue;
      step([&](State& n) {
        n.send[i] = SendState::kSent;
        launch(n, {Packet::kDataHeader, static_cast<std::uint8_t>(p_.from[i]),
                   static_cast<std::uint8_t>(i)});
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
  [[nodiscard]] int oldest_waiting(const State& s, int sender) const {
    for (int i = 0; i < p_.sends; ++i) {
      if (p_.from[i] == sender && s.send[i] == SendState::kWaiting) return i;
    }
    return kNone;
  }
  void request_next(State& s, int sender) {
    const int oldest = oldest_waiting(s, sender);
    if (s.requested[sender] != 0 || oldest == kNone) return;
    if (s.due_request[sender] != kNone) return fail("two requests are due");
    s.due_request[sender] = static_cast<std::uint8_t>(p_.send_tag[oldest]);
    s.requested[sender] = 1;
  }
  void granted(State& s, int sender, std::uint8_t place) {
    if (s.requested[sender] == 0 || s.due_request[sender] != kNone) {
      return fail("a grant without a request");
    }
    s.requested[sender] = 0;
    const int oldest = oldest_waiting(s, sender);
    if (oldest == kNone) return fail("a grant, and no send waits");
    s.send[oldest] = SendState::kReady;
    s.place[oldest] = place;
    request_next(s, sender);
  }

  // ---- Receiver ----
  [[nodiscard]] bool fits(int receive, int sender, int tag) const {
    return (p_.source[receive] == kAny || p_.source[receive] == sender) &&
           (p_.receive_tag[receive] == kAny || p_.receive_tag[receive] == tag);
  }
  void grant(State& s, int receive, int sender, int tag) {
    if (s.due_grant[sender] != kNone) return fail("two grants are due");
    s.receive[receive] = ReceiveState::kGranted;
    s.source[receive] = static_cast<std::uint8_t>(sender);
    s.tag[receive] = static_cast<std::uint8_t>(tag);
    s.due_grant[sender] = static_cast<std::uint8_t>(receive);
  }
  void post(State& s, int i) {
    const int older = s.first == kNone ? 0 : s.first;
    for (const int sender : {older, 1 - older}) {
      if (s.request[sender] == kNone || !fits(i, sender, s.request[sender])) continue;
      grant(s, i, sender, s.request[sender]);
      s.request[sender] = kNone;
      s.first = kNone;  // at most one is left
      return;
    }
    s.receive[i] = ReceiveState::kWaiting;
  }
  void arrive(State& s, const Packet& packet) {
    const int sender = packet.sender;
    switch (packet.kind) {
      case Packet::kFree:
        break;
      case Packet::kRequest:
        if (s.request[sender] != kNone) return fail("a request while one is valid");
        if (s.due_grant[sender] != kNone) return fail("a request while a grant is due");
        for (int i = 0; i < p_.receives; ++i) {
          if (s.receive[i] != ReceiveState::kWaiting || !fits(i, sender, packet.what)) continue;
          return grant(s, i, sender, packet.what);
        }
        if (s.request[1 - sender] != kNone) s.first = static_cast<std::uint8_t>(1 - sender);
        s.request[sender] = packet.what;
        break;
      case Packet::kGrant:
        granted(s, sender, packet.what);
        break;
      case Packet::kDataHeader: {
        const int r = s.place[packet.what];
        if (s.receive[r] != ReceiveState::kGranted || s.source[r] != sender ||
            s.due_grant[sender] == r) {
          return fail("data for a place that is not granted");
        }
        if (s.tag[r] != p_.send_tag[packet.what]) return fail("data of another tag");
        s.receive[r] = ReceiveState::kArriving;
        launch(s, {Packet::kDataTail, packet.sender, packet.what});
        break;
      }
      case Packet::kDataTail:
        s.receive[s.place[packet.what]] = ReceiveState::kDone;
        s.got[s.place[packet.what]] = packet.what;
        break;
    }
  }
  void judge(const State& s) {
    for (int i = 0; i < p_.receives; ++i) {
      if (s.receive[i] != ReceiveState::kWaiting && s.receive[i] != ReceiveState::kDone) {
        fail("receive " + std::to_string(i) + " is granted, and its message never comes");
      }
    }
    for (int sender = 0; sender < kSenders; ++sender) {
      const int oldest = oldest_waiting(s, sender);
      if (oldest == kNone) continue;
      for (int i = 0; i < p_.receives; ++i) {
        if (s.receive[i] == ReceiveState::kWaiting && p_.fits(i, oldest)) {
          fail("send " + std::to_string(oldest) + " and receive " + std::to_string(i) +
               " never find each other");
        }
      }
    }
    found_.insert(s.got);
  }

  Program p_;
  std::unordered_set<State, Hash> seen_;
  std::vector<State> todo_;
  std::set<Matching> found_;
  std::string error_;
};

/// Base-n digits of a number, as the choices of a program.
int digit(int& number, int base) {
  const int digit = number % base;
  number /= base;
  return digit;
}

TEST(OpenProtocol, EveryOrderOfEverySmallProgramMatchesAsIfThereWereNoPackets) {
  std::size_t programs = 0, states = 0, races = 0;
  const bool all = std::getenv("ANNELID_PROTOCOL_MESSAGES") != nullptr;
  for (int sends = 0; sends <= kMost; ++sends) {
    for (int receives = 0; receives <= kMost; ++receives) {
      if (sends == kMost && receives == kMost && !all) continue;
      int kinds = 1;
      for (int i = 0; i < sends; ++i) kinds *= 4;
      for (int i = 0; i < receives; ++i) kinds *= 9;
      for (int kind = 0; kind < kinds; ++kind) {
        Program p;
        p.sends = sends;
        p.receives = receives;
        int choices = kind;
        for (int i = 0; i < sends; ++i) {
          p.from[i] = digit(choices, 2);
          p.send_tag[i] = digit(choices, 2);
        }
        if (sends > 0 && p.from[0] != 0) continue;  // the mirror image is walked
        for (int i = 0; i < receives; ++i) {
          p.source[i] = digit(choices, 3);
          p.receive_tag[i] = digit(choices, 3);
        }
        const Walk walk(p);
        ASSERT_EQ(walk.error(), "");
        ASSERT_EQ(walk.matchings(), Ideal(p).matchings()) << p.text();
        ++programs;
        states += walk.states();
        races += walk.matchings().size() > 1 ? 1 : 0;
      }
    }
  }
  std::printf("%zu programs, %zu states, %zu with more than one outcome\n", programs, states,
              races);
  EXPECT_GT(states, 500'000U);
  EXPECT_GT(races, 100U);
}

}  // namespace
