#include "tests/unit/virtual/kernel_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ambit::virtual_gpu {

KernelRun::KernelRun(const std::string& text) {
  auto module_read = ptx::read_module(text, "test.ptx");
  if (!module_read.ok()) {
    ADD_FAILURE() << render(module_read.errors());
    return;
  }
  auto loaded = device.load(std::make_shared<ptx::Module>(std::move(module_read).value()));
  if (!loaded.ok()) {
    ADD_FAILURE() << render(loaded.errors());
    return;
  }
  module = loaded.value();
  device.options().print = [this](std::string_view words) { printed += words; };
}

Result<LaunchReport> KernelRun::launch(const std::string& kernel, Extent grid, Extent block,
                                       const std::vector<std::uint64_t>& parameters, std::uint32_t shared_bytes) {
  Launch launch;
  launch.module = module;
  launch.kernel = kernel;
  launch.grid = grid;
  launch.block = block;
  launch.cluster = cluster;
  launch.dynamic_shared_bytes = shared_bytes;
  launch.parameters.resize(parameters.size() * 8);
  if (!parameters.empty()) std::memcpy(launch.parameters.data(), parameters.data(), parameters.size() * 8);
  return device.launch(launch, context);
}

LaunchReport KernelRun::run(const std::string& kernel, Extent grid, Extent block,
                            const std::vector<std::uint64_t>& parameters, std::uint32_t shared_bytes) {
  auto launched = launch(kernel, grid, block, parameters, shared_bytes);
  if (!launched.ok()) {
    ADD_FAILURE() << render(launched.errors());
    return {};
  }
  LaunchReport report = std::move(launched).value();
  EXPECT_EQ(report.end, LaunchEnd::Completed) << text_of(device, report);
  return report;
}

std::string kernel_text(unsigned parameters, const std::string& body, const std::string& before) {
  std::string text = ".version 8.5\n.target sm_90\n.address_size 64\n" + before + "\n.visible .entry k(";
  for (unsigned i = 0; i < parameters; ++i) text += fmt::format("{}.param .u64 p{}", i == 0 ? "" : ", ", i);
  text += ")\n{\n.reg .pred %p<20>;\n.reg .b16 %rs<20>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n";
  text += ".reg .f32 %f<20>;\n.reg .f64 %fd<20>;\n.reg .b16 %h<20>;\n.reg .b128 %q<4>;\n" + body + "\n}\n";
  return text;
}

std::string text_of(const Device& device, const LaunchReport& report) {
  std::string text = std::string(to_string(report.end)) + "\n";
  for (const Finding& finding : report.findings) {
    const Site site = device.site(finding.site);
    text += fmt::format("{}: {} ({}), block {} thread {}: {}\n", site.text(), to_string(finding.kind), site.instruction,
                        finding.block, finding.thread, finding.message);
  }
  for (const UnfinishedThreads& unfinished : report.unfinished) {
    text += fmt::format("{}: {} threads {}\n", device.site(unfinished.site).text(), unfinished.threads,
                        unfinished.what.empty() ? "run" : unfinished.what);
  }
  return text;
}

}  // namespace ambit::virtual_gpu
