// The embedding that is taken if the user asks for none, against all of them as they are measured
// now. Prints the row of docs/internals/algorithms/groups.md, "Which embedding", without the
// messages per channel.
#include "reference/schedule/embedding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "reference/catalogue.hpp"
#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

class UsualEmbedding : public ::testing::TestWithParam<const reference::Algorithm*> {
 protected:
  nlohmann::json run(const std::string& network, const std::string& more) const {
    const std::string algorithm(GetParam()->name), operation(name_of(GetParam()->operation));
    const bool has_data = GetParam()->operation != reference::Operation::kSyncIn &&
                          GetParam()->operation != reference::Operation::kSyncOut;
    const std::string bytes = has_data ? "--bytes 4096 " : "";
    const Outcome o = w_.annelid("run --quiet --firmware native " + bytes + "--operation " +
                                 operation + " --algorithm " + algorithm + network + more +
                                 " --out " + w_.path("out").string());
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    return o.status == 0 ? w_.result() : nlohmann::json{};
  }

 private:
  Workplace w_;
};

// Some figures are nearly equal, and which is the least changes with every cycle of the firmware.
TEST_P(UsualEmbedding, IsWithinATenthOfTheFastest) {
  constexpr double kTolerance = 1.1;
  std::string row;
  for (const char* network : {" --size 8x8", " --size 16x16", " --size 8x8 --topology torus",
                              " --size 16x16 --topology torus"}) {
    std::map<std::string, double> cycles;
    row += " |";
    for (std::size_t e = 0; e < reference::kEmbeddings; ++e) {
      const std::string name(name_of(static_cast<reference::Embedding>(e)));
      const auto result = run(network, " --embedding " + name);
      ASSERT_FALSE(result.is_null());
      cycles[name] = result["cycles"];
      row += (e == 0 ? " " : " / ") + result["cycles"].dump();
    }
    const auto usual = run(network, "");
    ASSERT_FALSE(usual.is_null());
    const std::string taken = usual["configuration"]["collective"]["embedding"];
    double least = cycles["rows"];
    for (const auto& [name, of_one] : cycles) least = std::min(least, of_one);
    EXPECT_LE(cycles[taken], kTolerance * least) << taken << network;
  }
  std::cout << "| " << name_of(GetParam()->operation) << " | " << GetParam()->name << row << " |\n";
}

std::vector<const reference::Algorithm*> algorithms_by_rank() {
  std::vector<const reference::Algorithm*> found;
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (a.by_rank && a.name != "intercom") found.push_back(&a);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(ByRank, UsualEmbedding, ::testing::ValuesIn(algorithms_by_rank()),
                         [](const auto& test) {
                           std::string name = std::string(name_of(test.param->operation)) + "_" +
                                              std::string(test.param->name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace annelid::end_to_end
