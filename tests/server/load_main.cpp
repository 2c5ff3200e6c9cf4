// ambit_server_load: simulates many users of the playground at the same time, or one after the other.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <thread>

#include "tests/server/hostile.h"
#include "tests/server/served.h"
#include "tests/support/files.h"
#include "tests/support/tool_options.h"

namespace {

using ambit::serving::Connection;
using ambit::serving::Served;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr double kSlow = 300;  // milliseconds
constexpr double kFailed = 1e6;
constexpr std::array<const char*, 6> kTabs{"check", "outcomes", "explain", "graph", "step", "detect"};

struct Test {
  std::string path;
  std::string text;
};

std::vector<Test> tests_in(const std::string& folder) {
  std::vector<Test> tests;
  for (const fs::path& file : ambit::test::files_in(folder, {".litmus"})) {
    if (file.string().find("generate") != std::string::npos) continue;
    tests.push_back({fs::relative(file, folder).string(), ambit::test::contents(file)});
  }
  return tests;
}

/// Returns the page's request for a tab. `number` makes the request unique, so that the server has no stored answer for
/// the request.
Json request_of(const std::string& tab, const std::string& text, std::size_t number) {
  Json request{{"do", tab}, {"text", text}, {"ask", number}};
  if (tab == "detect") request["finish"] = true;
  return request;
}

/// Sends one request on a new connection. Returns the milliseconds until the answer, or kFailed if there was no answer.
double send_body(const Served& server, const Json& request) {
  const auto begin = Clock::now();
  Connection connection(server.port());
  connection.send(ambit::serving::post(request.dump()));
  const std::string response = connection.response(60).value_or("");
  const double time = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  const bool is_good = ambit::serving::status_of(response) == 200 && response.find("\"stopped: ") == std::string::npos;
  return is_good ? time : kFailed;
}

double share(const std::vector<double>& sorted, double part) {
  return sorted.empty() ? 0 : sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * part)];
}

std::string times_text(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto failed = std::count(times.begin(), times.end(), kFailed);
  times.resize(times.size() - static_cast<std::size_t>(failed));
  return fmt::format("{} answers, {} errors, median {:.0f} ms, p99 {:.0f} ms, longest {:.0f} ms", times.size(), failed,
                     share(times, 0.5), share(times, 0.99), share(times, 1));
}

/// Returns the machine's load in the last minute. A reader of the times needs to know this load.
std::string load_text() {
  std::ifstream in("/proc/loadavg");
  std::string text;
  in >> text;
  return "load " + text;
}

struct Users {
  std::size_t users = 50;
  std::size_t rounds = 22;
  int pause = 500;          ///< milliseconds
  std::size_t endless = 0;  ///< number of additional users, who send endless requests
};

/// The response times for each kind of request.
class Times {
 public:
  void add(const std::string& what, double time) {
    const std::lock_guard<std::mutex> lock(mutex_);
    times_[what].push_back(time);
    times_["all"].push_back(time);
  }
  const std::map<std::string, std::vector<double>>& all() const { return times_; }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<double>> times_;
};

/// Simulates one user. The user writes a test, reads the verdict, opens another tab, and continues with the next test.
void use(const Served& server, const std::vector<Test>& tests, const Users& users, std::size_t user, Times& times) {
  const auto look = [&](const std::string& tab, const std::string& text, std::size_t round) {
    times.add(tab, send_body(server, request_of(tab, text, user + round * users.users)));
  };
  for (std::size_t round = 0; round < users.rounds; ++round) {
    const std::string& text = tests[(user + round * users.users) % tests.size()].text;
    look("edit", text, round);
    look("check", text, round);
    std::this_thread::sleep_for(std::chrono::milliseconds(users.pause));
    look(kTabs[1 + (user + round) % (kTabs.size() - 1)], text, round);
    std::this_thread::sleep_for(std::chrono::milliseconds(users.pause));
  }
}

void load(const Served& server, const std::vector<Test>& tests, const Users& users) {
  std::vector<std::jthread> endless;
  for (std::size_t i = 0; i < users.endless; ++i) {
    endless.emplace_back([&, i](const std::stop_token& stop) {
      ambit::serving::Hostile hostile({}, i);
      while (!stop.stop_requested()) hostile.send_endless(server.port());
    });
  }
  Times times;
  const auto begin = Clock::now();
  const double used = server.processor_time();
  {
    std::vector<std::jthread> threads;
    for (std::size_t user = 0; user < users.users; ++user) {
      threads.emplace_back([&, user] { use(server, tests, users, user, times); });
    }
  }
  for (const auto& [what, all] : times.all()) fmt::print("{:<9} {}\n", what, times_text(all));
  fmt::print(
      "{} users of {} tests, {} more send endless requests; {:.1f} s of processor time in {:.1f} s, {}; resident {} "
      "MiB\n",
      users.users, tests.size(), users.endless, server.processor_time() - used,
      std::chrono::duration<double>(Clock::now() - begin).count(), load_text(), server.memory() >> 20U);
}

/// Simulates one user. Repeats slow requests twice, because other work on the machine may have delayed them.
void each(const Served& server, const std::vector<Test>& tests) {
  for (const std::string tab : kTabs) {
    std::vector<double> times;
    std::string slow;
    const double used = server.processor_time();
    for (const Test& test : tests) {
      double time = kFailed;
      for (std::size_t attempt = 0; attempt < 3 && time > kSlow; ++attempt) {
        time = std::min(time, send_body(server, request_of(tab, test.text, attempt)));
      }
      times.push_back(time);
      if (time > kSlow) slow += fmt::format("    {:>8.0f} ms  {}\n", time, test.path);
    }
    const auto over = std::count_if(times.begin(), times.end(), [](double time) { return time > kSlow; });
    fmt::print("{}: {}, {} over {:.0f} ms; {:.1f} ms of processor time each, {}\n{}", tab, times_text(times), over,
               kSlow, (server.processor_time() - used) * 1000 / static_cast<double>(tests.size()), load_text(), slow);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Users users;
  bool one_by_one = false;
  const std::vector<std::string> arguments = ambit::test::read_tool_options(
      argc, argv,
      "ambit_server_load [--users N] [--rounds N] [--pause MILLISECONDS] [--endless N] [--each] AMBIT FOLDER\n"
      "Sends tests in FOLDER to the server of AMBIT, for many users at the same time; with --each, one by one.",
      {{"users", &users.users},
       {"rounds", &users.rounds},
       {"pause", &users.pause},
       {"endless", &users.endless},
       {"each", &one_by_one}},
      2);
  Served server(arguments[0], "--timeout 10");
  if (!server.is_running()) {
    fmt::print(stderr, "the server did not start\n");
    return 1;
  }
  const std::vector<Test> tests = tests_in(arguments[1]);
  if (one_by_one) {
    each(server, tests);
  } else {
    load(server, tests, users);
  }
  return 0;
}
