#include "studies/cost/critical_path.hpp"

#include <gtest/gtest.h>

namespace annelid::cost {
namespace {

TEST(RegisterName, LeavesOutWhatSynthesisAdds) {
  EXPECT_EQ(register_name("\\u_router.g_switch.u_switch.g_input[2].u_input.g_vc[0].u_vc.u_fifo."
                          "count_q[6]$_SDFFE_PN0P_"),
            "g_switch.u_switch.g_input[2].u_input.g_vc[0].u_vc.u_fifo.count_q[6]");
}

TEST(Role, IsKnownOfEachKindOfRegister) {
  EXPECT_EQ(role_of("g_switch.u_switch.g_input[2].u_input.g_vc[0].u_vc.u_fifo.count_q[6]"),
            Role::kFlitBuffer);
  EXPECT_EQ(role_of("g_switch.u_switch.g_output[2].u_output.g_vc[0].u_credits.count_q[1]"),
            Role::kCredits);
  EXPECT_EQ(role_of("g_switch.u_switch.g_output[2].u_output.g_vc[0].owned_q"), Role::kOwner);
  EXPECT_EQ(
      role_of(
          "g_switch.u_switch.g_vc_allocator.u_vc_allocator.g_input_first.u_input_first."
          "g_round[0].g_input[1].g_first.u_in_arbiter.g_round_robin.u_round_robin.pointer_q[0]"),
      Role::kVcArbiter);
  EXPECT_EQ(role_of("g_switch.u_switch.u_credit_valid.g_chain.chain_q[9]"), Role::kSwitchRegister);
  EXPECT_EQ(role_of("u_channels.g_port[3].u_credits_out.g_chain.chain_q[0]"), Role::kLinkRegister);
  EXPECT_EQ(role_of("g_switch.u_switch.g_input[0].u_input.g_vc[0].u_vc.active_q"), Role::kInputVc);
}

TEST(Stage, OfAPathFollowsFromItsEndsAndThePipeline) {
  EXPECT_EQ(stage_of(Role::kFlitBuffer, Role::kFlitBuffer, 1), "RC, VA, SA, ST");
  EXPECT_EQ(stage_of(Role::kFlitBuffer, Role::kSwitchRegister, 2), "RC, VA, SA");
  EXPECT_EQ(stage_of(Role::kSwitchRegister, Role::kFlitBuffer, 2), "ST");
  EXPECT_EQ(stage_of(Role::kFlitBuffer, Role::kRoute, 3), "RC");
  EXPECT_EQ(stage_of(Role::kRoute, Role::kSwitchRegister, 3), "VA, SA");
  EXPECT_EQ(stage_of(Role::kRoute, Role::kVcArbiter, 4), "VA");
  EXPECT_EQ(stage_of(Role::kInputVc, Role::kCredits, 4), "SA");
  EXPECT_EQ(stage_of(Role::kLinkRegister, Role::kFlitBuffer, 4), "link");
}

}  // namespace
}  // namespace annelid::cost
