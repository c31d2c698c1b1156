// A mesh of NICs on the real network, driven at register level.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "nic/message_log.hpp"
#include "nic/nic.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/nic/script.hpp"

namespace annelid::test {

/// Steps everything in every cycle, whether it sleeps or not. Nothing may come out differently.
class PollingScheduler : public systemc::Scheduler {
 public:
  explicit PollingScheduler(systemc::Fabric& fabric) : fabric_(fabric) {}
  [[nodiscard]] Cycle now() const override { return fabric_.now(); }
  int add(systemc::Clocked& component) override {
    polled_.push_back(std::make_unique<Polled>(component));
    return fabric_.add(*polled_.back());
  }
  void wake(int, Cycle) override {}

 private:
  struct Polled : systemc::Clocked {
    explicit Polled(systemc::Clocked& c) : inner(c) {}
    Cycle step(Cycle now) override {
      inner.step(now);
      return now + 1;
    }
    systemc::Clocked& inner;
  };
  systemc::Fabric& fabric_;
  std::vector<std::unique_ptr<Polled>> polled_;
};

/// Messages, and what the NICs found wrong.
struct MeshLog : nic::MessageLog {
  void failed(Cycle, NodeId node, reg::ErrorCause cause, const std::string& text) override {
    failures.push_back("node " + std::to_string(node) + ": " + name_of(cause) + ", " + text);
  }
  std::vector<std::string> failures;
};

class Mesh {
 public:
  /// Several may live in one elaboration, under different names.
  explicit Mesh(const nic::NicConfig& config, const std::string& name = "mesh", bool polled = false)
      : fabric((name + "_fabric").c_str()),
        network((name + "_network").c_str(), fabric, config.network),
        polling_(fabric) {
    systemc::Scheduler& scheduler = polled ? static_cast<systemc::Scheduler&>(polling_) : fabric;
    for (NodeId n = 0; n < config.network.nodes(); ++n) {
      const std::string nic_name = name + "_nic_" + std::to_string(n);
      nics.push_back(std::make_unique<nic::Nic>(nic_name.c_str(), config, n, scheduler));
      nic::Nic& nic = *nics.back();
      for (int l = 0; l < config.network.router.local_ports; ++l) {
        const auto port = static_cast<std::size_t>(l);
        network.attach(n, l, nic.to_router[port], nic.from_router[port]);
      }
      auto script = std::make_unique<Script>(nic);
      scripts.push_back(script.get());
      nic.load(std::move(script));
      nic.set_observers(&log, nullptr);
    }
  }

  [[nodiscard]] bool idle() const {
    for (const auto& nic : nics) {
      if (!nic->idle()) return false;
    }
    return true;
  }

  systemc::Fabric fabric;
  systemc::Network network;
  MeshLog log;
  std::vector<std::unique_ptr<nic::Nic>> nics;
  std::vector<Script*> scripts;

 private:
  PollingScheduler polling_;
};

/// Random bytes.
inline void fill(nic::NodeMemory& memory, std::uint32_t offset, std::uint32_t bytes,
                 std::uint64_t seed) {
  Random random(seed);
  std::vector<std::byte> data(bytes);
  for (std::byte& b : data) b = static_cast<std::byte>(random());
  memory.write(offset, data);
}

inline std::vector<std::byte> bytes_of(const nic::NodeMemory& memory, std::uint32_t offset,
                                       std::uint32_t bytes) {
  std::vector<std::byte> data(bytes);
  memory.read(offset, data);
  return data;
}

/// For comparing runs.
inline auto as_tuple(const nic::MessageRecord& r) {
  return std::tuple(r.info.source, r.info.destination, r.info.sequence, r.info.tag, r.info.bytes,
                    r.local, r.posted, r.started, r.sent, r.received);
}
inline bool same(const std::vector<nic::MessageRecord>& a,
                 const std::vector<nic::MessageRecord>& b) {
  return std::ranges::equal(a, b, {}, as_tuple, as_tuple);
}

}  // namespace annelid::test
