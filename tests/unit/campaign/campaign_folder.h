#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "api/campaign/campaign.h"
#include "tests/support/files.h"

namespace ambit::api {

/// A temporary folder, which the destructor removes. The folder contains a script that replaces `ambit check --json
/// FILE`. Tests can change the script, so that it waits, crashes or fails.
class CampaignFolder {
 public:
  CampaignFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "ambit-campaign-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
    write_program("");
  }
  CampaignFolder(const CampaignFolder&) = delete;
  CampaignFolder& operator=(const CampaignFolder&) = delete;
  ~CampaignFolder() { std::filesystem::remove_all(path_); }

  std::string path(const std::string& name) const { return path_ + "/" + name; }
  std::string program() const { return path("program"); }
  /// The folder of a campaign.
  std::string campaign(const std::string& name = "campaign") const { return path(name); }

  /// Writes the script. It runs `commands` before it prints the document. In `commands`, `$file` is the input file, and
  /// `$folder` is this folder.
  void write_program(const std::string& commands) const {
    std::ofstream(program()) << "#!/bin/sh\nfolder='" << path_ << "'\nfor file; do :; done\n"
                             << commands
                             << "\nprintf '{\"ambit\": \"1\", \"tests\": [{\"file\": \"%s\"}]}' \"${file##*/}\"\n";
    std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
  }

  /// Makes `count` input files a000, a001 ..., and a campaign over them.
  Result<Campaign> make(int count, double lease_seconds = 60, const std::string& name = "campaign") const {
    CampaignRequest request = this->request(count);
    request.lease_seconds = lease_seconds;
    return create_campaign(campaign(name), request);
  }

  CampaignRequest request(int count) const {
    std::filesystem::create_directories(path("tests"));
    for (int i = 0; i < count; ++i) {
      std::string number = std::to_string(i);
      number.insert(0, 3 - number.size(), '0');
      std::ofstream(path("tests/a" + number + ".litmus")) << i;
    }
    CampaignRequest request;
    request.command = "check";
    request.paths = {path("tests")};
    request.chunk = 3;
    request.version = "1";
    request.program_path = program();
    return request;
  }

 private:
  std::string path_;
};

}  // namespace ambit::api
