// The network interface of one node: processor, registers, engines, node memory
// (docs/internals/nic/index.md).
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
#include "nic/list_unit.hpp"
#include "nic/processor.hpp"
#include "nic/receive_engine.hpp"
#include "nic/register_file.hpp"
#include "nic/send_engine.hpp"
#include "systemc/network/link.hpp"

namespace annelid::nic {

/// The state of a NIC's parts at the start of a cycle.
struct NicEngines {
  /// By local port; "" means idle. Send: what the engine will inject ("control", "head", "header"
  /// or "data"), or "waits" if it waits for a credit. Receive: what it expects ("header", "data" or
  /// "drop").
  std::array<std::string_view, kMaxLocalPorts> send, receive;
  bool start_up = false, combine = false, delivery = false;  ///< whether the unit is active
  friend bool operator==(const NicEngines&, const NicEngines&) = default;
};

/// A message that waits for another node to do something.
struct PeerWait {
  NodeId peer;
  std::string text;  ///< "receive 4 from 1,0 tag 3, 64 bytes: offered, nothing has arrived"
};

/// In each cycle a NIC does this, in order: the processor's access, the trigger unit, the list
/// unit, the start-up unit, the combine unit, the send engines, the delivery engine, the receive
/// engines. It sleeps while none of them has anything to do. While nothing but the engines is due,
/// it asks them alone.
///
/// A NIC reports every error to its observer and continues. If its core halts, its other parts
/// continue.
class Nic : public sc_core::sc_module,
            public systemc::Clocked,
            public firmware::RegisterBus,
            private Bus {
 public:
  /// By local port: `to_router` takes the injected flits and the credits for the ejected ones;
  /// `from_router` is the NIC's end.
  sc_core::sc_vector<sc_core::sc_port<systemc::LinkIf>> to_router;
  sc_core::sc_vector<sc_core::sc_export<systemc::LinkIf>> from_router;

  /// Throws ConfigError for an invalid `config`. `scheduler` must outlive the NIC; a Fabric is a
  /// Scheduler.
  Nic(const sc_core::sc_module_name& name, const NicConfig& config, NodeId node,
      systemc::Scheduler& scheduler);
  ~Nic() override;

  // ---- Before the run -------------------------------------------------------------------------

  /// Loads the firmware for the modelled core. A NIC without firmware does nothing. `image` must
  /// outlive the NIC.
  void load(const Image& image);
  /// Uses the project's firmware, built for the host.
  void load_native();
  /// Uses any other firmware that is built for the host. It reaches the registers through this
  /// object.
  void load(std::unique_ptr<firmware::NativeFirmware> firmware);
  void load(std::unique_ptr<Processor> processor);

  /// Sets the observers. Both may be nullptr, and must outlive the run.
  void set_observers(NicObserver* observer, systemc::FabricObserver* fabric_observer);

  // ---- The host -------------------------------------------------------------------------------

  /// Puts a call into the mailbox, and returns its ticket. The core sees the call in the next
  /// cycle, or in cycle 0 if the run has not begun. Throws std::logic_error if 16 calls are
  /// unfinished.
  std::uint16_t call(const Call& call);
  [[nodiscard]] CallQueue::State call_state(std::uint16_t ticket) const {
    return calls_.state(ticket);
  }
  /// Whether 16 calls are unfinished.
  [[nodiscard]] bool calls_full() const { return calls_.full(); }
  /// Whether a call is unfinished.
  [[nodiscard]] bool calling() const { return calls_.unfinished() > 0; }
  [[nodiscard]] NodeMemory& memory() { return memory_; }
  [[nodiscard]] const NodeMemory& memory() const { return memory_; }
  [[nodiscard]] NodeId node() const { return self_.node; }
  [[nodiscard]] Address address() const { return self_.address; }
  /// The value of ERROR.
  [[nodiscard]] reg::ErrorCause error() const { return errors_.cause(); }
  /// The trap that stopped the core, if it has stopped.
  [[nodiscard]] const std::optional<Trap>& trap() const { return trap_; }
  [[nodiscard]] std::uint64_t instructions() const;
  /// The core that runs the firmware, for traces and reports; nullptr if no core does.
  [[nodiscard]] Core* core() { return processor_ ? processor_->core() : nullptr; }
  /// To be called between cycles: what wakes the processor. If it has stopped, or sleeps and
  /// nothing can wake it, there is neither a cycle nor an interrupt.
  [[nodiscard]] Processor::Next processor_next() const;
  /// To be called between cycles.
  [[nodiscard]] NicEngines engines() const;
  /// Whether nothing is queued, posted, under way or uncollected.
  [[nodiscard]] bool idle() const;
  /// The messages that wait for another node: receives before sends, each with the oldest first.
  [[nodiscard]] std::vector<PeerWait> peer_waits() const;
  /// Whether an open receive from any node waits for a request.
  [[nodiscard]] bool waits_for_any() const;
  /// The things that the node waits for, one per line; "" if there are none. Used in reports of a
  /// stall.
  [[nodiscard]] std::string describe_wait() const;

  // ---- A debugger, between cycles -------------------------------------------------------------

  /// What the core would load from a register in the cycle to come; changes nothing. No value if it
  /// would trap.
  [[nodiscard]] std::optional<std::uint32_t> peek(std::uint32_t offset) const {
    return registers_.peek(offset, scheduler_.now());
  }
  /// mip in the cycle to come.
  [[nodiscard]] std::uint32_t mip() const { return registers_.pending(scheduler_.now()); }
  /// Stores to a register, as the core does at the start of the cycle to come. False if that would
  /// trap.
  bool poke(std::uint32_t offset, std::uint32_t value);

  // ---- Clocked, RegisterBus -------------------------------------------------------------------

  Cycle step(Cycle now) override;
  [[nodiscard]] Cycle streams_until(Cycle now, systemc::Streams& streams) override;
  void streamed(Cycle from, Cycle to) override;
  /// An access of native firmware in the current cycle. An access that would trap the core is
  /// recorded as trap(), with pc 0; a read then returns 0.
  std::uint32_t read(std::uint32_t offset) override;
  void write(std::uint32_t offset, std::uint32_t value) override;
  void read_memory(std::uint32_t offset, std::span<std::byte> to) override;
  void write_memory(std::uint32_t offset, std::span<const std::byte> from) override;

 private:
  class Endpoint;  // the NIC's end of a local port's link

  /// The engines that may access node memory in a cycle, one bit each.
  struct Memory {
    unsigned send = ~0u, receive = ~0u;
    bool delivery = true;
    unsigned combined = 0;  ///< flits that the combine unit started
  };

  void end_of_elaboration() override;
  void wake(Cycle at);
  [[nodiscard]] bool started() const { return now_ != kNever; }
  [[nodiscard]] bool runs() const { return processor_ && !trap_; }
  void expect_anything();
  Cycle step_all(Cycle now);
  Cycle step_engines(Cycle now);
  bool step_sender(unsigned local, Cycle now, bool memory);
  ReceiveEngine::Effect step_receiver(unsigned local, Cycle now, bool memory);
  [[nodiscard]] bool concerns_units(Cycle now) const;
  [[nodiscard]] bool engines_can_act(Cycle at);
  [[nodiscard]] bool stands_still(std::size_t local, Cycle now) const;
  Memory combine(Cycle now);
  Memory grant_memory(Cycle now);
  [[nodiscard]] Cycle next_cycle(Cycle now);
  [[nodiscard]] Cycle next_of_processor(Cycle now) const;
  [[nodiscard]] bool takes_for_lists(std::uint32_t offset) const;
  void fault(std::uint32_t cause, std::uint32_t address);
  // Bus.
  std::optional<std::uint32_t> access(const BusAccess& access) override;
  [[nodiscard]] PrivateWords private_words() override { return registers_.private_words(); }
  [[nodiscard]] std::uint32_t pending() const override { return registers_.pending(now_); }
  [[nodiscard]] Cycle timer() const override { return registers_.timer(); }
  void printed(int descriptor, const std::string& text) override;
  void halted(const Trap& trap) override;
  std::optional<std::uint32_t> access_register(const BusAccess& access);
  std::optional<std::uint32_t> access_memory(const BusAccess& access);

  void describe_receives(std::string& text) const;
  void describe_sends(std::string& text) const;
  void describe_peers(std::string& text) const;
  [[nodiscard]] std::string why(Place place, const ReceivePlace& receive) const;
  [[nodiscard]] std::string why(Place place, const SendPlace& send) const;
  [[nodiscard]] std::string why_open(Place place, const SendPlace& send) const;
  [[nodiscard]] std::string line_of(Place place, const ReceivePlace& receive) const;
  [[nodiscard]] std::string line_of(Place place, const SendPlace& send) const;

  const NodeIdentity self_;

  // What a step always needs, side by side for the processor's caches.
  systemc::Scheduler& scheduler_;
  std::unique_ptr<Processor> processor_;
  std::optional<Trap> trap_;
  std::vector<SendEngine> senders_;
  std::vector<ReceiveEngine> receivers_;
  Cycle now_ = kNever;         ///< the latest cycle that was stepped
  Cycle next_ = 0;             ///< the next cycle that was requested from the scheduler
  Cycle stepped_to_ = kNever;  ///< the cycle behind now_, if nothing came from the host since
  Cycle processor_due_ = 0;    ///< the processor does nothing before, unless others cause it
  Cycle units_due_ = 0;        ///< the same of all other parts but the engines
  unsigned sending_ = 0;       ///< a bit for each send engine with work, but for what Match has new
  unsigned receiving_ = 0;     ///< a bit for each receive engine with a flit
  const int handle_;
  const bool engines_alone_;  ///< no engine has to wait for another
  bool written_ = false;      ///< the processor has made an access that other parts may see

  Observers observers_;
  NodeMemory memory_;
  PlaceTable<SendPlace> sends_;
  PlaceTable<ReceivePlace> receives_;
  Errors errors_;
  CallQueue calls_;
  Completions completions_;
  CombineUnit combine_unit_;
  Match match_;
  ListPlaces list_places_;
  MessageFlow flow_;
  Issuer issuer_;
  ListUnit lists_;
  RegisterFile registers_;
  DeliveryEngine delivery_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
};

}  // namespace annelid::nic
