// A race detector as a program: g++ -O2 -o fence_count fence_count.cpp
//   ambit validate litmus/scor --detector exec:./fence_count
// Reports an access if another thread wrote the location last, and if this writer has executed no fence or barrier
// since.
#include <cstdio>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

struct Write {
  long event = 0;
  std::string thread;
  long passed = 0;  // number of fences and barriers that the thread had executed
  bool is_atomic = false;
};

// Reads the trace of one run, up to its last line.
void judge() {
  std::map<std::string, long> passed;
  std::map<std::string, Write> last;
  static const std::regex kValues("(=[^=]*|:[^:]*(->.*|!))$");
  long event = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string thread, operation, operand;
    words >> thread >> operation >> operand;
    if (thread == "end") return;
    if (thread == "ambit-trace" || thread == "launch" || thread == "thread" || thread == "object" || thread == "init")
      continue;
    const std::string kind = operation.substr(0, operation.find('.'));
    if (kind == "fence" || kind == "bar" || kind == "warpbar") {
      ++passed[thread];
    } else if (kind == "r" || kind == "w" || kind == "rmw" || kind == "red") {
      const bool is_atomic = operation.find('.') != operation.rfind('.');
      Write& before = last[std::regex_replace(operand, kValues, "")];
      const bool is_other = !before.thread.empty() && before.thread != thread;
      if (is_other && before.passed == passed[before.thread] && !(is_atomic && before.is_atomic))
        std::printf("{\"race\": [%ld, %ld], \"kind\": \"missing fence\"}\n", before.event, event);
      if (kind != "r") before = {event, thread, passed[thread], is_atomic};
    }
    ++event;
  }
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    if (line.rfind("run ", 0) != 0) continue;
    const std::size_t blank = line.find(' ', 4);
    judge();
    std::printf("{\"end\": %s, \"test\": \"%s\"}\n", line.substr(4, blank - 4).c_str(), line.substr(blank + 1).c_str());
    std::fflush(stdout);
  }
}
