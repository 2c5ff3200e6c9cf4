#include "detector/external/plugin_host.h"

#include <ambit/detector_plugin.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "detector/external/answer.h"
#include "detector/external/run_stream_reader.h"

namespace ambit::external {
namespace {

static_assert(sizeof(ambit_event) == trace::kRecordSize);
// The interface has no events for transactions and asynchronous operations: a replay replaces transactions by sections,
// and external detectors give up at asynchronous operations (Detector::orders_operations).
static_assert(AMBIT_EXIT == static_cast<int>(TraceOp::Exit) && AMBIT_RMW_CAS + 1 == kTraceRmws);
static_assert(AMBIT_SCOPE_SYSTEM == static_cast<int>(Scope::System));
static_assert(AMBIT_SEQ_CST == static_cast<int>(Order::SeqCst));

/// The host writes its buffered answers at the end of each run, and when the buffer has this number of bytes.
constexpr std::size_t kPiece = std::size_t{1} << 16U;

/// The names that occur in a run, in the form of the C interface.
class Names {
 public:
  void clear() {
    threads_.clear();
    locations_.clear();
    places_.clear();
  }
  /// Adds the new names. Also updates all pointers to texts, because the tables may have moved the texts.
  void update(const TraceTables& tables) {
    const bool is_current = threads_.size() == tables.threads().size() &&
                            locations_.size() == tables.locations().size() && places_.size() == tables.sites().size();
    if (is_current) return;
    clear();
    for (const TraceThread& thread : tables.threads()) {
      const auto number = [](int value) { return static_cast<std::uint32_t>(value); };
      threads_.push_back({thread.name.c_str(), number(thread.place.gpu), number(thread.place.cluster),
                          number(thread.place.block), thread.index_in_block, number(thread.place.warp),
                          number(thread.place.lane)});
    }
    for (std::uint32_t i = 0; i < tables.locations().size(); ++i) add_location(tables, i);
    for (const std::string& site : tables.sites()) places_.push_back(site.c_str());
    names_ = {threads_.data(), locations_.data(), places_.data(), threads_.size(), locations_.size(), places_.size()};
  }
  const ambit_names* get() const { return &names_; }

 private:
  void add_location(const TraceTables& tables, std::uint32_t index) {
    const TraceLocation& from = tables.locations()[index];
    const auto initial = tables.initial_values().find(index);
    ambit_location to{};
    to.name = from.name.c_str();
    to.object = from.object;
    to.is_shared = from.space == MemorySpace::Shared ? 1 : 0;
    to.gpu = static_cast<std::uint32_t>(from.gpu);
    to.block = static_cast<std::uint32_t>(from.block);
    to.size = tables.objects()[from.object].element_size;
    to.offset = from.offset;
    to.initial = AMBIT_INITIAL_DEFAULT;
    if (initial != tables.initial_values().end()) {
      to.initial = initial->second ? AMBIT_INITIAL_VALUE : AMBIT_INITIAL_UNKNOWN;
      to.initial_value = initial->second.value_or(0);
    }
    locations_.push_back(to);
  }

  std::vector<ambit_thread> threads_;
  std::vector<ambit_location> locations_;
  std::vector<const char*> places_;
  ambit_names names_{};
};

class PluginServer {
 public:
  PluginServer(const ambit_detector& detector, int in, int out) : detector_(detector), stream_(in), out_(out) {
    host_ = {this, [](void* self, const ambit_race* race) { static_cast<PluginServer*>(self)->add(*race); },
             [](void* self, const char* reason) {
               static_cast<PluginServer*>(self)->add_line(gave_up_line(reason == nullptr ? "" : reason));
             },
             [](void* self, const char* text) {
               static_cast<PluginServer*>(self)->add_line(remark_line(text == nullptr ? "" : text));
             }};
  }

  Result<bool> serve() {
    if (const auto opened = stream_.open(); !opened.ok()) return opened.errors();
    for (const auto& [name, value] : stream_.options()) options_.push_back({name.c_str(), value.c_str()});
    while (true) {
      const auto next = stream_.next_run();
      if (!next.ok()) return next.errors();
      if (!next.value()) return true;
      if (const auto done = serve_run(); !done.ok()) return done.errors();
    }
  }

 private:
  Result<bool> serve_run() {
    const LaunchGeometry& launch = stream_.tables().launch;
    names_.clear();
    names_.update(stream_.tables());
    run_ = {stream_.run().test.c_str(),
            stream_.run().number,
            {{launch.grid[0], launch.grid[1], launch.grid[2]},
             {launch.block[0], launch.block[1], launch.block[2]},
             launch.warp,
             launch.cluster,
             launch.gpus,
             launch.only_named_threads ? 1U : 0U},
            names_.get()};
    const std::unique_ptr<void, void (*)(void*)> self(detector_.create(&run_, &host_, options_.data(), options_.size()),
                                                      detector_.destroy);
    if (self == nullptr) return error("the detector cannot judge this run: create() returned NULL");
    while (wrong_.empty()) {
      const auto records = stream_.records();
      if (!records.ok()) return records.errors();
      if (records.value().empty()) break;
      names_.update(stream_.tables());
      detector_.events(self.get(), reinterpret_cast<const ambit_event*>(records.value().data()),
                       records.value().size() / sizeof(ambit_event));
    }
    names_.update(stream_.tables());
    detector_.finish(self.get());
    if (!wrong_.empty()) return error(wrong_);
    add_line(end_line(stream_.run().test, stream_.run().number, stream_.events()));
    return flush();
  }

  std::string resolve(const ambit_side& from, RaceAccess& to) const {
    const TraceTables& tables = stream_.tables();
    to.event = from.event;  // Ambit checks the number later
    to.is_write = from.is_write != 0;
    to.is_atomic = from.is_atomic != 0;
    if (from.event != AMBIT_NO_EVENT) return {};
    if (from.thread != AMBIT_NONE && from.thread >= tables.threads().size()) {
      return fmt::format("a race names thread number {}, which does not exist", from.thread);
    }
    if (from.place != AMBIT_NONE && from.place >= tables.sites().size()) {
      return fmt::format("a race names place number {}, which does not exist", from.place);
    }
    to.thread = from.thread;
    to.site = from.place;
    return {};
  }

  std::string make_race(const ambit_race& from, RaceReport& race) const {
    for (const auto& [side, access] : {std::pair(&from.first, &race.first), std::pair(&from.second, &race.second)}) {
      if (std::string wrong = resolve(*side, *access); !wrong.empty()) return wrong;
    }
    const bool has_event = from.first.event != AMBIT_NO_EVENT || from.second.event != AMBIT_NO_EVENT;
    if (!has_event && from.location != AMBIT_NONE) {
      if (from.location >= stream_.tables().locations().size()) {
        return fmt::format("a race names location number {}, which does not exist", from.location);
      }
      race.location = from.location;
    }
    if (from.kind != nullptr) {
      const auto kind = kind_from_text(from.kind);
      if (!kind) return fmt::format("unknown kind '{}' of a race", from.kind);
      race.kind = *kind;
    }
    race.count = from.count == 0 ? 1 : from.count;
    race.sentence = from.why == nullptr ? "" : from.why;
    return {};
  }

  void add(const ambit_race& from) {
    RaceReport race;
    if (std::string wrong = make_race(from, race); !wrong.empty()) {
      if (wrong_.empty()) wrong_ = std::move(wrong);
    } else {
      add_line(race_line(race, stream_.tables()));
    }
  }

  void add_line(const std::string& line) {
    text_ += line;
    if (text_.size() >= kPiece) static_cast<void>(flush());
  }

  Result<bool> flush() {
    if (!write_all(out_, std::exchange(text_, {}))) return error("cannot write the answers");
    return true;
  }

  Diagnostic error(std::string message) const {
    return {
        nullptr, {}, fmt::format("{}, run {}: {}", stream_.run().test, stream_.run().number, std::move(message)), ""};
  }

  const ambit_detector& detector_;
  RunStreamReader stream_;
  int out_;
  ambit_host host_{};
  ambit_run run_{};
  Names names_;
  std::vector<ambit_option> options_;
  std::string text_;
  std::string wrong_;
};

}  // namespace

Result<bool> serve_plugin(const std::string& library, int in, int out) {
  const auto error = [&](std::string message, std::string hint) {
    return Diagnostic{
        std::make_shared<const SourceFile>(SourceFile{library, ""}), {}, std::move(message), std::move(hint)};
  };
  // Without a slash in the name, dlopen() would search the system's libraries. The library is never unloaded.
  const std::string path = library.find('/') == std::string::npos ? "./" + library : library;
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return error(fmt::format("cannot load the library: {}", dlerror()), "");
  void* const symbol = dlsym(handle, "ambit_detector_plugin");
  if (symbol == nullptr) {
    return error("the library has no function ambit_detector_plugin()",
                 "include <ambit/detector_plugin.h> and export the function with C linkage");
  }
  const ambit_detector* const detector = reinterpret_cast<const ambit_detector* (*)()>(symbol)();
  if (detector == nullptr || detector->version != AMBIT_DETECTOR_VERSION ||
      detector->event_size != sizeof(ambit_event)) {
    return error(
        fmt::format("the library has another version of the interface; expected version {}", AMBIT_DETECTOR_VERSION),
        "compile the library with this version's <ambit/detector_plugin.h>");
  }
  if (detector->create == nullptr || detector->events == nullptr || detector->finish == nullptr ||
      detector->destroy == nullptr) {
    return error("the library lacks a function: create, events, finish and destroy are required", "");
  }
  return PluginServer(*detector, in, out).serve();
}

}  // namespace ambit::external
