// Groups of ranks as a user asks for them: who takes part, where, in how many packets, and
// operators that need the order (docs/internals/algorithms/groups.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/program.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

nlohmann::json run_ranks(const Workplace& w, const std::string& arguments) {
  const Outcome o =
      w.annelid("run --quiet --firmware native --out " + w.path("out").string() + " " + arguments);
  EXPECT_EQ(o.status, 0) << arguments << '\n' << o.out << o.err;
  return o.status == 0 ? w.result() : nlohmann::json{};
}

class Ranks : public ::testing::TestWithParam<const char*> {};

// 13 of 15 nodes, in an order that is not that of the nodes; the others are left alone.
TEST_P(Ranks, TheFirstOfAnEmbeddingTakePart) {
  const Workplace w;
  const std::string call = GetParam();
  const bool rooted = call.starts_with("broadcast") || call.starts_with("reduce ");
  for (const char* embedding : {"snake", "quadrants"}) {
    const auto result =
        run_ranks(w, "--size 5x3 --ranks 13 --bytes 120 --embedding " + std::string(embedding) +
                         (rooted ? " --root 2,1" : "") + " --operation " + call);
    if (result.is_null()) continue;
    const auto& collective = result["configuration"]["collective"];
    EXPECT_EQ(collective["ranks"], 13);
    EXPECT_EQ(collective["embedding"], embedding);
    EXPECT_EQ(result["nodes_verified"], 15);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Ranks,
    ::testing::Values("broadcast --algorithm two-tree --packets 3",
                      "broadcast --algorithm two-tree-shifted --last root",
                      "broadcast --algorithm two-tree --packets 3 --receives in-turn",
                      "reduce --algorithm two-tree-shifted --packets 4 --receives stepwise",
                      "reduce --algorithm two-tree-couples --packets 3 --receives in-turn",
                      "scan --algorithm two-tree --packets 3 --receives stepwise",
                      "broadcast --algorithm two-tree-couples", "broadcast --algorithm binomial",
                      "broadcast --algorithm linear-pipeline --packets 5",
                      "broadcast --algorithm binary-tree",
                      "broadcast --algorithm scatter-allgather", "broadcast --algorithm circulant",
                      "reduce --algorithm two-tree", "reduce --algorithm butterfly",
                      "reduce --algorithm rabenseifner", "reduce --algorithm linear-pipeline",
                      "all-reduce --algorithm two-tree-shifted", "all-reduce --algorithm binomial",
                      "all-reduce --algorithm rabenseifner --operator affine",
                      "all-reduce --algorithm butterfly --operator affine",
                      "scan --algorithm two-tree --operator affine",
                      "scan --algorithm doubly-pipelined --operator affine",
                      "scan --algorithm simultaneous-binomial",
                      "exscan --algorithm two-tree-shifted --operator affine",
                      "exscan --algorithm linear-pipeline --type float32"),
    test::ParameterName());

TEST(RankParameters, HaveTheNameOfPacketsOnlyWhereTheyArePackets) {
  const Workplace w;
  const std::string call =
      "--size 3x2 --bytes 64 --parameter 3 --operation all-reduce --algorithm ";
  const auto butterfly = run_ranks(w, call + "elimination-butterfly");
  const auto& parameter = butterfly["configuration"]["collective"];
  EXPECT_EQ(parameter["parameter"], 3);
  EXPECT_FALSE(parameter.contains("packets"));
  const auto tree = run_ranks(w, call + "binary-tree");
  const auto& packets = tree["configuration"]["collective"];
  EXPECT_EQ(packets["packets"], 3);
  EXPECT_FALSE(packets.contains("parameter"));
}

TEST(Radices, AreInTheResultWhereTheyAreMixed) {
  const Workplace w;
  const std::string call = "--size 6x4 --bytes 8 --operation all-to-all --algorithm radix ";
  const auto mixed = run_ranks(w, call + "--radices 3,4,2")["configuration"]["collective"];
  EXPECT_EQ(mixed["radices"], nlohmann::json({3, 4, 2}));
  EXPECT_FALSE(mixed.contains("parameter"));
  const auto one = run_ranks(w, call + "--radices 5")["configuration"]["collective"];
  EXPECT_EQ(one["parameter"], 5);
  EXPECT_FALSE(one.contains("radices"));
}

TEST(Affine, IsReducedWhereTheOrderIsKept) {
  const Workplace w;
  for (const char* call :
       {"--algorithm binomial --root 0,0", "--algorithm two-tree --root 3,2 --last root",
        "--algorithm two-tree --root 0,0 --ranks 11", "--algorithm rabenseifner --root 1,1"}) {
    run_ranks(w, std::string("--size 4x3 --operation reduce --operator affine --bytes 64 ") + call);
  }
}

class RanksOptions : public ::testing::TestWithParam<Refusal> {};

TEST_P(RanksOptions, AreRefusedWithTheReason) {
  const Workplace w;
  expect_refused(
      w, w.annelid("run --size 8x8 --out " + w.path("out").string() + " " + GetParam().arguments),
      GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Bad, RanksOptions,
    ::testing::Values(
        Refusal{"ByCoordinates",
                "--algorithm edn --embedding snake",
                {"--embedding", "\"edn\"", "coordinates", "\"two-tree\""}},
        Refusal{"NoSuchOperation",
                "--operation all-to-all --ranks 3",
                {"--ranks", "coordinates", "none for all-to-all"}},
        Refusal{"TooMany", "--algorithm binomial --ranks 65", {"--ranks", "found 65", "1..64"}},
        Refusal{"Embedding", "--algorithm binomial --embedding hilbert", {"--embedding", "snake"}},
        Refusal{"RootOutside",
                "--algorithm binomial --ranks 9 --root 2,1",
                {"--root", "node 2,1", "9 ranks by rows", "0,0", "0,1"}},
        Refusal{"Packets",
                "--algorithm binomial --packets 3",
                {"--packets", "\"binomial\"", "\"linear-pipeline\""}},
        Refusal{"PacketsTwice",
                "--algorithm two-tree --packets 3 --parameter 4",
                {"--packets", "collective.parameter"}},
        Refusal{"Last", "--algorithm circulant --last root", {"--last", "\"two-tree\""}},
        Refusal{"Receives",
                "--algorithm circulant --receives in-turn",
                {"--receives", "\"circulant\"", "\"binary-tree\""}},
        Refusal{"NoPowerOfTwo",
                "--algorithm edst --ranks 12",
                {"--ranks", "12 processes for \"edst\"", "a power of two: --ranks 8"}},
        Refusal{"GroupOfNoPowerOfTwo",
                "--algorithm edst --group 0,0..2,1",
                {"--group", "6 processes for \"edst\"", "size is a power of two"}},
        Refusal{"ExchangeInAGroupOfNoPowerOfTwo",
                "--operation all-gather --algorithm exchange --group 0,0..2,1",
                {"--group", "6 processes for \"exchange\"", "size is a power of two"}},
        Refusal{"RadixOfOne",
                "--operation all-to-all --algorithm radix --bytes 8 --radices 3,1",
                {"--radices", "found 3,1", "1 to 4 radices from 2 to 65535"}},
        Refusal{"FiveRadices",
                "--operation all-to-all --algorithm radix --bytes 8 --radices 2,2,2,2,2",
                {"--radices", "found 2,2,2,2,2", "1 to 4 radices"}},
        Refusal{"RadicesTwice",
                "--operation all-to-all --algorithm radix --bytes 8 --radices 3,2 --parameter 3",
                {"--radices", "collective.parameter"}},
        Refusal{"RadicesOfAnother",
                "--operation all-to-all --algorithm direct --bytes 8 --radices 3",
                {"--radices", "all-to-all by \"direct\"", "all-to-all by \"radix\""}},
        Refusal{"RadixWithoutAPlace",
                "--operation all-to-all --algorithm radix --bytes 8 --radices 8,8,2",
                {"--radices", "fewer: 8,8", "64 ranks"}},
        Refusal{"StepsOfAnother",
                "--operation scan --steps 2",
                {"--steps", "a value for scan", "a shift"}},
        Refusal{"StepsOutOfRange",
                "--operation shift --steps 2147483648",
                {"--steps", "found 2147483648"}},
        Refusal{"ModeName",
                "--operation scan --mode barier",
                {"--mode", "\"barier\"", "did you mean \"barrier\""}},
        Refusal{"ReceivesName",
                "--algorithm two-tree --receives late",
                {"--receives", "\"late\"", "\"stepwise\""}},
        Refusal{"OrderRoot",
                "--operation reduce --algorithm binomial --operator affine --root 3,3",
                {"--operator", "affine", "\"binomial\"", "--root 0,0", "\"butterfly\""}},
        Refusal{"OrderLast",
                "--operation all-reduce --algorithm two-tree --operator affine",
                {"--operator", "order", "--last root", "\"rabenseifner\""}},
        Refusal{"OrderNever",
                "--operation reduce --algorithm edn --operator affine",
                {"--operator", "\"edn\"", "\"butterfly\" or \"rabenseifner\""}},
        Refusal{"AffineType",
                "--operation scan --operator affine --type int32",
                {"--type", "\"int32\" for \"affine\"", "uint32"}},
        Refusal{"AffineBytes",
                "--operation scan --operator affine --bytes 12",
                {"--bytes", "found 12", "8 bytes of affine"}}),
    name_of);

}  // namespace
}  // namespace annelid::end_to_end
