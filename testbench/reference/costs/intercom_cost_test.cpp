// InterCom's costs: the formulas as printed in Barnett and others 1994, Sections 4 to 6, the closed
// forms of the reference, and the exact sums over schedules. State space: lines of 1 to 40 ranks;
// seven operations, all factorizations of 12, 30, 36 and 40, every root.
#include "reference/costs/intercom_cost.hpp"

#include "testbench/reference/intercom/calls.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference::intercom {
namespace {

void expect_terms(const Terms& terms, double starts, double volume, double combined,
                  const std::string& what) {
  EXPECT_NEAR(terms.starts, starts, 1e-9) << what;
  EXPECT_NEAR(terms.volume, volume, 1e-9) << what;
  EXPECT_NEAR(terms.combined, combined, 1e-9) << what;
}

TEST(IntercomCost, BuildingBlocksHaveTheCostsOfSection4) {
  for (int p = 1; p <= 40; ++p) {
    const double log = ceil_log(2, p), f = (p - 1.0) / p;
    const std::string what = std::to_string(p) + " members";
    expect_terms(terms_of(Primitive::kMstBroadcast, p), log, log, 0, what);
    expect_terms(terms_of(Primitive::kMstCombineToOne, p), log, log, log, what);
    expect_terms(terms_of(Primitive::kMstScatter, p), log, f, 0, what);
    expect_terms(terms_of(Primitive::kMstGather, p), log, f, 0, what);
    expect_terms(terms_of(Primitive::kBucketCollect, p), p - 1, f, 0, what);
    expect_terms(terms_of(Primitive::kDistributedCombine, p), p - 1, f, f, what);
  }
}

TEST(IntercomCost, ShortAlgorithmsHaveTheCostsOfSection51) {
  for (int p = 1; p <= 40; ++p) {
    const double log = ceil_log(2, p), f = (p - 1.0) / p;
    const auto terms = [&](Collective c) { return hybrid_terms(c, Template::kShort, {p}); };
    const std::string what = std::to_string(p) + " ranks";
    expect_terms(terms(Collective::kBroadcast), log, log, 0, what);
    expect_terms(terms(Collective::kScatter), log, f, 0, what);
    expect_terms(terms(Collective::kGather), log, f, 0, what);
    expect_terms(terms(Collective::kCombineToOne), log, log, log, what);
    expect_terms(terms(Collective::kCollect), 2 * log, f + log, 0, what);
    expect_terms(terms(Collective::kDistributedCombine), 2 * log, f + log, log, what);
    expect_terms(terms(Collective::kCombineToAll), 2 * log, 2 * log, log, what);
  }
}

TEST(IntercomCost, LongAlgorithmsHaveTheCostsOfSection52) {
  for (int p = 1; p <= 40; ++p) {
    const double log = ceil_log(2, p), f = (p - 1.0) / p;
    const auto terms = [&](Collective c) { return hybrid_terms(c, Template::kLong, {p}); };
    const std::string what = std::to_string(p) + " ranks";
    expect_terms(terms(Collective::kBroadcast), log + p - 1, 2 * f, 0, what);
    expect_terms(terms(Collective::kCollect), p - 1, f, 0, what);
    expect_terms(terms(Collective::kDistributedCombine), p - 1, f, f, what);
    expect_terms(terms(Collective::kCombineToAll), 2 * (p - 1), 2 * f, f, what);
    // Printed 2 (p - 1) alpha; the paper's own gather takes ceil(log2 p).
    expect_terms(terms(Collective::kCombineToOne), p - 1 + log, 2 * f, f, what);
  }
}

/// Section 6, as printed.
double hybrid_starts(const std::vector<int>& sizes, Template form) {
  double starts = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool tree = form == Template::kShort && i + 1 == sizes.size();
    starts += ceil_log(2, sizes[i]) + (tree ? 0 : sizes[i] - 1);
  }
  return starts;
}
double hybrid_volume(const std::vector<int>& sizes, Template form) {
  double volume = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool tree = form == Template::kShort && i + 1 == sizes.size();
    volume += tree ? ceil_log(2, sizes[i]) : 2 * (sizes[i] - 1.0) / sizes[i];
  }
  return volume;
}

TEST(IntercomCost, HybridsHaveTheCostsOfSection6) {
  int hybrids = 0;
  for (int p = 1; p <= 200; ++p) {
    for (const auto& sizes : factorizations(p)) {
      for (Template form : kTemplates) {
        expect_terms(hybrid_terms(Collective::kBroadcast, form, sizes), hybrid_starts(sizes, form),
                     hybrid_volume(sizes, form), 0, std::to_string(p));
        ++hybrids;
      }
    }
  }
  EXPECT_GT(hybrids, 3000);
}

/// What a schedule on a linear array costs exactly, as coefficients of alpha, n beta and n gamma.
Terms exact_terms(const Call& call, const Hybrid& hybrid) {
  std::uint64_t bytes = 0;
  for (std::uint64_t count : call.counts) bytes += count;
  const auto n = static_cast<double>(bytes);
  const Network line = linear_array(hybrid.mesh.ranks());
  const auto loads = loads_of(schedule_of(call, hybrid), line, by_rows(line));
  return {time_of({1, 0, 0}, loads), time_of({0, 1, 0}, loads) / n, time_of({0, 0, 1}, loads) / n};
}

TEST(IntercomCost, ClosedFormsAreTheSumsOverSchedulesFromEveryRoot) {
  int schedules = 0;
  for (int p : {12, 30, 36, 40}) {
    for (Collective collective : kCollectives) {
      for (const auto& sizes : factorizations(p)) {
        for (Template form : kTemplates) {
          const Hybrid hybrid{LogicalMesh(sizes, Nearness::kNearFirst), form};
          const Terms terms = hybrid_terms(collective, form, sizes);
          for (int root = 0; root < (has_root(collective) ? p : 1); ++root, ++schedules) {
            const Call call = even_call(collective, p, root, 24);
            const Terms exact = exact_terms(call, hybrid);
            expect_terms(exact, terms.starts, terms.volume, terms.combined, shown(call, hybrid));
          }
          if (HasFailure()) return;
        }
      }
    }
  }
  EXPECT_EQ(schedules, 2 * (4 * (8 * 12 + 13 * 30 + 26 * 36 + 20 * 40) + 3 * (8 + 13 + 26 + 20)));
}

TEST(IntercomCost, ClosedFormsWithOtherContentionAreThoseOfFarDimensionsFirst) {
  for (int p : {12, 30, 36}) {
    const Network line = linear_array(p);
    for (Collective collective : kCollectives) {
      for (const auto& sizes : factorizations(p)) {
        for (Template form : kTemplates) {
          const Hybrid hybrid{LogicalMesh(sizes, Nearness::kFarFirst), form};
          const Call call = even_call(collective, p, p / 2, 24);
          const StagedSchedule schedule = schedule_of(call, hybrid);
          const auto contention =
              stage_contention(schedule, loads_of(schedule, line, by_rows(line)));
          const Terms terms = hybrid_terms(collective, form, sizes, contention);
          expect_terms(exact_terms(call, hybrid), terms.starts, terms.volume, terms.combined,
                       shown(call, hybrid));
        }
      }
    }
  }
}

TEST(IntercomCost, TakesTheBytesOfEachTerm) {
  const Terms terms{2, 3, 5};
  EXPECT_DOUBLE_EQ(terms.at({10, 0.5, 0.25}, 100), 20 + 150 + 125);
}

TEST(IntercomCost, OfUnevenBlocksIsThatOfTheLongestInEachStep) {
  // A scatter from rank 0 of four: 5 + 7 bytes, then 7 or 3.
  const Call call{Collective::kScatter, 0, {1, 3, 5, 7}};
  const Hybrid hybrid{LogicalMesh({4}, Nearness::kNearFirst), Template::kLong};
  const Network line = linear_array(4);
  const auto loads = loads_of(schedule_of(call, hybrid), line, by_rows(line));
  EXPECT_DOUBLE_EQ(time_of({100, 2, 50}, loads), 2 * 100 + 2 * (12 + 7));
}

TEST(IntercomCost, ChannelsFasterThanPortsCarryMessagesWithoutLoss) {
  // Section 7.1. 5 x 6 on a line of 30: five messages of a 30th share channels in stages 2 and 3.
  const Call call = even_call(Collective::kBroadcast, 30, 0, 8);
  const Hybrid hybrid{LogicalMesh({5, 6}, Nearness::kNearFirst), Template::kLong};
  const Network line = linear_array(30);
  const auto loads = loads_of(schedule_of(call, hybrid), line, by_rows(line));
  const auto volume = [&](double messages) { return time_of({0, 1, 0, messages}, loads) / 240; };
  EXPECT_NEAR(volume(1), 2 * 4.0 / 5 + 2 * 5.0 / 6, 1e-9);
  EXPECT_NEAR(volume(2), 2 * 4.0 / 5 + 5.0 / 6, 1e-9);
  EXPECT_NEAR(volume(5), 2 * 4.0 / 5 + 2 * 5.0 / 30, 1e-9);
  EXPECT_NEAR(volume(9), volume(5), 1e-9);
}

}  // namespace
}  // namespace annelid::reference::intercom
