// Many users of the playground at the same time: `ambit_server_load AMBIT FOLDER [--users N] [--rounds N] [--pause
// MS]`; or one after the other, each test and each tab: `--each`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "served.h"

namespace {

using ambit::serving::Connection;
using ambit::serving::Served;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr double kSlow = 300;  // milliseconds

struct Test {
  std::string path;
  std::string text;
};

std::vector<Test> tests_in(const std::string& folder) {
  std::vector<Test> tests;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".litmus" || entry.path().string().find("generate") != std::string::npos) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    tests.push_back({fs::relative(entry.path(), folder).string(),
                     std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>())});
  }
  std::sort(tests.begin(), tests.end(), [](const Test& a, const Test& b) { return a.path < b.path; });
  return tests;
}

/// Milliseconds of one request on a new connection; negative: it got no answer.
double ask(const Served& server, const Json& request) {
  const auto begin = Clock::now();
  Connection connection(server.port());
  connection.send(ambit::serving::post(request.dump()));
  const std::string response = connection.response(60).value_or("");
  const double time = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  const bool is_good = ambit::serving::status_of(response) == 200 && response.find("\"stopped: ") == std::string::npos;
  return is_good ? time : -1;
}

double share(const std::vector<double>& sorted, double part) {
  return sorted.empty() ? 0 : sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * part)];
}

/// Each asks for a verdict, reads it for a while, asks for the next one. No two ask the same, so that no answer is
/// kept.
void load(const Served& server, const std::vector<Test>& tests, std::size_t users, std::size_t rounds, int pause) {
  std::mutex mutex;
  std::vector<double> times;
  std::size_t errors = 0;
  const std::uint64_t before = server.memory();
  {
    std::vector<std::jthread> threads;
    for (std::size_t user = 0; user < users; ++user) {
      threads.emplace_back([&, user] {
        for (std::size_t round = 0; round < rounds; ++round) {
          const Test& test = tests[(user + round * users) % tests.size()];
          const double time = ask(server, {{"do", "check"}, {"text", test.text}, {"user", user}, {"round", round}});
          std::this_thread::sleep_for(std::chrono::milliseconds(pause));
          const std::lock_guard<std::mutex> lock(mutex);
          if (time < 0) {
            ++errors;
          } else {
            times.push_back(time);
          }
        }
      });
    }
  }
  std::sort(times.begin(), times.end());
  fmt::print(
      "{} users, {} requests of {} tests, {} errors; median {:.0f} ms, p99 {:.0f} ms, longest {:.0f} ms; resident {} "
      "-> {} MiB\n",
      users, times.size() + errors, tests.size(), errors, share(times, 0.5), share(times, 0.99), share(times, 1),
      before >> 20U, server.memory() >> 20U);
}

void each(const Served& server, const std::vector<Test>& tests) {
  for (const char* what : {"check", "outcomes", "explain", "graph", "step", "detect"}) {
    std::vector<double> times;
    std::string slow;
    for (const Test& test : tests) {
      Json request{{"do", what}, {"text", test.text}};
      if (std::string(what) == "detect") request["finish"] = true;
      const double time = ask(server, request);
      times.push_back(time < 0 ? 1e6 : time);
      if (times.back() > kSlow) slow += fmt::format("    {:>8.0f} ms  {}\n", times.back(), test.path);
    }
    std::sort(times.begin(), times.end());
    const auto over = std::count_if(times.begin(), times.end(), [](double time) { return time > kSlow; });
    fmt::print("{}: {} tests, median {:.0f} ms, p99 {:.0f} ms, longest {:.0f} ms, {} over {:.0f} ms\n{}", what,
               tests.size(), share(times, 0.5), share(times, 0.99), share(times, 1), over, kSlow, slow);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Many users of the playground"};
  std::string ambit;
  std::string folder;
  std::size_t users = 50;
  std::size_t rounds = 8;
  int pause = 500;
  bool one_by_one = false;
  app.add_option("AMBIT", ambit, "The program that serves")->required()->check(CLI::ExistingFile);
  app.add_option("FOLDER", folder, "The tests that they ask about")->required()->check(CLI::ExistingDirectory);
  app.add_option("--users", users, "At the same time")->capture_default_str();
  app.add_option("--rounds", rounds, "Requests of each")->capture_default_str();
  app.add_option("--pause", pause, "Milliseconds that a user reads an answer")->capture_default_str();
  app.add_flag("--each", one_by_one, "Ask one after the other, each test and each tab");
  CLI11_PARSE(app, argc, argv);
  Served server(ambit, "--timeout 10");
  if (!server.is_running()) {
    fmt::print(stderr, "the server did not start\n");
    return 1;
  }
  const std::vector<Test> tests = tests_in(folder);
  if (one_by_one) {
    each(server, tests);
  } else {
    load(server, tests, users, rounds, pause);
  }
  return 0;
}
