#pragma once

#include <string>

#include "base/source.h"

namespace ambit::external {

/// Runs a detector in a shared library (include/ambit/detector_plugin.h). Reads a stream of runs in binary form from
/// `in`, passes each run to the library, and writes the answers to `out` (docs/detectors/protocol.md). Returns at the
/// end of the stream. Returns an error if the library cannot be loaded or has another version, if the stream is
/// malformed, or if the detector names a thread, a location or a kind that does not exist. If the library crashes, the
/// process crashes.
Result<bool> serve_plugin(const std::string& library, int in, int out);

}  // namespace ambit::external
