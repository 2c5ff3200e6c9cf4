/// A trivial plugin: counts the writes of each run and reports nothing.
#include <ambit/detector_plugin.h>

#include <cstdint>
#include <string>

namespace {

struct Counter {
  const ambit_host* host;
  std::uint64_t writes;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const ambit_detector* ambit_detector_plugin(void) {
  static const ambit_detector kDetector = {
      AMBIT_DETECTOR_VERSION,
      sizeof(ambit_event),
      [](const ambit_run*, const ambit_host* host, const ambit_option*, size_t) -> void* {
        return new Counter{host, 0};
      },
      [](void* self, const ambit_event* events, size_t count) {
        std::uint64_t writes = 0;
        for (size_t i = 0; i < count; ++i) writes += events[i].operation == AMBIT_WRITE ? 1 : 0;
        static_cast<Counter*>(self)->writes += writes;
      },
      [](void* self) {
        const Counter& counter = *static_cast<Counter*>(self);
        counter.host->remark(counter.host->context, (std::to_string(counter.writes) + " writes").c_str());
      },
      [](void* self) { delete static_cast<Counter*>(self); }};
  return &kDetector;
}
