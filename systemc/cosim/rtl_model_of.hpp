// RtlModel for one Verilated class. Generated files include this once per configuration.
#pragma once

#include <memory>

#include "systemc/cosim/rtl_model.hpp"
#include "systemc/cosim/rtl_pins.hpp"

namespace annelid::systemc {

template <typename Verilated>
class RtlModelOf final : public RtlModel {
 public:
  explicit RtlModelOf(const RouterConfig& config)
      : config_(config), context_(std::make_unique<VerilatedContext>()) {
    context_->randReset(0);
    context_->threads(1);  // or each router would have an idle thread beside this one
    top_ = std::make_unique<Verilated>(context_.get());
  }
  RtlModelOf(const RtlModelOf&) = delete;
  RtlModelOf& operator=(const RtlModelOf&) = delete;
  ~RtlModelOf() override {
    top_->final();
    // The scopes of the Verilated code sign off at the context of this thread. That may be the one
    // of another router, which is already gone.
    ::Verilated::threadContextp(context_.get());
    top_.reset();
    ::Verilated::threadContextp(::Verilated::defaultContextp());
  }

  void reset(Address address, Address last) override {
    top_->address_i = pack(address);
    top_->last_i = pack(last);
    top_->clk_i = 0;
    idle_inputs();
    top_->rst_ni = 0;
    edge();
    edge();
    top_->rst_ni = 1;
    top_->eval();
  }

  void set_flit(Port in, const Flit& flit) override {
    pins::put(top_->in_valid_i, in, 1, 1);
    pins::put(top_->in_vc_i, in * 3, 3, flit.vc);
    pins::put(top_->in_head_i, in, 1, flit.head ? 1 : 0);
    pins::put(top_->in_tail_i, in, 1, flit.tail ? 1 : 0);
    pins::put(top_->in_data_i, in * 64, 64, flit.data);
    touched_ = true;
  }

  void set_credit(Port out, Vc vc) override {
    pins::put(top_->out_credit_valid_i, out, 1, 1);
    pins::put(top_->out_credit_vc_i, out * 3, 3, vc);
    touched_ = true;
  }

  void clock() override {
    edge();
    if (touched_) idle_inputs();
    touched_ = false;
  }

  bool flit(Port out, Flit& flit) const override {
    if (pins::get(top_->out_valid_o, out, 1) == 0) return false;
    flit.vc = static_cast<Vc>(pins::get(top_->out_vc_o, out * 3, 3));
    flit.head = pins::get(top_->out_head_o, out, 1) != 0;
    flit.tail = pins::get(top_->out_tail_o, out, 1) != 0;
    flit.data = pins::get(top_->out_data_o, out * 64, 64);
    return true;
  }

  bool credit(Port in, Vc& vc) const override {
    if (pins::get(top_->in_credit_valid_o, in, 1) == 0) return false;
    vc = static_cast<Vc>(pins::get(top_->in_credit_vc_o, in * 3, 3));
    return true;
  }

  [[nodiscard]] RouterState observe() const override {
    RouterState state;
    for (int port = 0; port < config_.ports(); ++port) {
      const auto p = static_cast<std::size_t>(port);
      const obs::Record seen = record(port);
      observe_inputs(seen, state.input[p]);
      observe_outputs(seen, state.output[p]);
      state.in_pointer[p] = static_cast<Vc>(seen.get<obs::kInPointer, 3>());
      state.out_pointer[p] = static_cast<Port>(seen.get<obs::kOutPointer, 4>());
      state.va_in_pointer[p] = static_cast<Vc>(seen.get<obs::kVaInPointer, 3>());
      state.va_out_pointer[p] = static_cast<Port>(seen.get<obs::kVaOutPointer, 4>());
      state.grant[p] = {seen.get<obs::kGrantValid, 1>() != 0,
                        static_cast<Port>(seen.get<obs::kGrantIn, 4>()),
                        static_cast<Vc>(seen.get<obs::kGrantVc, 3>()),
                        static_cast<Vc>(seen.get<obs::kGrantOutVc, 3>())};
      state.va_grant[p] = {seen.get<obs::kVaGrantValid, 1>() != 0,
                           static_cast<Port>(seen.get<obs::kVaGrantIn, 4>()),
                           static_cast<Vc>(seen.get<obs::kVaGrantVc, 3>()),
                           static_cast<Vc>(seen.get<obs::kVaGrantOutVc, 3>())};
    }
    return state;
  }

  [[nodiscard]] unsigned flits_in(Port port, Vc vc) const override {
    return static_cast<unsigned>(record(port).template get<obs::kCount, kMaxVcs * 7>() >> vc * 7 &
                                 0x7f);
  }
  [[nodiscard]] bool fifos_empty() const override {
    std::uint64_t flits = 0;
    for (int port = 0; port < kSeenPorts; ++port) {
      flits |= record(port).template get<obs::kCount, kMaxVcs * 7>();
    }
    return flits == 0;
  }
  [[nodiscard]] int grants() const override {
    int sum = 0;
    for (int port = 0; port < kSeenPorts; ++port) {
      sum += static_cast<int>(record(port).template get<obs::kGrantValid, 1>());
    }
    return sum;
  }

 private:
  /// The number of ports of the switches.
  static constexpr int kSeenPorts =
      static_cast<int>(sizeof(Verilated::obs_o) * 8) / obs::kRecordBits;
  static_assert(sizeof(Verilated::obs_o) * 8 == kSeenPorts * obs::kRecordBits);

  [[nodiscard]] obs::Record record(int port) const {
    return obs::Record(&top_->obs_o[static_cast<std::size_t>(port * obs::kRecordWords)]);
  }

  void edge() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  void idle_inputs() {
    pins::clear(top_->in_valid_i);
    pins::clear(top_->in_vc_i);
    pins::clear(top_->in_head_i);
    pins::clear(top_->in_tail_i);
    pins::clear(top_->in_data_i);
    pins::clear(top_->out_credit_valid_i);
    pins::clear(top_->out_credit_vc_i);
  }

  /// Reads the input VCs of a port. Most VCs do not exist and most FIFOs are empty: their zeros are
  /// passed over.
  static void observe_inputs(const obs::Record& seen, auto& inputs) {
    std::uint64_t count = seen.get<obs::kCount, kMaxVcs * 7>();
    std::uint64_t routed = seen.get<obs::kRouted, kMaxVcs>();
    std::uint64_t active = seen.get<obs::kActive, kMaxVcs>();
    std::uint64_t out_port = seen.get<obs::kOutPort, kMaxVcs * 4>();
    std::uint64_t out_vc = seen.get<obs::kOutVc, kMaxVcs * 3>();
    for (std::size_t vc = 0; (count | routed | active | out_port | out_vc) != 0; ++vc) {
      InputVcState& in = inputs[vc];
      in.count = static_cast<std::uint8_t>(count & 0x7f);
      if (in.count != 0) in.front.vc = static_cast<Vc>(vc);
      in.routed = (routed & 1) != 0;
      in.active = (active & 1) != 0;
      in.out_port = static_cast<Port>(out_port & 0xf);
      in.out_vc = static_cast<Vc>(out_vc & 0x7);
      count >>= 7;
      routed >>= 1;
      active >>= 1;
      out_port >>= 4;
      out_vc >>= 3;
    }
    if (!seen.has_front()) return;
    for (int vc = 0; vc < kMaxVcs; ++vc) {
      Flit& front = inputs[static_cast<std::size_t>(vc)].front;
      const std::uint64_t ends = seen.front_ends(vc);
      front.data = seen.front_data(vc);
      front.head = (ends & 2) != 0;
      front.tail = (ends & 1) != 0;
    }
  }

  static void observe_outputs(const obs::Record& seen, auto& outputs) {
    std::uint64_t credits = seen.get<obs::kCredits, kMaxVcs * 7>();
    std::uint64_t owned = seen.get<obs::kOwned, kMaxVcs>();
    for (std::size_t vc = 0; (credits | owned) != 0; ++vc) {
      outputs[vc].credits = static_cast<std::uint8_t>(credits & 0x7f);
      outputs[vc].owned = (owned & 1) != 0;
      credits >>= 7;
      owned >>= 1;
    }
  }

  RouterConfig config_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Verilated> top_;
  bool touched_ = false;
};

}  // namespace annelid::systemc
