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

class LoneNic : public Scheduler, public NicObserver {
 public:
  struct Injected {
    Cycle cycle = 0;
    int local = 0;
    Flit flit;
  };
  struct Credit {
    Cycle cycle = 0;
    int local = 0;
    Vc vc = 0;
  };
  struct Failure {
    Cycle cycle = 0;
    reg::ErrorCause cause = reg::ErrorCause::kNone;
    std::string text;
  };

  /// Several may be made before the first one runs.
  explicit LoneNic(const NicConfig& config, NodeId node = 0)
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
  int add(Clocked&) override { return 0; }
  void wake(int, Cycle at) override {
    EXPECT_GT(at, now_);
    woken_[at] = true;
  }

  /// In cycle `at` the flit is on ejection channel `local`; the credit on injection channel's back.
  void arrive(Cycle at, int local, const Flit& flit) { arrivals_[at].push_back({at, local, flit}); }
  void give_credit(Cycle at, int local, Vc vc) { credits_in_[at].push_back({at, local, vc}); }
  /// A whole packet, a flit per cycle from `at` on.
  void arrive(Cycle at, int local, const std::vector<Flit>& packet) {
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
  void trapped(Cycle, NodeId, const Trap& trap) override { traps.push_back(trap); }
  void call_finished(Cycle now, NodeId, std::uint32_t result) override {
    calls_finished.emplace_back(now, result);
  }

  Nic nic;
  Script* script = nullptr;
  bool auto_credit = true;  ///< a credit comes back in the cycle after each injected flit
  bool network_first = false;
  bool polled = false;  ///< stepped in every cycle, asked for or not
  std::uint64_t steps = 0;
  std::vector<Injected> injected;
  std::vector<Credit> credits;  ///< for flits that arrived
  std::vector<Failure> failures;
  std::vector<Trap> traps;
  std::vector<std::pair<Cycle, std::uint32_t>> calls_finished;

 private:
  class End : public LinkIf {
   public:
    End(LoneNic& bench, int local) : bench_(bench), local_(local) {}
    void put_flit(const Flit& flit) override {
      bench_.injected.push_back({bench_.now_, local_, flit});
      if (bench_.auto_credit) bench_.give_credit(bench_.now_ + 1, local_, flit.vc);
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

/// The flits of a packet, made from the documentation and not from nic/packet.hpp.
inline std::vector<Flit> make_packet(Address to, Address from, std::uint16_t tag,
                                     std::uint64_t header,
                                     const std::vector<std::uint64_t>& data = {}, Vc vc = 0) {
  const std::uint64_t head = std::uint64_t{to.x} | std::uint64_t{to.y} << 8 |
                             std::uint64_t{from.x} << 24 | std::uint64_t{from.y} << 32 |
                             std::uint64_t{tag} << 48;
  std::vector<Flit> flits{{head, vc, true, false}, {header, vc, false, data.empty()}};
  for (std::size_t i = 0; i < data.size(); ++i) {
    flits.push_back({data[i], vc, false, i + 1 == data.size()});
  }
  return flits;
}

/// docs/nic.md, section 4: kind 3:0, length 28:4, sequence 44:29, slot 60:45.
inline std::uint64_t make_header(std::uint64_t kind, std::uint64_t length, std::uint64_t sequence,
                                 std::uint64_t slot) {
  return kind | length << 4 | sequence << 29 | slot << 45;
}

inline NicConfig small_config(int size_x = 4, int size_y = 4) {
  NicConfig config;
  config.network.size[0] = size_x;
  config.network.size[1] = size_y;
  config.memory_bytes = std::uint64_t{1} << 20;
  return config;
}

}  // namespace annelid::test
