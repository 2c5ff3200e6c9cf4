#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.h"
#include "runner/cuda/launch/driver.h"

namespace ambit::cuda {

/// A message from a worker process to the process that controls it (isolated.h).
struct WorkerMessage {
  enum class Kind : std::uint8_t {
    Device,    ///< the worker has started; `text` describes its device as JSON
    NoDevice,  ///< the worker cannot start; `text` holds "message" and "hint" as JSON
    Alive,     ///< the worker still works on the test
    Progress,  ///< `text` is a report (report_json.h) of the running test
    Finished,  ///< `text` is the test's report
    Failed,    ///< `text` is the reason
  } kind = Kind::Alive;
  std::size_t test = 0;  ///< number of the test in the campaign, from 0
  std::string text;

  friend bool operator==(const WorkerMessage&, const WorkerMessage&) = default;
};

/// Returns the message as one line with its line break.
std::string to_line(const WorkerMessage& message);
/// Reads the message in a line with or without a line break; returns nothing if the line is not a complete message.
std::optional<WorkerMessage> read_message(std::string_view line);

/// Convert a device to the text of a Device message, and back.
std::string device_text(const DeviceInfo& device);
DeviceInfo read_device(const std::string& text);
/// Convert an error to the text of a NoDevice message, and back.
std::string error_text(const Diagnostic& error);
Diagnostic read_error(const std::string& text);

}  // namespace ambit::cuda
