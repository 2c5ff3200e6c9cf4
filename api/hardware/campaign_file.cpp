#include "api/hardware/campaign_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "api/files.h"

namespace ambit::api {
namespace {

/// Returns an error if a path cannot hold a campaign's results; nothing if the path is a regular file or does not
/// exist. Does not open the path, which may be a device.
std::optional<Diagnostic> wrong_kind(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return std::nullopt;
  return path_error(
      path, S_ISDIR(status.st_mode) ? "this is a directory, not a file for results" : "this is not a regular file");
}

Diagnostic system_error(const std::string& path, const std::string& what) {
  return path_error(path, what + ": " + std::strerror(errno));
}

/// Writes the whole text at offset `place` of the file.
bool write_at(int file, std::size_t place, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = pwrite(file, text.data() + done, text.size() - done, static_cast<off_t>(place + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
}

}  // namespace

CampaignFile::~CampaignFile() {
  if (file_ >= 0) close(file_);
}

Result<SourceFilePtr> CampaignFile::open(const std::string& path) {
  if (auto wrong = wrong_kind(path)) return *std::move(wrong);
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (file_ < 0) return system_error(path, "cannot write the file");
  // Other errors are ignored, so that a campaign can run on a file system without locks.
  if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    Diagnostic error = path_error(path, "another campaign is writing this file");
    error.hint = "give each shard its own file; ambit merge combines them";
    return error;
  }
  std::string text;
  std::array<char, 65536> piece{};
  while (true) {
    const ssize_t got = read(file_, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(path, "cannot read the file");
    if (got == 0) break;
    const std::string_view read_now(piece.data(), static_cast<std::size_t>(got));
    if (read_now.find('\0') != std::string_view::npos) return path_error(path, "this is not a text file");
    text += read_now;
  }
  whole_ = text.size();
  return std::make_shared<const SourceFile>(SourceFile{path, std::move(text)});
}

bool CampaignFile::append(const std::string& line) {
  waiting_ += line + "\n";
  if (ftruncate(file_, static_cast<off_t>(whole_)) == 0 && write_at(file_, whole_, waiting_)) {
    whole_ += waiting_.size();
    waiting_.clear();
    return true;
  }
  const int why = errno;
  // If an incomplete line remained, a resumed campaign would append its next line to it.
  if (ftruncate(file_, static_cast<off_t>(whole_)) == 0) errno = why;
  return false;
}

}  // namespace ambit::api
