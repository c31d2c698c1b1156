#include "nic/nic.hpp"

#include <algorithm>

namespace annelid {

/// Called by the router in cycle t; what it brings counts from t + 1 on.
class Nic::Endpoint : public LinkIf {
 public:
  Endpoint(Nic& nic, std::size_t local) : nic_(nic), local_(local) {}

  void put_flit(const Flit& flit) override {
    const Cycle now = nic_.scheduler_.now();
    nic_.receivers_[local_].arrive(flit, now);
    nic_.wake(now + 1);
  }
  void put_credit(Vc vc) override {
    const Cycle now = nic_.scheduler_.now();
    nic_.senders_[local_].credit(vc, now);
    if (nic_.senders_[local_].busy()) nic_.wake(now + 1);  // else it does not wait for one
  }

 private:
  Nic& nic_;
  std::size_t local_;
};

void validate(const NicConfig& config) {
  validate(config.network);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  if (config.memory_bytes == 0 || config.memory_bytes > kMost) {
    throw ConfigError("nic.memory_bytes", std::to_string(config.memory_bytes), "1 to 2147483648");
  }
  if (config.run_ahead == 0) throw ConfigError("nic.run_ahead", "0", "at least 1 cycle");
}

namespace {

const NicConfig& checked(const NicConfig& config, NodeId node) {
  validate(config);
  if (node >= config.network.nodes()) {
    throw ConfigError("nic.node", std::to_string(node),
                      "below " + std::to_string(config.network.nodes()));
  }
  return config;
}

}  // namespace

Nic::Nic(const sc_core::sc_module_name& name, const NicConfig& config, NodeId node,
         Scheduler& scheduler)
    : sc_module(name),
      to_router("to_router"),
      from_router("from_router"),
      shared_(checked(config, node), node),
      registers_(shared_),
      own_(shared_),
      scheduler_(scheduler),
      handle_(scheduler.add(*this)),
      next_(scheduler.now()) {
  const auto ports = static_cast<std::size_t>(shared_.ports());
  to_router.init(ports);
  from_router.init(ports);
  senders_.reserve(ports);
  receivers_.reserve(ports);
  for (std::size_t l = 0; l < ports; ++l) {
    senders_.emplace_back(shared_, static_cast<Port>(l));
    receivers_.emplace_back(shared_, static_cast<Port>(l));
    endpoints_.push_back(std::make_unique<Endpoint>(*this, l));
    from_router[l].bind(*endpoints_[l]);
  }
}

Nic::~Nic() = default;

void Nic::end_of_elaboration() {
  for (std::size_t l = 0; l < senders_.size(); ++l) {
    LinkIf* const router = to_router[l].operator->();
    senders_[l].connect(*router);
    receivers_[l].connect(*router);
  }
}

void Nic::load(const Image& image) {
  processor_ = make_core_processor(image, shared_.node, *this, shared_.config.run_ahead);
}

void Nic::load_native() { load(firmware::make_native_firmware(*this)); }

void Nic::load(std::unique_ptr<firmware::NativeFirmware> firmware) {
  processor_ = make_native_processor(std::move(firmware), *this);
}

void Nic::load(std::unique_ptr<Processor> processor) { processor_ = std::move(processor); }

void Nic::set_observers(NicObserver* observer, FabricObserver* fabric_observer) {
  shared_.observer = observer;
  shared_.fabric_observer = fabric_observer;
}

void Nic::call(const Call& call) {
  if (!started_) return registers_.call(call, 0);
  const Cycle visible = scheduler_.now() + 1;
  registers_.call(call, visible);
  wake(visible);
}

bool Nic::stopped() const {
  return trap_ || shared_.error != reg::ErrorCause::kNone || !processor_;
}

std::uint64_t Nic::instructions() const { return processor_ ? processor_->instructions() : 0; }

// The scheduler is told only what it does not know: a NIC at work is stepped every cycle anyway.
// In the cycle `next_` itself the step is still to come, and will see what has arrived.
void Nic::wake(Cycle at) {
  if (next_ <= at) return;
  next_ = at;
  scheduler_.wake(handle_, at);
}

Cycle Nic::step(Cycle now) {
  if (started_ && now == now_) return next_;
  started_ = true;
  now_ = now;
  if (!stopped()) processor_->step(now);
  if (!stopped()) {
    for (SendEngine& engine : senders_) engine.step(now);
    own_.step(now);
    for (ReceiveEngine& engine : receivers_) engine.step(now);
    shared_.completions.commit();
  }
  next_ = stopped() ? kNever : next_cycle(now);
  return next_;
}

Cycle Nic::next_cycle(Cycle now) const {
  const auto can_act = [now](const auto& engine) { return engine.can_act(now + 1); };
  if (std::ranges::any_of(senders_, can_act) || std::ranges::any_of(receivers_, can_act) ||
      can_act(own_)) {
    return now + 1;
  }
  return processor_->next(now, registers_.event(now + 1) != 0);
}

std::uint32_t Nic::read(std::uint32_t offset) {
  const auto value = registers_.read(offset, now_);
  if (!value) trap(Trap{0, 5, reg::kRegisterBase + offset});
  return value.value_or(0);
}

void Nic::write(std::uint32_t offset, std::uint32_t value) {
  if (!registers_.write(offset, value, now_)) trap(Trap{0, 7, reg::kRegisterBase + offset});
}

void Nic::trap(const Trap& trap) {
  if (stopped()) return;
  trap_ = trap;
  if (shared_.observer != nullptr) shared_.observer->trapped(now_, shared_.node, trap);
}

std::optional<std::uint32_t> Nic::access(const BusAccess& access) {
  if (access.address >= reg::kMemoryBase) return access_memory(access);
  const std::uint32_t offset = access.address - reg::kRegisterBase;
  if (offset >= reg::kRegisterBytes || access.bytes != 4) return std::nullopt;
  if (!access.store) return registers_.read(offset, now_);
  return registers_.write(offset, access.value, now_) ? std::optional<std::uint32_t>(0)
                                                      : std::nullopt;
}

std::optional<std::uint32_t> Nic::access_memory(const BusAccess& access) {
  const std::uint32_t offset = access.address - reg::kMemoryBase;
  if (!shared_.memory.contains(offset, access.bytes)) return std::nullopt;
  if (!access.store) return static_cast<std::uint32_t>(shared_.memory.load(offset, access.bytes));
  shared_.memory.store(offset, access.value, access.bytes);
  return 0;
}

}  // namespace annelid
