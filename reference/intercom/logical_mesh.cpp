#include "reference/intercom/logical_mesh.hpp"

#include <algorithm>
#include <stdexcept>

namespace annelid::reference::intercom {
namespace {

std::vector<Dimension> with_strides(const std::vector<int>& sizes, Nearness nearness) {
  std::vector<Dimension> dimensions;
  dimensions.reserve(sizes.size());
  for (int size : sizes) dimensions.push_back({size, 1});
  int stride = 1;
  const auto place_next = [&](Dimension& d) {
    d.stride = stride;
    stride *= d.size;
  };
  if (nearness == Nearness::kNearFirst) {
    std::for_each(dimensions.begin(), dimensions.end(), place_next);
  } else {
    std::for_each(dimensions.rbegin(), dimensions.rend(), place_next);
  }
  return dimensions;
}

void append_factorizations(int p, std::vector<int>& begun, std::vector<std::vector<int>>& all) {
  for (int d = 2; d <= p; ++d) {
    if (p % d != 0) continue;
    begun.push_back(d);
    if (d == p) all.push_back(begun);
    append_factorizations(p / d, begun, all);
    begun.pop_back();
  }
}

}  // namespace

LogicalMesh::LogicalMesh(std::vector<Dimension> dimensions) : dimensions_(std::move(dimensions)) {
  if (dimensions_.empty()) throw std::invalid_argument("a logical mesh without dimensions");
  for (const Dimension& d : dimensions_) {
    if (d.size < 1) {
      throw std::invalid_argument("a logical mesh with a dimension of " + std::to_string(d.size) +
                                  " ranks: expected 1 or more");
    }
  }
  std::vector<Dimension> near_to_far = dimensions_;
  // A size of 1 may have the stride of the dimension that comes next.
  std::ranges::sort(near_to_far, [](const Dimension& a, const Dimension& b) {
    return a.stride != b.stride ? a.stride < b.stride : a.size < b.size;
  });
  for (const Dimension& d : near_to_far) {
    if (d.stride != ranks_) {
      throw std::invalid_argument("a logical mesh with a stride of " + std::to_string(d.stride) +
                                  ": expected " + std::to_string(ranks_));
    }
    ranks_ *= d.size;
  }
}

LogicalMesh::LogicalMesh(const std::vector<int>& sizes, Nearness nearness)
    : LogicalMesh(with_strides(sizes, nearness)) {}

int LogicalMesh::coordinate(int rank, std::size_t dimension) const {
  const Dimension& d = dimensions_[dimension];
  return rank / d.stride % d.size;
}

int LogicalMesh::moved(int rank, std::size_t dimension, int to) const {
  return rank + (to - coordinate(rank, dimension)) * dimensions_[dimension].stride;
}

int LogicalMesh::place(int rank, std::size_t dimensions) const {
  int number = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    number = number * dimensions_[i].size + coordinate(rank, i);
  }
  return number;
}

std::string to_string(const LogicalMesh& mesh) {
  std::string text;
  for (const Dimension& d : mesh.dimensions()) {
    text += (text.empty() ? "" : "x") + std::to_string(d.size);
  }
  return text;
}

std::vector<std::vector<int>> factorizations(int p) {
  if (p < 1) {
    throw std::invalid_argument("factorizations of " + std::to_string(p) + ": expected 1 or more");
  }
  if (p == 1) return {{1}};
  std::vector<std::vector<int>> all;
  std::vector<int> begun;
  append_factorizations(p, begun, all);
  return all;
}

}  // namespace annelid::reference::intercom
