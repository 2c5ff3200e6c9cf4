#include "tests/unit/server/support.h"

#include <chrono>
#include <thread>

namespace ambit::server {

std::string manifold(int threads) {
  std::string text = "CUDA t\n{ global int x = 0; }\n";
  std::string condition;
  for (int t = 0; t < threads; ++t) {
    const std::string name = "P" + std::to_string(t);
    text += name + " @ block " + std::to_string(t) + " { x = " + std::to_string(t + 1) + "; int a = x; int b = x; }\n";
    condition.append(t == 0 ? "" : " && ").append(name).append(":a == 0 && ").append(name).append(":b == 1");
  }
  return text + "exists (" + condition + ")";
}

bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 12000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

}  // namespace ambit::server
