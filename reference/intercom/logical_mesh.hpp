// A group of ranks, viewed as a logical mesh d_1 x ... x d_k: Barnett and others 1994, Section 6.
// Conventions: docs/internals/algorithms/intercom.md, "Logical meshes".
#pragma once

#include <string>
#include <vector>

namespace annelid::reference::intercom {

/// The coordinate of rank r is r / stride mod size.
struct Dimension {
  int size, stride;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// Which dimension has the neighbouring ranks.
enum class Nearness : unsigned char {
  kNearFirst,  ///< the first: its stride is 1
  kFarFirst,   ///< the last: the stride of the first is p / d_1
};

/// Dimensions are numbered from 0, in the order of the stages. There are as many ranks as the
/// product of the sizes.
class LogicalMesh {
 public:
  /// Throws std::invalid_argument unless there is a dimension, all sizes are 1 or more, and the
  /// strides give every rank other coordinates: from near to far, each is the product of the sizes
  /// that are nearer.
  explicit LogicalMesh(std::vector<Dimension> dimensions);
  LogicalMesh(const std::vector<int>& sizes, Nearness nearness);

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] const std::vector<Dimension>& dimensions() const { return dimensions_; }
  [[nodiscard]] int coordinate(int rank, std::size_t dimension) const;
  /// Returns the rank with another coordinate in one dimension.
  [[nodiscard]] int moved(int rank, std::size_t dimension, int coordinate) const;
  /// Returns the rank's number if coordinates are counted with dimension 0 as the most significant:
  /// (c_1 d_2 + c_2) d_3 + c_3 ... Of the first `dimensions` dimensions alone, if that is given.
  [[nodiscard]] int place(int rank, std::size_t dimensions) const;
  [[nodiscard]] int place(int rank) const { return place(rank, dimensions_.size()); }

  friend bool operator==(const LogicalMesh&, const LogicalMesh&) = default;

 private:
  std::vector<Dimension> dimensions_;
  int ranks_ = 1;
};

/// "2x3x5", the sizes in the order of the stages.
std::string to_string(const LogicalMesh& mesh);

/// Returns all lists of factors of p of 2 and more, in lexicographic order. For p = 1 this is the
/// list {1}. Throws std::invalid_argument if p < 1.
std::vector<std::vector<int>> factorizations(int p);

}  // namespace annelid::reference::intercom
