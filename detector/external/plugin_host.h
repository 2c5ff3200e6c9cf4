#pragma once

#include <string>

#include "base/source.h"

namespace ambit::external {

/// Serves a detector in a shared library (include/ambit/detector_plugin.h): reads a stream of runs in binary form from
/// `in`, passes each run to the library, and writes the answers to `out` (docs/detectors/protocol.md). Returns when the
/// stream has ended. Returns an error if the library cannot be loaded or has another version, if the stream is
/// malformed, or if the detector names a thread, a location or a kind that does not exist. A crash of the library is a
/// crash of the process.
Result<bool> serve_plugin(const std::string& library, int in, int out);

}  // namespace ambit::external
