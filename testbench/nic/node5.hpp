// Node 5 = (1,1) of a 4x4 mesh, its neighbours, and packets for it.
#pragma once

#include "testbench/nic/lone_nic.hpp"

namespace annelid::test {

inline constexpr Address kSelf{1, 1, 0};
// Destinations by their injection port, with four ports; kFarEast shares kEast's.
inline constexpr Address kEast{2, 1, 0}, kWest{0, 1, 0}, kNorth{1, 2, 0}, kSouth{1, 0, 0},
    kFarEast{3, 1, 0};

/// The data of a message whose byte i is 5i + 3.
inline std::vector<std::uint64_t> words(std::uint32_t bytes) {
  std::vector<std::uint64_t> data((bytes + 7) / 8);
  for (std::uint32_t i = 0; i < bytes; ++i) {
    data[i / 8] |= std::uint64_t{(i * 5 + 3) & 0xff} << i % 8 * 8;
  }
  return data;
}
/// Whether those bytes, and 0 behind them, are in memory.
inline void expect_words(const nic::Nic& nic, std::uint32_t offset, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes + 8; ++i) {
    ASSERT_EQ(nic.memory().load(offset + i, 1), i < bytes ? (i * 5 + 3) & 0xff : 0U) << i;
  }
}

// Packets that arrive, with the head on ejection channel `local` in cycle `at`. The header is
// consumed in at + 2, the tail of F flits in at + F.

inline void control(LoneNic& bench, Cycle at, Address from, std::uint64_t says, std::uint16_t tag,
                    std::uint64_t offered = 0, std::uint64_t parked = 0, int local = 0) {
  bench.arrive(at, local, make_packet(kSelf, from, tag, make_control(says, offered, parked)));
}
inline void offer(LoneNic& bench, Cycle at, Address from, std::uint16_t tag, std::uint64_t place,
                  int local = 0) {
  control(bench, at, from, kOffer, tag, place, 0, local);
}
inline void request(LoneNic& bench, Cycle at, Address from, std::uint16_t tag, int local = 0) {
  bench.arrive(at, local,
               make_packet(kSelf, from, 0, make_control(kRequest) | std::uint64_t{tag} << 29));
}
inline void grant(LoneNic& bench, Cycle at, Address from, std::uint64_t place, int local = 0) {
  bench.arrive(at, local, make_packet(kSelf, from, 0, make_control(kGrant) | place << 57));
}
inline void data(LoneNic& bench, Cycle at, Address from, std::uint16_t tag, std::uint32_t bytes,
                 std::uint64_t place, int local = 0, Vc vc = 0) {
  bench.arrive(
      at, local,
      make_packet(kSelf, from, tag, make_header(kData, bytes, 0, place), words(bytes), vc));
}
inline void eager(LoneNic& bench, Cycle at, Address from, std::uint16_t tag, std::uint32_t bytes,
                  int local = 0) {
  bench.arrive(at, local,
               make_packet(kSelf, from, tag, make_header(kEager, bytes, 0, 0), words(bytes)));
}

inline void send_at(LoneNic& bench, Cycle at, const SendOrder& order) {
  bench.script->at(at, [order](Registers& r) { post_send(r, order); });
}
inline void receive_at(LoneNic& bench, Cycle at, const ReceiveOrder& order) {
  bench.script->at(at, [order](Registers& r) { post_receive(r, order); });
}

}  // namespace annelid::test
