/// Runs one of Ambit's detectors as a detector program, to test docs/detectors/protocol.md. Reads a stream of runs in
/// binary form and writes answers. The only argument is the name of the detector.
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "detector/external/answer.h"
#include "detector/external/run_stream_reader.h"

namespace {

using namespace ambit;

int fail(const Diagnostics& errors) {
  std::fputs(render(errors).c_str(), stderr);
  return 1;
}

std::string answers_of(const detector::Detector& detector, const external::RunStreamReader& stream) {
  std::string text;
  for (const RaceReport& race : detector.races()) text += external::race_line(race, stream.tables());
  for (const std::string& remark : detector.remarks()) text += external::remark_line(remark);
  if (detector.is_open()) text += external::gave_up_line("see the remarks");
  return text + external::end_line(stream.run().test, stream.run().number, stream.events());
}

int serve(const std::string& name) {
  external::RunStreamReader stream(STDIN_FILENO);
  if (const auto opened = stream.open(); !opened.ok()) return fail(opened.errors());
  while (true) {
    const auto next = stream.next_run();
    if (!next.ok()) return fail(next.errors());
    if (!next.value()) return 0;
    external::StreamedRun run(stream);
    auto made = detector::make_detector(name, stream.options(), stream.tables());
    if (!made.ok()) return fail(made.errors());
    std::vector<std::unique_ptr<detector::Detector>> detectors;
    detectors.push_back(std::move(made).value());
    if (const auto replayed = detector::replay(run, detectors); !replayed.ok()) return fail(replayed.errors());
    if (!write_all(STDOUT_FILENO, answers_of(*detectors.front(), stream))) return 1;
  }
}

}  // namespace

int main(int count, char** arguments) { return count == 2 ? serve(arguments[1]) : 2; }
