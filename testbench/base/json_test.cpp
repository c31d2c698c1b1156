// JSON from elsewhere, and JSON of bytes that are no UTF-8.
#include "base/json.hpp"

#include <gtest/gtest.h>

namespace annelid {
namespace {

TEST(Json, IsRefusedWhenItIsNestedTooDeeply) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(parse_json(nested(100), "here").size(), 1u);
  EXPECT_THROW((void)parse_json(nested(101), "here"), InputError);
  EXPECT_THROW((void)parse_json(std::string(200'000, '['), "here"), InputError);
  std::string objects;
  for (int i = 0; i < 101; ++i) objects += "{\"a\":";
  EXPECT_THROW((void)parse_json(objects, "here"), InputError);
}

TEST(Json, CountsNoBracketsOfTexts) {
  const std::string brackets(200, '[');
  EXPECT_FALSE(nested_too_deeply("[\"" + brackets + "\", \"\\\"" + brackets + "\", {}]"));
  std::string beside = "[";
  for (int i = 0; i < 200; ++i) beside += "[],";
  EXPECT_FALSE(nested_too_deeply(beside + "1]"));
}

TEST(Json, HasAReplacementForBytesThatAreNoUtf8) {
  EXPECT_EQ(json_text(nlohmann::json("a\xff")), "\"a\xef\xbf\xbd\"");
  EXPECT_EQ(json_text(nlohmann::ordered_json({{"b", 1}}), 1), "{\n \"b\": 1\n}");
}

}  // namespace
}  // namespace annelid
