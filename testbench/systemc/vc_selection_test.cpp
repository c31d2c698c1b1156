// The selection of a VC, without a router around it.
#include "systemc/network/vc_selection.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace annelid::systemc {
namespace {

constexpr auto kNoCredits = [](unsigned /*vc*/) { return 0u; };

TEST(VcSelection, LowestIsTheLowest) {
  EXPECT_EQ(LowestVc::pick(0b1, 0, kNoCredits), 0u);
  EXPECT_EQ(LowestVc::pick(0b1100, 0, kNoCredits), 2u);
  EXPECT_EQ(LowestVc::pick(0b1000'0000, 0, kNoCredits), 7u);
}

TEST(VcSelection, RotatingStartsAtThePointerAndWraps) {
  EXPECT_EQ(RotatingVc::pick(0b1111, 0b0001, kNoCredits), 0u);
  EXPECT_EQ(RotatingVc::pick(0b1111, 0b0100, kNoCredits), 2u);
  EXPECT_EQ(RotatingVc::pick(0b1010, 0b0100, kNoCredits), 3u);
  EXPECT_EQ(RotatingVc::pick(0b0010, 0b0100, kNoCredits), 1u);
  EXPECT_EQ(RotatingVc::pick(0b0011, 0b1000, kNoCredits), 0u);
  EXPECT_EQ(RotatingVc::pick(0b1'0000, 0, kNoCredits), 4u) << "a control VC has no pointer";
}

TEST(VcSelection, ThePointerMovesBehindTheVcThatIsTaken) {
  EXPECT_EQ(RotatingVc::after(0b0001, 0, 0b1111), 0b0010u);
  EXPECT_EQ(RotatingVc::after(0b0001, 2, 0b1111), 0b1000u) << "a taken VC was passed over";
  EXPECT_EQ(RotatingVc::after(0b0001, 3, 0b1111), 0b0001u);
  EXPECT_EQ(RotatingVc::after(0b0001, 0, 0b0001), 0b0001u) << "a class of one VC";
  EXPECT_EQ(RotatingVc::after(0b0100'0010, 6, 0b1110'0000), 0b1000'0010u);
  EXPECT_EQ(RotatingVc::after(0b0100'0010, 7, 0b1110'0000), 0b0010'0010u);
  EXPECT_EQ(RotatingVc::after(0b0010, 4, 0), 0b0010u) << "a control VC";
}

TEST(VcSelection, MostCreditsTakesTheLowestOfSeveral) {
  const auto credits = [](unsigned vc) { return std::array{2u, 4u, 1u, 4u}.at(vc); };
  EXPECT_EQ(MostCreditsVc::pick(0b1111, 0, credits), 1u);
  EXPECT_EQ(MostCreditsVc::pick(0b1101, 0, credits), 3u);
  EXPECT_EQ(MostCreditsVc::pick(0b0101, 0, credits), 0u);
  EXPECT_EQ(MostCreditsVc::pick(0b0100, 0, credits), 2u);
}

/// The pointers after reset, and the classes of the VCs, of an output.
struct Tables {
  std::uint8_t pointers;
  std::vector<unsigned> beside;
  friend bool operator==(const Tables&, const Tables&) = default;
};
Tables tables_of(const RouterConfig& router, int output) {
  Tables tables{first_vc_pointers(router, output), {}};
  for (int w = 0; w < router.output_vcs(output); ++w) {
    tables.beside.push_back(vcs_beside(router, output, w));
  }
  return tables;
}

TEST(VcSelection, EachClassHasAPointer) {
  RouterConfig router{.vcs = 5, .local_vcs = 2, .torus = {true, false, false}};
  router.control_vc = true;
  EXPECT_EQ(tables_of(router, 0),
            (Tables{0b00101, {0b00011, 0b00011, 0b11100, 0b11100, 0b11100, 0, 0}}));
  EXPECT_EQ(tables_of(router, 2), (Tables{0b1, {31, 31, 31, 31, 31, 0}})) << "a mesh dimension";
  EXPECT_EQ(tables_of(router, router.ejection_output(0)), (Tables{0b1, {3, 3, 0}}));
  router.classes = TorusClasses::kPlh;
  EXPECT_EQ(tables_of(router, 1),
            (Tables{0b01011, {0b1, 0b110, 0b110, 0b11000, 0b11000, 0, 0, 0}}));
  router.vcs = 2;
  router.allow_deadlock = true;  // too few VCs for the classes: there are none
  EXPECT_EQ(tables_of(router, 0), (Tables{0b1, {3, 3, 0}}));
}

}  // namespace
}  // namespace annelid::systemc
