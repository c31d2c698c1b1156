#include "simulation/machine/contents.hpp"

#include <zlib.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/random.hpp"

namespace annelid::simulation {
namespace {

float random_float(Random& random) {
  constexpr std::array kSpecial = {std::numeric_limits<float>::infinity(),
                                   -std::numeric_limits<float>::infinity(),
                                   std::numeric_limits<float>::quiet_NaN(),
                                   0.0F,
                                   -0.0F,
                                   std::numeric_limits<float>::denorm_min() * 12345};
  if (random.below(64) == 0) return kSpecial[random.below(kSpecial.size())];
  // A statement for each draw: compilers evaluate the arguments of one call in different orders.
  const int exponent = static_cast<int>(random.below(40)) - 20;
  const double size = std::ldexp(1 + random.uniform(), exponent);
  return static_cast<float>(random.below(2) == 0 ? size : -size);
}

template <typename Next>
reference::Bytes bytes_of(std::uint64_t count, Next next) {
  reference::Bytes bytes(count);
  constexpr std::uint64_t kValue = sizeof next();
  std::uint64_t i = 0;
  for (; count - i >= kValue; i += kValue) {
    const auto value = next();
    std::memcpy(&bytes[i], &value, kValue);
  }
  if (i == count) return bytes;
  const auto last = next();
  std::memcpy(&bytes[i], &last, count - i);
  return bytes;
}

}  // namespace

reference::Inputs random_inputs(const Collective& c, std::size_t call) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;
  reference::Inputs inputs = c.inputs();
  const BufferBytes buffers(c);
  inputs.source.reserve(static_cast<std::size_t>(c.network.nodes()));
  const bool floats = c.reduces() && c.type == reference::ElementType::kFloat32;
  for (int rank = 0; rank < c.network.nodes(); ++rank) {
    Random random(c.seed ^ call * kGolden, static_cast<std::uint64_t>(rank));
    const std::uint64_t bytes = buffers.source(reference::node_at(c.network, rank));
    const bool reads = c.operation() != reference::Operation::kBroadcast ||
                       reference::node_at(c.network, rank) == c.root;
    inputs.source.push_back(!reads   ? reference::Bytes{}
                            : floats ? bytes_of(bytes, [&] { return random_float(random); })
                                     : bytes_of(bytes, random));
  }
  return inputs;
}

reference::Inputs payload_inputs(const Collective& c, std::span<const std::byte> payload) {
  reference::Inputs inputs = c.inputs();
  inputs.source.resize(static_cast<std::size_t>(c.network.nodes()));
  if (c.own && c.operation() != reference::Operation::kBroadcast) {  // a part for each node
    for (reference::Bytes& source : inputs.source) {
      source.assign(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(c.bytes));
      payload = payload.subspan(c.bytes);
    }
    return inputs;
  }
  inputs.source[static_cast<std::size_t>(index_of(c.network, c.root))].assign(payload.begin(),
                                                                              payload.end());
  return inputs;
}

std::vector<reference::Inputs> inputs_of(const Scenario& scenario, int start) {
  std::vector<reference::Inputs> inputs;
  for (const ScenarioCall& call : scenario.calls) {
    const auto& own = call.collective.own;
    const std::size_t before =
        own && !own->by_rule ? 0 : static_cast<std::size_t>(start) * scenario.calls.size();
    inputs.push_back(call.payload.empty() ? random_inputs(call.collective, inputs.size() + before)
                                          : payload_inputs(call.collective, call.contents));
  }
  return inputs;
}

std::uint32_t crc32_of(const reference::Inputs& inputs) {
  uLong crc = crc32(0, nullptr, 0);
  for (const reference::Bytes& source : inputs.source) {
    if (source.empty()) continue;  // to zlib a null pointer means "begin"
    crc =
        crc32(crc, reinterpret_cast<const Bytef*>(source.data()), static_cast<uInt>(source.size()));
  }
  return static_cast<std::uint32_t>(crc);
}

}  // namespace annelid::simulation
