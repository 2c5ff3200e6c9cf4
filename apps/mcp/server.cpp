#include "apps/mcp/server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "apps/mcp/tools.h"
#include "apps/rpc/json_rpc.h"
#include "base/trimmed.h"

namespace ambit::mcp {
namespace {

using rpc::Call;
using rpc::RequestError;

/// The supported revisions of the protocol, the latest first.
constexpr std::array kRevisions = {"2025-06-18", "2024-11-05"};
/// Maximum number of calls that run at the same time. Further calls wait.
constexpr std::size_t kCallsAtOnce = 4;
constexpr std::size_t kMostWaiting = 256;
constexpr const char* kInstructions =
    "Ambit finds data races, barrier divergence and accesses out of bounds in GPU kernels (CUDA C++, PTX) and litmus "
    "tests. Call judge with the source of a kernel and its launch. If the verdict is a race with a patch, apply the "
    "patch and judge again. The verdict unknown is not a pass.";

/// A tool call that the server has not answered yet.
struct PendingCall {
  Json id;
  std::string tool;
  Json arguments;
  std::atomic<bool> is_cancelled{false};
};
using PendingPtr = std::shared_ptr<PendingCall>;

/// Runs tool calls on several threads. The destructor cancels all calls.
class Calls {
 public:
  using Answer = std::function<void(const PendingCall& call, const Json& message)>;

  explicit Calls(Answer answer) : answer_(std::move(answer)) {
    for (std::size_t i = 0; i < kCallsAtOnce; ++i) threads_.emplace_back([this] { work(); });
  }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  ~Calls() {
    {
      const std::scoped_lock lock(mutex_);
      is_ending_ = true;
      for (const auto& [id, call] : pending_) call->is_cancelled = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  /// Adds a call. Throws RequestError if a call with this id has no answer yet, or if too many calls wait.
  void add(const PendingPtr& call) {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() >= kMostWaiting) throw RequestError{rpc::kInternalError, "too many calls wait for an answer"};
    if (!pending_.emplace(call->id.dump(), call).second) {
      throw RequestError{rpc::kInvalidRequest, "a request with this id has no answer yet"};
    }
    waiting_.push_back(call);
    changed_.notify_one();
  }
  /// Cancels a call. The server then sends no answer to it. Ignores unknown ids.
  void cancel(const Json& id) {
    const std::scoped_lock lock(mutex_);
    const auto found = pending_.find(id.dump());
    if (found == pending_.end()) return;
    found->second->is_cancelled = true;
    pending_.erase(found);
  }

 private:
  PendingPtr next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
    if (is_ending_) return nullptr;
    PendingPtr call = waiting_.front();
    waiting_.pop_front();
    return call;
  }

  void work() {
    while (const PendingPtr call = next()) {
      const Json message = call->is_cancelled ? Json() : answer_to(*call);
      const std::scoped_lock lock(mutex_);
      if (!call->is_cancelled) answer_(*call, message);
      const auto found = pending_.find(call->id.dump());
      if (found != pending_.end() && found->second == call) pending_.erase(found);
    }
  }

  static Json answer_to(const PendingCall& call) {
    try {
      return rpc::response(call.id, call_tool(call.tool, call.arguments, call.is_cancelled));
    } catch (const RequestError& error) {
      return rpc::error_response(call.id, error);
    } catch (const std::exception& error) {
      return rpc::error_response(call.id, {rpc::kInternalError, error.what()});
    }
  }

  Answer answer_;
  std::mutex mutex_;  ///< guards the members below
  std::condition_variable changed_;
  std::deque<PendingPtr> waiting_;
  std::map<std::string, PendingPtr> pending_;  ///< waiting and running calls by their ids
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

class Server {
 public:
  explicit Server(std::ostream& out)
      : out_(out), calls_([this](const PendingCall&, const Json& message) { send(message); }) {}

  void send(const Json& message) {
    const std::scoped_lock lock(mutex_);
    out_ << rpc::text_of(message) << '\n' << std::flush;
  }

  void on_message(const std::string& text) {
    const rpc::Incoming incoming = rpc::read_call(text);
    if (const auto* refusal = std::get_if<Json>(&incoming)) send(*refusal);
    const auto* call = std::get_if<Call>(&incoming);
    if (call == nullptr) return;
    if (!call->id) return on_notification(*call);
    try {
      on_request(*call);
    } catch (const RequestError& error) {
      send(rpc::error_response(*call->id, error));
    } catch (const Json::exception& error) {
      send(rpc::error_response(*call->id, {rpc::kInvalidParams, error.what()}));
    }
  }

 private:
  void on_notification(const Call& call) {
    if (call.method != "notifications/cancelled" || !call.parameters.is_object()) return;
    const auto id = call.parameters.find("requestId");
    if (id != call.parameters.end()) calls_.cancel(*id);
  }

  void on_request(const Call& call) {
    if (call.method == "ping") return send(rpc::response(*call.id, Json::object()));
    if (call.method == "initialize") return send(rpc::response(*call.id, initialize(call.parameters)));
    if (!is_initialized_) throw RequestError{rpc::kInvalidRequest, "expected the request 'initialize' first"};
    if (call.method == "tools/list") return send(rpc::response(*call.id, {{"tools", tool_list()}}));
    if (call.method == "tools/call") return add_call(call);
    throw RequestError{rpc::kMethodNotFound, "unknown method: " + call.method};
  }

  /// Chooses the protocol revision: the client's revision if the server supports it, otherwise the latest revision.
  Json initialize(const Json& parameters) {
    const std::string wanted = parameters.at("protocolVersion");
    const bool is_known = std::ranges::find(kRevisions, wanted) != kRevisions.end();
    is_initialized_ = true;
    return {{"protocolVersion", is_known ? wanted : std::string(kRevisions.front())},
            {"capabilities", {{"tools", {{"listChanged", false}}}}},
            {"serverInfo", {{"name", "ambit"}, {"title", "Ambit"}, {"version", AMBIT_VERSION}}},
            {"instructions", kInstructions}};
  }

  void add_call(const Call& call) {
    const auto pending = std::make_shared<PendingCall>();
    pending->id = *call.id;
    pending->tool = call.parameters.at("name");
    pending->arguments = call.parameters.value("arguments", Json::object());
    check_call(pending->tool, pending->arguments);
    calls_.add(pending);
  }

  std::ostream& out_;
  std::mutex mutex_;  ///< guards `out_`
  bool is_initialized_ = false;
  Calls calls_;
};

/// Reads a line. If the line is longer than kLongestMessage, skips its rest and sets `is_long`. Returns false at the
/// end of the input.
bool read_line(std::istream& in, std::string& line, bool& is_long) {
  line.clear();
  is_long = false;
  std::streambuf& buffer = *in.rdbuf();
  for (int c = buffer.sbumpc(); c != std::char_traits<char>::eof(); c = buffer.sbumpc()) {
    if (c == '\n') return true;
    if (line.size() == kLongestMessage) {
      is_long = true;
    } else {
      line += static_cast<char>(c);
    }
  }
  return !line.empty();
}

}  // namespace

int serve(std::istream& in, std::ostream& out) {
  Server server(out);
  std::string line;
  for (bool is_long = false; read_line(in, line, is_long);) {
    if (is_long) {
      server.send(rpc::error_response(nullptr, {rpc::kInvalidRequest, "the message is longer than 16 MiB"}));
    } else if (!trimmed(line).empty()) {
      server.on_message(line);
    }
  }
  return 0;
}

}  // namespace ambit::mcp
