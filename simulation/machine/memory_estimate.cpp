#include "simulation/machine/memory_estimate.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <sstream>

#include "base/input_error.hpp"
#include "nic/node_memory.hpp"
#include "reference/all_ports/port_rings.hpp"
#include "simulation/scenario/memory_plan.hpp"

namespace annelid::simulation {
namespace {

using reference::Operation;

// Measured per node and message, bytes. Linux counts the pages that cores share for each core in a
// process's resident memory, so what a core is said to take is more than it takes.
constexpr std::uint64_t kRouter = 1'300, kIdealRouter = 200, kBuffer = 20, kFlit = 8,
                        kLocalPort = 2'100, kNic = 22'000, kCore = 85'000, kMessage = 650,
                        kPeer = 600;
/// Whatever the network is: code that runs for the first time, and its data.
constexpr std::uint64_t kProgram = 5'000'000;
/// With sources and sinks of synthetic traffic.
constexpr std::uint64_t kEndpoint = 1'100;
/// In planes, where the endpoints keep less, too.
constexpr std::uint64_t kPlaneNode = 350, kPlanePort = 30, kPlaneBuffer = 5, kPlaneFlit = 5;

std::uint64_t pages(std::uint64_t bytes) {
  constexpr std::uint64_t kPage = nic::NodeMemory::kPageBytes;
  return (bytes + kPage - 1) / kPage * kPage;
}

/// SCRATCH of all nodes together as far as it is used: a tree's nodes hold the blocks of those
/// behind them, others all that is reserved.
std::uint64_t used_scratch(const Collective& c, std::uint64_t reserved) {
  const std::uint64_t nodes = blocks_of(c);
  if (c.operation() != Operation::kGather && c.operation() != Operation::kScatter) {
    return nodes * reserved;
  }
  return nodes * c.bytes * static_cast<std::uint64_t>(std::bit_width(nodes)) / 2 + reserved;
}

std::uint64_t node_memory(const Collective& c) {
  const MemoryLayout layout = layout_of(c);
  const bool in_place = c.operation() == Operation::kBroadcast;
  std::uint64_t sum = used_scratch(c, layout.scratch.bytes);
  // The guards behind long buffers stand in pages of their own, also where a buffer is not used.
  for (const Buffer& long_one : {layout.target, layout.scratch}) {
    if (long_one.bytes < nic::NodeMemory::kPageBytes) continue;
    sum += blocks_of(c) * nic::NodeMemory::kPageBytes;
  }
  const BufferBytes buffers(c);
  for (int i = 0; i < c.network.nodes(); ++i) {
    const reference::Node node = reference::node_at(c.network, i);
    if (!c.calls(node)) continue;
    const std::uint64_t contents = buffers.source(node);  // the host has them too
    const std::uint64_t source = in_place ? c.bytes : contents;
    sum += pages(source + buffers.target(node) + 1) + contents;
  }
  return sum;
}

struct Messages {
  std::uint64_t count = 0, pairs = 0;  ///< pairs of nodes that keep something for each other
};

/// Long schedules of known length are not made for this.
Messages messages_of(const Collective& c) {
  const std::uint64_t nodes = blocks_of(c);
  if (c.own) return {nodes * static_cast<std::uint64_t>(std::bit_width(nodes)), nodes};
  if (c.operation() == Operation::kAllToAll && c.algorithm->name != "radix")
    return {nodes * (nodes - 1), nodes * (nodes - 1)};
  if (c.operation() == Operation::kAllGather && c.algorithm->name == "ring")
    return {nodes * (nodes - 1), nodes};
  if (c.operation() != Operation::kAllReduce && c.algorithm->name == "port-rings") {
    const auto strands = static_cast<std::uint64_t>(reference::PortRings(c.network).strands());
    return {nodes * (nodes - 1) * strands, nodes * strands};
  }
  std::uint64_t count = 0;
  for (const reference::Step& step : c.schedule().steps) count += step.size();
  return {count, std::min(count, nodes * static_cast<std::uint64_t>(std::bit_width(nodes)))};
}

std::optional<std::uint64_t> number_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  if (!(in >> number)) return std::nullopt;
  return number;
}

/// "MemAvailable:   1234 kB" in a file of such lines, in bytes.
std::optional<std::uint64_t> field(const std::filesystem::path& file, const std::string& name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string key;
    std::uint64_t kib = 0;
    if (words >> key >> kib && key == name) return kib * 1024;
  }
  return std::nullopt;
}

/// What the group of a path and those above it leave; `current` and `most` are their files.
std::optional<std::uint64_t> left_in(std::filesystem::path group, const std::filesystem::path& top,
                                     const char* current, const char* most) {
  std::optional<std::uint64_t> least;
  for (;; group = group.parent_path()) {
    const auto used = number_in(group / current), limit = number_in(group / most);
    if (used && limit) {
      const std::uint64_t left = *limit > *used ? *limit - *used : 0;
      least = std::min(least.value_or(left), left);
    }
    if (group == top || group == group.parent_path()) return least;
  }
}

/// The memory left in control groups of version 2 ("0::/path") and version 1 ("5:memory:/path").
std::optional<std::uint64_t> left_in_groups(const std::filesystem::path& proc,
                                            const std::filesystem::path& cgroups) {
  std::optional<std::uint64_t> least;
  std::ifstream in(proc / "self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t path = line.find(":/");
    if (path == std::string::npos) continue;
    const std::string inner = line.substr(path + 2);
    const bool second = line.starts_with("0::");
    if (!second && line.find(":memory:") == std::string::npos) continue;
    const std::filesystem::path top = second ? cgroups : cgroups / "memory";
    const auto left =
        second ? left_in(inner.empty() ? top : top / inner, top, "memory.current", "memory.max")
               : left_in(inner.empty() ? top : top / inner, top, "memory.usage_in_bytes",
                         "memory.limit_in_bytes");
    if (left) least = std::min(least.value_or(*left), *left);
  }
  return least;
}

std::string size_text(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? fmt::format("{:.0f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

/// The largest part, and what makes it smaller.
std::string advice(const MemoryEstimate& e) {
  const std::uint64_t most = std::max({e.routers, e.nics, e.cores, e.node_memory, e.messages});
  if (most == e.cores) return "--firmware native, or fewer nodes (--size)";
  if (most == e.node_memory) return "less --bytes, or fewer nodes (--size)";
  if (most == e.messages) return "fewer messages: fewer nodes (--size), or another --algorithm";
  return "fewer nodes (--size)";
}

std::uint64_t routers_of(const systemc::NetworkConfig& n) {
  const systemc::RouterConfig& r = n.router;
  std::uint64_t vcs = 0;
  for (int link = 0; link < r.links(); ++link) vcs += static_cast<std::uint64_t>(r.link_vcs(link));
  const std::uint64_t buffers = vcs * (kBuffer + kFlit * static_cast<std::uint64_t>(r.depth));
  return std::uint64_t{n.nodes()} * (n.ideal ? kIdealRouter : kRouter + buffers);
}

/// Planes have places for as many virtual channels at each port as the port with most has.
std::uint64_t plane_node(const systemc::RouterConfig& r) {
  const auto ports = static_cast<std::uint64_t>(r.links());
  const std::uint64_t buffers = ports * static_cast<std::uint64_t>(r.max_vcs());
  return kPlaneNode + ports * kPlanePort +
         buffers * (kPlaneBuffer + kPlaneFlit * static_cast<std::uint64_t>(r.depth));
}

}  // namespace

MemoryEstimate estimate_memory(const systemc::NetworkConfig& n, bool planes) {
  const std::uint64_t nodes = n.nodes();
  if (planes) return {.routers = nodes * plane_node(n.router)};
  const auto ports = static_cast<std::uint64_t>(n.router.local_ports);
  return {.routers = routers_of(n), .nics = nodes * ports * kEndpoint};
}

MemoryEstimate estimate_memory(const nic::NicConfig& nic) {
  const auto nodes = static_cast<std::uint64_t>(nic.network.nodes());
  const auto ports = static_cast<std::uint64_t>(nic.network.router.local_ports);
  return {.program = kProgram,
          .routers = routers_of(nic.network),
          .nics = nodes * (kNic + ports * kLocalPort),
          .cores = nodes * kCore};
}

MemoryEstimate estimate_memory(const Scenario& s) {
  MemoryEstimate e = estimate_memory(s.nic);
  if (s.firmware.kind == FirmwareChoice::Kind::kNative) e.cores = 0;
  const std::uint64_t nodes = s.network.nodes();
  const MemoryPlan plan = plan_memory(s);
  if (!plan.groups.empty()) {
    e.node_memory += nodes * pages(plan.end - plan.groups.front().list.offset);
  }
  for (const ScenarioCall& call : s.calls) {
    e.node_memory += node_memory(call.collective);
    const Messages messages = messages_of(call.collective);
    e.messages += messages.count * kMessage + messages.pairs * kPeer;
    // A list takes only a part of its room: its ends, and two descriptors for a message.
    if (call.collective.prepared) {
      e.node_memory +=
          nodes * 2 * nic::NodeMemory::kPageBytes + 2 * messages.count * reg::kListDescriptorBytes;
    }
  }
  return e;
}

std::optional<AvailableMemory> available_memory(const std::filesystem::path& proc,
                                                const std::filesystem::path& cgroups) {
  std::optional<AvailableMemory> least;
  const auto limit = [&least](std::optional<std::uint64_t> bytes, const char* what) {
    if (bytes && (!least || *bytes < least->bytes)) least = AvailableMemory{*bytes, what};
  };
  limit(field(proc / "meminfo", "MemAvailable:"), "this computer has free");
  limit(left_in_groups(proc, cgroups), "the control group leaves");
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    const std::uint64_t used = field(proc / "self/status", "VmSize:").value_or(0);
    limit(space.rlim_cur > used ? space.rlim_cur - used : 0, "ulimit -v leaves");
  }
  return least;
}

void require_memory(const MemoryEstimate& estimate, const std::string& where,
                    const std::optional<AvailableMemory>& available) {
  if (!available || estimate.total() <= available->bytes) return;
  throw InputError(
      where,
      fmt::format("a run that takes about {} of memory (routers {}, NICs {}, cores {}, node memory "
                  "{}, messages {})",
                  size_text(estimate.total()), size_text(estimate.routers),
                  size_text(estimate.nics), size_text(estimate.cores),
                  size_text(estimate.node_memory), size_text(estimate.messages)),
      fmt::format("at most {}, which {}: {}", size_text(available->bytes), available->limit,
                  advice(estimate)));
}

}  // namespace annelid::simulation
