// The operations that are not one tree on the modelled NICs and routers, as RV32 program and built
// for the host: the same bytes, the right ones, and the same messages. Parameter space: operation,
// algorithm, network (mesh, torus, three dimensions, one-port, one node), bytes of a block; float32
// sums, whose bytes tell the order in which blocks were combined.
#include "testbench/firmware/support/operations_network.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace annelid {
namespace {

using reg::Algorithm;
using reg::Operation;
using Shape = NetworkShape;

INSTANTIATE_TEST_SUITE_P(
    Networks, OperationsOnNetwork,
    ::testing::Values(
        Shape{"Mesh", {4, 4, 1}, systemc::RouterConfig{.local_ports = 4}},
        Shape{"Torus", {5, 4, 1}, {.local_ports = 2, .vcs = 2, .torus = {true, true, false}}},
        Shape{"ThreeDimensions", {3, 2, 4}, {.local_ports = 2, .dims = 3}},
        Shape{"OnePort", {4, 3, 1}, {.local_ports = 1, .kind = systemc::RouterKind::kOnePort}},
        Shape{"OneNode", {1, 1, 1}, {}}),
    ::testing::PrintToStringParamName());

TEST_P(OperationsOnNetwork, LeaveTheRightBytesOnTheCoreAsOnTheHost) {
  for (const std::uint32_t bytes : {0U, 7U, 64U, 1000U}) {
    const auto one = [&](std::uint32_t n) { return blocks(n, 0, 1, bytes); };
    const auto every = [&](std::uint32_t n) { return blocks(n, 0, nodes(), bytes); };
    const auto from_every = [&](std::uint32_t n) {
      Bytes result;
      for (std::uint32_t from = 0; from < nodes(); ++from) append(result, from, n, bytes);
      return result;
    };
    for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kToken}) {
      check({.operation = Operation::kAllToAll, .algorithm = algorithm, .count = bytes}, every,
            kTarget, from_every);
    }
    for (const std::uint32_t radix : {2U, 3U, nodes() - 1, nodes()}) {
      check({.operation = Operation::kAllToAll,
             .algorithm = Algorithm::kRadix,
             .count = bytes,
             .parameter = {0, std::max(radix, 2U)}},
            every, kTarget, from_every);
    }
    for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kDissemination}) {
      check({.operation = Operation::kAllGather, .algorithm = algorithm, .count = bytes}, one,
            kTarget, [&](std::uint32_t) { return from_every(0); });
    }
    for (const Algorithm algorithm :
         {Algorithm::kScatterCollect, Algorithm::kMstBucket, Algorithm::kFibonacciTree}) {
      for (const std::uint32_t packets : {0U, 5U}) {
        if (packets != 0 && algorithm != Algorithm::kFibonacciTree) continue;
        const std::uint32_t root = (bytes + packets) % nodes();
        check({.operation = Operation::kBroadcast,
               .algorithm = algorithm,
               .root = root,
               .count = bytes,
               .parameter = {0, packets}},
              one, kSource, [&](std::uint32_t) { return one(root); });
      }
    }
    if (side(0) == side(1) && side(2) == 1) {
      const auto n = static_cast<std::uint32_t>(side(0));
      for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kEdn}) {
        check({.operation = Operation::kTranspose, .algorithm = algorithm, .count = bytes}, one,
              kTarget, [&](std::uint32_t node) { return one(node % n * n + node / n); });
      }
    }
    check({.operation = Operation::kBarrier, .algorithm = Algorithm::kDissemination}, one, kSource,
          one);
  }
}

TEST_P(OperationsOnNetwork, BlocksByRadixAndByExchangeRunOnTheCoreAsOnTheHost) {
  for (const std::uint32_t bytes : {0U, 7U, 64U, 1000U}) {
    const auto one = [&](std::uint32_t n) { return blocks(n, 0, 1, bytes); };
    const auto of_all = [&](std::uint32_t) {
      Bytes result;
      for (std::uint32_t n = 0; n < nodes(); ++n) append(result, n, 0, bytes);
      return result;
    };
    for (const std::uint32_t radix : {2U, 3U, std::max(nodes(), 2U)}) {
      const std::uint32_t root = (bytes + radix) % nodes();
      const auto at_root = [&](std::uint32_t n) { return n == root ? of_all(n) : Bytes{}; };
      check({.operation = Operation::kScatter,
             .algorithm = Algorithm::kRadix,
             .root = root,
             .count = bytes,
             .parameter = {0, radix}},
            at_root, kTarget, one);
      check({.operation = Operation::kGather,
             .algorithm = Algorithm::kRadix,
             .root = root,
             .count = bytes,
             .parameter = {0, radix}},
            one, kTarget, at_root);
    }
    if ((nodes() & (nodes() - 1)) != 0) continue;
    check({.operation = Operation::kAllGather, .algorithm = Algorithm::kExchange, .count = bytes},
          one, kTarget, of_all);
  }
}

/// Along a ring whose piece `piece` is summed up: from the member after it, round to itself.
float around(int size, int piece, const std::function<float(int)>& value) {
  float sum = value((piece + 1) % size);
  for (int i = 2; i <= size; ++i) sum = value((piece + i) % size) + sum;
  return sum;
}

TEST_P(OperationsOnNetwork, SumFloatsInTheOrderOfTheRings) {
  const auto value = [](std::uint32_t node, std::uint32_t e) {
    const std::uint32_t h = (node * 977 + e * 131 + 7) * 2654435761U;
    return static_cast<float>(static_cast<std::int32_t>(h)) / static_cast<float>(1 + h % 1000);
  };
  const auto bytes_of = [](std::uint32_t count, const std::function<float(std::uint32_t)>& f) {
    Bytes result(4 * count);
    for (std::uint32_t e = 0; e < count; ++e) {
      const float v = f(e);
      std::memcpy(&result[4 * e], &v, 4);
    }
    return result;
  };
  const auto node_at = [&](int x, int y, int z) {
    return static_cast<std::uint32_t>((z * side(1) + y) * side(0) + x);
  };
  for (const std::uint32_t count : {0U, 1U, 37U, 250U}) {
    /// The place whose part an element is in.
    const auto place_of = [&](std::uint32_t e) {
      const std::uint32_t words = (4 * count + 7) / 8, parts = nodes();
      std::uint32_t end = 0;
      for (std::uint32_t p = 0; p < parts; ++p) {
        end += words / parts + (p < words % parts ? 1 : 0);
        if (e / 2 < end) return static_cast<int>(p);
      }
      return 0;
    };
    const auto sum = [&](std::uint32_t e) {
      const int place = place_of(e);
      const int pz = place % side(2), py = place / side(2) % side(1);
      const int px = place / side(2) / side(1);
      return around(side(2), pz, [&](int z) {
        return around(side(1), py, [&](int y) {
          return around(side(0), px, [&](int x) { return value(node_at(x, y, z), e); });
        });
      });
    };
    check(
        {.operation = Operation::kAllReduce,
         .algorithm = Algorithm::kRing,
         .count = count,
         .type = reg::Type::kFloat32,
         .op = static_cast<std::uint32_t>(reg::Operator::kSum)},
        [&](std::uint32_t n) {
          return bytes_of(count, [&](std::uint32_t e) { return value(n, e); });
        },
        kTarget, [&](std::uint32_t) { return bytes_of(count, sum); });
  }
}

TEST_P(OperationsOnNetwork, CombineIntegersAlongTreesAndRings) {
  for (const Algorithm algorithm :
       {Algorithm::kRing, Algorithm::kRecursiveDoubling, Algorithm::kEdn}) {
    if (algorithm == Algorithm::kEdn && (side(0) != 4 || side(1) != 4)) continue;
    constexpr std::uint32_t kCount = 100;
    const auto value = [](std::uint32_t node, std::uint32_t e) {
      return static_cast<std::int32_t>((node * 977 + e * 131 + 7) * 2654435761U);
    };
    const auto bytes_of = [](const std::function<std::int32_t(std::uint32_t)>& f) {
      Bytes result(4 * kCount);
      for (std::uint32_t e = 0; e < kCount; ++e) {
        const std::int32_t v = f(e);
        std::memcpy(&result[4 * e], &v, 4);
      }
      return result;
    };
    check(
        {.operation = Operation::kAllReduce,
         .algorithm = algorithm,
         .count = kCount,
         .type = reg::Type::kInt32,
         .op = static_cast<std::uint32_t>(reg::Operator::kMin)},
        [&](std::uint32_t n) { return bytes_of([&](std::uint32_t e) { return value(n, e); }); },
        kTarget,
        [&](std::uint32_t) {
          return bytes_of([&](std::uint32_t e) {
            std::int32_t least = value(0, e);
            for (std::uint32_t n = 1; n < nodes(); ++n) least = std::min(least, value(n, e));
            return least;
          });
        });
  }
}

}  // namespace
}  // namespace annelid
