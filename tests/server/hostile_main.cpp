// ambit_server_hostile: sends requests that the page never sends. The server must keep running and answering. Its
// memory must not grow, and its folder must not change.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/server/hostile.h"
#include "tests/server/served.h"
#include "tests/support/files.h"
#include "tests/support/tool_options.h"

namespace {

using ambit::serving::Connection;
using ambit::serving::Hostile;
using ambit::serving::Served;
using Json = nlohmann::json;

/// After the first tenth of the requests, memory may grow by at most this many bytes. The limit is above 0 because the
/// C library's heaps grow with concurrent requests. Memory for stored answers is allocated at the start.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kGrowth = std::uint64_t{1} << 30U;  // the sanitizer delays the reuse of freed memory
#else
constexpr std::uint64_t kGrowth = std::uint64_t{8} << 20U;
#endif
/// Limit on open file descriptors. Each slow sender needs a connection, and each child process needs pipes.
constexpr std::size_t kDescriptors = 128;

constexpr const char* kTest = R"(CUDA mp
{ global int x = 0, f = 0; }
P0 @ block 0 { x = 1; store(f, 1, release, device); }
P1 @ block 1 { int r0 = load(f, acquire, device); int r1 = -1; if (r0 == 1) r1 = x; }
exists (P1:r0 == 1 && P1:r1 == 0)
)";

/// Returns the error in the answer to a valid request; empty if the answer is right. Message passing by release and
/// acquire is correct and has no race (PTX ISA 8.8).
std::string fault_of_good_request(int port, std::size_t which) {
  Connection connection(port);
  const Json request{{"do", "check"}, {"text", kTest}, {"models", {"ptx"}}, {"which", which}};
  connection.send(ambit::serving::post(request.dump()));
  std::string response = connection.response(120).value_or("no response");
  const std::string body = response.substr(std::min(response.size(), response.find("\r\n\r\n")));
  const Json json = Json::parse(body, nullptr, false);
  if (!json.is_object() || !json.contains("results")) return response;
  const Json& result = json["results"][0];
  return result.value("frequency", "") == "Never" && !result.value("race", true) ? "" : response;
}

std::vector<std::string> texts_in(const std::string& folder) {
  std::vector<std::string> texts;
  for (const auto& path : ambit::test::files_in(folder, {".litmus"})) texts.push_back(ambit::test::contents(path));
  return texts;
}

int fail(const std::string& what) {
  fmt::print(stderr, "FAILED: {}\n", what);
  return 1;
}

/// The resident memory of the server, and of the worker process that forks a copy for each answer.
struct Memory {
  std::uint64_t server;
  std::uint64_t worker;
};

Memory memory_of(const Served& server) { return {server.memory(), server.worker_memory()}; }

std::string text_of(const Memory& memory) {
  const auto mebibytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / (1U << 20U); };
  return fmt::format("resident {:.1f} MiB, worker {:.1f} MiB", mebibytes(memory.server), mebibytes(memory.worker));
}

/// Returns the error after this number of requests; empty if there is no error.
std::string fault_after(Served& server, std::size_t requests) {
  if (!server.is_running()) return fmt::format("the server is gone after {} requests", requests);
  const std::string good = fault_of_good_request(server.port(), requests);
  return good.empty() ? ""
                      : fmt::format("after {} other requests, a good request got a wrong answer: {}", requests, good);
}

int run(Served& server, Hostile& hostile, std::size_t requests) {
  if (!server.is_running()) return fail("the server did not start");
  const std::uint64_t folder = server.folder();
  Memory early = memory_of(server);
  fmt::print("at the start: {}\n", text_of(early));
  for (std::size_t i = 1; i <= requests; ++i) {
    const std::string fault = hostile.attack(server.port());
    if (!fault.empty()) return fail(fmt::format("request {}: {}", i, fault));
    if (i % 100 != 0 && i != requests) continue;
    if (const std::string wrong = fault_after(server, i); !wrong.empty()) return fail(wrong);
    if (i <= requests / 10) early = memory_of(server);
    if (i % 1000 != 0) continue;
    fmt::print("{} requests: {}, {} descriptors\n", i, text_of(memory_of(server)), server.descriptors());
    std::fflush(stdout);
  }
  for (std::size_t kind = 0; kind < Hostile::kKinds; ++kind) {
    fmt::print("  {:<24}{:>6}\n", Hostile::names()[kind], hostile.counts()[kind]);
  }
  const Memory late = memory_of(server);
  fmt::print("{} requests: {} after a tenth of them; {} at the end; {} descriptors; folder {}\n", requests,
             text_of(early), text_of(late), server.descriptors(), server.folder() == folder ? "untouched" : "CHANGED");
  if (late.server > early.server + kGrowth) return fail("the server's memory grows");
  if (late.worker > early.worker + kGrowth) return fail("its worker's memory grows");
  if (server.descriptors() > kDescriptors) return fail("the server leaves files open");
  if (server.folder() != folder) return fail("the server's folder has changed");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t requests = 300;
  std::uint64_t seed = 1;
  const std::vector<std::string> arguments = ambit::test::read_tool_options(
      argc, argv,
      "ambit_server_hostile [--requests N] [--seed N] AMBIT FOLDER\n"
      "Sends requests that no page would send to the server of AMBIT. Makes the requests from tests in FOLDER.",
      {{"requests", &requests}, {"seed", &seed}}, 2);
  Served server(arguments[0], "--timeout 2 --memory 512MiB");
  Hostile hostile(texts_in(arguments[1]), seed);
  return run(server, hostile, requests);
}
