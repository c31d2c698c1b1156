// The network interface of one node: processor, registers, engines, node memory
// (docs/internals/nic.md).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "firmware/native.hpp"
#include "nic/delivery_engine.hpp"
#include "nic/processor.hpp"
#include "nic/receive_engine.hpp"
#include "nic/register_file.hpp"
#include "nic/send_engine.hpp"
#include "systemc/network/link.hpp"

namespace annelid::nic {

/// What the parts of a NIC have at hand at the start of a cycle.
struct NicEngines {
  /// By local port. Send: "control", "head", "header", "data", what it is to inject, or "waits" for
  /// a credit. Receive: "header", "data", "drop", what it expects. "": idle.
  std::array<std::string_view, kMaxLocalPorts> send, receive;
  bool start_up = false, combine = false, delivery = false;  ///< at work
  friend bool operator==(const NicEngines&, const NicEngines&) = default;
};

/// A message that waits for something that another node must do.
struct PeerWait {
  NodeId peer;
  std::string text;  ///< "receive 4 from 1,0 tag 3, 64 bytes: offered, nothing has arrived"
};

/// A cycle of a NIC, in this order: the processor's access, the trigger unit, the start-up unit,
/// the combine unit, the send engines, the delivery engine, the receive engines. It sleeps while
/// none of them has anything to do.
///
/// A NIC tells its observer of every error and goes on. When its core halts the rest goes on too.
class Nic : public sc_core::sc_module,
            public systemc::Clocked,
            public firmware::RegisterBus,
            private Bus {
 public:
  /// By local port: `to_router` takes the injected flits and the credits for the ejected ones;
  /// `from_router` is the NIC's end.
  sc_core::sc_vector<sc_core::sc_port<systemc::LinkIf>> to_router;
  sc_core::sc_vector<sc_core::sc_export<systemc::LinkIf>> from_router;

  /// Throws ConfigError. `scheduler` must outlive the NIC; a Fabric is one.
  Nic(const sc_core::sc_module_name& name, const NicConfig& config, NodeId node,
      systemc::Scheduler& scheduler);
  ~Nic() override;

  // ---- Before the run -------------------------------------------------------------------------

  /// What runs the firmware; a NIC without any stands still.
  /// `image` must outlive the NIC.
  void load(const Image& image);
  /// The project's firmware, built for the host.
  void load_native();
  /// Any other firmware for the host; it reaches the registers through this object.
  void load(std::unique_ptr<firmware::NativeFirmware> firmware);
  void load(std::unique_ptr<Processor> processor);

  /// Both may be nullptr, and must outlive the run.
  void set_observers(NicObserver* observer, systemc::FabricObserver* fabric_observer);

  // ---- The host -------------------------------------------------------------------------------

  /// Puts a call into the mailbox. The core sees it in the next cycle, or, before the first, in
  /// cycle 0. The result is its ticket. Throws std::logic_error while 16 calls are not finished.
  std::uint16_t call(const Call& call);
  [[nodiscard]] CallQueue::State call_state(std::uint16_t ticket) const {
    return calls_.state(ticket);
  }
  /// Whether a call is not finished.
  [[nodiscard]] bool calling() const { return calls_.unfinished() > 0; }
  [[nodiscard]] NodeMemory& memory() { return memory_; }
  [[nodiscard]] const NodeMemory& memory() const { return memory_; }
  [[nodiscard]] NodeId node() const { return self_.node; }
  [[nodiscard]] Address address() const { return self_.address; }
  /// What ERROR shows.
  [[nodiscard]] reg::ErrorCause error() const { return errors_.cause(); }
  /// Why the core stands still, if it does.
  [[nodiscard]] const std::optional<Trap>& trap() const { return trap_; }
  [[nodiscard]] std::uint64_t instructions() const;
  /// The core that runs the firmware, for traces and reports; nullptr if no core does.
  [[nodiscard]] Core* core() { return processor_ ? processor_->core() : nullptr; }
  /// Between cycles.
  [[nodiscard]] NicEngines engines() const;
  /// Nothing queued, posted, under way or uncollected.
  [[nodiscard]] bool idle() const;
  /// The messages that wait for something of another node, the oldest first: receives before sends.
  [[nodiscard]] std::vector<PeerWait> peer_waits() const;
  /// What the node waits for, a line each, "" if it waits for nothing; for reports of a stall.
  [[nodiscard]] std::string describe_wait() const;

  // ---- Clocked, RegisterBus -------------------------------------------------------------------

  Cycle step(Cycle now) override;
  /// An access of native firmware, in the cycle that is being stepped. One that would trap the core
  /// is recorded as trap(), with pc 0; a read then gives 0.
  std::uint32_t read(std::uint32_t offset) override;
  void write(std::uint32_t offset, std::uint32_t value) override;
  void read_memory(std::uint32_t offset, std::span<std::byte> to) override;
  void write_memory(std::uint32_t offset, std::span<const std::byte> from) override;

 private:
  class Endpoint;  // the NIC's end of one local port's link

  /// Who may access node memory in a cycle, a bit for each engine.
  struct Memory {
    unsigned send = ~0u, receive = ~0u;
    bool delivery = true;
    unsigned combined = 0;  ///< flits that the combine unit started
  };

  void end_of_elaboration() override;
  void wake(Cycle at);
  [[nodiscard]] bool runs() const { return processor_ && !trap_; }
  [[nodiscard]] bool stands_still(std::size_t local, Cycle now) const;
  Memory combine(Cycle now);
  Memory grant_memory(Cycle now);
  [[nodiscard]] Cycle next_cycle(Cycle now);
  void fault(std::uint32_t cause, std::uint32_t address);
  // Bus.
  std::optional<std::uint32_t> access(const BusAccess& access) override;
  [[nodiscard]] std::uint32_t pending() const override { return pending_; }
  [[nodiscard]] Cycle timer() const override { return registers_.timer(); }
  void halted(const Trap& trap) override;
  std::optional<std::uint32_t> access_memory(const BusAccess& access);

  void describe_receives(std::string& text) const;
  void describe_sends(std::string& text) const;
  void describe_peers(std::string& text) const;
  [[nodiscard]] std::string why(Place place, const ReceivePlace& receive) const;
  [[nodiscard]] std::string why(Place place, const SendPlace& send) const;
  [[nodiscard]] std::string line_of(Place place, const ReceivePlace& receive) const;
  [[nodiscard]] std::string line_of(Place place, const SendPlace& send) const;

  const NodeIdentity self_;
  Observers observers_;
  NodeMemory memory_;
  PlaceTable<SendPlace> sends_;
  PlaceTable<ReceivePlace> receives_;
  Errors errors_;
  CallQueue calls_;
  Completions completions_;
  CombineUnit combine_unit_;
  Match match_;
  MessageFlow flow_;
  RegisterFile registers_;
  std::vector<SendEngine> senders_;
  std::vector<ReceiveEngine> receivers_;
  DeliveryEngine delivery_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
  std::unique_ptr<Processor> processor_;
  std::optional<Trap> trap_;
  std::uint32_t pending_ = 0;       ///< mip in the cycle that is being stepped
  std::uint32_t pending_next_ = 0;  ///< mip in cycle pending_at_, if nothing comes from outside
  Cycle pending_at_ = kNever;

  systemc::Scheduler& scheduler_;
  const int handle_;
  Cycle now_ = 0;   ///< the cycle that was stepped last
  Cycle next_ = 0;  ///< the next cycle that the scheduler knows of
  bool started_ = false;
};

}  // namespace annelid::nic
