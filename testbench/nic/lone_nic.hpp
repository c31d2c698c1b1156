// One NIC whose routers are the test: it sees every flit and credit with its cycle, and decides
// what arrives when.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "testbench/nic/script.hpp"

namespace annelid::test {

class LoneNic : public systemc::Scheduler, public nic::NicObserver {
 public:
  struct Injected {
    Cycle cycle = 0;
    int local = 0;
    systemc::Flit flit;
  };
  struct Credit {
    Cycle cycle = 0;
    int local = 0;
    Vc vc = 0;
  };
  struct Finished {
    Cycle cycle = 0;
    std::uint16_t ticket = 0;
    std::uint32_t result = 0;
    friend bool operator==(const Finished&, const Finished&) = default;
  };
  struct Failure {
    Cycle cycle = 0;
    reg::ErrorCause cause = reg::ErrorCause::kNone;
    std::string text;
  };

  /// Several may be made before the first one runs.
  explicit LoneNic(const nic::NicConfig& config, NodeId node = 0)
      : nic(sc_core::sc_gen_unique_name("nic"), config, node, *this) {
    for (std::size_t l = 0; l < nic.to_router.size(); ++l) {
      ends_.push_back(std::make_unique<End>(*this, static_cast<int>(l)));
      nic.to_router[l].bind(*ends_[l]);
    }
    auto owned = std::make_unique<Script>(nic);
    script = owned.get();
    nic.load(std::move(owned));
    nic.set_observers(this, nullptr);
  }

  [[nodiscard]] Cycle now() const override { return now_; }
  int add(systemc::Clocked&) override { return 0; }
  void wake(int, Cycle at) override {
    EXPECT_GT(at, now_);
    woken_[at] = true;
  }

  /// In cycle `at` the flit is on ejection channel `local`; the credit on injection channel's back.
  void arrive(Cycle at, int local, const systemc::Flit& flit) {
    arrivals_[at].push_back({at, local, flit});
  }
  void give_credit(Cycle at, int local, Vc vc) { credits_in_[at].push_back({at, local, vc}); }
  /// A whole packet, a flit per cycle from `at` on.
  void arrive(Cycle at, int local, const std::vector<systemc::Flit>& packet) {
    for (std::size_t i = 0; i < packet.size(); ++i) arrive(at + i, local, packet[i]);
  }

  /// Executes cycles up to limit - 1. The router acts after the NIC in each cycle, or before.
  void run_until(Cycle limit) {
    if (sc_core::sc_get_status() < sc_core::SC_RUNNING) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (; now_ < limit; ++now_) {
      if (network_first) router_acts();
      if (due_ <= now_ || woken_.count(now_) != 0 || polled) {
        ++steps;
        due_ = nic.step(now_);
        EXPECT_GT(due_, now_);
      }
      woken_.erase(now_);
      if (!network_first) router_acts();
    }
  }

  void failed(Cycle now, NodeId, reg::ErrorCause cause, const std::string& text) override {
    failures.push_back({now, cause, text});
  }
  void trapped(Cycle, NodeId, const nic::Trap& trap) override { traps.push_back(trap); }
  void call_finished(Cycle now, NodeId, std::uint16_t ticket, std::uint32_t result) override {
    calls_finished.push_back({now, ticket, result});
  }
  void send_posted(Cycle now, const nic::MessageInfo& info) override {
    log.push_back(std::to_string(now) + " posted " + std::to_string(info.tag));
  }
  void send_started(Cycle now, const nic::MessageInfo& info, Port local) override {
    log.push_back(std::to_string(now) + " started " + std::to_string(info.tag) + " on " +
                  std::to_string(local));
  }
  void send_completed(Cycle now, const nic::MessageInfo& info) override {
    log.push_back(std::to_string(now) + " sent " + std::to_string(info.tag));
  }
  void received(Cycle now, const nic::MessageInfo& info) override {
    log.push_back(std::to_string(now) + " received " + std::to_string(info.tag));
  }

  nic::Nic nic;
  Script* script = nullptr;
  bool auto_credit = true;  ///< a credit comes back for each injected flit, so much later
  Cycle credit_delay = 1;
  bool network_first = false;
  bool polled = false;  ///< stepped in every cycle, asked for or not
  std::uint64_t steps = 0;
  std::vector<Injected> injected;
  std::vector<Credit> credits;  ///< for flits that arrived
  std::vector<Failure> failures;
  std::vector<nic::Trap> traps;
  std::vector<Finished> calls_finished;
  std::vector<std::string> log;  ///< "17 sent 5": what the NIC said of messages, by tag

 private:
  class End : public systemc::LinkIf {
   public:
    End(LoneNic& bench, int local) : bench_(bench), local_(local) {}
    void put_flit(const systemc::Flit& flit) override {
      bench_.injected.push_back({bench_.now_, local_, flit});
      if (bench_.auto_credit)
        bench_.give_credit(bench_.now_ + bench_.credit_delay, local_, flit.vc);
    }
    void put_credit(Vc vc) override { bench_.credits.push_back({bench_.now_, local_, vc}); }

   private:
    LoneNic& bench_;
    int local_;
  };

  void router_acts() {
    for (const Injected& a : arrivals_[now_]) {
      nic.from_router[static_cast<std::size_t>(a.local)]->put_flit(a.flit);
    }
    for (const Credit& c : credits_in_[now_]) {
      nic.from_router[static_cast<std::size_t>(c.local)]->put_credit(c.vc);
    }
    arrivals_.erase(now_);
    credits_in_.erase(now_);
  }

  Cycle now_ = 0;
  Cycle due_ = 0;
  std::map<Cycle, bool> woken_;
  std::map<Cycle, std::vector<Injected>> arrivals_;
  std::map<Cycle, std::vector<Credit>> credits_in_;
  std::vector<std::unique_ptr<End>> ends_;
};

/// The flits of a packet, made from the documentation and not from interface/packet.hpp.
inline std::vector<systemc::Flit> make_packet(Address to, Address from, std::uint16_t tag,
                                              std::uint64_t header,
                                              const std::vector<std::uint64_t>& data = {},
                                              Vc vc = 0) {
  const std::uint64_t head = std::uint64_t{to.x} | std::uint64_t{to.y} << 8 |
                             std::uint64_t{from.x} << 24 | std::uint64_t{from.y} << 32 |
                             std::uint64_t{tag} << 48;
  std::vector<systemc::Flit> flits{{head, vc, true, false}, {header, vc, false, data.empty()}};
  for (std::size_t i = 0; i < data.size(); ++i) {
    flits.push_back({data[i], vc, false, i + 1 == data.size()});
  }
  return flits;
}

/// docs/internals/nic/messages.md: kind 3:0, length 28:4, sequence 44:29, place 50:45.
inline std::uint64_t make_header(std::uint64_t kind, std::uint64_t length, std::uint64_t sequence,
                                 std::uint64_t place) {
  return kind | length << 4 | sequence << 29 | place << 45;
}
inline constexpr std::uint64_t kData = 1, kControl = 2, kEager = 3;

/// What a control packet says; the offered and the parked place count only with their bits.
inline constexpr std::uint64_t kOffer = 1, kPark = 2, kAsk = 4, kFree = 8, kRequest = 16,
                               kGrant = 32;
inline std::uint64_t make_control(std::uint64_t says, std::uint64_t offered = 0,
                                  std::uint64_t parked = 0) {
  return kControl | says << 4 | offered << 45 | parked << 51;
}

/// The packets that a NIC injected, in words: "11 port 2 to 1,2 tag 7: offer 0". The cycle is the
/// head's; each packet must come flit by flit on its port, unless flits wait for credits.
inline std::vector<std::string> packets_of(const LoneNic& bench) {
  std::vector<std::string> packets;
  std::map<int, std::size_t> open;  // by port: a packet whose header is still to come
  for (const auto& [cycle, local, flit] : bench.injected) {
    const auto field = [&data = flit.data](int high, int low) {
      return data >> low & (~std::uint64_t{0} >> (63 - high + low));
    };
    const auto text = [&](int high, int low) { return std::to_string(field(high, low)); };
    if (flit.head) {
      open[local] = packets.size();
      packets.push_back(std::to_string(cycle) + " port " + std::to_string(local) + " to " +
                        text(7, 0) + ',' + text(15, 8) + " tag " + text(63, 48) + ':');
    } else if (const auto found = open.find(local); found != open.end()) {
      std::string& packet = packets[found->second];
      open.erase(found);
      EXPECT_EQ(field(63, 63), 0U);
      if (field(3, 0) == kControl) {
        EXPECT_EQ(field(28, 10), 0U);
        if (field(7, 7) != 0) packet += " free";
        if (field(5, 5) != 0) packet += " park " + text(56, 51);
        if (field(6, 6) != 0) packet += " ask";
        if (field(4, 4) != 0) packet += " offer " + text(50, 45);
        if (field(9, 9) != 0) packet += " grant " + text(62, 57);
        if (field(8, 8) != 0) packet += " request " + text(44, 29);
        EXPECT_TRUE(field(9, 9) != 0 || field(62, 57) == 0);
        EXPECT_TRUE(field(8, 8) != 0 || field(44, 29) == 0);
        EXPECT_TRUE(field(4, 4) != 0 || field(50, 45) == 0);
        EXPECT_TRUE(field(5, 5) != 0 || field(56, 51) == 0);
        EXPECT_TRUE(flit.tail);
      } else {
        EXPECT_EQ(field(62, 51), 0U);
        packet += (field(3, 0) == kData ? " data " : " eager ") + text(28, 4) + " #" + text(44, 29);
        if (field(3, 0) == kData) packet += " place " + text(50, 45);
      }
    }
  }
  return packets;
}
using Texts = std::vector<std::string>;

inline nic::NicConfig small_config(int size_x = 4, int size_y = 4) {
  nic::NicConfig config;
  config.network.size[0] = size_x;
  config.network.size[1] = size_y;
  config.memory_bytes = std::uint64_t{1} << 20;
  return config;
}

}  // namespace annelid::test
