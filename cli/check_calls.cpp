#include "cli/check_calls.hpp"

#include "systemc/random.hpp"

namespace annelid::cli {
namespace {

using reference::Algorithm;
using reference::Network;
using reference::Operation;

std::vector<std::uint32_t> parameters_of(const Algorithm& a) {
  if (a.name == "fibonacci-tree") return {0, 1, 2, 5};
  if (a.name == "edn" && a.operation == Operation::kBroadcast) return {0, 1};
  return {0};
}

/// Makes one call after the other different from the last in all that is not said.
class CallMaker {
 public:
  CallMaker(const Algorithm& algorithm, const Network& network, const CheckScope& scope)
      : algorithm_(algorithm),
        network_(network),
        parameters_(parameters_of(algorithm)),
        random_(scope.seed, algorithm.code) {}

  void add(int root, std::uint64_t bytes) {
    Collective c;
    c.algorithm = &algorithm_;
    c.network = network_;
    if (c.has_root()) c.root = reference::node_at(network_, root);
    if (algorithm_.operation != Operation::kBarrier) c.bytes = bytes;
    c.parameter = parameters_[made_ % parameters_.size()];
    c.seed = random_() >> 34;  // short enough to type
    if (made_ % 3 == 2 || algorithm_.operation == Operation::kBarrier) c.skew = 50U << made_ % 6;
    if (c.reduces()) {
      // Both numbers of choices are odd to each other: all pairs come.
      c.op = static_cast<reference::Operator>(made_ % reference::kOperators);
      c.type = static_cast<reference::ElementType>(made_ % reference::kElementTypes);
      const std::uint64_t element = bytes_of(c.type);
      c.bytes = (bytes + element - 1) / element * element;
    }
    ++made_;
    calls_.push_back(c);
  }

  int any_root() {
    return static_cast<int>(random_.below(static_cast<std::uint32_t>(network_.nodes())));
  }

  std::vector<Collective> calls() && { return std::move(calls_); }

 private:
  const Algorithm& algorithm_;
  const Network network_;
  const std::vector<std::uint32_t> parameters_;
  Random random_;
  std::size_t made_ = 0;
  std::vector<Collective> calls_;
};

}  // namespace

std::vector<Collective> check_calls(const Algorithm& algorithm, const Network& network,
                                    const CheckScope& scope) {
  std::vector<std::uint64_t> payloads = {0, 1, 7, 8, 64, 1000};
  const std::size_t in_turn = payloads.size();
  if (!scope.quick) payloads.push_back(65536);
  const int nodes = network.nodes();
  CallMaker maker(algorithm, network, scope);
  const bool every = nodes <= (scope.quick ? 16 : 64);
  const int roots = !has_root(algorithm.operation) ? 3
                    : every                        ? nodes
                    : scope.quick                  ? 6
                    : nodes <= 1024                ? 12
                                                   : 2;
  for (int i = 0; i < roots; ++i) {
    maker.add(every && has_root(algorithm.operation) ? i : maker.any_root(),
              payloads[static_cast<std::size_t>(i) % in_turn]);
  }
  for (int again = 0; again < (nodes <= 256 && !scope.quick ? 2 : 1); ++again) {
    for (const std::uint64_t bytes : payloads) maker.add(maker.any_root(), bytes);
  }
  // Reductions: as many calls as there are pairs of an operator and a type, on small networks.
  const bool reduces =
      algorithm.operation == Operation::kReduce || algorithm.operation == Operation::kAllReduce;
  for (std::size_t i = 0; reduces && nodes <= 16 && i < 28; ++i) maker.add(maker.any_root(), 64);
  return std::move(maker).calls();
}

}  // namespace annelid::cli
