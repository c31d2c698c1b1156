// What a schedule costs in the model of Barnett and others 1994, Section 2: by the closed forms of
// Sections 4 to 6, and exactly, step by step.
#pragma once

#include "reference/costs/intercom_link_load.hpp"

namespace annelid::reference::intercom {

/// The machine of Section 2, in any unit of time. The paper's gamma is the time of an arithmetic
/// operation on an item; items are bytes here.
struct Machine {
  double alpha = 0;  ///< start-up of a message
  double beta = 0;   ///< a byte through a port
  double gamma = 0;  ///< to combine a byte
  /// Messages that a channel carries without loss of speed, because its bandwidth exceeds that of a
  /// port (Section 7.1). 1: messages share a channel's bandwidth from the second one on.
  double messages_per_channel = 1;
};

/// A cost alpha * starts + n * (beta * volume + gamma * combined), for a vector of n bytes.
struct Terms {
  double starts = 0, volume = 0, combined = 0;
  [[nodiscard]] double at(const Machine& m, double bytes) const {
    return m.alpha * starts + bytes * (m.beta * volume + m.gamma * combined);
  }
};

/// Returns the cost of a building block on a line of p members that share the vector equally
/// (Section 4). L = ceil(log2 p), f = (p - 1) / p:
///
/// * MST broadcast: L (alpha + n beta); MST combine-to-one: L (alpha + n beta + n gamma)
/// * MST scatter, MST gather: L alpha + f n beta
/// * bucket collect: (p - 1) alpha + f n beta; distributed combine: + f n gamma
Terms terms_of(Primitive primitive, int p);

/// Returns the cost of a hybrid on a linear array (Section 6), with dimensions of these sizes in
/// the order of the stages, near dimensions first: the messages of a stage share channels with
/// those of all nearer dimensions, which are as many as the vector has become shorter. Of one
/// dimension, this is the cost of the short and of the long vector algorithm (Section 5).
/// The paper prints 2 (p - 1) alpha for the long combine-to-one. The sum of its two parts is
/// (p - 1 + L) alpha, which is returned.
Terms hybrid_terms(Collective collective, Template form, const std::vector<int>& sizes);

/// Returns the cost of a hybrid with any number of messages on the busiest channel of each stage,
/// in the order of stages_of().
Terms hybrid_terms(Collective collective, Template form, const std::vector<int>& sizes,
                   const std::vector<int>& contention);

/// Returns the cost of a schedule in which each step begins when the one before has ended: the sum
/// over its steps of alpha + beta * (bytes on the busiest channel, or of the longest message) +
/// gamma * (bytes of the longest message that is combined).
double time_of(const Machine& machine, const std::vector<StepLoad>& loads);

}  // namespace annelid::reference::intercom
