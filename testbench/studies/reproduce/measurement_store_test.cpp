// What `annelid reproduce` keeps between its runs. State space: no file, the same build, another
// build, a file that is something else.
#include "studies/reproduce/measurement_store.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <string>

#include "base/new_file.hpp"

namespace annelid::studies {
namespace {

class Store : public ::testing::Test {
 protected:
  void keep(const char* build) const {
    MeasurementStore store(file_, {build, "0123456789"}, false);
    store.set("--size 8x8",
              {12, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, {1, 2, 3, 4, 5, 6, 7}, "8 for y"});
    store.write();
  }
  const TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "store.json";
};

TEST_F(Store, GivesBackWhatTheSameBuildMeasured) {
  EXPECT_EQ(MeasurementStore(file_, {"build 1", "fedcba9876"}, false).find("--size 8x8"), nullptr);
  keep("build 1");
  const MeasurementStore store(file_, {"build 1", "fedcba9876"}, false);
  ASSERT_NE(store.find("--size 8x8"), nullptr);
  EXPECT_EQ(*store.find("--size 8x8"),
            (reproduction::Measurement{
                12, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, {1, 2, 3, 4, 5, 6, 7}, "8 for y"}));
  EXPECT_EQ(store.find("--size 8x9"), nullptr);
}

TEST_F(Store, DoesNotKnowWhatAnotherBuildMeasuredUnlessAsked) {
  keep("build 1");
  EXPECT_EQ(MeasurementStore(file_, {"build 2", "fedcba9876"}, false).find("--size 8x8"), nullptr);
  EXPECT_NE(MeasurementStore(file_, {"build 2", "fedcba9876"}, true).find("--size 8x8"), nullptr);
}

TEST_F(Store, KeepsWhatAnotherBuildMeasuredUnderItsName) {
  keep("build 1");
  MeasurementStore second(file_, {"build 2", "fedcba9876"}, true);
  second.set("--size 4x4", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, {}, ""});
  second.write();
  const MeasurementStore one(file_, {"build 1", "fedcba9876"}, false),
      two(file_, {"build 2", "fedcba9876"}, false);
  EXPECT_NE(one.find("--size 8x8"), nullptr);
  EXPECT_EQ(one.find("--size 4x4"), nullptr);
  EXPECT_EQ(two.find("--size 8x8"), nullptr);
  EXPECT_NE(two.find("--size 4x4"), nullptr);
}

TEST_F(Store, KnowsTheCommitOfWhatAnotherProgramMeasured) {
  keep("build 1");
  const MeasurementStore same(file_, {"build 1", "fedcba9876"}, true);
  EXPECT_EQ(same.foreign_commit("--size 8x8"), std::nullopt) << "the same program";
  MeasurementStore other(file_, {"build 2", "fedcba9876"}, true);
  EXPECT_EQ(other.foreign_commit("--size 8x8"), "0123456789");
  EXPECT_EQ(other.foreign_commit("--size 8x9"), std::nullopt);
  other.set("--size 8x8", {});
  EXPECT_EQ(other.foreign_commit("--size 8x8"), std::nullopt) << "measured again";
}

TEST_F(Store, ForgetsWhatWasKnownButNotWhatIsMeasuredNow) {
  keep("build 1");
  MeasurementStore store(file_, {"build 1", "fedcba9876"}, false);
  store.forget();
  EXPECT_EQ(store.find("--size 8x8"), nullptr);
  store.set("--size 8x8", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, {}, ""});
  EXPECT_NE(store.find("--size 8x8"), nullptr);
}

TEST_F(Store, TakesNoResultThatHasChanged) {
  keep("build 1");
  const MeasurementStore::Build build{"build 1", "fedcba9876"};
  std::string text;
  std::getline(std::ifstream(file_), text, '\0');
  int changed = 0, kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) continue;
    std::string damaged = text;
    damaged[i] = text[i] == '9' ? '8' : static_cast<char>(text[i] + 1);
    std::ofstream(file_) << damaged;
    kept += MeasurementStore(file_, build, true).find("--size 8x8") != nullptr ? 1 : 0;
    ++changed;
  }
  EXPECT_GT(changed, 30);
  EXPECT_EQ(kept, 0);
}

TEST_F(Store, TakesABrokenFileAsNone) {
  for (const char* text : {"", "{", "[]", "{\"program\": \"b\", \"runs\": {\"x\": {}}}"}) {
    std::ofstream(file_) << text;
    EXPECT_EQ(MeasurementStore(file_, {"b", "fedcba9876"}, false).find("x"), nullptr) << text;
  }
}

}  // namespace
}  // namespace annelid::studies
