// Random lists in one NIC, whose messages go to itself, against the page taken literally
// (list_oracle.hpp). State space: several lists at a time, started by the core and by calls, that
// wait for list places; dependencies on receives, sends and joins; sends of one tag; messages of
// different lengths; alpha and gamma; transfers and triggered sends of the core beside them, with
// few places left; a core that looks in each cycle, and one that sleeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "systemc/modules/elaboration.hpp"
#include "testbench/nic/list_oracle.hpp"
#include "testbench/nic/list_script.hpp"
#include "testbench/nic/node5.hpp"
#include "testbench/sanitized.hpp"

namespace annelid::test {
namespace {

using What = Deed::What;
constexpr Cycle kLimit = 40'000;
constexpr std::uint32_t kSource = 0x60000, kTargets = 0x80000, kRoom = 256;
constexpr std::uint16_t kOfCore = 5000;  ///< its first tag

/// What a run is made of.
struct Plan {
  std::vector<PlannedList> lists;
  std::vector<std::uint32_t> bytes;  ///< of the messages of a list
  std::vector<Deed> deeds;           ///< by cycle
  nic::NicConfig config = small_config();
};

/// Earlier transfers that one may wait for: those of the pairs before its own, and joins.
Waits some_of(const Waits& earlier, Random& random) {
  Waits waits;
  if (earlier.empty() || random.below(5) < 2) return waits;
  const std::uint32_t count = 1 + random.below(3);
  const std::uint32_t near = std::min(static_cast<std::uint32_t>(earlier.size()), 6u);
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool far = random.below(4) == 0;
    const auto size = static_cast<std::uint32_t>(earlier.size());
    waits.push_back(earlier[far ? random.below(size) : size - 1 - random.below(near)]);
  }
  return waits;
}

/// Receive k gets the message of the k-th send that is no join, so no order of tags can stop it.
PlannedList random_list(std::uint16_t first_tag, Random& random) {
  PlannedList list;
  Waits earlier;
  const std::uint32_t pairs = 1 + random.below(24), tags = 1 + random.below(8);
  const bool free = random.below(4) == 0;  // nothing waits, so places run out
  for (std::uint32_t k = 0; k < pairs; ++k) {
    if (!free && random.below(4) == 0) {
      list.sends.push_back({0, true, some_of(earlier, random)});
      earlier.push_back(on_send(static_cast<std::uint32_t>(list.sends.size()) - 1));
    }
    const auto tag = static_cast<std::uint16_t>(first_tag + k % tags);
    list.receives.push_back({tag, false, free ? Waits{} : some_of(earlier, random)});
    list.sends.push_back({tag, false, free ? Waits{} : some_of(earlier, random)});
    earlier.push_back(on_receive(k));
    earlier.push_back(on_send(static_cast<std::uint32_t>(list.sends.size()) - 1));
  }
  return list;
}

Plan random_plan(std::uint64_t seed) {
  Random random(seed, 43);
  Plan plan;
  const std::uint32_t lists = 1 + random.below(7);
  for (std::uint16_t i = 0; i < lists; ++i) {
    plan.lists.push_back(random_list(static_cast<std::uint16_t>(100 * (i + 1)), random));
    plan.bytes.push_back(8 * random.below(random.below(3) == 0 ? 32 : 4));
  }
  plan.config.alpha = random.below(3) == 0 ? random.below(20) : 0;
  plan.config.gamma = random.below(3) == 0 ? random.below(30) : 0;
  if (random.below(3) == 0) plan.config.memory_flits = 1;
  // The core starts up to four lists at once, and calls start them again.
  const std::uint32_t by_core = random.below(std::min(lists, 4u) + 1);
  for (std::uint16_t i = 0; i < by_core; ++i) {
    plan.deeds.push_back({10, What::kGo, i});
  }
  Cycle at = 10;
  for (std::uint32_t i = 0; i < 3 + random.below(12); ++i) {
    at += random.below(3) == 0 ? random.below(400) : random.below(3);
    plan.deeds.push_back({at, What::kCall, static_cast<std::uint16_t>(random.below(lists))});
  }
  // The core's receives get their messages from its sends, some of which a trigger fires at once.
  const std::uint32_t many = random.below(3) == 0 ? 50 + random.below(10) : random.below(20);
  for (std::uint16_t i = 0; i < many; ++i) {
    const auto tag = static_cast<std::uint16_t>(kOfCore + i);
    const Cycle posted = 5 + random.below(many > 20 ? 20 : 600);
    plan.deeds.push_back({posted, What::kReceive, tag});
    plan.deeds.push_back({posted + 1 + random.below(600),
                          random.below(2) == 0 ? What::kSend : What::kTriggered, tag});
  }
  std::ranges::stable_sort(plan.deeds, {}, &Deed::cycle);
  return plan;
}

List words_of(const PlannedList& planned, std::uint32_t bytes, std::uint32_t target) {
  List list;
  for (const PlannedList::Transfer& receive : planned.receives) {
    list.receive({kSelf, target, kRoom, receive.tag}, receive.waits);
    target += kRoom;
  }
  for (const PlannedList::Transfer& send : planned.sends) {
    if (send.join) {
      list.join(send.waits);
    } else {
      list.send({kSelf, kSource, bytes, send.tag}, send.waits);
    }
  }
  return list;
}

struct Outcome {
  std::map<Cycle, ListOracle::After> after;  ///< what each cycle has left, as the next one saw it
  std::map<Cycle, bool> call_waits;          ///< bit 0 of EVENT
  Texts log;
  std::vector<LoneNic::Finished> finished;
  std::map<Cycle, std::vector<std::uint16_t>> taken;  ///< lists of the core
};

void act(Registers& r, const Deed& deed) {
  constexpr std::uint32_t kQuiet = 0x1ff;
  if (deed.what == What::kGo) return r.write(reg::kListGo, deed.number);
  if (deed.what == What::kReceive) {
    ReceiveOrder order{kSelf, kTargets + 0x60000 + 8u * (deed.number - kOfCore), 8, deed.number};
    order.notify = kQuiet;
    return post_receive(r, order);
  }
  SendOrder order{kSelf, kSource, 8, deed.number};
  order.notify = kQuiet;
  if (deed.what == What::kTriggered) order.trigger = 0;
  post_send(r, order);
}

Outcome run(const Plan& plan, bool looks) {
  const systemc::Elaboration elaboration;
  LoneNic bench(plan.config, 5);
  Outcome run;
  std::uint32_t target = kTargets;
  for (std::uint16_t i = 0; i < plan.lists.size(); ++i) {
    const List list = words_of(plan.lists[i], plan.bytes[i], target);
    target += 24 * kRoom;
    list.store(bench.nic.memory(), list_offset(i));
    bench.script->at(0, [=](Registers& r) { set_list(r, i, list_offset(i), list.counts()); });
  }
  bench.script->at(0, [](Registers& r) { r.write(reg::kEventEnable, 2); });
  if (looks) {
    for (Cycle at = 1; at < kLimit; ++at) {
      bench.script->at(at, [&run, at](Registers& r) {
        ListOracle::After& after = run.after[at - 1];
        after.send_space = r.read(reg::kSendSpace);
        after.receive_space = r.read(reg::kRecvSpace);
        after.list_space = r.read(reg::kListSpace);
        after.plays = r.read(reg::kListPlays);
        run.call_waits[at] = (r.read(reg::kEvent) & 1) != 0;
      });
    }
  }
  bench.script->on_event([&run](Registers& r) {
    while (const std::uint32_t word = r.read(reg::kCompletion)) {
      EXPECT_EQ(word >> 28, 9U);
      run.taken[r.read(reg::kCycle)].push_back(static_cast<std::uint16_t>(word));
    }
  });
  for (const Deed& deed : plan.deeds) {
    if (deed.what != What::kCall) {
      bench.script->at(deed.cycle, [deed](Registers& r) { act(r, deed); });
    }
  }
  for (const Deed& deed : plan.deeds) {
    if (deed.what != What::kCall) continue;
    bench.run_until(deed.cycle - 1);
    bench.nic.call(start_call(deed.number));
  }
  bench.run_until(kLimit);
  EXPECT_TRUE(bench.failures.empty()) << bench.failures[0].text;
  EXPECT_TRUE(bench.nic.idle()) << bench.nic.describe_wait();
  run.log = bench.log;
  run.finished = bench.calls_finished;
  return run;
}

/// "17 sent 5" and the like.
struct Told {
  Cycle cycle = 0;
  std::string what;
  std::uint16_t tag = 0;
};
Told told(const std::string& line) {
  const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
  return {std::stoull(line.substr(0, first)), line.substr(first + 1, second - first - 1),
          static_cast<std::uint16_t>(std::stoul(line.substr(second + 1)))};
}

struct Counts {
  std::size_t most = 0, put_back = 0, held = 0, ended = 0;
};

/// Compares a run with the page.
void compare(const Plan& plan, const Outcome& run, Counts& counts) {
  std::map<Cycle, std::vector<ListOracle::Complete>> complete;
  std::map<Cycle, std::vector<std::uint16_t>> posted;
  for (const std::string& line : run.log) {
    const Told one = told(line);
    if (one.what == "posted") posted[one.cycle].push_back(one.tag);
    if (one.what == "sent") complete[one.cycle].push_back({false, one.tag});
    if (one.what == "received") complete[one.cycle].push_back({true, one.tag});
  }
  std::map<Cycle, std::size_t> finished;
  for (const LoneNic::Finished& call : run.finished) {
    EXPECT_EQ(call.result, 0U);
    ++finished[call.cycle];
  }
  ListOracle oracle(plan.lists);
  std::size_t next = 0;
  for (Cycle now = 0; now + 1 < kLimit; ++now) {
    std::vector<Deed> deeds;
    for (; next < plan.deeds.size() && plan.deeds[next].cycle == now; ++next) {
      deeds.push_back(plan.deeds[next]);
    }
    if (const auto waits = run.call_waits.find(now); waits != run.call_waits.end()) {
      ASSERT_EQ(oracle.call_waits(deeds), waits->second) << "cycle " << now;
    }
    const ListOracle::After after = oracle.step(now, deeds, complete[now]);
    ASSERT_EQ(after.posted, posted[now]) << "cycle " << now;
    ASSERT_EQ(after.ended_by_call.size(), finished[now]) << "cycle " << now;
    const auto taken = run.taken.find(now + 1);
    ASSERT_EQ(after.ended_by_core,
              taken == run.taken.end() ? std::vector<std::uint16_t>{} : taken->second)
        << "cycle " << now;
    counts.ended += after.ended_by_core.size() + after.ended_by_call.size();
    const auto seen = run.after.find(now);
    if (seen == run.after.end()) continue;
    ASSERT_EQ(after.send_space, seen->second.send_space) << "cycle " << now;
    ASSERT_EQ(after.receive_space, seen->second.receive_space) << "cycle " << now;
    ASSERT_EQ(after.list_space, seen->second.list_space) << "cycle " << now;
    ASSERT_EQ(after.plays, seen->second.plays) << "cycle " << now;
  }
  EXPECT_TRUE(oracle.quiet());
  counts.most = std::max(counts.most, oracle.most());
  counts.put_back += oracle.put_back();
  counts.held += oracle.held();
}

std::uint64_t first_seed() {
  const char* const text = std::getenv("ANNELID_SEED");
  const std::uint64_t value = text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
  std::cout << "ANNELID_SEED=" << value << '\n';
  return value;
}

#if defined(ANNELID_SANITIZED)
constexpr std::uint64_t kSeeds = 5, kMost = 10;  // each takes seconds
#else
constexpr std::uint64_t kSeeds = 40, kMost = 14;
#endif

TEST(RandomLists, GoAsThePageSays) {
  Counts counts;
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + kSeeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Plan plan = random_plan(seed);
    const Outcome looks = run(plan, true), sleeps = run(plan, false);
    compare(plan, looks, counts);
    compare(plan, sleeps, counts);
    EXPECT_EQ(looks.log, sleeps.log);
  }
  EXPECT_LE(counts.most, 14U);
  EXPECT_GE(counts.most, kMost) << "no list had so many of the places that it may have";
  EXPECT_GT(counts.put_back, 10 * kSeeds);
  EXPECT_GT(counts.held, 10 * kSeeds);
  EXPECT_GT(counts.ended, 5 * kSeeds);
}

}  // namespace
}  // namespace annelid::test
