#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ambit {

/// Functions for files in a folder that several processes, possibly on several machines, share. A reader sees an old
/// file, a new file or no file, and never a part of a file. The functions use only rename(2), link(2) and O_EXCL, which
/// are atomic on local file systems and on NFS.

/// The result of publish_file().
enum class Publication : std::uint8_t {
  Done,
  Existed,  ///< a file with this name exists and is unchanged
  Failed,   ///< errno has the reason
};

/// Writes a file with this text, unless the file exists. If several processes publish the same name, exactly one of
/// them has the result Done. The file survives a crash of the machine once the function has returned.
Publication publish_file(const std::string& path, std::string_view text);

/// Writes a file with this text, in place of any existing file. Returns false on an error; errno has the reason.
bool replace_file(const std::string& path, std::string_view text);

/// Renames a file within one file system. Returns whether this call created `to`. An NFS client
/// that repeats a request after a lost reply can receive ENOENT although its first request was successful. So if
/// rename() fails with ENOENT, the function looks for `to`, which no other process may create.
bool move_file(const std::string& from, const std::string& to);

/// Returns the bytes of a file, or nothing on an error; errno has the reason.
std::optional<std::string> read_bytes(const std::string& path);

/// Returns a name that no other process on any machine has: host name, process id and random digits. The name consists
/// of letters, digits and '-'.
std::string unique_process_name();

}  // namespace ambit
