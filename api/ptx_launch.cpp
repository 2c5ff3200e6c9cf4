#include "api/ptx_launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "api/files.h"
#include "api/remedy_trials.h"
#include "api/run_count.h"
#include "api/temporary_folder.h"
#include "core/plural.h"
#include "ptx/module.h"
#include "runner/shadow/report_file.h"
#include "runner/shadow/watch.h"
#include "runner/virtual/device.h"

namespace ambit::api {
namespace {

const std::map<std::string, std::uint32_t, std::less<>> kElementBytes = {
    {"char", 1}, {"short", 2}, {"int", 4}, {"unsigned", 4}, {"float", 4}, {"long", 8}, {"double", 8}};

/// Reads a launch from left to right.
class LaunchReader {
 public:
  explicit LaunchReader(const std::string& text)
      : file_(std::make_shared<SourceFile>(SourceFile{"--launch", text})), text_(text) {}

  Result<LaunchText> read() {
    LaunchText made;
    made.kernel = word();
    const bool is_read = !made.kernel.empty() && expect("<<<") && extent(made.grid) && expect(",") &&
                         extent(made.block) && shared(made) && expect(">>>") && expect("(") && arguments(made) &&
                         expect(")");
    blanks();
    if (is_read && at_ != text_.size()) wanted_ = "the end";
    if (is_read && wanted_.empty()) return made;
    const SourceSpan place{1, static_cast<std::uint32_t>(at_ + 1), 1};
    return Diagnostic{file_, place, "expected " + (wanted_.empty() ? std::string("a kernel's name") : wanted_),
                      "write: kernel<<<2, 64>>>(int[64], 5)"};
  }

 private:
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view what) {
    blanks();
    if (text_.compare(at_, what.size(), what) != 0) return false;
    at_ += what.size();
    return true;
  }
  bool expect(const std::string& what) {
    if (take(what)) return true;
    wanted_ = "'" + what + "'";
    return false;
  }
  std::string word() {
    blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' ||
                                  text_[at_] == '$' || text_[at_] == '.' || text_[at_] == '-')) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }
  template <typename Number>
  bool number(Number& value) {
    const std::string digits = word();
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (!digits.empty() && end.ec == std::errc() && end.ptr == digits.data() + digits.size()) return true;
    wanted_ = "a number";
    return false;
  }
  bool extent(std::uint32_t (&values)[3]) {
    if (!take("(")) return number(values[0]);
    for (int i = 0; i < 3; ++i) {
      if (!number(values[i])) return false;
      if (i == 2 || !take(",")) break;
    }
    return expect(")");
  }
  bool shared(LaunchText& made) { return !take(",") || number(made.dynamic_shared_bytes); }
  bool arguments(LaunchText& made) {
    blanks();
    if (at_ < text_.size() && text_[at_] == ')') return true;
    do {
      LaunchArgument one;
      one.value = word();
      if (take("[")) {
        one.type = std::exchange(one.value, {});
        if (!kElementBytes.contains(one.type)) {
          wanted_ = "a type: char, short, int, unsigned, float, long or double";
          return false;
        }
        if (!number(one.count) || !expect("]")) return false;
        if (take("=")) one.value = word();
      } else if (one.value.empty()) {
        wanted_ = "an argument";
        return false;
      }
      made.arguments.push_back(std::move(one));
    } while (take(","));
    return true;
  }

  SourceFilePtr file_;
  const std::string& text_;
  std::size_t at_ = 0;
  std::string wanted_;
};

/// The bits of a number as an element of `bytes` bytes; nothing: it is none. With a point: floating point.
std::optional<std::uint64_t> bits_of(const std::string& text, std::uint32_t bytes) {
  if (text.empty()) return 0;
  std::uint64_t bits = 0;
  try {
    std::size_t used = 0;
    if (text.find('.') != std::string::npos) {
      const double value = std::stod(text, &used);
      const auto narrow = static_cast<float>(value);
      if (bytes == 8) std::memcpy(&bits, &value, 8);
      if (bytes == 4) std::memcpy(&bits, &narrow, 4);
      if (bytes < 4) return std::nullopt;
    } else {
      bits = static_cast<std::uint64_t>(std::stoll(text, &used, 0));
    }
    if (used != text.size()) return std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return bits;
}

/// Makes the arrays of a launch and its parameters.
Result<std::vector<std::uint8_t>> make_parameters(const LaunchText& text, const virtual_gpu::KernelInfo& info,
                                                  virtual_gpu::Memory& memory) {
  if (text.arguments.size() != info.parameters.size()) {
    return error_without_place(
        fmt::format("--launch: {} has {}, found {}", info.name, plural(info.parameters.size(), "parameter"),
                    plural(text.arguments.size(), "argument")),
        "write an array (int[64]) for each pointer, and a number for each other parameter");
  }
  std::vector<std::uint8_t> made(info.parameter_bytes);
  for (std::size_t i = 0; i < text.arguments.size(); ++i) {
    const LaunchArgument& argument = text.arguments[i];
    const virtual_gpu::KernelParameter& parameter = info.parameters[i];
    const bool is_array = !argument.type.empty();
    const std::uint32_t bytes = is_array ? kElementBytes.find(argument.type)->second : parameter.bytes;
    const auto bits = bits_of(argument.value, bytes);
    if (!bits || (is_array && parameter.bytes != 8) || parameter.bytes > 8) {
      return error_without_place(
          fmt::format("--launch: argument {} does not fit a parameter of {} bytes", i + 1, parameter.bytes),
          "write an array (int[64]) for each pointer, and a number for each other parameter");
    }
    std::uint64_t value = *bits;
    if (is_array) {
      value = memory.allocate(argument.count * bytes, virtual_gpu::AllocationKind::Device,
                              fmt::format("argument {}", i + 1));
      if (value == 0)
        return error_without_place("--launch: the arrays do not fit into the device's memory", "make them smaller");
      for (std::uint64_t element = 0; element < argument.count; ++element) {
        memory.copy_to_device(value + element * bytes, &*bits, bytes);
      }
    }
    std::memcpy(made.data() + parameter.offset, &value, parameter.bytes);
  }
  return made;
}

/// The kernel of that name: mangled, or as the source spells it.
Result<std::string> kernel_named(const virtual_gpu::Device& device, std::uint32_t module, const std::string& name) {
  const std::vector<std::string> kernels = device.kernels(module);
  std::vector<std::string> readable;
  for (const std::string& kernel : kernels) {
    std::string plain = shadow::demangled(kernel);
    plain = plain.substr(0, plain.find('('));
    if (kernel == name || plain == name || plain.starts_with(name + "<")) return kernel;
    readable.push_back(plain);
  }
  return error_without_place(fmt::format("--launch: the file has no kernel '{}'", name),
                             readable.empty() ? "it has none" : fmt::format("kernels: {}", fmt::join(readable, ", ")));
}

/// One run of the launch; what it finds goes to the report file of `options`.
Result<bool> run_once(const shadow::WatchOptions& options, const std::shared_ptr<const ptx::Module>& module,
                      const LaunchText& text, Context& context) {
  virtual_gpu::Device device(options.device_memory);
  device.options().schedule = options.schedule;
  device.options().memory = options.memory;
  device.options().step_budget = options.step_budget;
  device.options().threads = options.threads;
  shadow::Watch watch(options, device);
  const auto loaded = device.load(module);
  if (!loaded.ok()) return loaded.errors();
  const auto kernel = kernel_named(device, loaded.value(), text.kernel);
  if (!kernel.ok()) return kernel.errors();
  virtual_gpu::Launch launch;
  launch.module = loaded.value();
  launch.kernel = kernel.value();
  launch.grid = {text.grid[0], text.grid[1], text.grid[2]};
  launch.block = {text.block[0], text.block[1], text.block[2]};
  launch.dynamic_shared_bytes = text.dynamic_shared_bytes;
  auto parameters = make_parameters(text, *device.find_kernel(loaded.value(), kernel.value()), device.memory());
  if (!parameters.ok()) return parameters.errors();
  launch.parameters = std::move(parameters.value());
  const auto report = device.launch(launch, context);
  if (!report.ok()) return report.errors();
  watch.launched(kernel.value(), report.value());
  watch.flush(true);
  return report.value().end == virtual_gpu::LaunchEnd::Completed;
}

}  // namespace

Result<LaunchText> read_launch(const std::string& text) { return LaunchReader(text).read(); }

Result<ProgramOutcome> run_ptx(const ProgramRequest& request, const std::string& launch,
                               const std::atomic<bool>& interrupted) {
  const auto text = read_launch(launch);
  if (!text.ok()) return text.errors();
  const auto suppressions = read_suppressions(request.suppressions, interrupted);
  if (!suppressions.ok()) return suppressions.errors();
  auto source = read_results(request.command.front(), &interrupted);
  if (!source.ok()) return source.errors();
  auto module = ptx::read_module(source.value());
  if (!module.ok()) return module.errors();
  const auto shared = std::make_shared<const ptx::Module>(std::move(module.value()));
  const TemporaryFolder folder;
  if (folder.path().empty())
    return error_without_place("no temporary folder could be made", "set TMPDIR to a folder with room");
  ProgramOutcome outcome;
  ProgramRequest launched = request;
  launched.reads_input = false;
  RunCount count(launched);
  int reports = 0;
  bool has_ended = true;
  const auto run = [&](std::uint64_t seed, shadow::Strengthening how) -> Result<ProgramReport> {
    shadow::WatchOptions options = request.watch;
    options.report_file = (folder.path() / fmt::format("report-{}", ++reports)).string();
    options.schedule.seed = seed;
    options.strengthening = how;
    Context context;
    context.set_cancellation(&interrupted);
    if (request.timeout_seconds > 0) {
      context.set_timeout(std::chrono::milliseconds(static_cast<std::int64_t>(request.timeout_seconds * 1000)));
    }
    const auto is_good = run_once(options, shared, text.value(), context);
    if (!is_good.ok()) return is_good.errors();
    has_ended = is_good.value();
    auto report = shadow::read_report(options.report_file);
    if (report.ok()) report.value().set_seed(seed);
    return report;
  };
  for (std::uint64_t i = 0; (i == 0 || count.wants_another(outcome)) && !interrupted.load(); ++i) {
    auto report = run(request.watch.schedule.seed + i, shadow::Strengthening::None);
    if (!report.ok()) return report.errors();
    if (!has_ended) outcome.status = 1;
    if (i == 0) {
      outcome.report = std::move(report.value());
    } else {
      outcome.report.merge(report.value());
    }
  }
  if (count.may_try_remedies(outcome)) {
    const auto run_strengthened = [&](std::uint64_t seed, shadow::Strengthening how) -> std::optional<ProgramReport> {
      auto report = run(seed, how);
      return report.ok() && has_ended ? std::optional(std::move(report.value())) : std::nullopt;
    };
    try_remedies(outcome.report, run_strengthened, interrupted);
  }
  outcome.suppressed = suppress(outcome.report, suppressions.value());
  return outcome;
}

}  // namespace ambit::api
