// router_tb in Verilator, as `verilator --binary` would run it, but with its coverage written in
// the end: to the file that $ANNELID_RTL_COVERAGE names (scripts/coverage).
#include <cstdlib>
#include <memory>

#include "Vrouter_tb.h"
#include "verilated.h"
#include "verilated_cov.h"

int main(int argc, char** argv) {
  const auto context = std::make_unique<VerilatedContext>();
  context->commandArgs(argc, argv);
  const auto top = std::make_unique<Vrouter_tb>(context.get());
  while (!context->gotFinish()) {
    top->eval();
    if (!top->eventsPending()) break;
    context->time(top->nextTimeSlot());
  }
  top->final();
  const char* file = std::getenv("ANNELID_RTL_COVERAGE");
  context->coveragep()->write(file == nullptr ? "coverage.dat" : file);
  return context->gotFinish() ? 0 : 1;
}
