/// A trivial detector program: counts the writes of each run and reports nothing. Reads text and binary streams.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

/// The standard input, read in large pieces.
class Input {
 public:
  /// Returns the next `size` bytes; null at the end of the input.
  const char* take(std::size_t size) {
    if (!fill(size)) return nullptr;
    at_ += size;
    return buffer_.data() + at_ - size;
  }
  /// Reads the next line, without its line break. Returns false at the end of the input.
  bool line(const char*& begin, std::size_t& size) {
    std::size_t searched = 0;
    while (true) {
      const void* end = std::memchr(buffer_.data() + at_ + searched, '\n', filled_ - at_ - searched);
      if (end != nullptr) {
        begin = buffer_.data() + at_;
        size = static_cast<std::size_t>(static_cast<const char*>(end) - begin);
        at_ += size + 1;
        return true;
      }
      searched = filled_ - at_;
      if (!fill(searched + 1)) return false;
    }
  }

 private:
  bool fill(std::size_t size) {
    if (filled_ - at_ >= size) return true;
    std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
    filled_ -= at_;
    at_ = 0;
    if (buffer_.size() < size) buffer_.resize(size);
    while (filled_ < size) {
      const ssize_t count = read(STDIN_FILENO, buffer_.data() + filled_, buffer_.size() - filled_);
      if (count <= 0) return false;
      filled_ += static_cast<std::size_t>(count);
    }
    return true;
  }

  std::vector<char> buffer_ = std::vector<char>(1U << 20U);
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
};

std::uint64_t writes = 0;

void end_run(const std::string& run) {
  std::printf("{\"remark\": \"%llu writes\"}\n{\"end\": %s}\n", static_cast<unsigned long long>(writes), run.c_str());
  std::fflush(stdout);
  writes = 0;
}

void read_binary(Input& input) {
  std::uint64_t run = 0;
  input.take(16);
  while (const char* head = input.take(8)) {
    std::uint32_t kind = 0;
    std::uint32_t size = 0;
    std::memcpy(&kind, head, 4);
    std::memcpy(&size, head + 4, 4);
    const char* payload = input.take((std::size_t{size} + 7) / 8 * 8);
    if (payload == nullptr) return;
    if (kind == 2) std::memcpy(&run, payload, 8);
    if (kind == 4) {
      for (std::uint32_t at = 0; at < size; at += 40) writes += payload[at] == 1 ? 1 : 0;
    }
    if (kind == 5) end_run(std::to_string(run));
  }
}

void read_text(Input& input) {
  const char* line = nullptr;
  std::size_t size = 0;
  std::string run;
  while (input.line(line, size)) {
    const char* blank = static_cast<const char*>(std::memchr(line, ' ', size));
    if (blank == nullptr) continue;
    if (blank[1] == 'w') ++writes;
    if (std::strncmp(line, "run ", 4) == 0) run.assign(blank + 1, std::strcspn(blank + 1, " "));
    if (std::strncmp(line, "end ", 4) == 0) end_run(run);
  }
}

}  // namespace

int main(int count, char** arguments) {
  Input input;
  if (count > 1 && std::string(arguments[1]) == "binary") {
    read_binary(input);
  } else {
    read_text(input);
  }
}
