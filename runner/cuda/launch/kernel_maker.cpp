#include "runner/cuda/launch/kernel_maker.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "runner/cuda/emit/emit_kernel.h"
#include "runner/cuda/launch/code_check.h"
#include "runner/cuda/launch/disassembler.h"

namespace ambit::cuda {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

KernelMaker::KernelMaker(DeviceInfo device, std::string driver_version, std::string cache_folder,
                         bool checks_machine_code)
    : device_(std::move(device)),
      driver_version_(std::move(driver_version)),
      cache_(checks_machine_code ? std::string() : std::move(cache_folder)),
      checks_machine_code_(checks_machine_code) {}

std::string KernelMaker::key_of(const Kernel& kernel) const {
  return KernelCache::key(kernel.source, fmt::format("sm_{} driver {}", device_.arch, driver_version_));
}

Result<std::shared_ptr<const Nvrtc>> KernelMaker::compiler() {
  const std::scoped_lock lock(mutex_);
  if (nvrtc_) return nvrtc_;
  auto opened = Nvrtc::open();
  if (opened) nvrtc_ = opened.value();
  return opened;
}

Result<KernelCode> KernelMaker::compile(const Kernel& kernel, const Program& program) {
  if (const std::string lacking = missing_on(kernel, device_.arch); !lacking.empty()) {
    return Diagnostic{program.source, {}, fmt::format("{}, and {} is sm_{}", lacking, device_.name, device_.arch), ""};
  }
  if (checks_machine_code_ && kernel.layout.is_asynchronous) {
    return Diagnostic{program.source,
                      {},
                      "the machine code of asynchronous operations cannot be checked",
                      "run this test without --check-code"};
  }
  const auto start = Clock::now();
  const std::string key = key_of(kernel);
  if (auto kept = cache_.find(key)) return KernelCode{*std::move(kept), milliseconds_since(start), false};
  const auto nvrtc = compiler();
  if (!nvrtc) return nvrtc.errors();
  auto code = nvrtc.value()->compile(kernel.source, program.name + ".cu", device_.arch,
                                     checks_machine_code_ ? Nvrtc::Target::MachineWithLines : Nvrtc::Target::Machine,
                                     kernel.is_specific);
  if (!code) return code.errors();
  if (const std::string wrong = check_ptx(kernel, code.value().ptx); !wrong.empty()) return not_kept(program, wrong);
  if (checks_machine_code_) {
    const auto disassembler = Disassembler::find();
    if (!disassembler) return disassembler.errors();
    const auto listing = disassembler.value().list(code.value().cubin);
    if (!listing) return listing.errors();
    if (const std::string wrong = check_sass(kernel, listing.value()); !wrong.empty()) return not_kept(program, wrong);
  }
  cache_.keep(key, code.value().cubin);
  return KernelCode{std::move(code.value().cubin), milliseconds_since(start), true};
}

KernelMaker::Codes KernelMaker::make_all(const Program& program, const std::vector<Shape>& shapes) {
  Codes codes;
  for (const Shape& shape : shapes) {
    const Result<Kernel> kernel = emit_largest(program, shape);
    if (!kernel) continue;  // make() reports the error
    Result<KernelCode> code = compile(kernel.value(), program);
    if (code) codes.emplace(key_of(kernel.value()), std::move(code).value());
  }
  return codes;
}

void KernelMaker::make_ahead(const Program& program, std::vector<Shape> shapes) {
  if (ahead_.contains(&program) || current_ == &program) return;
  ahead_.emplace(&program, std::async(std::launch::async, [this, &program, shapes = std::move(shapes)] {
    return make_all(program, shapes);
  }));
}

Result<KernelCode> KernelMaker::make(const Kernel& kernel, const Program& program) {
  const std::string key = key_of(kernel);
  if (const auto kept = kept_.find(key); kept != kept_.end()) return kept->second;
  if (current_ != &program) {
    current_ = &program;
    ready_.clear();
    if (const auto begun = ahead_.find(&program); begun != ahead_.end()) {
      ready_ = begun->second.get();
      ahead_.erase(begun);
    }
  }
  auto ready = ready_.extract(key);
  Result<KernelCode> code = ready.empty() ? compile(kernel, program) : std::move(ready.mapped());
  if (code && keeps_all_) kept_.emplace(key, KernelCode{code.value().cubin, 0, false});
  return code;
}

}  // namespace ambit::cuda
