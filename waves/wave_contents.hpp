// What a waveform of this program holds: nodes, ports, channels, messages. Read from the file
// alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "waves/fst_reader.hpp"

namespace annelid::waves {

/// A flit of a message on a channel, of text "H 2,0>5,3 #17".
struct WaveFlit {
  std::uint64_t time = 0;
  char kind = 'B';     ///< H, B, T, S; ' ' for none
  std::string packet;  ///< "2,0>5,3 #17"; "" if its head was not seen
};

/// A packet as it is injected.
struct WaveMessage {
  std::size_t number = 0;  ///< from 1, by time, node and port; control packets have none
  std::string packet, node, port;
  std::uint32_t step = 0;
  std::uint64_t time = 0;
};

class WaveContents {
 public:
  /// Throws InputError if it is no waveform, or not one of this program.
  explicit WaveContents(const std::filesystem::path& path);

  [[nodiscard]] std::uint64_t begin() const { return file_.begin(); }
  [[nodiscard]] std::uint64_t end() const { return file_.end(); }
  /// Scopes of the nodes, "noc.n_2_0", and of a node's ports, "noc.n_2_0.xp"; in their order.
  [[nodiscard]] const std::vector<std::string>& nodes() const { return nodes_; }
  [[nodiscard]] std::vector<std::string> ports(const std::string& node) const;
  /// How a node is written, "2,0", and its scope, which need not be in the file.
  [[nodiscard]] static std::string text_of(const std::string& node);
  [[nodiscard]] static std::string scope_of(std::string_view text);

  [[nodiscard]] bool has(const std::string& name) const { return signals_.contains(name); }
  /// Full names, range included, that begin like this, in the file's order.
  [[nodiscard]] std::vector<std::string> names(const std::string& prefix) const;
  /// Changes of a signal, and its value at a time. Throws InputError if the file does not have it.
  [[nodiscard]] const std::vector<FstReader::Change>& changes(const std::string& name);
  [[nodiscard]] std::string value(const std::string& name, std::uint64_t time);
  /// Reads these signals at once: one pass over the file instead of one for each. Throws
  /// InputError if the file does not have one.
  void load(const std::vector<std::string>& names);

  /// All channels, each once, by the name of its flit signal: outputs, and injection channels.
  [[nodiscard]] std::vector<std::string> channels() const;
  /// "noc.n_3_0.xm.in." for "noc.n_2_0.xp.out.flit": the receiver's end; "" if it is not there.
  [[nodiscard]] std::string receiver(const std::string& channel) const;
  [[nodiscard]] std::vector<WaveFlit> flits(const std::string& channel);
  /// In the order of their numbers.
  [[nodiscard]] std::vector<WaveMessage> messages();

 private:
  [[nodiscard]] std::uint32_t signal_of(const std::string& name) const;

  std::filesystem::path path_;
  FstReader file_;
  std::map<std::string, std::uint32_t> signals_;
  std::vector<std::string> nodes_;
  std::map<std::uint32_t, std::vector<FstReader::Change>> loaded_;
};

}  // namespace annelid::waves
