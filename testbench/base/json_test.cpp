// JSON from elsewhere, and JSON of bytes that are no UTF-8.
#include "base/json.hpp"

#include <gtest/gtest.h>

#include <array>

#include "testbench/base/scratch.hpp"

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

TEST(JsonFile, SaysWhereItIsNotWhatItShouldBe) {
  const Scratch s;
  constexpr std::array<std::string_view, 2> kKeys = {"name", "items"};
  const auto error_of = [&](const std::string& text) -> std::string {
    s.put("f.json", text);
    try {
      const JsonFile file(s / "f.json", kKeys);
      const std::string name = file.text("name");
      return name + std::to_string(file.texts("items").size());
    } catch (const InputError& error) {
      return std::string(error.what()).substr((s / "").string().size());
    }
  };
  EXPECT_EQ(error_of(R"({"name": "n", "items": ["a", "b"]})"), "n2");
  EXPECT_EQ(error_of("{\n\"name\": }"),
            "f.json:2: found no JSON, expected the file as annelid has written it");
  EXPECT_EQ(error_of("[]"),
            "f.json: found no JSON object, expected the file as annelid has written it");
  EXPECT_EQ(
      error_of("{\"name\": 1e999}"),
      "f.json: found a number that is too large, expected the file as annelid has written it");
  EXPECT_EQ(
      error_of("{\"item\": []}"),
      "f.json: found an unknown key \"item\", expected the file as annelid has written it (did "
      "you mean \"items\"?)");
  EXPECT_EQ(error_of("{\"name\": 3}"), "f.json: name: found 3, expected a text");
  EXPECT_EQ(error_of("{\"name\": \"n\"}"),
            "f.json: items: found nothing, expected a list of texts");
  EXPECT_EQ(error_of("{\"name\": \"n\", \"items\": [[]]}"),
            "f.json: items: found [[]], expected a list of texts");
}

}  // namespace
}  // namespace annelid
