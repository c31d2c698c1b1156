// Gives each case a SystemC simulation of its own, so that cases can follow each other in one
// process. SystemC elaborates once per context, and modules of an earlier case would still be in
// it, where names stay taken.
#include <gtest/gtest.h>

#include <optional>

#include "systemc/modules/elaboration.hpp"

namespace {

class ElaborationEach : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo&) override { elaboration_.emplace(); }
  void OnTestEnd(const ::testing::TestInfo&) override { elaboration_.reset(); }
  std::optional<annelid::systemc::Elaboration> elaboration_;
};

// GoogleTest owns its listeners.
[[maybe_unused]] const bool kListens =
    (::testing::UnitTest::GetInstance()->listeners().Append(new ElaborationEach), true);

}  // namespace
