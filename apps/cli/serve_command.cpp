#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/server/course_page.h"
#include "apps/server/fork_server.h"
#include "apps/server/http_server.h"
#include "apps/server/page.h"
#include "apps/server/worker.h"

namespace ambit::cli {
namespace {

struct ServeCommand {
  server::ServeOptions options;
  std::string lessons;  ///< folder of a course; if empty, the shipped course
  double seconds = 5;
  std::uint64_t memory = std::uint64_t{1} << 30;
  bool quiet = false;
};

/// Returns the address as in a URL, with an IPv6 address in brackets (RFC 3986, 3.2.2).
std::string address_of(const std::string& host, int port) {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

std::string is_seconds(const std::string& text) {
  double seconds = 0;
  // The comparisons reject "nan", because every comparison with NaN is false.
  const bool is_good = read_number(text, seconds) && seconds >= 0.1 && seconds <= 600;
  return is_good ? std::string() : "'" + text + "' is not a number from 0.1 to 600";
}

std::string is_host(const std::string& text) {
  return text.empty() ? "expected an address; 0.0.0.0 listens at all addresses of this machine" : std::string();
}

/// Rejects an empty folder name, because an empty name in ServeCommand selects the shipped course.
std::string is_folder_name(const std::string& text) { return text.empty() ? "expected a folder" : std::string(); }

int run_serve(ServeCommand command) {
  if (server::page_files().empty()) {
    std::cerr << "error: this program was built without its page\n  hint: install npm and build again\n";
    return kBadInput;
  }
  auto course = server::course_json(command.lessons);
  if (!course.ok()) {
    std::cerr << render(course.errors());
    return kBadInput;
  }
  command.options.course = std::move(course).value();
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX,
          2);  // only two heaps, because each heap keeps its peak memory
#endif
  command.options.program = std::filesystem::read_symlink("/proc/self/exe").string();
  command.options.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(command.seconds * 1000));
  command.options.limits.memory = command.memory;
  server::HttpServer server(command.options);
  const server::HttpServer::Bound bound = server.bind();
  if (bound == server::HttpServer::Bound::PortInUse) {
    std::cerr << fmt::format(
        "error: port {} is in use by another program\n  hint: choose another port; --port 0 takes any free port\n",
        command.options.port);
    return kBadInput;
  }
  if (bound != server::HttpServer::Bound::Yes) {
    std::cerr << fmt::format(
        "error: cannot listen at {}\n  hint: --host must be an address of this machine; --port 0 takes any free port\n",
        address_of(command.options.host, command.options.port));
    return kBadInput;
  }
  if (!server.prepare()) {
    std::cerr
        << "error: cannot start the process that answers\n  hint: is a limit on processes or memory set (ulimit -a)?\n";
    return kBadInput;
  }
  if (!command.quiet) {
    std::cout << fmt::format("http://{}/\n", address_of(command.options.host, server.port())) << std::flush;
    if (!std::cout) return kBadInput;  // main() prints the error
  }
  const std::atomic<bool>& interrupted = catch_interrupts();
  const std::jthread watch([&](const std::stop_token& stop) {
    while (!stop.stop_requested() && !interrupted.load()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    server.stop();
  });
  server.run();
  return kOk;
}

int run_worker() {
  server::Worker worker;
  worker.warm_up();
  server::serve_forks(
      [&](const std::string& request, const ChildLimits& limits) { return worker.answer(request, limits.time); });
  return kOk;
}

}  // namespace

Action declare_serve(Command command) {
  const auto options = std::make_shared<ServeCommand>();
  command
      .option("--host", options->options.host,
              "The address to listen on; any address except the default lets other machines connect")
      .value_name("ADDRESS")
      .check(is_host)
      .show_default();
  command.option("--port", options->options.port, "The port; 0: any free port").show_default().range(0, 65535);
  command.option("--timeout", options->seconds, "Time limit in seconds for one answer")
      .show_default()
      .value_name("SECONDS")
      .check(is_seconds);
  command.option("--memory", options->memory, "Maximum memory for one answer")
      .transform(into_memory_size)
      .shown_as("SIZE [1GiB]");
  options->options.children = std::max(1U, std::thread::hardware_concurrency());
  command.option("-j,--jobs", options->options.children, "Maximum number of answers to compute at the same time")
      .shown_as("N [one a core]")
      .range(1, 256);
  command
      .option("--lessons", options->lessons,
              "A folder with your own course, shown in place of the shipped course (docs/guide/playground.md)")
      .value_name("DIR")
      .check(is_folder_name);
  command.flag("-q,--quiet", options->quiet, "Do not print the address");
  return [options] { return run_serve(*options); };
}

Action declare_serve_worker(Command command) {
  command.hide();
  return run_worker;
}

}  // namespace ambit::cli
