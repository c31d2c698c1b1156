// The contents of a waveform of this program: nodes, ports, channels and messages. They are read
// from the file alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "waves/fst_reader.hpp"

namespace annelid::waves {

/// A flit of a message on a channel, from a text such as "H 2,0>5,3 #17".
struct WaveFlit {
  std::uint64_t time = 0;
  char kind = 'B';     ///< H, B, T or S; ' ' for none
  std::string packet;  ///< "2,0>5,3 #17"; "" if its head was not seen
};

/// A packet at its injection.
struct WaveMessage {
  std::size_t number = 0;  ///< from 1, by time, node and port; control packets have no number
  std::string packet, node, port;
  std::uint32_t step = 0;
  std::uint64_t time = 0;
};

class WaveContents {
 public:
  /// Throws InputError if the file is not a waveform of this program.
  explicit WaveContents(const std::filesystem::path& path);

  [[nodiscard]] std::uint64_t begin() const { return file_.begin(); }
  [[nodiscard]] std::uint64_t end() const { return file_.end(); }
  /// The scopes of the nodes, such as "noc.n_2_0", and of a node's ports, such as "noc.n_2_0.xp",
  /// in order.
  [[nodiscard]] const std::vector<std::string>& nodes() const { return nodes_; }
  [[nodiscard]] std::vector<std::string> ports(const std::string& node) const;
  /// Converts a node's scope to its text "2,0", and back. The scope need not be in the file.
  [[nodiscard]] static std::string text_of(const std::string& node);
  [[nodiscard]] static std::string scope_of(std::string_view text);

  [[nodiscard]] bool has(const std::string& name) const { return signals_.contains(name); }
  /// The full names, with range, that begin with `prefix`, in the file's order.
  [[nodiscard]] std::vector<std::string> names(const std::string& prefix) const;
  /// The changes of a signal, and its value at a time. Throws InputError if the file does not
  /// contain the signal.
  [[nodiscard]] const std::vector<FstReader::Change>& changes(const std::string& name);
  [[nodiscard]] std::string value(const std::string& name, std::uint64_t time);
  /// Reads these signals in one pass over the file, instead of one pass for each. Throws InputError
  /// if the file does not contain one of them.
  void load(const std::vector<std::string>& names);

  /// All channels (outputs and injection channels), each once, by the name of its flit signal.
  [[nodiscard]] std::vector<std::string> channels() const;
  /// The receiver's end of a channel: "noc.n_3_0.xm.in." for "noc.n_2_0.xp.out.flit"; "" if it is
  /// not in the file.
  [[nodiscard]] std::string receiver(const std::string& channel) const;
  [[nodiscard]] std::vector<WaveFlit> flits(const std::string& channel);
  /// All messages, in the order of their numbers.
  [[nodiscard]] std::vector<WaveMessage> messages();

 private:
  /// Whether this is the flit signal of an injection channel. A one-port router's is at a through
  /// port.
  [[nodiscard]] bool is_injection(const std::string& name) const;
  [[nodiscard]] std::uint32_t signal_of(const std::string& name) const;

  std::filesystem::path path_;
  FstReader file_;
  std::map<std::string, std::uint32_t> signals_;
  std::vector<std::string> nodes_;
  std::map<std::uint32_t, std::vector<FstReader::Change>> loaded_;
};

}  // namespace annelid::waves
