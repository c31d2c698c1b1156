#include "simulation/recordings/flit_log_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/parse_number.hpp"
#include "base/split.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "systemc/network/route.hpp"
#include "timeline/waits.hpp"

namespace annelid::simulation {
namespace {

constexpr std::string_view kNetworkLine = "# network: ";
constexpr std::size_t kLinesBetweenProgress = 1'000'000;

std::string in_quotes(std::string_view text) { return fmt::format("\"{}\"", text); }

class Reader {
 public:
  Reader(const std::filesystem::path& file, Progress& progress, const timeline::Recorded& recorded)
      : file_(file),
        in_(open_text(file, file.string(), "a flit log")),
        progress_(progress),
        recorded_(recorded) {}

  timeline::RecordedRun read() {
    read_header();
    timeline::JourneyRecorder recorder(network_, recorded_);
    systemc::PacketInfo info;
    do {
      if (line_ % kLinesBetweenProgress == 0) {
        progress_.show(fmt::format("{}: {} lines", file_.string(), line_));
      }
      systemc::ChannelFlit flit = parse(info);
      if (flit.cycle < cycle_) refuse("cycle", std::to_string(flit.cycle), "ascending cycles");
      cycle_ = flit.cycle;
      try {
        recorder.flit(flit);
      } catch (const std::invalid_argument& error) {
        refuse("flit", error.what(), "the flits of whole packets, from their injection");
      }
    } while (next());
    progress_.clear();
    timeline::RecordedRun run = recorder.take();
    timeline::find_waits(run);
    run.title = title_;
    run.network_text = network_text(network_);
    return run;
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& found,
                           const std::string& expected) const {
    throw InputError(fmt::format("{}:{}: {}", file_.string(), line_, what), found, expected);
  }

  bool next() {
    ++line_;
    return static_cast<bool>(std::getline(in_, text_));
  }

  /// Leaves the first line of a flit in text_.
  void read_header() {
    std::optional<std::string> options;
    bool more = false;
    while ((more = next()) && text_.starts_with('#')) {
      if (text_.starts_with(kNetworkLine)) {
        options = text_.substr(kNetworkLine.size());
        read_options(*options);
      } else if (title_.empty()) {
        title_ = text_.substr(text_.starts_with("# ") ? 2 : 1);
      }
    }
    if (!options)
      refuse("header", "no line with the network", in_quotes(kNetworkLine) + "and options");
    if (!more) refuse("line", "the end of the file", "a flit");
    for (unsigned c = 0; c < systemc::kFirstInjection; ++c) {
      if (c < static_cast<unsigned>(network_.router.ports())) add_channel(c);
    }
    for (int l = 0; l < network_.router.local_ports; ++l) add_channel(systemc::kFirstInjection + l);
  }

  void add_channel(unsigned channel) {
    const auto id = static_cast<systemc::ChannelId>(channel);
    channels_.emplace(channel_name(network_.router, id), id);
  }

  void read_options(const std::string& text) {
    const auto keys = network_keys();
    Settings settings({keys.begin(), keys.end()});
    const auto words = split(text, " ");
    for (std::size_t w = 0; w < words.size(); w += 2) {
      const auto key = std::ranges::find(keys, words[w], &Key::option);
      if (key == keys.end()) refuse("network", in_quotes(words[w]), "options of annelid run");
      const std::string origin = fmt::format("{}:{}: {}", file_.string(), line_, words[w]);
      if (w + 1 == words.size()) throw InputError(origin, "nothing", key->shape);
      const std::string value(words[w + 1]);
      const auto parsed = parse_value(key->kind, value);
      if (!parsed) throw InputError(origin, in_quotes(value), key->shape);
      settings.set(key->name, *parsed, origin);
    }
    network_ = read_whole_network(settings);
  }

  template <typename Number>
  Number number(const char* what, std::string_view text, Number most, int base = 10) const {
    const auto n = parse_number<Number>(text, base);
    if (!n || *n > most) refuse(what, in_quotes(text), fmt::format("a number from 0 to {}", most));
    return *n;
  }

  [[nodiscard]] NodeId node(std::string_view text) const {
    const auto coordinates = split(text, ",");
    const int dims = std::max(2, network_.dims());
    if (coordinates.size() != static_cast<std::size_t>(dims)) {
      refuse("node", in_quotes(text), "a node's coordinates");
    }
    Address address;
    for (int d = 0; d < dims; ++d) {
      address[d] = number<std::uint8_t>("node", coordinates[static_cast<std::size_t>(d)],
                                        network_.last()[d]);
    }
    return network_.id(address);
  }

  systemc::ChannelFlit parse(systemc::PacketInfo& info) const {
    const auto words = split(text_, " ");
    if (words.size() < 6) {
      refuse("line", fmt::format("{} words", words.size()), "cycle node channel vc kind data");
    }
    systemc::ChannelFlit f;
    f.cycle = number<Cycle>("cycle", words[0], kNever - 1);
    f.node = node(words[1]);
    const auto channel = channels_.find(words[2]);
    if (channel == channels_.end())
      refuse("channel", in_quotes(words[2]), "+x, -x, ..., ej0, inj0");
    f.channel = channel->second;
    if (f.channel < network_.router.external_ports() &&
        !receiver_of(network_, network_.address(f.node), f.channel)) {
      refuse("channel", in_quotes(words[2]), "a channel to a neighbour of the node");
    }
    f.flit.vc = number<Vc>("vc", words[3], static_cast<Vc>(vcs_of(f.channel) - 1));
    constexpr std::string_view kKinds = "BTHS";
    const std::size_t kind = words[4].size() == 1 ? kKinds.find(words[4]) : std::string_view::npos;
    if (kind == std::string_view::npos) refuse("kind", in_quotes(words[4]), "H, B, T or S");
    f.flit.head = (kind & 2U) != 0;
    f.flit.tail = (kind & 1U) != 0;
    f.flit.data = number<std::uint64_t>("data", words[5], ~std::uint64_t{0}, 16);
    if (!f.flit.head) {
      if (words.size() != 6) refuse("line", in_quotes(words[6]), "nothing behind the data");
      return f;
    }
    const systemc::HeadFields head = systemc::unpack_head(f.flit.data);
    const std::string way = fmt::format("{}>{} {}", node_name(network_.router, head.source),
                                        node_name(network_.router, head.destination), head.tag);
    const std::string found = words.size() < 8 ? "" : fmt::format("{} {}", words[6], words[7]);
    if (found != way || !network_.contains(head.source) || !network_.contains(head.destination)) {
      refuse("head", in_quotes(found), in_quotes(way) + ", as the data say, in the network");
    }
    f.info = label(words, head, info) ? &info : nullptr;
    return f;
  }

  /// What the NIC told of the packet.
  bool label(const std::vector<std::string_view>& words, const systemc::HeadFields& head,
             systemc::PacketInfo& info) const {
    if (words.size() == 8) return false;
    info = {.head = head};
    info.control = words[8] == "control" && words.size() == 9;
    if (info.control) return true;
    if (words.size() != 12 || words[8] != "step" || words[10] != "bytes") {
      refuse("head", in_quotes(words[8]), "\"step N bytes N\" or \"control\"");
    }
    info.step = number<std::uint32_t>("step", words[9], ~0U);
    info.bytes = number<std::uint32_t>("bytes", words[11], ~0U);
    return true;
  }

  [[nodiscard]] int vcs_of(systemc::ChannelId channel) const {
    const systemc::RouterConfig& router = network_.router;
    return channel >= systemc::kFirstInjection ? router.all_local_vcs()
                                               : router.output_vcs(channel);
  }

  const std::filesystem::path& file_;
  std::ifstream in_;
  Progress& progress_;
  const timeline::Recorded& recorded_;
  std::string text_, title_;
  std::size_t line_ = 0;
  Cycle cycle_ = 0;
  systemc::NetworkConfig network_;
  std::map<std::string, systemc::ChannelId, std::less<>> channels_;
};

}  // namespace

std::string flit_log_header(const std::string& title, const systemc::NetworkConfig& network) {
  std::string line = title;
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return fmt::format("# {}\n{}{}\n", line, kNetworkLine, network_options(network));
}

timeline::RecordedRun read_flit_log(const std::filesystem::path& file, Progress& progress,
                                    const timeline::Recorded& recorded) {
  return Reader(file, progress, recorded).read();
}

std::string network_text(const systemc::NetworkConfig& network) {
  return describe_network(network) + "; router: " + describe_router(network);
}

}  // namespace annelid::simulation
