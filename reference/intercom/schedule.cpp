#include "reference/intercom/schedule.hpp"

#include "reference/schedule/index.hpp"
#include "reference/schedule/parts.hpp"

namespace annelid::reference::intercom {
namespace {

void require_call(const Call& call, const LogicalMesh& mesh) {
  if (has_root(call.collective) && (call.root < 0 || call.root >= mesh.ranks())) {
    throw std::invalid_argument("root " + std::to_string(call.root) + " of a group of " +
                                std::to_string(mesh.ranks()) + " ranks: expected 0 .. " +
                                std::to_string(mesh.ranks() - 1));
  }
  const std::size_t expected = has_blocks(call.collective) ? at(mesh.ranks()) : 1;
  if (call.counts.size() != expected) {
    throw std::invalid_argument(std::string(name_of(call.collective)) + " in a group of " +
                                std::to_string(mesh.ranks()) + " ranks with " +
                                std::to_string(call.counts.size()) + " counts: expected " +
                                std::to_string(expected));
  }
}

std::vector<int> ranks_by_place(const LogicalMesh& mesh) {
  std::vector<int> ranks(at(mesh.ranks()));
  for (int r = 0; r < mesh.ranks(); ++r) ranks[at(mesh.place(r))] = r;
  return ranks;
}

/// A line of a dimension.
struct ProcessLine {
  int first;  ///< the rank with the coordinate 0
  int place;  ///< in the dimensions before
};

/// Where the pieces of the vector begin. Pieces are numbered as places in the first dimensions: a
/// vector that is everybody's is not cut in a dimension with a short vector algorithm.
class Pieces {
 public:
  Pieces(const Call& call, const Hybrid& hybrid) : dimensions_(hybrid.mesh.dimensions()) {
    const bool blocks = has_blocks(call.collective);
    const bool cut_in_last = blocks || hybrid.form == Template::kLong;
    pieces_from_.assign(dimensions_.size() + 1, 1);
    for (std::size_t d = dimensions_.size() - (cut_in_last ? 0 : 1); d-- > 0;) {
      pieces_from_[d] = dimensions_[d].size * pieces_from_[d + 1];
    }
    std::vector<std::uint64_t> lengths;
    if (blocks) {
      for (int r : ranks_by_place(hybrid.mesh)) lengths.push_back(call.counts[at(r)]);
    } else {
      lengths = even_counts(call.counts[0], pieces_from_[0]);
    }
    begins_.push_back(0);
    for (std::uint64_t length : lengths) begins_.push_back(begins_.back() + length);
  }

  /// The bytes that a message of a line of dimension d holds.
  [[nodiscard]] Transfer transfer(const LineMessage& m, std::size_t d, const ProcessLine& line,
                                  bool combine) const {
    const auto [size, stride] = dimensions_[d];
    // Only whole vectors are sent along a dimension that is not cut.
    const bool whole = m.first == 0 && m.end == size;
    const int data = line.place * pieces_from_[d];
    const int first = data + (whole ? 0 : m.first * pieces_from_[d + 1]);
    const int end = data + (whole ? pieces_from_[d] : m.end * pieces_from_[d + 1]);
    return {line.first + m.from * stride, line.first + m.to * stride, begins_[at(first)],
            begins_[at(end)] - begins_[at(first)], combine};
  }

 private:
  const std::vector<Dimension>& dimensions_;
  /// For each combination of coordinates in the dimensions before d.
  std::vector<int> pieces_from_;
  std::vector<std::uint64_t> begins_;
};

/// The lines of the stage's dimension that take part: of MST algorithms, those that have the root's
/// coordinates in all later dimensions; of bucket algorithms, all.
std::vector<ProcessLine> lines_of(const Stage& stage, const LogicalMesh& mesh, int root) {
  const bool bucket = stage.primitive == Primitive::kBucketCollect ||
                      stage.primitive == Primitive::kDistributedCombine;
  const auto takes_part = [&](int rank) {
    if (mesh.coordinate(rank, stage.dimension) != 0) return false;
    for (std::size_t i = stage.dimension + 1; i < mesh.dimensions().size(); ++i) {
      if (!bucket && mesh.coordinate(rank, i) != mesh.coordinate(root, i)) return false;
    }
    return true;
  };
  std::vector<ProcessLine> lines;
  for (int rank = 0; rank < mesh.ranks(); ++rank) {
    if (takes_part(rank)) lines.push_back({rank, mesh.place(rank, stage.dimension)});
  }
  return lines;
}

}  // namespace

std::vector<std::uint64_t> even_counts(std::uint64_t bytes, int p) {
  const Parts parts(bytes, at(p));
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < at(p); ++i) counts.push_back(parts.bytes(i, i + 1));
  return counts;
}

StagedSchedule schedule_of(const Call& call, const Hybrid& hybrid) {
  const LogicalMesh& mesh = hybrid.mesh;
  require_call(call, mesh);
  const int root = has_root(call.collective) ? call.root : 0;
  const Pieces pieces(call, hybrid);
  StagedSchedule schedule;
  schedule.ranks = mesh.ranks();
  schedule.stages = stages_of(call.collective, hybrid.form, mesh.dimensions().size());
  if (has_blocks(call.collective)) schedule.block_order = ranks_by_place(mesh);
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    const auto [primitive, dimension] = schedule.stages[s];
    const std::vector<ProcessLine> lines = lines_of(schedule.stages[s], mesh, root);
    for (const auto& messages : line_steps(primitive, mesh.dimensions()[dimension].size,
                                           mesh.coordinate(root, dimension))) {
      StagedStep step{s, {}};
      for (const ProcessLine& line : lines) {
        for (const LineMessage& m : messages) {
          step.transfers.push_back(pieces.transfer(m, dimension, line, combines(primitive)));
        }
      }
      schedule.steps.push_back(std::move(step));
    }
  }
  return schedule;
}

Schedule messages_of(const StagedSchedule& schedule, const std::vector<Node>& nodes) {
  if (nodes.size() != at(schedule.ranks)) {
    throw std::invalid_argument(std::to_string(nodes.size()) + " nodes for " +
                                std::to_string(schedule.ranks) + " ranks");
  }
  Schedule messages;
  for (const StagedStep& staged : schedule.steps) {
    Step step;
    for (const Transfer& t : staged.transfers) {
      step.push_back({nodes[at(t.from)], nodes[at(t.to)], t.length});
    }
    messages.steps.push_back(std::move(step));
  }
  return messages;
}

}  // namespace annelid::reference::intercom
