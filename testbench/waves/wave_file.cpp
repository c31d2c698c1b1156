#include "testbench/waves/wave_file.hpp"

#include <fstapi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>

namespace annelid::waves {
namespace {

/// Without the colour that GTKWave gives the box: "?DarkCyan?H 2,0>5,3 #17".
std::string plain(const std::string& text) {
  return text.starts_with('?') ? text.substr(text.find('?', 1) + 1) : text;
}

}  // namespace

WaveFile::WaveFile(const std::filesystem::path& path) {
  void* reader = fstReaderOpen(path.c_str());
  if (reader == nullptr) throw std::runtime_error("no FST file: " + path.string());
  begin_ = fstReaderGetStartTime(reader);
  end_ = fstReaderGetEndTime(reader);
  std::vector<std::string> scopes{""};
  while (const fstHier* item = fstReaderIterateHier(reader)) {
    if (item->htyp == FST_HT_SCOPE) scopes.push_back(scopes.back() + item->u.scope.name + ".");
    if (item->htyp == FST_HT_UPSCOPE) scopes.pop_back();
    if (item->htyp != FST_HT_VAR) continue;
    const std::string name = scopes.back() + item->u.var.name;
    if (!handles_.emplace(name, item->u.var.handle).second) {
      throw std::runtime_error("two signals have the name " + name);
    }
  }
  fstReaderSetFacProcessMaskAll(reader);
  const auto fixed_length = [](void* self, std::uint64_t time, fstHandle handle,
                               const unsigned char* value) {
    note(self, time, handle, value,
         static_cast<std::uint32_t>(std::strlen(reinterpret_cast<const char*>(value))));
  };
  fstReaderIterBlocks2(reader, fixed_length, note, this, nullptr);
  fstReaderClose(reader);
}

void WaveFile::note(void* self, std::uint64_t time, std::uint32_t handle,
                    const unsigned char* value, std::uint32_t length) {
  static_cast<WaveFile*>(self)->changes_[handle].push_back(
      {time, plain(std::string(reinterpret_cast<const char*>(value), length))});
}

std::vector<std::string> WaveFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, handle] : handles_) names.push_back(name);
  return names;
}

const std::vector<WaveFile::Change>& WaveFile::changes(const std::string& name) const {
  const auto handle = handles_.find(name);
  if (handle == handles_.end()) throw std::out_of_range("no signal " + name);
  return changes_.at(handle->second);
}

std::string WaveFile::text(const std::string& name, std::uint64_t time) const {
  const auto& all = changes(name);
  const auto later = std::upper_bound(all.begin(), all.end(), time,
                                      [](std::uint64_t t, const Change& c) { return t < c.time; });
  if (later == all.begin()) {
    ADD_FAILURE() << name << " has no value at " << time;
    return "?";
  }
  return std::prev(later)->value;
}

std::uint64_t WaveFile::bits(const std::string& name, std::uint64_t time) const {
  return std::stoull(text(name, time), nullptr, 2);
}

}  // namespace annelid::waves
