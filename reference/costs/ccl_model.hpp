// The model of time of CCL (Bala and others 1995, Section 4.1), T = C1 ts + C2 tc + f(C3), and the
// runs that it is fitted to.
//
// C1 is the number of steps, C2 the bytes that go one after the other, and C3 the bytes of all
// messages. A call's set-up is no part of the model, but it is in the times, so it is fitted with
// them. ts and tc come from runs in which every two processes are equally distant and no
// message waits for another: there, f is 0. Then f comes from what the same runs take longer on a
// network. The paper leaves f open. Here it grows in straight pieces, because a network that
// carries more can only get slower: f(0) = 0, and no piece falls. Both fits minimize the squares of
// the deviations as shares of the times.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/schedule/request.hpp"

namespace annelid::reference::ccl {

inline constexpr std::string_view kEquation = "T = C1 ts + C2 tc + f(C3)";
inline constexpr int kFewest = 4;  ///< processes of a group: with fewer, algorithms become the same

/// An operation, as one run measures it.
struct Call {
  Operation operation = Operation::kBroadcast;
  std::string algorithm;
  std::uint32_t parameter = 0;
  int nodes = 0;            ///< the first ones take part; 0: all nodes of the network
  std::uint64_t bytes = 0;  ///< of a process's block
};

/// What a run is for.
enum class Part : std::uint8_t {
  kFit,      ///< the fit
  kLengths,  ///< a check: the same with other lengths
  kGroups,   ///< a check: the same with other numbers of processes
  kApart,    ///< a check: operations that do what the model has no term for
};
inline constexpr int kParts = 4;

struct PlannedCall {
  Call call;
  Part part = Part::kFit;
};

/// The runs for a network of `nodes`. `lengths` and `groups` are those of the fit, in ascending
/// order; a group has kFewest to `nodes` processes, and a length is a multiple of 8.
///
/// Fitted are operations that send step by step, and copy nothing within a node. Apart from them
/// are those that rotate or pack blocks between their steps, and the gather in which all send at
/// once.
[[nodiscard]] std::vector<PlannedCall> plan(int nodes, const std::vector<std::uint64_t>& lengths,
                                            const std::vector<int>& groups);
/// Powers of two from kFewest on, and all nodes.
[[nodiscard]] std::vector<int> usual_groups(int nodes);

/// What a run counts and takes.
struct Point {
  double c1 = 0, c2 = 0, c3 = 0, time = 0;
};

/// From `from` bytes on, up to where the next piece begins, each byte of C3 takes so much.
struct Piece {
  double from = 0, slope = 0;
};

struct Model {
  double ts = 0, tc = 0;
  double set_up = 0;          ///< of a call, once; no part of the paper's model
  std::vector<Piece> pieces;  ///< the first begins at 0

  [[nodiscard]] double f(double c3) const;
  /// What the model says without f.
  [[nodiscard]] double free(const Point& p) const { return set_up + p.c1 * ts + p.c2 * tc; }
  [[nodiscard]] double time(const Point& p) const { return free(p) + f(p.c3); }
};

/// Fits ts and tc to `free`, and then f to `loaded`. Throws std::invalid_argument if `free` does
/// not determine them, and if a time is not positive.
[[nodiscard]] Model fit(std::span<const Point> free, std::span<const Point> loaded);

/// How far the model is off, as shares of the times.
struct Deviations {
  double median = 0, largest = 0;
  std::size_t worst = 0;  ///< the point with the largest
};
/// With f, or without it. Without points, all are 0.
[[nodiscard]] Deviations deviations(const Model& model, std::span<const Point> points, bool with_f);

}  // namespace annelid::reference::ccl
