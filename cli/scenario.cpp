#include "cli/scenario.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/input_error.hpp"
#include "cli/network_keys.hpp"
#include "cli/nic_keys.hpp"

namespace annelid::cli {
namespace {

using Kind = Key::Kind;

constexpr std::array<std::string_view, 1> kOperations = {"broadcast"};
constexpr std::array<std::string_view, 2> kAlgorithms = {"edn", "recursive-doubling"};

constexpr std::array kKeys = {
    Key{"name", Kind::kText, "text", nullptr, nullptr, nullptr},
    Key{"firmware", Kind::kText, "\"rv32\", \"native\" or the path of an RV32 ELF file",
        "--firmware", "WHAT", "rv32, native, or the path of an RV32 ELF file"},
    Key{"collective.operation", Kind::kText, "text", nullptr, nullptr, nullptr},
    Key{"collective.algorithm", Kind::kText, "text", "--algorithm", "NAME",
        "edn or recursive-doubling"},
    Key{"collective.root", Kind::kIntegers, "two integers, the coordinates x and y", "--root",
        "X,Y", "Node that holds the payload"},
    Key{"collective.payload", Kind::kText, "the path of a file", "--payload", "FILE",
        "File to broadcast, up to 16 MiB", true},
    Key{"limits.cycles", Kind::kInteger, "an integer, cycles", "--cycle-limit", "N",
        "Give up after this many cycles"},
};

FirmwareChoice read_firmware(const Settings& s, const std::filesystem::path& file) {
  using FirmwareKind = FirmwareChoice::Kind;
  const std::string text = s.text("firmware", "rv32");
  if (text == "rv32") return {FirmwareKind::kRv32, {}};
  if (text == "native") return {FirmwareKind::kNative, {}};
  std::filesystem::path elf = text;
  const bool from_file = s.origin("firmware").starts_with(file.string());
  if (from_file && elf.is_relative()) elf = file.parent_path() / elf;
  return {FirmwareKind::kElfFile, elf};
}

Address read_root(const Settings& s) {
  const auto xy = s.integers("collective.root");
  if (xy.empty()) return {};
  if (xy.size() != 2) s.refuse("collective.root", "two integers, the coordinates x and y");
  for (const std::int64_t n : xy) {
    if (n < 0 || n > 255) s.refuse("collective.root", "coordinates x, y of 0 to 255");
  }
  return {static_cast<std::uint8_t>(xy[0]), static_cast<std::uint8_t>(xy[1]), 0};
}

}  // namespace

std::string_view name_of(Operation operation) {
  return kOperations[static_cast<std::size_t>(operation)];
}

std::string_view name_of(Algorithm algorithm) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)];
}

std::vector<Key> run_keys() {
  std::vector<Key> keys(network_keys().begin(), network_keys().end());
  keys.insert(keys.end(), nic_keys().begin(), nic_keys().end());
  keys.insert(keys.end(), kKeys.begin(), kKeys.end());
  return keys;
}

Scenario Scenario::read(const std::filesystem::path& file, std::span<const Override> overrides) {
  Scenario s;
  s.settings = Settings(run_keys());
  s.settings.read(file);
  for (const Override& o : overrides) s.settings.set(o);
  s.name = s.settings.name(file.stem().string());
  s.network = read_network(s.settings);
  s.nic = read_nic(s.settings, s.network);
  s.firmware = read_firmware(s.settings, file);
  s.operation = static_cast<Operation>(s.settings.choice("collective.operation", kOperations, 0));
  s.algorithm = static_cast<Algorithm>(s.settings.choice("collective.algorithm", kAlgorithms, 0));
  s.root = read_root(s.settings);
  s.payload = s.settings.text("collective.payload");
  if (s.settings.has("limits.cycles")) {
    const std::int64_t cycles = s.settings.find("limits.cycles")->integer;
    if (cycles < 1) s.settings.refuse("limits.cycles", "at least 1 cycle");
    s.cycle_limit = static_cast<Cycle>(cycles);
  }
  s.validate();
  return s;
}

void Scenario::validate() const {
  if (network.dims() != 2) {
    throw InputError(origin("network.size"), describe_network(network),
                     "two dimensions: the firmware's collectives are for 2D meshes");
  }
  if (network.router.has_rings()) {
    throw InputError(origin("network.topology"), describe_network(network),
                     "a mesh: the firmware's collectives are for 2D meshes");
  }
  if (root.x >= network.size[0] || root.y >= network.size[1]) {
    throw InputError(origin("collective.root"), fmt::format("{},{}", root.x, root.y),
                     fmt::format("a node of the {}x{} mesh: 0,0 to {},{}", network.size[0],
                                 network.size[1], network.size[0] - 1, network.size[1] - 1));
  }
  if (payload.empty()) {
    throw InputError(origin("collective.payload"), "nothing", "the path of the file to broadcast");
  }
  if (algorithm == Algorithm::kEdn) {
    const int n = network.size[0];
    const bool power_of_two = (n & (n - 1)) == 0;
    if (n != network.size[1] || n < 4 || !power_of_two) {
      throw InputError(origin("collective.algorithm"),
                       fmt::format("\"edn\" on {}x{}", network.size[0], network.size[1]),
                       "a square mesh of 4, 8, 16, 32, 64, 128 or 256 for \"edn\"; "
                       "\"recursive-doubling\" fits every size");
    }
  }
}

}  // namespace annelid::cli
