// Operations on the modelled NICs and routers, as RV32 program and built for the host.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <ostream>
#include <vector>

#include "firmware/image.hpp"
#include "testbench/firmware/support/firmware_mesh.hpp"

namespace annelid {

using firmware::TestCall;
using reg::CallResult;
using Bytes = std::vector<std::uint8_t>;

struct NetworkShape {
  const char* name;
  std::array<int, 3> size;
  systemc::RouterConfig router;
  friend std::ostream& operator<<(std::ostream& out, const NetworkShape& s) {
    return out << s.name;
  }
};

inline constexpr std::uint32_t kSource = 0x1003, kTarget = 0x10005, kScratch = 0x20000;

class OperationsOnNetwork : public ::testing::TestWithParam<NetworkShape> {
 protected:
  static nic::NicConfig config() {
    nic::NicConfig config;
    config.network = {GetParam().size, GetParam().router};
    config.memory_bytes = 1 << 18;
    return config;
  }
  nic::Image image = nic::load_elf({firmware_image().begin(), firmware_image().end()});
  FirmwareMesh core{config(), &image, "core"};
  FirmwareMesh host{config(), nullptr, "host"};

  std::uint32_t nodes() const { return core.nodes(); }
  int side(int d) const { return GetParam().size[static_cast<std::size_t>(d)]; }

  /// Calls at all nodes of both networks; `before` is put at SOURCE, `after` expected at `result`.
  void check(TestCall call, const std::function<Bytes(std::uint32_t)>& before, std::uint32_t result,
             const std::function<Bytes(std::uint32_t)>& after) {
    SCOPED_TRACE(::testing::Message()
                 << "operation " << static_cast<int>(call.operation) << ", algorithm "
                 << static_cast<int>(call.algorithm) << ", count " << call.count);
    call.source = kSource;
    call.target = kTarget;
    call.scratch = kScratch;
    call.tag = ++tag_;
    for (FirmwareMesh* mesh : {&core, &host}) {
      std::vector<std::uint16_t> tickets;
      for (std::uint32_t n = 0; n < nodes(); ++n) {
        const Bytes data = before(n);
        mesh->nics[n]->memory().write(kSource, std::as_bytes(std::span(data)));
        tickets.push_back(mesh->call(n, call));
      }
      mesh->run();
      for (std::uint32_t n = 0; n < nodes(); ++n) {
        ASSERT_EQ(mesh->result(n, tickets[n]), CallResult::kSuccess)
            << "node " << n << mesh->waits();
        const Bytes expected = after(n);
        Bytes found(expected.size());
        mesh->nics[n]->memory().read(result, std::as_writable_bytes(std::span(found)));
        ASSERT_EQ(found, expected) << "node " << n;
      }
      EXPECT_EQ(mesh->log.failures, std::vector<std::string>{});
    }
    EXPECT_EQ(core.messages(true), host.messages(true));
    for (std::uint32_t n = 0; n < nodes(); ++n) {
      ASSERT_TRUE(core.memory(n) == host.memory(n)) << "node memory " << n;
    }
  }

  /// Blocks of `bytes`, of `from` for each of [first, first + count).
  static Bytes blocks(std::uint32_t from, std::uint32_t first, std::uint32_t count,
                      std::uint32_t bytes) {
    Bytes result;
    for (std::uint32_t to = first; to < first + count; ++to) append(result, from, to, bytes);
    return result;
  }
  static void append(Bytes& to_end, std::uint32_t from, std::uint32_t to, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < bytes; ++i) {
      to_end.push_back(
          static_cast<std::uint8_t>((from * 131 + to * 31 + i * 7 + 1) * 2654435761U >> 13));
    }
  }

 private:
  std::uint32_t tag_ = 0;
};

}  // namespace annelid
