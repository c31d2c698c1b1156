// Rankings of InterCom's hybrids: which are ranked, and that the first is the fastest. State space:
// lines, meshes and tori of up to 60 nodes, and groups; several machines and lengths.
#include "reference/costs/intercom_ranking.hpp"

#include <set>

#include "testbench/reference/intercom/calls.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference::intercom {
namespace {

std::set<std::string> names(Collective collective, const std::vector<Hybrid>& hybrids) {
  std::set<std::string> all;
  for (const Hybrid& h : hybrids) {
    EXPECT_TRUE(all.insert(shown({collective, 0, {}}, h)).second) << shown({collective, 0, {}}, h);
  }
  return all;
}

TEST(IntercomRanking, HasAllHybridsOnce) {
  // Thirteen factorizations; near and far first are the same for one of them; scatter and gather
  // have one template.
  EXPECT_EQ(names(Collective::kBroadcast, hybrids_of(Collective::kBroadcast, 30)).size(), 50u);
  EXPECT_EQ(names(Collective::kCombineToAll, hybrids_of(Collective::kCombineToAll, 30)).size(),
            50u);
  EXPECT_EQ(names(Collective::kScatter, hybrids_of(Collective::kScatter, 30)).size(), 25u);
  EXPECT_EQ(names(Collective::kGather, hybrids_of(Collective::kGather, 30)).size(), 25u);
  EXPECT_EQ(hybrids_of(Collective::kCollect, 7).size(), 2u);
  EXPECT_EQ(hybrids_of(Collective::kCollect, 1).size(), 2u);
}

TEST(IntercomRanking, OfASubmeshHasTheFactorsOfItsRowsAndColumns) {
  const Submesh rows{{1, 1}, {4, 3, 1}, {0, 1}};  // 4 columns, 3 rows
  std::set<std::string> sizes;
  for (const Hybrid& h : hybrids_of(Collective::kBroadcast, rows)) {
    sizes.insert(to_string(h.mesh) + (h.mesh.dimensions()[0].stride == 1 ? " near" : " far"));
  }
  EXPECT_EQ(sizes, (std::set<std::string>{"4x3 near", "2x2x3 near", "3x4 far", "3x2x2 far",
                                          "2x6 near", "12 near"}));
  for (const Hybrid& h : hybrids_of(Collective::kBroadcast, rows)) {
    if (to_string(h.mesh) == "2x6" || to_string(h.mesh) == "12") {
      EXPECT_EQ(h.form, Template::kShort);
    }
  }
  sizes.clear();
  const Submesh columns{{1, 1}, {4, 3, 1}, {1, 0}};
  for (const Hybrid& h : hybrids_of(Collective::kBroadcast, columns)) {
    sizes.insert(to_string(h.mesh) + (h.mesh.dimensions()[0].stride == 1 ? " near" : " far"));
  }
  EXPECT_EQ(sizes, (std::set<std::string>{"3x4 near", "3x2x2 near", "4x3 far", "2x2x3 far",
                                          "2x6 far", "12 near"}));
  EXPECT_EQ(hybrids_of(Collective::kBroadcast, Submesh{{3, 2}, {1, 1, 1}, {}}).size(), 2u);
  EXPECT_EQ(hybrids_of(Collective::kBroadcast, Submesh{{0, 2}, {6, 1, 1}, {0}}).size(),
            hybrids_of(Collective::kBroadcast, 6).size());
}

TEST(IntercomRanking, BucketsInRowsAndColumnsTakeRPlusCMinusTwoSteps) {
  // Section 7.1.
  const Network net{6, 5};
  const auto nodes = by_rows(net);
  const Call call = even_call(Collective::kCollect, 30, 0, 8);
  bool found = false;
  for (const Ranked& r :
       ranking(call, hybrids_of(Collective::kCollect, *submesh_of(nodes)), net, nodes, {1, 0, 0})) {
    if (to_string(r.hybrid.mesh) != "6x5" || r.hybrid.form != Template::kLong) continue;
    EXPECT_DOUBLE_EQ(r.time, 6 + 5 - 2);
    EXPECT_EQ(r.contention, (std::vector<int>{1, 1}));
    found = true;
  }
  EXPECT_TRUE(found);
}

TEST(IntercomRanking, OnALineIsThatOfTheFormulas) {
  const Network line = linear_array(30);
  for (Collective collective : kCollectives) {
    std::vector<Hybrid> near;
    for (const Hybrid& h : hybrids_of(collective, 30)) {
      if (h.mesh.dimensions()[0].stride == 1) near.push_back(h);
    }
    for (std::uint64_t bytes : {8, 240, 2400, 24000}) {
      const Machine machine{100, 1, 0.5};
      const Call call = even_call(collective, 30, 11, bytes);
      const auto ranked = ranking(call, near, line, by_rows(line), machine);
      ASSERT_EQ(ranked.size(), near.size());
      double last = 0;
      for (const Ranked& r : ranked) {
        std::vector<int> sizes;
        for (const Dimension& d : r.hybrid.mesh.dimensions()) sizes.push_back(d.size);
        const Terms terms = hybrid_terms(collective, r.hybrid.form, sizes);
        EXPECT_NEAR(r.time, terms.at(machine, 30 * static_cast<double>(bytes)), 1e-6);
        EXPECT_GE(r.time, last);
        last = r.time;
      }
    }
  }
}

TEST(IntercomRanking, ShortVectorsAreForFewStartsAndLongOnesForBuckets) {
  const Network line = linear_array(30);
  const auto best = [&](Collective collective, std::uint64_t bytes) {
    const Call call = even_call(collective, 30, 0, bytes);
    const auto hybrids = hybrids_of(collective, 30);
    const Hybrid first = ranking(call, hybrids, line, by_rows(line), {1000, 1, 0.1})[0].hybrid;
    return letters(stages_of(collective, first.form, first.mesh.dimensions().size()));
  };
  EXPECT_EQ(best(Collective::kBroadcast, 8), "M");
  EXPECT_EQ(best(Collective::kBroadcast, 100000), "SC");
  EXPECT_EQ(best(Collective::kCombineToOne, 8), "R");
  EXPECT_EQ(best(Collective::kCombineToOne, 100000), "DG");
  // As many starts as RM, 10 in 2 x 15, and shorter vectors.
  EXPECT_EQ(best(Collective::kCombineToAll, 8), "DRMC");
  EXPECT_EQ(best(Collective::kCombineToAll, 100000), "DC");
  // 1 + 2 + 4 starts in 2 x 3 x 5, where GM and RS have 5 + 5.
  EXPECT_EQ(best(Collective::kCollect, 8), "CCC");
  EXPECT_EQ(best(Collective::kCollect, 100000), "C");
  EXPECT_EQ(best(Collective::kDistributedCombine, 8), "DDD");
  EXPECT_EQ(best(Collective::kDistributedCombine, 100000), "D");
}

TEST(IntercomRanking, NearDimensionsFirstAreNotSlowerForLongBroadcasts) {
  // Section 6: "while the vectors are long, the hybrid should choose the localized groups".
  const Network line = linear_array(30);
  const Call call = even_call(Collective::kBroadcast, 30, 0, 8000);
  int faster = 0;
  for (const auto& sizes : factorizations(30)) {
    for (Template form : kTemplates) {
      const auto time = [&](Nearness nearness) {
        const std::vector<Hybrid> one{{LogicalMesh(sizes, nearness), form}};
        return ranking(call, one, line, by_rows(line), {0, 1, 0})[0].time;
      };
      const double near = time(Nearness::kNearFirst), far = time(Nearness::kFarFirst);
      EXPECT_LE(near, far + 1e-6) << to_string(LogicalMesh(sizes, Nearness::kNearFirst));
      faster += near < far - 1e-6 ? 1 : 0;
    }
  }
  EXPECT_GT(faster, 12);
}

}  // namespace
}  // namespace annelid::reference::intercom
