// A TOML text that would exhaust the parser's stack is found before it is parsed.
#include "simulation/scenario/toml_depth.hpp"

#include <gtest/gtest.h>

#include <string>

namespace annelid::simulation {
namespace {

std::string key_of(std::size_t parts, const std::string& dot = ".") {
  std::string key = "a";
  for (std::size_t i = 1; i < parts; ++i) key += dot + "a";
  return key;
}

TEST(TomlDepth, IsThatOfKeysHeadersAndLists) {
  const std::string deep = key_of(kMostKeyParts + 1);
  const std::string open(kMostNested + 1, '[');
  for (const std::string& text :
       {deep, deep + " = 1", "[" + deep + "]", "[[" + deep + "]]", "x = {b = 1, " + deep + " = 1}",
        key_of(kMostKeyParts + 1, " . ") + "=1", key_of(kMostKeyParts + 1, ".\"x.y\".") + "=1",
        "x = " + open, "x = [\n[" + open, "x = \"\"\"a\"\"\"\"\"\n" + deep, "x = ''\n" + deep,
        "x = 'a\\'\n" + deep, "x = \"a\\\"\"\n" + deep, "# \"\n" + deep, "# '''\n" + deep}) {
    EXPECT_TRUE(find_too_deep(text)) << text;
  }
  const auto deep_line = find_too_deep("a.b = 1\n# c\n\n[" + deep + "]\n");
  ASSERT_TRUE(deep_line);
  EXPECT_EQ(deep_line->line, 4u);
  EXPECT_EQ(deep_line->found, "a key of more than 16 parts");
}

TEST(TomlDepth, IsNotThatOfStringsCommentsAndNumbers) {
  const std::string dots(1000, '.'), brackets(1000, '[');
  std::string numbers = "x = [0.5";
  for (int i = 0; i < 1000; ++i) numbers += ", 0.25";
  for (const std::string& text :
       {std::string(), key_of(kMostKeyParts) + " = 1", "# " + dots + brackets, numbers + "]",
        "x = \"" + dots + brackets + "\"", "x = '" + dots + "'", "x = \"\"\"\n" + dots + "\n\"\"\"",
        "x = '''\n" + brackets + "\n'''", "x = \"\\\"" + dots + "\"", "x = \"" + dots,
        std::string("x = \"\\")}) {
    EXPECT_FALSE(find_too_deep(text)) << text;
  }
  std::string tables;
  for (int i = 0; i < 100; ++i) tables += "[[a.b]]\nc = [[1, 2], [3, 4]]\nd = {e = 1}\n";
  EXPECT_FALSE(find_too_deep(tables));
}

}  // namespace
}  // namespace annelid::simulation
