#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/source.h"

/// A suite of labelled tests. A file suite.json describes the tests in its folder (docs/reference/suites.md).
namespace ambit::suite {

struct SuiteFile {
  struct Label {
    bool is_race = false;
    std::string because;  ///< may be empty
    SourceSpan span;
  };
  std::string folder;  ///< the folder of the file, spelled as the user named it
  std::string name;
  std::string source;                   ///< the publication or the authors
  std::string race;                     ///< the meaning of the label race
  std::string norace;                   ///< the meaning of the label norace
  std::map<std::string, Label> labels;  ///< maps the name of a test's file, without its extension, to the test's label
  SourceFilePtr text;
};

/// Reads a suite file. Returns an error if the text is not JSON, if a field is missing, unknown or of another type, or
/// if a label is neither race nor norace.
Result<SuiteFile> read_suite_file(const SourceFilePtr& source);

}  // namespace ambit::suite
