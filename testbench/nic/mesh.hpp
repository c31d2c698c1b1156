// A mesh of NICs on the real network, driven at register level.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "nic/message_log.hpp"
#include "nic/nic.hpp"
#include "systemc/router/network.hpp"
#include "testbench/nic/script.hpp"

namespace annelid::test {

/// Steps everything in every cycle, whether it sleeps or not. Nothing may come out differently.
class PollingScheduler : public Scheduler {
 public:
  explicit PollingScheduler(Fabric& fabric) : fabric_(fabric) {}
  [[nodiscard]] Cycle now() const override { return fabric_.now(); }
  int add(Clocked& component) override {
    polled_.push_back(std::make_unique<Polled>(component));
    return fabric_.add(*polled_.back());
  }
  void wake(int, Cycle) override {}

 private:
  struct Polled : Clocked {
    explicit Polled(Clocked& c) : inner(c) {}
    Cycle step(Cycle now) override {
      inner.step(now);
      return now + 1;
    }
    Clocked& inner;
  };
  Fabric& fabric_;
  std::vector<std::unique_ptr<Polled>> polled_;
};

/// Messages, and what the NICs found wrong.
struct MeshLog : MessageLog {
  void failed(Cycle, NodeId node, reg::ErrorCause cause, const std::string& text) override {
    failures.push_back("node " + std::to_string(node) + ": " + name_of(cause) + ", " + text);
  }
  std::vector<std::string> failures;
};

class Mesh {
 public:
  /// Several may live in one elaboration, under different names.
  explicit Mesh(const NicConfig& config, const std::string& name = "mesh", bool polled = false)
      : fabric((name + "_fabric").c_str()),
        network((name + "_network").c_str(), fabric, config.network),
        polling_(fabric) {
    Scheduler& scheduler = polled ? static_cast<Scheduler&>(polling_) : fabric;
    for (NodeId n = 0; n < config.network.nodes(); ++n) {
      const std::string nic_name = name + "_nic_" + std::to_string(n);
      nics.push_back(std::make_unique<Nic>(nic_name.c_str(), config, n, scheduler));
      Nic& nic = *nics.back();
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

  Fabric fabric;
  Network network;
  MeshLog log;
  std::vector<std::unique_ptr<Nic>> nics;
  std::vector<Script*> scripts;

 private:
  PollingScheduler polling_;
};

/// For comparing runs.
inline auto as_tuple(const MessageRecord& r) {
  return std::tuple(r.info.source, r.info.destination, r.info.sequence, r.info.tag, r.info.bytes,
                    r.local, r.posted, r.started, r.sent, r.received);
}
inline bool same(const std::vector<MessageRecord>& a, const std::vector<MessageRecord>& b) {
  return std::ranges::equal(a, b, {}, as_tuple, as_tuple);
}

}  // namespace annelid::test
