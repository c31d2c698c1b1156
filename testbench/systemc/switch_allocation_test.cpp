// The allocators in whole routers: the grants of each cycle, and the registers of the arbiters
// after it, follow from the registers at its start as sections 5.3 and 5.6 of
// docs/internals/microarchitecture.md say. Meshes, xy routing, VC selection lowest.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "testbench/systemc/allocation_rules.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/systemc/one_router.hpp"

namespace annelid::systemc {
namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The arbiters and the diagonal of one switch, beside those of the router.
class SwitchModel {
 public:
  /// `ports`: those of the router that the switch has, by their numbers in it.
  SwitchModel(const RouterConfig& router, std::vector<int> ports)
      : router_(router), ports_(std::move(ports)) {
    for (const int port : ports_) {
      orders_.of_input.emplace_back(at(router.input_vcs(port)));
      orders_.of_output.emplace_back(ports_.size());
    }
    for (auto* lists : {&orders_.of_input, &orders_.of_output}) {
      for (auto& list : *lists) std::iota(list.begin(), list.end(), 0);
    }
  }

  /// Compares the pointers and the grants of a state, and makes the grants' picks final.
  void compare(const RouterState& state, std::vector<Request> requests) {
    for (Request& request : requests) {
      request.input = number_of(request.input);
      request.output = number_of(request.output);
    }
    compare_pointers(state);
    const auto grants = AllocationRules(static_cast<int>(ports_.size()), orders_)
                            .grants(router_.allocator, router_.iterations, requests);
    for (int o = 0; o < static_cast<int>(ports_.size()); ++o) {
      const Grant& seen = state.grant[at(ports_[at(o)])];
      ASSERT_EQ(seen.valid, grants.contains(o)) << "output " << ports_[at(o)];
      if (!seen.valid) continue;
      const SwitchGrant& expected = grants.at(o);
      ASSERT_EQ(seen.in_port, ports_[at(expected.input)]) << "output " << ports_[at(o)];
      ASSERT_EQ(seen.in_vc, expected.vc) << "output " << ports_[at(o)];
    }
    for (const auto& [o, grant] : grants) {
      if (!grant.final) {
        ++later;
        continue;
      }
      finish(orders_.of_input[at(grant.input)], grant.vc);
      if (!has_diagonal()) finish(orders_.of_output[at(o)], grant.input);
    }
    granted += static_cast<int>(grants.size());
    if (!grants.empty())
      orders_.diagonal = (orders_.diagonal + 1) % static_cast<int>(ports_.size());
  }

  [[nodiscard]] bool has(int port) const { return std::ranges::find(ports_, port) != ports_.end(); }

  int granted = 0, later = 0;

 private:
  [[nodiscard]] bool has_diagonal() const { return router_.allocator == AllocatorKind::kWavefront; }
  [[nodiscard]] int number_of(int port) const {
    return static_cast<int>(std::ranges::find(ports_, port) - ports_.begin());
  }
  void compare_pointers(const RouterState& state) const {
    for (std::size_t p = 0; p < ports_.size(); ++p) {
      const std::size_t port = at(ports_[p]);
      ASSERT_EQ(state.in_pointer[port], orders_.of_input[p].front()) << "input " << port;
      ASSERT_EQ(state.out_pointer[port],
                has_diagonal() ? orders_.diagonal : orders_.of_output[p].front())
          << "output " << port;
    }
  }
  void finish(std::vector<int>& order, int winner) const {
    const auto place = std::ranges::find(order, winner);
    if (router_.arbiters == ArbiterKind::kRoundRobin) {
      std::rotate(order.begin(), place + 1, order.end());
    } else if (router_.arbiters == ArbiterKind::kMatrix) {
      std::rotate(place, place + 1, order.end());
    }
  }

  const RouterConfig& router_;
  std::vector<int> ports_;
  SwitchOrders orders_;
};

std::vector<SwitchModel> switches_of(const RouterConfig& router) {
  std::vector<SwitchModel> switches;
  if (!router.one_port()) {
    std::vector<int> all(at(router.ports()));
    std::iota(all.begin(), all.end(), 0);
    switches.emplace_back(router, all);
    return switches;
  }
  for (int d = 0; d < router.dims; ++d) {
    switches.emplace_back(router, std::vector{2 * d, 2 * d + 1, 2 * router.dims + d});
  }
  return switches;
}

/// The output of a packet that came by `input`: xy, in a router whose coordinates are all 5.
int output_by_xy(const RouterConfig& router, int input, const HeadFields& head) {
  const std::array<int, 3> to{head.destination.x, head.destination.y, head.destination.z};
  const int n = router.dims;
  const auto along = [&](int d) { return to[at(d)] > 5 ? 2 * d : 2 * d + 1; };
  if (router.one_port()) {
    const int d = input < 2 * n ? input / 2 : input - 2 * n;
    return to[at(d)] == 5 ? 2 * n + d : along(d);
  }
  for (int d = 0; d < n; ++d) {
    if (to[at(d)] != 5) return along(d);
  }
  return input < 2 * n ? 2 * n + input % router.local_ports : input;
}

/// The requests for the switch. Ports are those of the router.
std::vector<Request> requests_of(const RouterConfig& router, const RouterState& state) {
  std::vector<Request> requests;
  for (int i = 0; i < router.ports(); ++i) {
    for (int v = 0; v < router.input_vcs(i); ++v) {
      const InputVcState& input = state.input[at(i)][at(v)];
      if (input.count == 0) continue;
      if (input.active) {
        const OutputVcState& output = state.output[input.out_port][input.out_vc];
        if (output.credits > 0) requests.push_back({i, v, input.out_port});
        continue;
      }
      if (router.stages == 4 || (router.stages == 3 && !input.routed)) continue;
      const int o = output_by_xy(router, i, unpack_head(input.front.data));
      const auto is_free = [](const OutputVcState& vc) { return !vc.owned && vc.credits > 0; };
      const auto& vcs = state.output[at(o)];
      if (std::any_of(vcs.begin(), vcs.begin() + router.output_vcs(o), is_free)) {
        requests.push_back({i, v, o});
      }
    }
  }
  return requests;
}

/// Random packets on all links of routers that stand side by side, and credits that come back after
/// a while.
class Neighbours {
 public:
  Neighbours(const RouterConfig& router, std::uint64_t seed) : router_(router), random_(seed) {
    for (auto& link : links_) link.fill({router.depth, 0});
  }

  void act(const std::vector<OneRouter*>& routers, unsigned busy) {
    for (int l = 0; l < router_.links(); ++l) {
      const int vc =
          static_cast<int>(random_.below(static_cast<std::uint32_t>(router_.link_vcs(l))));
      const bool idle = random_.below(100) >= busy;
      if (!idle && links_[at(l)][at(vc)].room > 0) put(routers, l, vc);
      std::deque<Vc>& credits = owed_[at(l)];
      if (routers[0]->sent(l)) credits.push_back(routers[0]->sent(l)->vc);
      if (credits.empty() || random_.below(4) == 0) continue;
      for (OneRouter* router : routers) router->credit(l, credits.front());
      credits.pop_front();
    }
  }
  void take_back(const OneRouter& router) {
    for (int l = 0; l < router_.links(); ++l) {
      if (router.freed(l)) ++links_[at(l)][*router.freed(l)].room;
    }
  }

 private:
  struct LinkVc {
    int room, rest;  ///< places for flits, flits of the packet that are to come
  };

  void put(const std::vector<OneRouter*>& routers, int link, int vc) {
    LinkVc& state = links_[at(link)][at(vc)];
    const bool head = state.rest == 0;
    if (head) state.rest = 1 + static_cast<int>(random_.below(5));
    --state.rest;
    --state.room;
    Flit flit = OneRouter::head(destination(), static_cast<Vc>(vc), state.rest == 0);
    flit.head = head;
    for (OneRouter* router : routers) router->put(link, flit);
  }
  Address destination() {
    std::array<std::uint8_t, 3> to{};
    for (int d = 0; d < router_.dims; ++d) {
      to[at(d)] = static_cast<std::uint8_t>(4 + random_.below(3));
    }
    return {to[0], to[1], to[2]};
  }

  RouterConfig router_;
  Random random_;
  std::array<std::array<LinkVc, kMaxVcs>, kMaxPorts> links_{};
  std::array<std::deque<Vc>, kMaxPorts> owed_;
};

class SwitchAllocation : public ::testing::TestWithParam<NetworkConfig> {};

// With an observer a router takes other ways through a cycle, which leave the same registers.
TEST_P(SwitchAllocation, GrantsWhatTheTextSaysInEveryCycle) {
  const RouterConfig& router = GetParam().router;
  OneRouter plain(router), observed(router);
  FabricObserver observer;
  std::vector<SwitchModel> switches = switches_of(router);
  Neighbours neighbours(router, 1);
  for (int t = 0; t < 4000; ++t) {
    // Crowded for a while, and then with one flit now and then.
    neighbours.act({&plain, &observed}, t % 400 < 300 ? 80 : 6);
    plain.step();
    observed.step(&observer);
    neighbours.take_back(plain);
    const RouterState state = plain.state();
    ASSERT_EQ(state, observed.state()) << "cycle " << t;
    const std::vector<Request> requests = requests_of(router, state);
    for (SwitchModel& one : switches) {
      std::vector<Request> of_switch;
      std::ranges::copy_if(requests, std::back_inserter(of_switch),
                           [&](const Request& request) { return one.has(request.input); });
      one.compare(state, of_switch);
      if (HasFatalFailure()) FAIL() << "cycle " << t;
    }
  }
  for (const SwitchModel& one : switches) {
    EXPECT_GT(one.granted, 1000);
    if (router.iterations > 1 && router.max_vcs() > 1) {
      EXPECT_GT(one.later, 10);
    } else {
      EXPECT_EQ(one.later, 0);
    }
  }
}

constexpr AllocatorKind kInputFirst = AllocatorKind::kInputFirst,
                        kOutputFirst = AllocatorKind::kOutputFirst,
                        kWavefront = AllocatorKind::kWavefront;
constexpr ArbiterKind kMatrix = ArbiterKind::kMatrix, kFixed = ArbiterKind::kFixedPriority;
constexpr RouterKind kOne = RouterKind::kOnePort;

constexpr NetworkConfig with(AllocatorKind allocator, int iterations, RouterConfig router) {
  router.allocator = allocator;
  router.iterations = iterations;
  return {{16, router.dims > 1 ? 16 : 1, router.dims > 2 ? 16 : 1}, router};
}

INSTANTIATE_TEST_SUITE_P(
    Routers, SwitchAllocation,
    ::testing::Values(with(kInputFirst, 1, {4, 1, 1, 4}), with(kInputFirst, 1, {2, 3, 2, 3}),
                      with(kInputFirst, 2, {4, 3, 2, 4}), with(kInputFirst, 2, {4, 1, 1, 4}),
                      with(kInputFirst, 4, {4, 8, 3, 2, 2, {}, 3, 0, kMatrix}),
                      with(kInputFirst, 3, {1, 2, 2, 4, 2, kOne, 2}),
                      with(kOutputFirst, 1, {4, 1, 1, 4}), with(kOutputFirst, 1, {4, 4, 4, 4}),
                      with(kOutputFirst, 1, {2, 3, 2, 3, 2, {}, 2, 0, kMatrix}),
                      with(kOutputFirst, 2, {4, 4, 2, 4}),
                      with(kOutputFirst, 3, {3, 5, 1, 4, 3, {}, 1, 0, kFixed}),
                      with(kOutputFirst, 4, {1, 3, 1, 2, 2, kOne, 4}),
                      with(kOutputFirst, 2, {2, 2, 2, 4, 1, {}, 3, 0, kMatrix}),
                      with(kWavefront, 1, {4, 1, 1, 4}), with(kWavefront, 1, {4, 3, 2, 4}),
                      with(kWavefront, 1, {1, 1, 1, 1, 1}),
                      with(kWavefront, 1, {4, 8, 8, 3, 2, {}, 1, 0, kMatrix}),
                      with(kWavefront, 1, {6, 2, 1, 4, 3, {}, 2, 0, kFixed}),
                      with(kWavefront, 1, {2, 4, 1, 4, 2, {}, 3}),
                      with(kWavefront, 1, {4, 1, 1, 6, 2, {}, 4}),
                      with(kWavefront, 1, {1, 1, 1, 4, 2, kOne}),
                      with(kWavefront, 1, {1, 3, 2, 4, 3, kOne, 2, 0, kMatrix})),
    ::testing::PrintToStringParamName());

// ---- By hand ------------------------------------------------------------------------------------

constexpr Address kEast{9, 5, 0}, kNorth{5, 9, 0};

// Input -y has a packet for +y in VC 0 and one for +x in VC 1. It nominates VC 0, which loses +y to
// input -x. The second round grants VC 1, and moves no pointer.
TEST(SwitchAllocation, AGrantOfALaterRoundMovesNoPointer) {
  OneRouter router({.vcs = 2, .depth = 16, .iterations = 2});
  router.put(kPlusX, OneRouter::head(kNorth, 0, true));
  router.put(kMinusY, OneRouter::head(kNorth, 0, true));
  router.step();
  router.put(kMinusX, OneRouter::head(kNorth, 0, true));
  router.put(kMinusY, OneRouter::head(kEast, 1, true));
  router.step();  // input +x has won +y
  RouterState state = router.state();
  EXPECT_EQ(state.out_pointer[kPlusY], kMinusX);
  EXPECT_EQ(state.in_pointer[kMinusY], 0);
  EXPECT_EQ(state.grant[kPlusY], (Grant{true, kMinusX, 0, 0}));
  EXPECT_EQ(state.grant[kPlusX], (Grant{true, kMinusY, 1, 0}));
  router.step();
  state = router.state();
  EXPECT_EQ(state.out_pointer[kPlusY], kMinusX + 1);
  EXPECT_EQ(state.in_pointer[kMinusX], 1);
  EXPECT_EQ(state.out_pointer[kPlusX], 0) << "not final";
  EXPECT_EQ(state.in_pointer[kMinusY], 0) << "not final";
  EXPECT_EQ(state.grant[kPlusY], (Grant{true, kMinusY, 0, 0}));
}

TEST(SwitchAllocation, TheDiagonalOfASwitchMovesInCyclesWithAGrant) {
  OneRouter router(
      {.local_ports = 1, .kind = RouterKind::kOnePort, .allocator = AllocatorKind::kWavefront});
  const auto diagonals = [&] {
    const RouterState state = router.state();
    for (const Port port : {1, 4}) EXPECT_EQ(state.out_pointer[port], state.out_pointer[0]);
    for (const Port port : {3, 5}) EXPECT_EQ(state.out_pointer[port], state.out_pointer[2]);
    return std::pair{int{state.out_pointer[0]}, int{state.out_pointer[2]}};
  };
  router.put(kMinusX, OneRouter::head(kNorth, 0, true));
  router.step();
  EXPECT_EQ(diagonals(), (std::pair{0, 0}));
  router.step();  // switch 0 grants its through port
  EXPECT_EQ(diagonals(), (std::pair{1, 0}));
  router.step();  // switch 1 grants +y
  EXPECT_EQ(diagonals(), (std::pair{1, 1}));
  router.step();
  EXPECT_EQ(diagonals(), (std::pair{1, 1}));
  for (int t = 0; t < 3; ++t) {  // two grants of one switch in a cycle count once
    router.put(kPlusX, OneRouter::head({1, 5, 0}, 0, true));
    router.put(kMinusX, OneRouter::head(kEast, 0, true));
    router.step();
  }
  EXPECT_EQ(diagonals(), (std::pair{0, 1})) << "of three candidates";
}

}  // namespace
}  // namespace annelid::systemc
