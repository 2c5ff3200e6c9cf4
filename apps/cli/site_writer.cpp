#include "apps/cli/site_writer.h"

#include <iostream>
#include <optional>

namespace ambit::cli {

bool write_site(api::Site& site, Progress::Mode mode,
                const std::function<std::string(std::vector<std::string> notes)>& index) {
  std::optional<Diagnostic> error;
  {
    Progress progress(mode, site.tests());
    error = site.write_pages([&](std::size_t done, const std::string& page) { progress.show(done, "page " + page); });
  }
  if (!error) {
    const std::vector<std::string> notes = site.notes();
    for (const std::string& note : notes) std::cerr << note << "\n";
    error = site.write_index(index(notes));
  }
  if (error) std::cerr << error->render();
  return !error;
}

}  // namespace ambit::cli
