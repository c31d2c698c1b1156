// Exchange by MPI. This file is a shared object of its own, which the program loads when mpirun has
// started it (cli/processes.cpp). So nothing else needs MPI.
#include "base/exchange.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

namespace annelid {
namespace {

void check(int status, const char* what) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  throw std::runtime_error(std::string(what) + ": " +
                           std::string(text.data(), static_cast<std::size_t>(length)));
}

int count_of(std::size_t items) {
  if (items > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::runtime_error("a message of more than 2^31 words or bytes");
  }
  return static_cast<int>(items);
}

class MpiExchange final : public Exchange {
 public:
  MpiExchange() {
    share_cores();
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &process_);
    MPI_Comm_size(MPI_COMM_WORLD, &processes_);
  }
  MpiExchange(const MpiExchange&) = delete;
  MpiExchange& operator=(const MpiExchange&) = delete;
  ~MpiExchange() override {
    for (auto& each : requests_) {
      for (MPI_Request& request : each) MPI_Request_free(&request);
    }
    MPI_Finalize();
  }

  int process() const override { return process_; }
  int processes() const override { return processes_; }
  Traffic traffic() const override { return traffic_; }

  // Each message has one part of fixed size, by persistent requests, and what does not fit in it
  // follows. The first word says how many words there are.
  void swap(std::span<Link> links) override {
    if (buffers_ == nullptr) connect(links);
    const int count = count_of(links.size());
    std::vector<MPI_Request> rest;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const std::vector<std::uint32_t>& out = links[i].out;
      Part& part = buffers_[i].out;
      part[0] = static_cast<std::uint32_t>(count_of(out.size()));
      std::copy_n(out.begin(), std::min(out.size(), kInPart), &part[1]);
      ++traffic_.messages;
      traffic_.bytes += sizeof part;
      if (out.size() <= kInPart) continue;
      const std::size_t words = out.size() - kInPart;
      check(MPI_Isend(&out[kInPart], count_of(words), MPI_UINT32_T, links[i].peer,
                      links[i].send_tag + kRest, MPI_COMM_WORLD, &rest.emplace_back()),
            "MPI_Isend");
      ++traffic_.messages;
      traffic_.bytes += words * sizeof(std::uint32_t);
    }
    ++traffic_.swaps;
    check(MPI_Startall(count, requests_[0].data()), "MPI_Startall");
    check(MPI_Startall(count, requests_[1].data()), "MPI_Startall");
    wait(requests_[1]);
    for (std::size_t i = 0; i < links.size(); ++i) {
      std::vector<std::uint32_t>& in = links[i].in;
      const Part& part = buffers_[i].in;
      in.resize(part[0]);
      std::copy_n(&part[1], std::min(in.size(), kInPart), in.begin());
      if (in.size() <= kInPart) continue;
      check(MPI_Irecv(&in[kInPart], count_of(in.size() - kInPart), MPI_UINT32_T, links[i].peer,
                      links[i].receive_tag + kRest, MPI_COMM_WORLD, &rest.emplace_back()),
            "MPI_Irecv");
    }
    wait(requests_[0]);
    wait(rest);
  }

  void least(std::span<std::uint64_t> values) override { reduce(values, MPI_MIN); }
  void begin_least(std::span<std::uint64_t> values) override {
    check(MPI_Iallreduce(MPI_IN_PLACE, values.data(), count_of(values.size()), MPI_UINT64_T,
                         MPI_MIN, MPI_COMM_WORLD, &least_),
          "MPI_Iallreduce");
  }
  void end_least() override { wait({&least_, 1}); }
  void sum(std::span<std::uint64_t> values) override { reduce(values, MPI_SUM); }

  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
    if (process_ != 0) {
      std::uint64_t size = bytes.size();
      send(&size, 1, MPI_UINT64_T);
      for (std::size_t at = 0; at < bytes.size(); at += kAtOnce) {
        send(&bytes[at], count_of(std::min(kAtOnce, bytes.size() - at)), MPI_BYTE);
      }
      return {};
    }
    std::vector<std::vector<std::byte>> all(static_cast<std::size_t>(processes_));
    all[0].assign(bytes.begin(), bytes.end());
    for (int from = 1; from < processes_; ++from) {
      std::uint64_t size = 0;
      receive(&size, 1, MPI_UINT64_T, from);
      std::vector<std::byte>& part = all[static_cast<std::size_t>(from)];
      part.resize(size);
      for (std::size_t at = 0; at < part.size(); at += kAtOnce) {
        receive(&part[at], count_of(std::min(kAtOnce, part.size() - at)), MPI_BYTE, from);
      }
    }
    return all;
  }

  [[noreturn]] void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();  // never: MPI_Abort does not return
  }

 private:
  /// With MPI's own header still an eager message of Open MPI in shared memory, whose limit is
  /// 4,096 bytes.
  static constexpr std::size_t kInPart = 959;
  using Part = std::array<std::uint32_t, 1 + kInPart>;
  static constexpr int kRest = 1 << 10, kGather = 1 << 11;  // tags
  static constexpr std::size_t kAtOnce = std::size_t{1} << 30;
  struct Buffers {
    Part out, in;
  };

  /// MPI looks for messages all the time that it waits. Where there are more processes than cores,
  /// each must give its core to the others while it looks. Open MPI does so if it thinks that there
  /// are too many, but what it knows of the cores depends on how it was started.
  static void share_cores() {
    const char* const here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (here == nullptr || std::atoi(here) <= sysconf(_SC_NPROCESSORS_ONLN)) return;
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  }

  static void wait(std::span<MPI_Request> requests) {
    check(MPI_Waitall(count_of(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
  }

  static void reduce(std::span<std::uint64_t> values, MPI_Op op) {
    check(MPI_Allreduce(MPI_IN_PLACE, values.data(), count_of(values.size()), MPI_UINT64_T, op,
                        MPI_COMM_WORLD),
          "MPI_Allreduce");
  }

  /// To process 0.
  static void send(const void* data, int count, MPI_Datatype type) {
    check(MPI_Send(data, count, type, 0, kGather, MPI_COMM_WORLD), "MPI_Send");
  }
  static void receive(void* data, int count, MPI_Datatype type, int from) {
    check(MPI_Recv(data, count, type, from, kGather, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "MPI_Recv");
  }

  void connect(std::span<Link> links) {
    buffers_ = std::make_unique<Buffers[]>(links.size());
    for (auto& each : requests_) each.resize(links.size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < links.size(); ++i) {
      constexpr int kWords = 1 + kInPart;
      check(MPI_Send_init(buffers_[i].out.data(), kWords, MPI_UINT32_T, links[i].peer,
                          links[i].send_tag, MPI_COMM_WORLD, &requests_[0][i]),
            "MPI_Send_init");
      check(MPI_Recv_init(buffers_[i].in.data(), kWords, MPI_UINT32_T, links[i].peer,
                          links[i].receive_tag, MPI_COMM_WORLD, &requests_[1][i]),
            "MPI_Recv_init");
    }
  }

  int process_ = 0, processes_ = 1;
  Traffic traffic_;
  std::unique_ptr<Buffers[]> buffers_;                // by link
  std::array<std::vector<MPI_Request>, 2> requests_;  // to send, to receive; by link
  MPI_Request least_ = MPI_REQUEST_NULL;
};

}  // namespace
}  // namespace annelid

/// The only symbol that the program asks for.
extern "C" annelid::Exchange* annelid_join_ranks() { return new annelid::MpiExchange; }
