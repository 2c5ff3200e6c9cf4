#pragma once

#include <utility>

namespace ambit::parser::litmus {

/// An object that calls a function in its destructor.
template <typename Function>
class [[nodiscard]] AtExit {
 public:
  explicit AtExit(Function function) : function_(std::move(function)) {}
  ~AtExit() { function_(); }
  AtExit(const AtExit&) = delete;
  AtExit& operator=(const AtExit&) = delete;

 private:
  Function function_;
};

/// Sets `target` to `value`, until the returned object is destroyed.
template <typename T>
auto set_for_scope(T& target, std::type_identity_t<T> value) {
  return AtExit([&target, outer = std::exchange(target, value)] { target = outer; });
}

}  // namespace ambit::parser::litmus
