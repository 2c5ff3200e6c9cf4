#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/virtual/kernel_run.h"

namespace ambit::virtual_gpu {

/// The results of a launch: the report, the output, every byte of memory, and whether the program has stored each byte.
struct Traces {
  std::string text;
  std::string memory;
  unsigned threads = 0;  ///< number of threads that executed the last launch

  void add(const KernelRun& run, const Result<LaunchReport>& launched) {
    ASSERT_TRUE(launched.ok()) << render(launched.errors());
    const LaunchReport& report = launched.value();
    threads = report.statistics.threads;
    text += text_of(run.device, report) + run.printed;
    for (const Finding& one : report.findings) {
      text +=
          fmt::format("count {}, {:#x}, {} bytes, allocation {}\n", one.count, one.address, one.bytes, one.allocation);
    }
    for (const UnfinishedThreads& one : report.unfinished)
      text += fmt::format("block {} thread {}\n", one.block, one.thread);
    const LaunchStatistics& all = report.statistics;
    text += fmt::format("{} {} {}\n", all.warp_instructions, all.lane_instructions, all.accesses);
    for (std::uint32_t i = 0; i < run.device.memory().allocation_count(); ++i) {
      const Allocation& one = run.device.memory().allocation(i);
      std::string bytes(one.bytes, '\0');
      run.device.memory().copy_to_host(bytes.data(), one.address, one.bytes);
      memory += bytes + (one.is_initialised ? "all" : std::string(one.stored.begin(), one.stored.end()));
    }
  }
};

/// A kernel `k` and a launch of `k`. A test repeats the launch with different numbers of host threads.
struct Trial {
  std::string text;
  Extent grid{40, 1, 1};
  Extent block{64, 1, 1};
  std::function<std::vector<std::uint64_t>(KernelRun&)> parameters;
  std::function<void(KernelRun&)> options = [](KernelRun&) {};
  std::string kernel = "k";
  unsigned launches = 2;

  Traces traces(unsigned threads) const {
    KernelRun run(text);
    run.device.options().threads = threads;
    run.device.options().spread_from = 0;
    options(run);
    Traces made;
    const auto given = parameters(run);
    for (unsigned i = 0; i < launches; ++i) made.add(run, run.launch(kernel, grid, block, given));
    return made;
  }
  /// Expects the same results with one, two and three host threads. `is_spread`: whether the last launch was spread.
  void expect_equal(bool is_spread) const {
    const Traces alone = traces(1);
    EXPECT_EQ(alone.threads, 1U);
    for (const unsigned threads : {2U, 3U}) {
      const Traces spread = traces(threads);
      EXPECT_EQ(spread.threads, is_spread ? threads : 1U);
      EXPECT_EQ(spread.text, alone.text) << threads << " threads";
      EXPECT_TRUE(spread.memory == alone.memory) << threads << " threads";
    }
  }
};

/// Sets %r1 to the number of the thread in the grid, %rd1 to p0, and %rd3 to p0 + 4 * %r1.
inline std::string with_place(const std::string& body) {
  return R"(
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.u32 %r1, %r2, %r3, %r1;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;)" +
         body;
}

inline std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<std::uint32_t>(i * 2654435761U);
  return made;
}

inline Trial trial(unsigned parameters, const std::string& body,
                   std::function<std::vector<std::uint64_t>(KernelRun&)> given) {
  Trial made;
  made.text = kernel_text(parameters, with_place(body));
  made.parameters = std::move(given);
  return made;
}

}  // namespace ambit::virtual_gpu
