// The allocators as section 5.3 of docs/internals/microarchitecture.md has them, sentence by
// sentence, for one switch: a second reading that shares nothing with systemc/kernel.
#pragma once

#include <map>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// A VC of an input port requests an output port. Ports have their numbers in the switch.
struct Request {
  int input, vc, output;
};

/// What the arbiters and the diagonal of a switch are at the start of a cycle. An order is a list
/// of candidates: the first that requests is picked.
struct SwitchOrders {
  std::vector<std::vector<int>> of_input, of_output;
  int diagonal = 0;
};

struct SwitchGrant {
  int input, vc;
  bool final;  ///< of the first round
  friend bool operator==(const SwitchGrant&, const SwitchGrant&) = default;
};

inline void PrintTo(const SwitchGrant& grant, std::ostream* out) {
  *out << "input " << grant.input << " vc " << grant.vc << (grant.final ? ", final" : "");
}

class AllocationRules {
 public:
  AllocationRules(int ports, SwitchOrders orders) : ports_(ports), orders_(std::move(orders)) {}

  /// The grants, by output.
  std::map<int, SwitchGrant> grants(AllocatorKind allocator, int iterations,
                                    std::vector<Request> requests) {
    grants_.clear();
    for (int round = 0; round < iterations; ++round) {
      first_round_ = round == 0;
      if (allocator == AllocatorKind::kInputFirst) input_first(requests);
      if (allocator == AllocatorKind::kOutputFirst) output_first(requests);
      if (allocator == AllocatorKind::kWavefront) wavefront(requests);
      std::erase_if(requests, [&](const Request& request) {
        return has_grant(request.input) || grants_.contains(request.output);
      });
    }
    return grants_;
  }

 private:
  using Requests = std::vector<Request>;

  [[nodiscard]] bool has_grant(int input) const {
    for (const auto& [output, grant] : grants_) {
      if (grant.input == input) return true;
    }
    return false;
  }
  static int first_of(const std::vector<int>& order, const std::set<int>& candidates) {
    for (const int candidate : order) {
      if (candidates.contains(candidate)) return candidate;
    }
    return -1;
  }
  [[nodiscard]] int pick_vc(int input, const std::set<int>& vcs) const {
    return first_of(orders_.of_input[static_cast<std::size_t>(input)], vcs);
  }
  [[nodiscard]] int pick_input(int output, const std::set<int>& inputs) const {
    return first_of(orders_.of_output[static_cast<std::size_t>(output)], inputs);
  }
  static int output_of(const Requests& requests, int input, int vc) {
    for (const Request& request : requests) {
      if (request.input == input && request.vc == vc) return request.output;
    }
    return -1;
  }
  static std::set<int> vcs_of(const Requests& requests, int input, const std::set<int>& outputs) {
    std::set<int> vcs;
    for (const Request& request : requests) {
      if (request.input == input && outputs.contains(request.output)) vcs.insert(request.vc);
    }
    return vcs;
  }
  [[nodiscard]] std::set<int> all_ports() const {
    std::set<int> ports;
    for (int port = 0; port < ports_; ++port) ports.insert(port);
    return ports;
  }
  void grant(int output, int input, int vc) { grants_[output] = {input, vc, first_round_}; }

  void input_first(const Requests& requests) {
    std::map<int, int> nominee;  // by input
    for (int i = 0; i < ports_; ++i) {
      const int vc = pick_vc(i, vcs_of(requests, i, all_ports()));
      if (vc >= 0) nominee[i] = vc;
    }
    for (int o = 0; o < ports_; ++o) {
      std::set<int> inputs;
      for (const auto& [i, vc] : nominee) {
        if (output_of(requests, i, vc) == o) inputs.insert(i);
      }
      const int winner = pick_input(o, inputs);
      if (winner >= 0) grant(o, winner, nominee[winner]);
    }
  }

  void output_first(const Requests& requests) {
    std::map<int, std::set<int>> offers;  // to an input
    for (int o = 0; o < ports_; ++o) {
      std::set<int> inputs;
      for (const Request& request : requests) {
        if (request.output == o) inputs.insert(request.input);
      }
      const int chosen = pick_input(o, inputs);
      if (chosen >= 0) offers[chosen].insert(o);
    }
    for (const auto& [i, outputs] : offers) {
      const int vc = pick_vc(i, vcs_of(requests, i, outputs));
      grant(output_of(requests, i, vc), i, vc);
    }
  }

  void wavefront(const Requests& requests) {
    for (int k = 0; k < ports_; ++k) {
      for (int i = 0; i < ports_; ++i) {
        for (int o = 0; o < ports_; ++o) {
          if ((i + o) % ports_ != (orders_.diagonal + k) % ports_) continue;
          if (has_grant(i) || grants_.contains(o)) continue;
          const int vc = pick_vc(i, vcs_of(requests, i, {o}));
          if (vc >= 0) grant(o, i, vc);
        }
      }
    }
  }

  int ports_;
  SwitchOrders orders_;
  bool first_round_ = true;
  std::map<int, SwitchGrant> grants_;
};

}  // namespace annelid::systemc
