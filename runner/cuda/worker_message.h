#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ambit::cuda {

/// What a worker process tells the process that watches it (isolated.h).
struct WorkerMessage {
  enum class Kind : std::uint8_t {
    Device,    ///< it has begun; `text` describes its device as JSON
    NoDevice,  ///< it cannot begin; `text` holds "message" and "hint" as JSON
    Alive,     ///< nothing else
    Progress,  ///< `text` is a report (report_json.h) of the test under way
    Finished,  ///< `text` is the test's report
    Failed,    ///< `text` says why
  } kind = Kind::Alive;
  std::size_t test = 0;  ///< of the campaign, from 0
  std::string text;

  friend bool operator==(const WorkerMessage&, const WorkerMessage&) = default;
};

/// The message as one line, its end included.
std::string to_line(const WorkerMessage& message);
/// The message back, from a line with or without its end; nothing: it is none, or torn.
std::optional<WorkerMessage> read_message(std::string_view line);

}  // namespace ambit::cuda
