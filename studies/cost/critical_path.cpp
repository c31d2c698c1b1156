#include "studies/cost/critical_path.hpp"

#include <algorithm>
#include <iterator>

namespace annelid::cost {

std::string register_name(const std::string& cell) {
  std::string name;
  std::remove_copy(cell.begin(), cell.end(), std::back_inserter(name), '\\');
  name.erase(std::min(name.find("$_"), name.size()));
  const std::string router = "u_router.";
  if (name.compare(0, router.size(), router) == 0) name.erase(0, router.size());
  return name;
}

Role role_of(const std::string& name) {
  struct Rule {
    const char* part;
    Role role;
  };
  // The first that occurs in the name counts.
  static constexpr Rule kRules[] = {
      {"u_fifo.", Role::kFlitBuffer},
      {"u_credits.", Role::kCredits},
      {"u_credits_out.", Role::kLinkRegister},
      {"u_flits_out.", Role::kLinkRegister},
      {"u_vcs_out.", Role::kLinkRegister},
      {"chain_q", Role::kSwitchRegister},
      {"u_vc_allocator.", Role::kVcArbiter},
      {"u_switch_allocator.", Role::kSwitchArbiter},
      {"owned_q", Role::kOwner},
      {"routed_q", Role::kRoute},
      {"out_port_q", Role::kRoute},
      {"out_class_q", Role::kRoute},
      {"active_q", Role::kInputVc},
      {"out_vc_q", Role::kInputVc},
  };
  for (const Rule& rule : kRules) {
    if (name.find(rule.part) != std::string::npos) return rule.role;
  }
  return Role::kOther;
}

std::string stage_of(Role start, Role end, int stages) {
  if (start == Role::kLinkRegister) return "link";
  if (stages == 1) return "RC, VA, SA, ST";
  if (start == Role::kSwitchRegister) return "ST";
  if (stages == 2) return "RC, VA, SA";
  if (end == Role::kRoute && start == Role::kFlitBuffer) return "RC";
  if (stages == 3) return "VA, SA";
  if (start == Role::kVcArbiter || end == Role::kVcArbiter || end == Role::kRoute) return "VA";
  if (start == Role::kSwitchArbiter || end == Role::kSwitchArbiter ||
      end == Role::kSwitchRegister || end == Role::kCredits || end == Role::kFlitBuffer) {
    return "SA";
  }
  return "VA or SA";  // active, out_vc and owned are written by both
}

}  // namespace annelid::cost
