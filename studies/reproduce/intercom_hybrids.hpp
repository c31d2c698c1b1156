// What the items of Barnett and others 1994 (InterCom) share: runs by a hybrid on one-port routers.
#pragma once

#include <string>
#include <vector>

#include "reference/costs/intercom_cost.hpp"
#include "studies/reproduce/laboratory.hpp"
#include "studies/reproduce/outcome.hpp"
#include "studies/reproduce/sides.hpp"

namespace annelid::reproduction {

/// Returns a run of the hybrid on all nodes of a mesh of one-port routers. Channels have four
/// virtual channels for data: messages share a channel's bandwidth, as the paper's model has it
/// (Section 2). Node 0 is the root. Its bytes are those of a process's block; start-ups are still
/// to be filled in.
Run hybrid_run(reference::Operation operation, const reference::Network& network,
               const reference::intercom::Hybrid& hybrid, std::uint64_t bytes);

/// Returns "2x3x5 SSMCC". "1x30" stands for one dimension, as in the paper.
std::string hybrid_name(reference::intercom::Collective collective,
                        const reference::intercom::Hybrid& hybrid);

/// Returns all hybrids of a line of so many nodes, near dimensions first (Section 6).
std::vector<reference::intercom::Hybrid> hybrids_of_line(int nodes);

/// Why a run takes another time than the model: how long its messages waited for each other; if it
/// is faster, a hypothesis.
Reason other_than_the_model(const Measured& measured, double ratio, const std::string& which = "");

}  // namespace annelid::reproduction
