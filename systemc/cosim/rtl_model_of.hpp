// RtlModel over one Verilated class. Included once per configuration, by generated files.
#pragma once

#include <bit>
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
      for (int vc = 0; vc < kMaxVcs; ++vc) {
        const auto v = static_cast<std::size_t>(vc);
        observe_vc(port * kMaxVcs + vc, static_cast<Vc>(vc), state.input[p][v], state.output[p][v]);
      }
      state.in_pointer[p] = static_cast<Vc>(pins::get(top_->obs_in_pointer_o, port * 3, 3));
      state.out_pointer[p] = static_cast<Port>(pins::get(top_->obs_out_pointer_o, port * 4, 4));
      state.va_in_pointer[p] = static_cast<Vc>(pins::get(top_->obs_va_in_pointer_o, port * 3, 3));
      state.va_out_pointer[p] =
          static_cast<Port>(pins::get(top_->obs_va_out_pointer_o, port * 4, 4));
      state.grant[p] = {pins::get(top_->obs_grant_valid_o, port, 1) != 0,
                        static_cast<Port>(pins::get(top_->obs_grant_in_o, port * 4, 4)),
                        static_cast<Vc>(pins::get(top_->obs_grant_vc_o, port * 3, 3)),
                        static_cast<Vc>(pins::get(top_->obs_grant_out_vc_o, port * 3, 3))};
      state.va_grant[p] = {pins::get(top_->obs_va_grant_valid_o, port, 1) != 0,
                           static_cast<Port>(pins::get(top_->obs_va_grant_in_o, port * 4, 4)),
                           static_cast<Vc>(pins::get(top_->obs_va_grant_vc_o, port * 3, 3))};
    }
  }

  [[nodiscard]] bool fifos_empty() const override { return pins::all_zero(top_->obs_count_o); }
  [[nodiscard]] int grants() const override {
    return std::popcount(std::uint64_t{top_->obs_grant_valid_o});
  }

 private:
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

  void observe_vc(int index, Vc vc, InputVcState& in, OutputVcState& out) const {
    in.count = static_cast<std::uint8_t>(pins::get(top_->obs_count_o, index * 7, 7));
    in.front = {pins::get(top_->obs_front_data_o, index * 64, 64), in.count == 0 ? Vc{0} : vc,
                pins::get(top_->obs_front_head_o, index, 1) != 0,
                pins::get(top_->obs_front_tail_o, index, 1) != 0};
    in.routed = pins::get(top_->obs_routed_o, index, 1) != 0;
    in.active = pins::get(top_->obs_active_o, index, 1) != 0;
    in.out_port = static_cast<Port>(pins::get(top_->obs_out_port_o, index * 4, 4));
    in.out_vc = static_cast<Vc>(pins::get(top_->obs_out_vc_o, index * 3, 3));
    out.credits = static_cast<std::uint8_t>(pins::get(top_->obs_credits_o, index * 7, 7));
    out.owned = pins::get(top_->obs_owned_o, index, 1) != 0;
  }

  RouterConfig config_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Verilated> top_;
  bool touched_ = false;
};

}  // namespace annelid::systemc
