// A Verilated unit of the NIC, with its clock, for the tests that compare it with a model.
#pragma once

#include <verilated.h>

#include <memory>

namespace annelid::testbench {

template <typename Unit>
class VerilatedUnit {
 public:
  VerilatedUnit() : context_(std::make_unique<VerilatedContext>()) {
    context_->randReset(0);
    context_->threads(1);
    top_ = std::make_unique<Unit>(context_.get());
    top_->rst_ni = 0;
    clock();
    clock();
    top_->rst_ni = 1;
    top_->eval();
  }
  VerilatedUnit(const VerilatedUnit&) = delete;
  VerilatedUnit& operator=(const VerilatedUnit&) = delete;
  ~VerilatedUnit() {
    top_->final();
    // The Verilated code signs off at the context of this thread, which may be another unit's.
    Verilated::threadContextp(context_.get());
    top_.reset();
    Verilated::threadContextp(Verilated::defaultContextp());
  }

  Unit* operator->() { return top_.get(); }
  const Unit* operator->() const { return top_.get(); }

  /// The clock edge that ends the cycle.
  void clock() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Unit> top_;
};

}  // namespace annelid::testbench
