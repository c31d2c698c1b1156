// The names of codes: those of the register map, and those that the reference has on its own. Users
// see both, so they must be the same.
#include "interface/names.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "reference/catalogue.hpp"
#include "reference/schedule/arithmetic.hpp"

namespace annelid {
namespace {

/// All names of an enumeration whose codes are below 256.
template <typename Code>
std::set<std::string> names() {
  std::set<std::string> all;
  for (std::uint32_t code = 0; code < 256; ++code) {
    if (const char* name = name_of(static_cast<Code>(code))) all.insert(name);
  }
  return all;
}

TEST(Names, AreTheMapsInSmallLettersOrAsTheyStandThere) {
  EXPECT_STREQ(name_of(reg::Operation::kAllGather), "all-gather");
  EXPECT_STREQ(name_of(reg::Algorithm::kRecursiveDoubling), "recursive-doubling");
  EXPECT_STREQ(name_of(reg::Operator::kSum), "sum");
  EXPECT_STREQ(name_of(reg::Type::kUint32), "uint32");
  EXPECT_STREQ(name_of(reg::CallResult::kDoesNotFit), "DOES_NOT_FIT");
  EXPECT_STREQ(name_of(reg::ErrorCause::kSendOverflow), "SEND_OVERFLOW");
}

TEST(Names, OfUnknownCodesSayWhatTheyAreCodesOf) {
  EXPECT_EQ(name_of(static_cast<reg::Algorithm>(77)), nullptr);
  EXPECT_EQ(text_of(static_cast<reg::Algorithm>(77)), "unknown algorithm 77");
  EXPECT_EQ(text_of(static_cast<reg::CallResult>(99)), "unknown result 99");
  EXPECT_EQ(text_of(reg::Algorithm::kEdn), "edn");
  EXPECT_EQ(kind_and_text_of(static_cast<reg::Operator>(8)), "unknown operator 8");
  EXPECT_EQ(kind_and_text_of(reg::Operator::kMax), "operator max");
}

TEST(Names, OfAlgorithmsAreTheReferencesForTheSameCode) {
  std::set<std::string> compared;
  for (const reference::Algorithm& a : reference::algorithms()) {
    EXPECT_EQ(text_of(static_cast<reg::Algorithm>(a.code)), a.name);
    compared.insert(std::string(a.name));
  }
  // The reference has a row for each, but for these two, which are no algorithms.
  std::set<std::string> expected = names<reg::Algorithm>();
  EXPECT_EQ(expected.erase("none") + expected.erase("auto"), 2U);
  EXPECT_EQ(compared, expected);
}

TEST(Names, OfOperationsAreTheReferences) {
  const std::set<std::string> known = names<reg::Operation>();
  for (std::size_t i = 0; i < reference::kOperations; ++i) {
    const std::string name(name_of(static_cast<reference::Operation>(i)));
    EXPECT_TRUE(known.contains(name)) << name;
  }
  EXPECT_GE(known.size(), reference::kOperations);
}

TEST(Names, OfOperatorsAreTheReferences) {
  std::set<std::string> compared, expected = names<reg::Operator>();
  expected.merge(names<reg::CoreOperator>());
  EXPECT_EQ(expected.erase("none"), 1U);
  for (std::size_t i = 0; i < reference::kAllOperators; ++i) {
    compared.insert(std::string(name_of(static_cast<reference::Operator>(i))));
  }
  EXPECT_EQ(compared, expected);
}

TEST(Names, OfElementTypesAreTheReferences) {
  std::set<std::string> compared, expected = names<reg::Type>();
  EXPECT_EQ(expected.erase("bytes"), 1U);  // of messages whose elements nobody combines
  for (std::size_t i = 0; i < reference::kElementTypes; ++i) {
    compared.insert(std::string(name_of(static_cast<reference::ElementType>(i))));
  }
  EXPECT_EQ(compared, expected);
}

}  // namespace
}  // namespace annelid
