// The neighbours of one router, as random partners: they send whole packets within their credits,
// and return credits after random stalls, on data VCs and on those for control packets alike.
// Shares no code with model or RTL.
//
// In lawful moods a packet arrives where its path leads, on a VC of its class. In wild
// moods any packet arrives anywhere: section 5.1 defines the route of each, so RTL and model must
// agree there too.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "systemc/network/config.hpp"
#include "systemc/network/flit.hpp"
#include "testbench/lockstep/geometry.hpp"

namespace annelid::lockstep {

/// xorshift64*: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2685821657736338717ull + 1) {}
  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 2685821657736338717ull;
  }
  /// 0 .. n-1
  std::uint64_t below(std::uint64_t n) { return (next() >> 11) % n; }
  int below(int n) { return static_cast<int>(below(static_cast<std::uint64_t>(n))); }
  bool chance(double p) { return static_cast<double>(next() >> 11) < p * 9007199254740992.0; }

 private:
  std::uint64_t state_;
};

/// How wild the neighbours are; changes from phase to phase of a test.
struct Mood {
  double start = 0.5;        ///< chance per idle input VC and cycle to start a packet
  double pause = 0.1;        ///< chance that a sender makes a pause in a cycle
  double stall = 0.1;        ///< chance that a receiver returns no credit in a cycle
  int longest = 8;           ///< flits of the longest packet
  bool single_exit = false;  ///< all packets want the same output for a while
  bool wild = false;         ///< any packet on any input
};

/// What the neighbours put on the router's inputs in one cycle, by link.
struct Stimulus {
  std::array<std::optional<systemc::Flit>, kMaxPorts> flits;
  std::array<std::optional<Vc>, kMaxPorts> credits;
};

/// What the router puts on its outputs in one cycle, by link.
struct Response {
  std::array<std::optional<systemc::Flit>, kMaxPorts> flits;
  std::array<std::optional<Vc>, kMaxPorts> credits;
  friend bool operator==(const Response&, const Response&) = default;
};

class Neighbours {
 public:
  Neighbours(const systemc::RouterConfig& config, const Place& place, std::uint64_t seed);

  void set_mood(const Mood& mood) { mood_ = mood; }
  /// No new packets; what has begun is finished, and credits return.
  void drain() { draining_ = true; }
  /// Everything was delivered, and every credit is back.
  [[nodiscard]] bool quiet() const;

  /// The stimulus of a cycle, from what the router answered in the cycles before.
  const Stimulus& stimulus();
  /// What the router did in the cycle of the last stimulus(); what was wrong with it, or "". A
  /// head must leave where Geometry says, on a VC of its packet's kind, and nobody may send more
  /// than it has room for.
  std::string response(const Response& response);

  std::uint64_t flits_sent = 0, packets_sent = 0, flits_received = 0;
  std::uint64_t wrapping = 0, ties = 0;  ///< heads that left over rings: the wrap-around link is
                                         ///< ahead; both ways were equally long
  using PerClass = std::array<std::array<std::uint64_t, 3>, kMaxPorts>;
  PerClass heads{};          ///< by output link and class
  PerClass control_heads{};  ///< those of them that lead control packets

 private:
  struct Sender {  // one per input VC
    int credits = 0;
    int flits_left = 0;  // of the packet that is being sent
    bool at_head = true;
    std::uint64_t head = 0;
  };
  struct Receiver {  // one per output VC
    int held = 0;    // flits whose credit was not yet returned
  };
  std::optional<systemc::HeadFields> random_head(int in, int vc);
  systemc::HeadFields any_head(int in, int vc);
  std::string check_head(int link, const systemc::Flit& flit);
  std::uint8_t coordinate(int d);
  void send(int link);
  void return_credit(int link);

  systemc::RouterConfig config_;
  Place place_;
  Geometry geometry_;
  Random random_;
  Mood mood_;
  bool draining_ = false;
  int target_ = 0;  // the exit of moods with a single one
  std::array<std::array<Sender, kMaxVcs>, kMaxPorts> senders_{};
  std::array<std::array<Receiver, kMaxVcs>, kMaxPorts> receivers_{};
  Stimulus stimulus_;
};

}  // namespace annelid::lockstep
