#include "tests/order/shapes.h"

#include <fmt/format.h>

#include <vector>

#include "tests/support/dice.h"

namespace ambit::order {
namespace {

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : dice_(static_cast<unsigned>(seed)) {}

  std::string text() {
    if (dice_.chance(60)) {
      message();
    } else {
      statements();
    }
    std::string text = "CUDA shape\n{ global int x0 = 0, x1 = 0; global int f0 = 0, f1 = 0; }\n";
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      text += fmt::format("P{} @ block {}{} {{\n{}}}\n", i, threads_[i].block, threads_[i].place, threads_[i].body);
    }
    return text;
  }

 private:
  struct Thread {
    std::size_t block;
    std::string place;
    std::string body;
    int reads = 0;
  };

  std::string scope() { return dice_.pick<std::string>({"device", "device", "device", "block", "system"}); }
  void line(std::size_t thread, const std::string& text) { threads_[thread].body += "  " + text + "\n"; }
  std::string result(std::size_t thread) { return fmt::format("int r{} = ", threads_[thread].reads++); }
  std::string data() { return fmt::format("x{}", dice_.below(2)); }

  void add_threads(std::size_t blocks, std::size_t each) {
    const bool is_one_warp = dice_.chance(20);
    for (std::size_t i = 0; i < blocks * each; ++i) {
      threads_.push_back({i / each, is_one_warp ? fmt::format(" warp 0 lane {}", i % each) : "", "", 0});
    }
  }

  std::string any_fence() {
    const std::string order =
        dice_.pick<std::string>({"seq_cst", "seq_cst", "seq_cst", "acq_rel", "release", "acquire"});
    return fmt::format("fence({}, {});", order, scope());
  }
  void fence(std::size_t thread) { line(thread, any_fence()); }
  void write_flag(std::size_t thread, const std::string& flag) {
    const int value = ++values_;
    switch (dice_.below(6)) {
      case 0: return line(thread, fmt::format("*(volatile int *)&{} = {};", flag, value));
      case 1: return line(thread, fmt::format("store({}, {}, relaxed, {});", flag, value, scope()));
      case 2: return line(thread, fmt::format("store({}, {}, release, {});", flag, value, scope()));
      default: return update_flag(thread, flag);
    }
  }
  void update_flag(std::size_t thread, const std::string& flag) {
    const std::string order =
        dice_.pick<std::string>({"relaxed", "relaxed", "relaxed", "acquire", "release", "acq_rel"});
    const int value = ++values_;
    if (dice_.chance(50)) {
      return line(thread, result(thread) + fmt::format("exchange({}, {}, {}, {});", flag, value, order, scope()));
    }
    line(thread,
         result(thread) + fmt::format("fetch_add({}, {}, {}, {});", flag, 1 << (6 + value % 24), order, scope()));
  }
  void read_flag(std::size_t thread, const std::string& flag) {
    switch (dice_.below(5)) {
      case 0: return line(thread, result(thread) + fmt::format("*(volatile int *)&{};", flag));
      case 1:
      case 2: return line(thread, result(thread) + fmt::format("load({}, relaxed, {});", flag, scope()));
      case 3: return line(thread, result(thread) + fmt::format("load({}, acquire, {});", flag, scope()));
      default: return update_flag(thread, flag);
    }
  }
  /// Adds a plain read or write of the flag. If the thread has observed the flag, this access can be ordered after the
  /// writes to the flag.
  void touch_flag(std::size_t thread, const std::string& flag) {
    if (dice_.chance(50)) return line(thread, result(thread) + flag + ";");
    line(thread, fmt::format("{} = {};", flag, ++values_));
  }
  void write_data(std::size_t thread) { line(thread, fmt::format("{} = {};", data(), ++values_)); }
  void read_data(std::size_t thread) { line(thread, result(thread) + data() + ";"); }
  void barrier(std::size_t block) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (threads_[i].block == block) line(i, "__syncthreads();");
    }
  }

  /// Adds fences by all threads or by the leader, then a barrier, then fences again. Each part is optional. Most fences
  /// are seq_cst fences of device scope, like __threadfence(), so that many messages arrive.
  void fences_around_barrier(std::size_t block, std::size_t leader) {
    const auto some = [&] {
      if (dice_.chance(30)) return;
      const bool is_by_all = dice_.chance(70);
      const std::string text = dice_.chance(75) ? "fence(seq_cst, device);" : any_fence();
      for (std::size_t i = 0; i < threads_.size(); ++i) {
        if (threads_[i].block == block && (is_by_all || i == leader)) line(i, text);
      }
    };
    some();
    if (dice_.chance(80)) barrier(block);
    some();
  }

  /// Adds a message: a write of data, a flag, optionally a second flag, and a read of the data.
  void message() {
    const std::size_t each = 2;
    const std::size_t blocks = 2 + dice_.below(2);
    add_threads(blocks, each);
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t leader = block * each + dice_.below(each);
      if (block != 0) read_flag(leader, block == 1 ? "f0" : "f1");
      if (block != 0) fences_around_barrier(block, leader);
      for (std::size_t i = 0; i < each; ++i) {
        const std::size_t thread = block * each + i;
        if (block == 0 && dice_.chance(60)) line(thread, fmt::format("x{} = {};", i, ++values_));
        if (block == 1 && dice_.chance(blocks == 2 ? 70 : 20)) read_data(thread);
        if (block == 2) read_data(thread);
        if (block != 0 && dice_.chance(8)) touch_flag(thread, block == 1 ? "f0" : "f1");
      }
      if (block + 1 == blocks) break;
      fences_around_barrier(block, leader);
      write_flag(leader, block == 0 ? "f0" : "f1");
    }
  }

  void statements() {
    const std::size_t blocks = 1 + dice_.below(2);
    add_threads(blocks, 2);
    const std::size_t rounds = 1 + dice_.below(3);
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
        for (std::size_t n = dice_.below(rounds == 1 ? 6 : 4); n > 0; --n) statement(thread);
      }
      if (round + 1 == rounds) break;
      for (std::size_t block = 0; block < blocks; ++block) {
        if (dice_.chance(70)) barrier(block);
      }
    }
  }
  void statement(std::size_t thread) {
    const std::string flag = fmt::format("f{}", dice_.below(2));
    switch (dice_.below(8)) {
      case 0: return write_data(thread);
      case 1: return read_data(thread);
      case 2: return write_flag(thread, flag);
      case 3:
      case 4: return read_flag(thread, flag);
      default: return fence(thread);
    }
  }

  test::Dice dice_;
  std::vector<Thread> threads_;
  int values_ = 0;
};

}  // namespace

Shape::Shape(std::uint64_t seed) : text_(Writer(seed).text()) {}

}  // namespace ambit::order
