#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"

namespace ambit::api {

/// A chunk of work in the queue of a campaign. The ticket is an empty file. Its name gives `chunk` and `returns`.
struct Ticket {
  std::uint64_t chunk = 0;
  std::uint64_t returns = 0;  ///< number of times that a worker's lease on the chunk expired

  std::string name() const;  ///< "000012.1"
  /// Returns nothing if the text is not the name of a ticket.
  static std::optional<Ticket> read(const std::string& name);
  friend bool operator==(const Ticket&, const Ticket&) = default;
};

/// A ticket that a worker has taken.
struct Lease {
  Ticket ticket;
  std::string worker;

  std::string name() const { return ticket.name() + "." + worker; }
  static std::optional<Lease> read(const std::string& name);
};

/// The queue of a campaign, in a folder that several machines share. A ticket is in the folder `queue`, or in the
/// folder `leases` under the name of its worker. Every step is one rename(2), which is atomic even on NFS, so a ticket
/// is never in two places and never lost. (Lock files made with O_EXCL would need a second step that removes a dead
/// owner's lock. Two workers could do this step at the same time.) The heartbeat of a worker is a counter in the folder
/// `workers`.
class WorkQueue {
 public:
  /// Makes the folders and one ticket for each chunk.
  static std::optional<Diagnostic> create(const std::string& folder, std::uint64_t chunks);

  /// `worker`: a name that no other worker has (unique_process_name()).
  WorkQueue(std::string folder, std::string worker) : folder_(std::move(folder)), worker_(std::move(worker)) {}

  /// Takes a ticket, or returns nothing if the queue is empty. Takes tickets with fewer returns first. A chunk may kill
  /// its workers, for example by needing too much memory; the other chunks are then done first.
  std::optional<Ticket> take();
  /// Returns whether this worker still holds the ticket. If the lease expired, another worker may hold it.
  bool holds(const Ticket& ticket) const;
  /// Returns a ticket to the queue. Returns false if this worker no longer holds the ticket.
  bool give_back(const Ticket& ticket);
  /// Removes a ticket whose chunk is done.
  void finish(const Ticket& ticket);
  /// Returns the ticket of another worker to the queue.
  bool expire(const Lease& lease) const;
  /// Puts a new ticket for a chunk into the queue, unless the queue has this ticket.
  void add(std::uint64_t chunk) const;

  /// Returns the tickets in the queue. Ignores files that are not tickets.
  std::vector<Ticket> queued() const;
  std::vector<Lease> leases() const;

  /// Writes this worker's heartbeat. The first heartbeat must precede the first take(). Returns false on an error;
  /// errno has the reason.
  bool beat();
  /// Removes the heartbeat of a worker.
  void forget(const std::string& worker) const;
  /// Returns the heartbeat of a worker; empty if the worker has no heartbeat.
  std::string heartbeat_of(const std::string& worker) const;

 private:
  std::string path(const Ticket& ticket) const { return folder_ + "/queue/" + ticket.name(); }
  std::string path(const Lease& lease) const { return folder_ + "/leases/" + lease.name(); }
  std::string heartbeat_path(const std::string& worker) const { return folder_ + "/workers/" + worker; }

  std::string folder_;
  std::string worker_;
  std::vector<Ticket> listed_;  ///< the last listing of the queue; the next ticket is at the end
  std::uint64_t beats_ = 0;
};

/// Finds leases whose workers have died. The clocks of machines differ, so the watch does not compare file times. A
/// lease has expired if its worker's heartbeat did not change for the lease time, measured with the observer's clock.
class LeaseWatch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit LeaseWatch(std::chrono::milliseconds lease_time) : lease_time_(lease_time) {}

  /// Records the heartbeat of a lease at the time `now`. Returns whether the lease has expired.
  bool has_expired(const Lease& lease, const std::string& heartbeat, Clock::time_point now);
  /// Forgets all leases except `leases`.
  void keep_only(const std::vector<Lease>& leases);

 private:
  struct Seen {
    std::string heartbeat;
    Clock::time_point since;
  };

  std::chrono::milliseconds lease_time_;
  std::map<std::string, Seen> seen_;  ///< indexed by the name of the lease
};

}  // namespace ambit::api
