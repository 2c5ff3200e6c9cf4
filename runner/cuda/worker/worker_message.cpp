#include "runner/cuda/worker/worker_message.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace ambit::cuda {
namespace {

using nlohmann::json;

/// The texts for the enumerators of WorkerMessage::Kind, in their order.
constexpr std::array<std::string_view, 6> kKinds = {"device", "no device", "alive", "progress", "finished", "failed"};

}  // namespace

std::string to_line(const WorkerMessage& message) {
  const json fields = {
      {"kind", kKinds[static_cast<std::size_t>(message.kind)]}, {"test", message.test}, {"text", message.text}};
  return fields.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<WorkerMessage> read_message(std::string_view line) {
  try {
    const json fields = json::parse(line);
    const auto kind = std::ranges::find(kKinds, fields.at("kind").get<std::string>());
    if (kind == kKinds.end() || !fields.at("test").is_number_unsigned()) return std::nullopt;
    return WorkerMessage{static_cast<WorkerMessage::Kind>(kind - kKinds.begin()), fields.at("test").get<std::size_t>(),
                         fields.at("text").get<std::string>()};
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::string device_text(const DeviceInfo& device) {
  return json{{"name", device.name},
              {"arch", device.arch},
              {"multiprocessors", device.multiprocessors},
              {"memory", device.memory_bytes},
              {"l2", device.l2_bytes}}
      .dump();
}

DeviceInfo read_device(const std::string& text) {
  const json fields = json::parse(text);
  return {fields.at("name").get<std::string>(), fields.at("arch").get<std::uint32_t>(),
          fields.at("multiprocessors").get<std::uint32_t>(), fields.at("memory").get<std::uint64_t>(),
          fields.at("l2").get<std::uint32_t>()};
}

std::string error_text(const Diagnostic& error) {
  return json{{"message", error.message}, {"hint", error.hint}}.dump();
}

Diagnostic read_error(const std::string& text) {
  const json error = json::parse(text);
  return {nullptr, {}, error.at("message").get<std::string>(), error.at("hint").get<std::string>()};
}

}  // namespace ambit::cuda
