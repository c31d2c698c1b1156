#include "nic/nic.hpp"

#include <algorithm>
#include <utility>

#include "systemc/network/slot.hpp"

namespace annelid::nic {

/// Called by the router in cycle t; what it brings counts from t + 1 on.
class Nic::Endpoint : public systemc::LinkIf, public systemc::StreamSink {
 public:
  Endpoint(Nic& nic, std::size_t local)
      : nic_(nic),
        sender_(nic.senders_[local]),
        receiver_(nic.receivers_[local]),
        receiving_(1u << local) {}

  void put_flit(const systemc::Flit& flit) override {
    const Cycle now = nic_.scheduler_.now();
    receiver_.arrive(flit, now);
    nic_.receiving_ |= receiving_;
    nic_.wake(now + 1);
  }
  void put_credit(Vc vc) override {
    const Cycle now = nic_.scheduler_.now();
    sender_.credit(vc, now);
    if (sender_.busy()) nic_.wake(now + 1);  // else it does not wait for one
  }
  bool add_places(Vc vc, std::vector<std::uint64_t*>& places) override {
    return receiver_.add_places(vc, places);
  }
  void consume(Vc vc, std::span<const std::uint64_t> flits) override {
    receiver_.consume(vc, flits);
  }

 private:
  Nic& nic_;
  SendEngine& sender_;
  ReceiveEngine& receiver_;
  const unsigned receiving_;  ///< the engine's bit
};

void validate(const NicConfig& config) {
  validate(config.network);
  const auto check = [](const char* key, std::uint64_t value, std::uint64_t low,
                        std::uint64_t high) {
    if (value >= low && value <= high) return;
    throw systemc::ConfigError(key, std::to_string(value),
                               std::to_string(low) + " to " + std::to_string(high));
  };
  check("nic.memory_bytes", config.memory_bytes, 1, std::uint64_t{1} << 31);
  check("nic.eager_bytes", config.eager_bytes, 0, 4096);
  if (config.eager_bytes % 8 != 0) {
    throw systemc::ConfigError("nic.eager_bytes", std::to_string(config.eager_bytes),
                               "a multiple of 8");
  }
  check("nic.alpha", config.alpha, 0, 1 << 20);
  check("nic.gamma", config.gamma, 0, 1 << 20);
  check("nic.memory_flits", config.memory_flits, 0, 64);
  check("nic.combine_lanes", config.combine_lanes, 0, 8);
  if (config.run_ahead == 0) throw systemc::ConfigError("nic.run_ahead", "0", "at least 1 cycle");
}

namespace {

const NicConfig& checked(const NicConfig& config, NodeId node) {
  validate(config);
  if (node >= config.network.nodes()) {
    throw systemc::ConfigError("nic.node", std::to_string(node),
                               "below " + std::to_string(config.network.nodes()));
  }
  return config;
}

}  // namespace

Nic::Nic(const sc_core::sc_module_name& name, const NicConfig& config, NodeId node,
         systemc::Scheduler& scheduler)
    : sc_module(name),
      to_router("to_router"),
      from_router("from_router"),
      self_(checked(config, node), node),
      scheduler_(scheduler),
      next_(scheduler.now()),
      handle_(scheduler.add(*this)),
      engines_alone_(!config.half_duplex && config.memory_flits == 0),
      memory_(config.memory_bytes),
      errors_(node),
      completions_(config.gamma),
      combine_unit_(memory_, config.combine_lanes != 0 ? config.combine_lanes
                                                       : default_combine_lanes(self_.ports())),
      match_(self_.config, node, sends_, receives_, combine_unit_, errors_),
      flow_({self_, memory_, sends_, receives_, errors_, completions_, combine_unit_, match_,
             list_places_, observers_}),
      issuer_({self_, memory_, sends_, receives_, combine_unit_, flow_}),
      lists_({self_, memory_, errors_, calls_, completions_, list_places_, issuer_, sends_, flow_,
              observers_}),
      registers_({self_, sends_, receives_, errors_, calls_, completions_, issuer_, lists_, flow_,
                  observers_}),
      delivery_({self_, match_, sends_, receives_, memory_, flow_, completions_, observers_}) {
  const auto ports = static_cast<std::size_t>(self_.ports());
  to_router.init(ports);
  from_router.init(ports);
  senders_.reserve(ports);
  receivers_.reserve(ports);
  for (std::size_t l = 0; l < ports; ++l) {
    senders_.emplace_back(
        SendEngine::Units{self_, match_, sends_, memory_, completions_, observers_},
        static_cast<Port>(l));
    receivers_.emplace_back(ReceiveEngine::Units{self_, match_, receives_, flow_, errors_},
                            static_cast<Port>(l));
    endpoints_.push_back(std::make_unique<Endpoint>(*this, l));
    from_router[l].bind(*endpoints_[l]);
  }
}

Nic::~Nic() = default;

void Nic::end_of_elaboration() {
  for (std::size_t l = 0; l < senders_.size(); ++l) {
    systemc::LinkIf* const router = to_router[l].operator->();
    senders_[l].connect(*router);
    receivers_[l].connect(*router);
  }
}

void Nic::load(const Image& image) {
  processor_ = make_core_processor(image, self_.node, *this, self_.config.run_ahead);
}

void Nic::load_native() { load(firmware::make_native_firmware(*this)); }

void Nic::load(std::unique_ptr<firmware::NativeFirmware> firmware) {
  processor_ = make_native_processor(std::move(firmware), *this);
}

void Nic::load(std::unique_ptr<Processor> processor) { processor_ = std::move(processor); }

void Nic::set_observers(NicObserver* observer, systemc::FabricObserver* fabric_observer) {
  observers_.nic = observer;
  errors_.set_observer(observer);
  observers_.fabric = fabric_observer;
}

std::uint16_t Nic::call(const Call& call) {
  const Cycle visible = started() ? scheduler_.now() + 1 : 0;
  const std::uint16_t ticket = calls_.call(call, visible);
  if (observers_.nic != nullptr) observers_.nic->called(visible, self_.node, ticket);
  if (!started()) return ticket;
  expect_anything();
  wake(visible);
  return ticket;
}

bool Nic::poke(std::uint32_t offset, std::uint32_t value) {
  const Cycle now = scheduler_.now();
  if (!registers_.write(offset, value, now)) return false;
  expect_anything();
  wake(now);
  return true;
}

NicEngines Nic::engines() const {
  NicEngines engines;
  const Cycle now = scheduler_.now();
  for (std::size_t l = 0; l < senders_.size(); ++l) {
    engines.send[l] = senders_[l].state(now);
    engines.receive[l] = receivers_[l].state();
  }
  engines.start_up = flow_.starting();
  engines.combine = !combine_unit_.empty();
  engines.delivery = delivery_.busy();
  return engines;
}

std::uint64_t Nic::instructions() const { return processor_ ? processor_->instructions() : 0; }

// The scheduler is told only what it does not know: a NIC at work is stepped every cycle anyway.
// In the cycle `next_` itself the step is still to come, and will see what has arrived.
void Nic::wake(Cycle at) {
  if (next_ <= at) return;
  next_ = at;
  scheduler_.wake(handle_, at);
}

/// Forgets the engine once it has no packet under way.
inline bool Nic::step_sender(unsigned local, Cycle now, bool memory) {
  SendEngine& sender = senders_[local];
  const bool complete = sender.step(now, memory);
  if (!sender.busy()) sending_ &= ~(1u << local);
  return complete;
}
inline ReceiveEngine::Effect Nic::step_receiver(unsigned local, Cycle now, bool memory) {
  ReceiveEngine& receiver = receivers_[local];
  const ReceiveEngine::Effect effect = receiver.step(now, memory);
  if (receiver.empty()) receiving_ &= ~(1u << local);
  return effect;
}

/// Whether an engine can act in the cycle after those that have been stepped.
inline bool Nic::engines_can_act(Cycle at) {
  sending_ |= match_.waiting();
  if (receiving_ != 0) return true;  // each flit in them can be consumed
  for (unsigned rest = sending_; rest != 0;) {
    if (senders_[systemc::take_lowest(rest)].can_act(at)) return true;
  }
  return false;
}

/// A cycle in which no unit but the engines is due. Only if they have done something for another
/// part, it ends as all others do.
inline Cycle Nic::step_engines(Cycle now) {
  unsigned effects = ReceiveEngine::kNone;
  for (unsigned rest = sending_; rest != 0;) {
    if (step_sender(systemc::take_lowest(rest), now, true)) effects |= ReceiveEngine::kAny;
  }
  for (unsigned rest = receiving_; rest != 0;) {
    effects |= step_receiver(systemc::take_lowest(rest), now, true);
  }
  if ((effects & ReceiveEngine::kAny) != 0 || (effects != 0 && concerns_units(now))) {
    flow_.commit(now);
    return next_cycle(now);
  }
  stepped_to_ = now + 1;
  return engines_can_act(now + 1) ? now + 1 : std::min(units_due_, processor_due_);
}

Cycle Nic::step(Cycle now) {
  if (now == now_) return next_;
  now_ = now;
  bool all = now >= units_due_;
  if (now >= processor_due_ && runs()) {
    processor_->step(now);
    all |= std::exchange(written_, false);
    if (!all) processor_due_ = next_of_processor(now);
  }
  next_ = all ? step_all(now) : step_engines(now);
  return next_;
}

/// The cycle of all parts but the processor.
Cycle Nic::step_all(Cycle now) {
  flow_.fire(now);
  const bool issues = lists_.step(now);
  flow_.admit(now);
  const Memory memory = combine(now);
  sending_ |= match_.waiting();
  for (unsigned rest = sending_; rest != 0;) {
    const unsigned l = systemc::take_lowest(rest);
    if (!stands_still(l, now)) step_sender(l, now, (memory.send >> l & 1) != 0);
  }
  if (delivery_.can_act(now)) delivery_.step(now, memory.delivery);
  for (unsigned rest = receiving_; rest != 0;) {
    const unsigned l = systemc::take_lowest(rest);
    step_receiver(l, now, (memory.receive >> l & 1) != 0);
  }
  flow_.commit(now);
  if (memory.combined != 0 || delivery_.busy() || issues) scheduler_.progressed();
  return next_cycle(now);
}

/// What comes from outside may have to do with any part.
void Nic::expect_anything() {
  stepped_to_ = kNever;
  processor_due_ = units_due_ = 0;
}

/// Whether a header that came in cycle `now` has work for more parts than Match and the engines.
bool Nic::concerns_units(Cycle now) const {
  return delivery_.can_act(now + 1) || errors_.cause() != reg::ErrorCause::kNone;
}

/// Whether half-duplex mode keeps an injection port from acting.
bool Nic::stands_still(std::size_t local, Cycle now) const {
  return self_.config.half_duplex && receivers_[local].can_act(now);
}

Nic::Memory Nic::combine(Cycle now) {
  if (self_.config.memory_flits != 0) return grant_memory(now);
  Memory memory;
  memory.combined = flow_.combine(now, CombineUnit::kUnlimited);
  return memory;
}

// All that asks is known before anything moves.
Nic::Memory Nic::grant_memory(Cycle now) {
  Memory memory{.send = 0, .receive = 0, .delivery = false};
  unsigned left = self_.config.memory_flits;
  const auto grant = [&left](bool asked) {
    if (!asked || left == 0) return false;
    --left;
    return true;
  };
  const std::size_t ports = senders_.size();
  for (std::size_t i = 0; i < ports; ++i) {
    const std::size_t l = (now + i) % ports;
    if (grant(receivers_[l].needs_memory(now))) memory.receive |= 1u << l;
  }
  memory.combined = flow_.combine(now, left);
  left -= memory.combined;
  memory.delivery = grant(delivery_.needs_memory());
  for (std::size_t i = 0; i < ports; ++i) {
    const std::size_t l = (now + i) % ports;
    if (grant(!stands_still(l, now) && senders_[l].needs_memory(now))) memory.send |= 1u << l;
  }
  return memory;
}

Cycle Nic::next_cycle(Cycle now) {
  stepped_to_ = now + 1;
  processor_due_ = next_of_processor(now);
  Cycle units = std::min(flow_.next_admission(), completions_.next());
  const bool combines = !combine_unit_.empty();
  if (combines) units = std::min(units, combine_unit_.next(now));
  if (delivery_.can_act(now + 1) || flow_.can_fire()) units = now + 1;
  units = std::min(units, lists_.next(now));
  units = std::max(units, now + 1);
  units_due_ = engines_alone_ && !combines ? units : 0;
  return engines_can_act(now + 1) ? now + 1 : std::min(units, processor_due_);
}

Processor::Next Nic::processor_next() const {
  if (!runs()) return {};
  if (!started()) return {scheduler_.now()};
  const Cycle last = scheduler_.now() - 1;
  return {next_of_processor(last), processor_->next(last).awaits};
}

Cycle Nic::next_of_processor(Cycle now) const {
  if (!runs()) return kNever;
  const Processor::Next next = processor_->next(now);
  const bool due = next.awaits != 0 && (registers_.pending(now + 1) & next.awaits) != 0;
  return due ? std::max(now + 1, next.from) : next.at;
}

Cycle Nic::streams_until(Cycle now, systemc::Streams& streams) {
  const bool stepped = stepped_to_ == now;  // in the last cycle
  if (!stepped || delivery_.can_act(now) || flow_.can_fire()) return now;
  // Where memory is too narrow for all streams, not all of them move in each cycle: the fabric sees
  // that. But the combine unit could fall behind unseen.
  const bool narrow = self_.config.memory_flits != 0;
  if (!combine_unit_.empty() && (narrow || combine_unit_.completes_one())) return now;
  Cycle until = std::min(flow_.next_admission(), completions_.next());
  until = std::min(until, lists_.next(now - 1));
  if (until <= now) return now;
  until = std::min(until, next_of_processor(now - 1));
  for (std::size_t l = 0; l < senders_.size(); ++l) {
    if (receivers_[l].can_act(now)) {
      if (!receivers_[l].streams(now)) return now;
      ++streams.sinks;
    }
    if (stands_still(l, now) || !senders_[l].can_act(now)) continue;
    until = std::min(until, now + senders_[l].streams(now));
    if (until == now) return now;
    streams.starts.push_back(senders_[l].stream());
  }
  return until;
}

/// The combine unit is the one part of a NIC whose cycles depend on the contents of flits, and on
/// how fast each of its messages arrives.
void Nic::streamed(Cycle from, Cycle to) {
  if (combine_unit_.empty()) return;
  for (Cycle now = from; now < to; ++now) {
    flow_.combine(now, CombineUnit::kUnlimited);
    for (ReceiveEngine& receiver : receivers_) receiver.store_kept(now);
  }
}

void Nic::fault(std::uint32_t cause, std::uint32_t address) { halted(Trap{0, cause, address}); }

/// Whether a read changes what the list unit finds: it frees a place, or lets the next call wait.
bool Nic::takes_for_lists(std::uint32_t offset) const {
  return lists_.used() && (offset == reg::kCompletion || offset == reg::kCallTicket);
}

std::uint32_t Nic::read(std::uint32_t offset) {
  written_ |= takes_for_lists(offset);
  const auto value = registers_.read(offset, now_);
  if (!value) fault(5, reg::kRegisterBase + offset);
  return value.value_or(0);
}

void Nic::write(std::uint32_t offset, std::uint32_t value) {
  written_ = true;
  if (!registers_.write(offset, value, now_)) fault(7, reg::kRegisterBase + offset);
}

void Nic::read_memory(std::uint32_t offset, std::span<std::byte> to) {
  if (memory_.contains(offset, to.size())) return memory_.read(offset, to);
  fault(5, reg::kMemoryBase + offset);
  std::ranges::fill(to, std::byte{0});
}

void Nic::write_memory(std::uint32_t offset, std::span<const std::byte> from) {
  if (memory_.contains(offset, from.size())) return memory_.write(offset, from);
  fault(7, reg::kMemoryBase + offset);
}

void Nic::printed(int descriptor, const std::string& text) {
  if (observers_.nic != nullptr) observers_.nic->printed(now_, self_.node, descriptor, text);
}

void Nic::halted(const Trap& trap) {
  if (trap_) return;
  trap_ = trap;
  if (observers_.nic != nullptr) observers_.nic->trapped(now_, self_.node, trap);
}

std::optional<std::uint32_t> Nic::access(const BusAccess& access) {
  if (access.address >= reg::kMemoryBase) return access_memory(access);
  written_ |= access.store;
  return access_register(access);
}

std::optional<std::uint32_t> Nic::access_register(const BusAccess& access) {
  const std::uint32_t offset = access.address - reg::kRegisterBase;
  if (offset >= reg::kRegisterBytes || access.bytes != 4) return std::nullopt;
  if (!access.store) {
    written_ |= takes_for_lists(offset);
    return registers_.read(offset, now_);
  }
  return registers_.write(offset, access.value, now_) ? std::optional<std::uint32_t>(0)
                                                      : std::nullopt;
}

std::optional<std::uint32_t> Nic::access_memory(const BusAccess& access) {
  const std::uint32_t offset = access.address - reg::kMemoryBase;
  if (!memory_.contains(offset, access.bytes)) return std::nullopt;
  if (!access.store) return static_cast<std::uint32_t>(memory_.load(offset, access.bytes));
  memory_.store(offset, access.value, access.bytes);
  return 0;
}

}  // namespace annelid::nic
