// A network of modelled NICs and routers whose nodes all run the firmware.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "firmware/program/holding_firmware.hpp"
#include "nic/message_log.hpp"
#include "nic/nic.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/firmware/support/test_call.hpp"

namespace annelid {

/// Messages, and whatever a NIC found wrong.
struct FirmwareLog : nic::MessageLog {
  void failed(Cycle, NodeId node, reg::ErrorCause cause, const std::string& text) override {
    failures.push_back("node " + std::to_string(node) + ": " + name_of(cause) + ", " + text);
  }
  void trapped(Cycle, NodeId node, const nic::Trap& trap) override {
    failures.push_back("node " + std::to_string(node) + ": trap " + std::to_string(trap.cause));
  }
  std::vector<std::string> failures;
};

class FirmwareMesh {
 public:
  /// `image` nullptr: the firmware built for the host. Several may live in one elaboration.
  FirmwareMesh(const nic::NicConfig& config, const nic::Image* image, const std::string& name)
      : fabric((name + "_fabric").c_str()),
        network((name + "_network").c_str(), fabric, config.network) {
    for (NodeId n = 0; n < config.network.nodes(); ++n) {
      const std::string nic_name = name + "_nic_" + std::to_string(n);
      nics.push_back(std::make_unique<nic::Nic>(nic_name.c_str(), config, n, fabric));
      nic::Nic& nic = *nics.back();
      for (int l = 0; l < config.network.router.local_ports; ++l) {
        const auto port = static_cast<std::size_t>(l);
        network.attach(n, l, nic.to_router[port], nic.from_router[port]);
      }
      if (image != nullptr) {
        nic.load(*image);
      } else {
        nic.load(firmware::make_holding_firmware(nic));  // plays plans as the core does
      }
      nic.set_observers(&log, nullptr);
    }
  }

  [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(nics.size()); }
  std::uint16_t call(std::uint32_t node, const firmware::TestCall& call) {
    return nics[node]->call(nic::Call{call.words()});
  }
  /// Runs until all calls are finished.
  void run() {
    const auto done = [this] {
      return std::none_of(nics.begin(), nics.end(), [](const auto& nic) { return nic->calling(); });
    };
    if (done()) return;
    EXPECT_EQ(fabric.run_until(fabric.now() + 20'000'000, done), systemc::RunStatus::kDone);
  }
  [[nodiscard]] std::string waits() const {
    std::string text;
    for (const auto& nic : nics) {
      text += "node " + std::to_string(nic->node()) + ":\n" + nic->describe_wait();
    }
    return text;
  }
  reg::CallResult result(std::uint32_t node, std::uint16_t ticket) const {
    const nic::CallQueue::State state = nics[node]->call_state(ticket);
    EXPECT_EQ(state.stage, nic::CallQueue::Stage::kFinished);
    return static_cast<reg::CallResult>(state.result);
  }
  template <typename T>
  T get(std::uint32_t node, std::uint32_t offset) const {
    T value{};
    nics[node]->memory().read(offset, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  template <typename T>
  void put(std::uint32_t node, std::uint32_t offset, T value) {
    nics[node]->memory().write(offset, std::as_bytes(std::span(&value, 1)));
  }
  [[nodiscard]] std::vector<std::byte> memory(std::uint32_t node) const {
    std::vector<std::byte> bytes(nics[node]->memory().size());
    nics[node]->memory().read(0, bytes);
    return bytes;
  }
  /// Sorted. Calls of which nobody knows which comes first may share a pair of nodes: then only the
  /// sequence in each tag is theirs.
  [[nodiscard]] auto messages(bool one_call_at_a_time) const {
    std::vector<std::tuple<NodeId, NodeId, std::uint32_t, std::uint32_t, std::uint32_t>> all;
    std::map<std::tuple<NodeId, NodeId, std::uint32_t>, std::uint32_t> in_tag;
    for (const nic::MessageRecord& r : log.records()) {  // a pair's messages in their order
      const nic::MessageInfo& m = r.info;
      EXPECT_NE(r.received, kNever);
      const std::uint32_t number = in_tag[{m.source, m.destination, m.tag}]++;
      all.emplace_back(m.source, m.destination, m.tag, m.bytes,
                       one_call_at_a_time ? m.sequence : number);
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  systemc::Fabric fabric;
  systemc::Network network;
  FirmwareLog log;
  std::vector<std::unique_ptr<nic::Nic>> nics;
};

}  // namespace annelid
