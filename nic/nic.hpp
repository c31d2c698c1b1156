// The network interface of one node: processor, registers, engines, node memory (docs/nic.md).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "firmware/native.hpp"
#include "nic/own_delivery.hpp"
#include "nic/processor.hpp"
#include "nic/receive_engine.hpp"
#include "nic/register_file.hpp"
#include "nic/send_engine.hpp"
#include "systemc/link.hpp"

namespace annelid {

/// A cycle of a NIC, in this order: the processor's access, the send engines, the delivery to the
/// own node, the receive engines. It sleeps while none of them has anything to do.
///
/// A NIC that traps or finds an error stops and tells its observer, who ends the run.
class Nic : public sc_core::sc_module, public Clocked, public firmware::RegisterBus, private Bus {
 public:
  /// By local port: `to_router` takes the injected flits and the credits for the ejected ones;
  /// `from_router` is the NIC's end.
  sc_core::sc_vector<sc_core::sc_port<LinkIf>> to_router;
  sc_core::sc_vector<sc_core::sc_export<LinkIf>> from_router;

  /// Throws ConfigError. `scheduler` must outlive the NIC; a Fabric is one.
  Nic(const sc_core::sc_module_name& name, const NicConfig& config, NodeId node,
      Scheduler& scheduler);
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
  void set_observers(NicObserver* observer, FabricObserver* fabric_observer);

  // ---- The host -------------------------------------------------------------------------------

  /// Puts a call into the mailbox. The core sees it in the next cycle, or, before the first, in
  /// cycle 0. Throws std::logic_error while the call before is not finished.
  void call(const Call& call);
  [[nodiscard]] bool calling() const { return registers_.calling(); }
  [[nodiscard]] NodeMemory& memory() { return shared_.memory; }
  [[nodiscard]] const NodeMemory& memory() const { return shared_.memory; }
  [[nodiscard]] NodeId node() const { return shared_.node; }
  [[nodiscard]] Address address() const { return shared_.address; }
  [[nodiscard]] reg::ErrorCause error() const { return shared_.error; }
  [[nodiscard]] const std::optional<Trap>& trap() const { return trap_; }
  /// By an error or a trap, or because there is no processor.
  [[nodiscard]] bool stopped() const;
  [[nodiscard]] std::uint64_t instructions() const;
  /// Nothing queued, posted, under way or uncollected.
  [[nodiscard]] bool idle() const;
  /// What the node waits for, a line each, "" if it waits for nothing; for reports of a stall.
  [[nodiscard]] std::string describe_wait() const;

  // ---- Clocked, RegisterBus -------------------------------------------------------------------

  Cycle step(Cycle now) override;
  /// An access of native firmware, in the cycle that is being stepped. One that would trap the core
  /// is recorded as trap(), with pc 0; a read then gives 0.
  std::uint32_t read(std::uint32_t offset) override;
  void write(std::uint32_t offset, std::uint32_t value) override;

 private:
  class Endpoint;  // the NIC's end of one local port's link

  void end_of_elaboration() override;
  void wake(Cycle at);
  [[nodiscard]] Cycle next_cycle(Cycle now) const;
  std::optional<std::uint32_t> access(const BusAccess& access) override;
  std::optional<std::uint32_t> access_memory(const BusAccess& access);
  [[nodiscard]] bool event() const override { return registers_.event(now_) != 0; }
  void trap(const Trap& trap) override;
  void describe_receives(std::string& text) const;
  void describe_sends(std::string& text) const;

  Shared shared_;
  RegisterFile registers_;
  std::vector<SendEngine> senders_;
  std::vector<ReceiveEngine> receivers_;
  OwnDelivery own_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
  std::unique_ptr<Processor> processor_;
  std::optional<Trap> trap_;

  Scheduler& scheduler_;
  const int handle_;
  Cycle now_ = 0;   ///< the cycle that was stepped last
  Cycle next_ = 0;  ///< the next cycle that the scheduler knows of
  bool started_ = false;
};

}  // namespace annelid
