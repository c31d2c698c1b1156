// RouterAssembly for one kind of kernel; instantiated in router_array_*.cpp.
#pragma once

#include <memory>
#include <utility>

#include "systemc/kernel/router_array_of.hpp"
#include "systemc/kernel/router_assembly_kinds.hpp"

namespace annelid::systemc {

/// All that only construction does to a RouterArrayOf.
template <class Space, class Policies>
class RouterAssemblyOf final : public RouterAssembly {
 public:
  RouterAssemblyOf(const NetworkConfig& network, RouterArrayHost& host, Cut* cut)
      : array_(std::make_unique<Array>(network, host, cut)),
        links_(static_cast<std::size_t>(network.router.links())) {
    make_maps();
  }

  std::uint32_t add(Address address, NodeId node) override {
    Array& array = *array_;
    const KernelShape& shape = array.shape_;
    Chunk& chunk = chunk_for_one_more();
    const std::size_t at = array.kernels_.size() % kChunk;
    array.kernels_.emplace_back(
        shape, address, node, chunk.data.data() + at * shape.flits,
        chunk.flags.data() + at * shape.flits,
        shape.order_words > 0 ? chunk.orders.data() + at * shape.order_words : nullptr);
    const auto index = static_cast<std::uint32_t>(array.kernels_.size() - 1);
    for (std::size_t l = 0; l < links_; ++l) {
      array.ends_.emplace_back(array, index, static_cast<Port>(l));
    }
    if (shape.one_port) join_switches(index);
    if (array.cut_ != nullptr) array.index_of_[node - array.cut_->slab().first] = index;
    if (index % Array::kGroup == 0) make_maps();
    return index;
  }
  void reserve(std::uint32_t routers) override { array_->kernels_.reserve(routers); }

  void join(std::uint32_t router, int link, std::uint32_t neighbour, int its_link) override {
    join(router, link, {neighbour, static_cast<Port>(its_link), KernelLink::Kind::kKernel});
  }
  void join(std::uint32_t router, int link, LinkIf& neighbour) override {
    array_->others_.push_back(&neighbour);
    array_->context_.others = array_->others_.data();
    const auto index = static_cast<std::uint32_t>(array_->others_.size() - 1);
    join(router, link, {index, 0, KernelLink::Kind::kOther});
  }
  RouterEnd& end(std::uint32_t router, int link) override {
    return array_->ends_[router * links_ + static_cast<std::size_t>(link)];
  }
  const RouterView& view() const override { return *array_; }

 private:
  using Array = RouterArrayOf<Space, Policies>;
  using Chunk = typename Array::Chunk;
  static constexpr std::size_t kChunk = Array::kChunk;

  std::unique_ptr<RouterArray> finish() override { return std::move(array_); }

  Chunk& chunk_for_one_more() {
    const KernelShape& shape = array_->shape_;
    if (array_->kernels_.size() % kChunk == 0) {
      const std::size_t flits = kChunk * shape.flits;
      const std::size_t orders = kChunk * shape.order_words;
      array_->chunks_.push_back({std::vector<std::uint64_t>(flits),
                                 std::vector<std::uint8_t>(flits),
                                 std::vector<std::uint64_t>(orders)});
    }
    return array_->chunks_.back();
  }
  void join(std::uint32_t router, int link, KernelLink to) {
    KernelLink back = to;
    // All routers of an array are equal, so the neighbour's output is that of the same link.
    if (to.kind == KernelLink::Kind::kKernel) back.port = array_->output_of(to.port);
    array_->kernels_[router].join_input(static_cast<Port>(link), back);
    array_->kernels_[router].join_output(array_->output_of(link), to);
  }
  /// The internal channels of a one-port router.
  void join_switches(std::uint32_t router) {
    const int n = array_->shape_.network.dims();
    for (int through = 2 * n; through + 1 < 3 * n; ++through) {
      const auto out = static_cast<Port>(through), in = static_cast<Port>(through + 1);
      array_->kernels_[router].join_output(out, {router, in, KernelLink::Kind::kKernel});
      array_->kernels_[router].join_input(in, {router, out, KernelLink::Kind::kKernel});
    }
  }
  void make_maps() {
    Array& array = *array_;
    const std::size_t groups = array.kernels_.size() / Array::kGroup + 1;
    for (std::size_t t = 0; t < kFlightCycles; ++t) {
      array.awake_[t].resize(groups * Array::kGroup);
      array.groups_[t].resize((groups + 7) / 8 * 8);
      array.context_.awake[t] = array.awake_[t].data();
      array.context_.groups[t] = array.groups_[t].data();
    }
  }

  std::unique_ptr<Array> array_;
  std::size_t links_;
};

template <int ports, class Policies>
std::unique_ptr<RouterAssembly> assemble(int vc_bits, const NetworkConfig& network,
                                         RouterArrayHost& host, Cut* cut) {
  switch (vc_bits) {
    case 0:
      return std::make_unique<RouterAssemblyOf<SlotSpace<ports, 0>, Policies>>(network, host, cut);
    case 1:
      return std::make_unique<RouterAssemblyOf<SlotSpace<ports, 1>, Policies>>(network, host, cut);
    case 2:
      return std::make_unique<RouterAssemblyOf<SlotSpace<ports, 2>, Policies>>(network, host, cut);
    default:
      return std::make_unique<RouterAssemblyOf<SlotSpace<ports, 3>, Policies>>(network, host, cut);
  }
}

}  // namespace annelid::systemc
