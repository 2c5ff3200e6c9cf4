#include "api/campaign/work_queue.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>

#include "api/files.h"
#include "base/descriptor.h"
#include "base/number_text.h"
#include "base/shared_file.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator it(folder, error);
  for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

template <typename Entry>
std::vector<Entry> entries_in(const std::string& folder) {
  std::vector<Entry> entries;
  for (const std::string& name : names_in(folder)) {
    if (auto entry = Entry::read(name)) entries.push_back(*std::move(entry));
  }
  return entries;
}

/// Creates an empty file. Returns false if the file exists or cannot be created; errno has the reason.
bool create_file(const std::string& path) {
  return Descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)).is_open();
}

}  // namespace

std::string Ticket::name() const { return fmt::format("{:06}.{}", chunk, returns); }

std::optional<Ticket> Ticket::read(const std::string& name) {
  std::string_view rest = name;
  Ticket ticket;
  if (!take_number(rest, ticket.chunk) || !rest.starts_with('.')) return std::nullopt;
  rest.remove_prefix(1);
  if (!take_number(rest, ticket.returns) || !rest.empty() || ticket.name() != name) return std::nullopt;
  return ticket;
}

std::optional<Lease> Lease::read(const std::string& name) {
  const std::size_t dot = name.find('.', name.find('.') + 1);
  if (dot == std::string::npos || dot + 1 == name.size()) return std::nullopt;
  const auto ticket = Ticket::read(name.substr(0, dot));
  return ticket ? std::optional(Lease{*ticket, name.substr(dot + 1)}) : std::nullopt;
}

std::optional<Diagnostic> WorkQueue::create(const std::string& folder, std::uint64_t chunks) {
  for (const char* name : {"queue", "leases", "workers"}) {
    std::error_code error;
    fs::create_directories(folder + "/" + name, error);
    if (error) return path_error(folder + "/" + name, "cannot create the folder: " + error.message());
  }
  for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
    const std::string path = folder + "/queue/" + Ticket{chunk}.name();
    if (!create_file(path)) return path_error(path, fmt::format("cannot create the file: {}", std::strerror(errno)));
  }
  return std::nullopt;
}

std::optional<Ticket> WorkQueue::take() {
  // The directory is listed only after all tickets of the last listing were tried. Other workers may have taken tickets
  // of an old listing, so the rename of such a ticket fails.
  for (int listings = 0; listings < 2; ++listings) {
    while (!listed_.empty()) {
      const Ticket ticket = listed_.back();
      listed_.pop_back();
      if (move_file(path(ticket), path(Lease{ticket, worker_}))) return ticket;
    }
    if (listings > 0) break;
    listed_ = queued();
    // Each worker starts at a different ticket, so that workers seldom try the same ticket.
    if (listed_.empty()) break;
    const std::size_t begin = std::hash<std::string>()(worker_) % listed_.size();
    std::ranges::rotate(listed_, listed_.begin() + static_cast<std::ptrdiff_t>(begin));
    std::ranges::stable_sort(listed_, {}, &Ticket::returns);
    std::ranges::reverse(listed_);
  }
  return std::nullopt;
}

bool WorkQueue::holds(const Ticket& ticket) const { return access(path(Lease{ticket, worker_}).c_str(), F_OK) == 0; }

bool WorkQueue::give_back(const Ticket& ticket) { return move_file(path(Lease{ticket, worker_}), path(ticket)); }

void WorkQueue::finish(const Ticket& ticket) { unlink(path(Lease{ticket, worker_}).c_str()); }

bool WorkQueue::expire(const Lease& lease) const {
  const Ticket returned{lease.ticket.chunk, lease.ticket.returns + 1};
  return move_file(path(lease), path(returned));
}

void WorkQueue::add(std::uint64_t chunk) const { create_file(path(Ticket{chunk})); }

std::vector<Ticket> WorkQueue::queued() const { return entries_in<Ticket>(folder_ + "/queue"); }

std::vector<Lease> WorkQueue::leases() const { return entries_in<Lease>(folder_ + "/leases"); }

bool WorkQueue::beat() {
  // NFS clients send a file's data to the server when the file is closed, and check for new data when it is opened.
  const std::string text = fmt::format("{}\n", ++beats_);
  const Descriptor file(open(heartbeat_path(worker_).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  return file.is_open() && write_all(file.number(), text);
}

void WorkQueue::forget(const std::string& worker) const { unlink(heartbeat_path(worker).c_str()); }

std::string WorkQueue::heartbeat_of(const std::string& worker) const {
  return read_bytes(heartbeat_path(worker)).value_or("");
}

bool LeaseWatch::has_expired(const Lease& lease, const std::string& heartbeat, Clock::time_point now) {
  const auto [seen, is_new] = seen_.try_emplace(lease.name(), Seen{heartbeat, now});
  if (is_new) return false;
  if (seen->second.heartbeat != heartbeat) {
    seen->second = {heartbeat, now};
    return false;
  }
  return now - seen->second.since >= lease_time_;
}

void LeaseWatch::keep_only(const std::vector<Lease>& leases) {
  std::map<std::string, Seen> kept;
  for (const Lease& lease : leases) {
    if (auto node = seen_.extract(lease.name())) kept.insert(std::move(node));
  }
  seen_ = std::move(kept);
}

}  // namespace ambit::api
