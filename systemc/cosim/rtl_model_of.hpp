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
    top_ = std::make_unique<Verilated>(context_.get());
  }
  RtlModelOf(const RtlModelOf&) = delete;
  RtlModelOf& operator=(const RtlModelOf&) = delete;
  ~RtlModelOf() override { top_->final(); }

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

  void observe(RouterState& state) const override {
    state = {};
    for (int port = 0; port < config_.ports(); ++port) {
      const auto p = static_cast<std::size_t>(port);
      observe_vcs(port, state.input[p], state.output[p]);
      state.in_pointer[p] = static_cast<Vc>(seen(port, obs::kInPointer, 3));
      state.out_pointer[p] = static_cast<Port>(seen(port, obs::kOutPointer, 4));
      state.va_in_pointer[p] = static_cast<Vc>(seen(port, obs::kVaInPointer, 3));
      state.va_out_pointer[p] = static_cast<Port>(seen(port, obs::kVaOutPointer, 4));
      state.grant[p] = {seen(port, obs::kGrantValid, 1) != 0,
                        static_cast<Port>(seen(port, obs::kGrantIn, 4)),
                        static_cast<Vc>(seen(port, obs::kGrantVc, 3)),
                        static_cast<Vc>(seen(port, obs::kGrantOutVc, 3))};
      state.va_grant[p] = {seen(port, obs::kVaGrantValid, 1) != 0,
                           static_cast<Port>(seen(port, obs::kVaGrantIn, 4)),
                           static_cast<Vc>(seen(port, obs::kVaGrantVc, 3))};
    }
  }

  [[nodiscard]] bool fifos_empty() const override {
    std::uint64_t flits = 0;
    for (int port = 0; port < kSeenPorts; ++port) flits |= seen(port, obs::kCount, kMaxVcs * 7);
    return flits == 0;
  }
  [[nodiscard]] int grants() const override {
    int sum = 0;
    for (int port = 0; port < kSeenPorts; ++port) {
      sum += static_cast<int>(seen(port, obs::kGrantValid, 1));
    }
    return sum;
  }

 private:
  /// The number of ports of the switches.
  static constexpr int kSeenPorts =
      static_cast<int>(sizeof(Verilated::obs_o) * 8) / obs::kRecordBits;
  static_assert(sizeof(Verilated::obs_o) * 8 == kSeenPorts * obs::kRecordBits);

  /// Bits of a port's record in the observation output.
  [[nodiscard]] std::uint64_t seen(int port, int low, int width) const {
    return pins::get(top_->obs_o, port * obs::kRecordBits + low, width);
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

  /// Reads the VCs of a port. Fields of a few bits are read for all VCs at once.
  void observe_vcs(int port, auto& inputs, auto& outputs) const {
    const std::uint64_t count = seen(port, obs::kCount, kMaxVcs * 7);
    const std::uint64_t routed = seen(port, obs::kRouted, kMaxVcs);
    const std::uint64_t active = seen(port, obs::kActive, kMaxVcs);
    const std::uint64_t out_port = seen(port, obs::kOutPort, kMaxVcs * 4);
    const std::uint64_t out_vc = seen(port, obs::kOutVc, kMaxVcs * 3);
    const std::uint64_t credits = seen(port, obs::kCredits, kMaxVcs * 7);
    const std::uint64_t owned = seen(port, obs::kOwned, kMaxVcs);
    for (int vc = 0; vc < kMaxVcs; ++vc) {
      InputVcState& in = inputs[static_cast<std::size_t>(vc)];
      OutputVcState& out = outputs[static_cast<std::size_t>(vc)];
      const int front = obs::kFront + vc * 66;
      const std::uint64_t ends = seen(port, front + 64, 2);
      in.count = static_cast<std::uint8_t>(count >> vc * 7 & 0x7f);
      in.front = {seen(port, front, 64), in.count == 0 ? Vc{0} : static_cast<Vc>(vc),
                  (ends & 2) != 0, (ends & 1) != 0};
      in.routed = (routed >> vc & 1) != 0;
      in.active = (active >> vc & 1) != 0;
      in.out_port = static_cast<Port>(out_port >> vc * 4 & 0xf);
      in.out_vc = static_cast<Vc>(out_vc >> vc * 3 & 0x7);
      out.credits = static_cast<std::uint8_t>(credits >> vc * 7 & 0x7f);
      out.owned = (owned >> vc & 1) != 0;
    }
  }

  RouterConfig config_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Verilated> top_;
  bool touched_ = false;
};

}  // namespace annelid::systemc
