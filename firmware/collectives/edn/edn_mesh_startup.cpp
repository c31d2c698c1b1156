#include "firmware/collectives/edn/edn_mesh_startup.hpp"

namespace annelid::firmware::edn_mesh {
namespace {

struct StartupMessage {
  std::uint32_t from, to, step;
};
constexpr std::uint32_t packed(StartupMessage m) { return m.from | m.to << 3 | m.step << 6; }
/// At most four messages; one of step 0 is none.
constexpr std::uint32_t packed(StartupMessage first, StartupMessage second,
                               StartupMessage third = {}, StartupMessage fourth = {}) {
  return packed(first) | packed(second) << 8 | packed(third) << 16 | packed(fourth) << 24;
}

// Fixed, by the number of tops, from 2.
constexpr std::uint32_t kFixed[] = {
    packed({kSource, kA, 1}, {kA, kB, 2}),
    packed({kSource, kB, 1}, {kB, kA, 2}, {kB, kC, 2}),
    packed({kSource, kC, 1}, {kC, kB, 2}, {kC, kD, 2}, {kB, kA, 3}),
};
// Fastest, by where the source is.
constexpr std::uint32_t kFastestOf2[] = {
    packed({kSource, kA, 1}, {kA, kB, 2}),
    packed({kSource, kA, 1}, {kSource, kB, 1}),
    packed({kSource, kB, 1}, {kB, kA, 2}),
};
constexpr std::uint32_t kFastestOf3[] = {
    packed({kSource, kA, 1}, {kSource, kB, 1}, {kSource, kC, 1}),
    packed({kSource, kB, 1}, {kB, kA, 2}, {kB, kC, 2}),
};
constexpr std::uint32_t kFastestOf4[] = {
    packed({kSource, kC, 1}, {kSource, kA, 2}, {kC, kB, 2}, {kC, kD, 2}),
    packed({kSource, kA, 1}, {kSource, kB, 1}, {kA, kD, 2}, {kB, kC, 2}),
    packed({kSource, kB, 1}, {kSource, kC, 1}, {kB, kA, 2}, {kC, kD, 2}),
    packed({kSource, kC, 1}, {kSource, kD, 1}, {kC, kB, 2}, {kD, kA, 2}),
    packed({kSource, kB, 1}, {kSource, kD, 2}, {kB, kA, 2}, {kB, kC, 2}),
};

}  // namespace

void Startup::choose(int tops, bool fixed, bool column_tops) {
  const int x = nodes[kSource].x;
  if (fixed) {
    messages_ = kFixed[tops - 2];
  } else if (tops == 2) {
    messages_ = kFastestOf2[x < nodes[kA].x ? 0 : x <= nodes[kB].x ? 1 : 2];
  } else if (tops == 3) {
    messages_ = kFastestOf3[x == nodes[kB].x ? 0 : 1];
  } else if (column_tops) {
    const auto top = [x](int column) { return static_cast<std::uint32_t>(kA + (x ^ column)); };
    messages_ = packed({kSource, top(0), 1}, {kSource, top(2), 1}, {top(0), top(1), 2},
                       {top(2), top(3), 2});
  } else {
    messages_ = kFastestOf4[x < nodes[kA].x    ? 0
                            : x < nodes[kB].x  ? 1
                            : x <= nodes[kC].x ? 2
                            : x <= nodes[kD].x ? 3
                                               : 4];
  }
  std::uint32_t last = messages_;
  while (last > 0xFF) last >>= 8;
  steps_ = static_cast<int>(last >> 6);
}

}  // namespace annelid::firmware::edn_mesh
