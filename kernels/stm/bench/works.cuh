// The benchmark's workloads HASH, BANK, SPATH and EQUAKE, modelled on the dissertation's workloads. A workload consists
// of jobs on shared words; a job is one transaction. Each workload can also compute its result sequentially.
#pragma once

#include <algorithm>
#include <vector>

namespace bench {

constexpr int most_accesses = 8;  // limit on a job's reads, on its writes, and on its listed words

/// The size of a workload: its number of jobs, and the approximate number of words that the jobs share.
struct Shape {
  int jobs;
  int places;
};

using Words = std::vector<unsigned>;

inline Words random_numbers(int count, int bound, unsigned seed) {
  app::Random random(seed);
  Words numbers(count);
  for (unsigned& number : numbers) number = (random.next() ^ random.next() << 12) % static_cast<unsigned>(bound);
  return numbers;
}

/// HASH: each job inserts a node at the head of its bucket's list and counts the node.
class Hash {
 public:
  struct Device {
    unsigned jobs;
    const unsigned* bucket;  // for each job, the bucket of its key
    unsigned* next;  // for each node, the next node in the list plus 1; 0 at the end
    __device__ int places(unsigned job, unsigned* words) const {
      words[0] = 2 * bucket[job];
      words[1] = 2 * bucket[job] + 1;
      return 2;
    }
    template <class Access>
    __device__ bool run(Access& access, unsigned job) const {
      const unsigned head = 2 * bucket[job];
      next[job] = access.read(head);
      access.write(head, job + 1);
      access.write(head + 1, access.read(head + 1) + 1);
      return false;
    }
  };

  explicit Hash(const Shape& shape)
      : buckets_(std::max(1, shape.places / 2)),
        bucket_(random_numbers(shape.jobs, buckets_, 1)),
        bucket_there_(bucket_),
        next_there_(shape.jobs, 0u) {}
  Words first() const { return Words(2 * static_cast<std::size_t>(buckets_), 0u); }
  Device device() const { return {static_cast<unsigned>(bucket_.size()), bucket_there_.data(), next_there_.data()}; }
  static constexpr bool repeats = false;

  /// Returns whether each list contains the same jobs as after a sequential run, in any order.
  bool is_right(const Words& words) const {
    std::vector<Words> expected(buckets_);
    for (unsigned job = 0; job < bucket_.size(); ++job) expected[bucket_[job]].push_back(job);
    const Words next = next_there_.values();
    for (int bucket = 0; bucket < buckets_; ++bucket) {
      if (words[2 * bucket + 1] != expected[bucket].size()) return false;
      Words found;
      for (unsigned node = words[2 * bucket]; node != 0 && found.size() <= next.size(); node = next[node - 1]) {
        if (node > next.size()) return false;
        found.push_back(node - 1);
      }
      std::sort(found.begin(), found.end());
      if (found != expected[bucket]) return false;
    }
    return true;
  }

 private:
  int buckets_;
  Words bucket_;
  app::Buffer<unsigned> bucket_there_;
  app::Buffer<unsigned> next_there_;
};

/// BANK: each job moves an amount from one account to another.
class Bank {
 public:
  struct Device {
    unsigned jobs;
    const unsigned* from;
    const unsigned* to;
    __host__ __device__ static unsigned amount(unsigned job) { return job % 97 + 1; }
    __device__ int places(unsigned job, unsigned* words) const {
      words[0] = from[job];
      words[1] = to[job];
      return 2;
    }
    template <class Access>
    __device__ bool run(Access& access, unsigned job) const {
      access.write(from[job], access.read(from[job]) - amount(job));
      access.write(to[job], access.read(to[job]) + amount(job));
      return false;
    }
  };

  explicit Bank(const Shape& shape)
      : accounts_(std::max(2, shape.places)),
        from_(random_numbers(shape.jobs, accounts_, 2)),
        to_(other_accounts(shape.jobs)),
        from_there_(from_),
        to_there_(to_) {}
  Words first() const { return Words(accounts_, 1000000u); }
  Device device() const { return {static_cast<unsigned>(from_.size()), from_there_.data(), to_there_.data()}; }
  static constexpr bool repeats = false;

  bool is_right(const Words& words) const {
    Words expected = first();
    for (unsigned job = 0; job < from_.size(); ++job) {
      expected[from_[job]] -= Device::amount(job);
      expected[to_[job]] += Device::amount(job);
    }
    return words == expected;
  }

 private:
  Words other_accounts(int jobs) const {
    Words to = random_numbers(jobs, accounts_ - 1, 3);
    for (int job = 0; job < jobs; ++job) to[job] = (from_[job] + 1 + to[job]) % accounts_;
    return to;
  }

  int accounts_;
  Words from_;
  Words to_;
  app::Buffer<unsigned> from_there_;
  app::Buffer<unsigned> to_there_;
};

/// SPATH: shortest paths from vertex 0. Each job tests one edge, and shortens the path to the edge's end if possible.
/// The jobs run repeatedly until no path becomes shorter. A vertex has two words: its distance and its predecessor.
class ShortestPaths {
 public:
  static constexpr unsigned unreached = 0xffffffff;
  struct Device {
    unsigned jobs;
    const unsigned* from;
    const unsigned* to;
    __host__ __device__ static unsigned length(unsigned edge) { return edge * 2654435761u % 15 + 1; }
    __device__ int places(unsigned edge, unsigned* words) const {
      words[0] = 2 * from[edge];
      words[1] = 2 * to[edge];
      words[2] = 2 * to[edge] + 1;
      return 3;
    }
    template <class Access>
    __device__ bool run(Access& access, unsigned edge) const {
      const unsigned here = access.read(2 * from[edge]);
      if (here == unreached || here + length(edge) >= access.read(2 * to[edge])) return false;
      access.write(2 * to[edge], here + length(edge));
      access.write(2 * to[edge] + 1, from[edge]);
      return true;
    }
  };

  // Makes the edges: a tree that reaches all vertices, and random further edges.
  explicit ShortestPaths(const Shape& shape)
      : vertices_(std::max(2, std::min(shape.places, shape.jobs) / 2)),
        from_(starts(shape.jobs)),
        to_(ends(shape.jobs)),
        from_there_(from_),
        to_there_(to_) {}
  Words first() const {
    Words words(2 * static_cast<std::size_t>(vertices_), unreached);
    words[0] = 0;
    return words;
  }
  Device device() const { return {static_cast<unsigned>(from_.size()), from_there_.data(), to_there_.data()}; }
  static constexpr bool repeats = true;

  /// Returns whether the distances equal a sequential run's and each predecessor lies on a shortest path.
  bool is_right(const Words& words) const {
    Words distance(vertices_, unreached);
    distance[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned edge = 0; edge < from_.size(); ++edge) {
        if (distance[from_[edge]] == unreached) continue;
        const unsigned here = distance[from_[edge]] + Device::length(edge);
        if (here >= distance[to_[edge]]) continue;
        distance[to_[edge]] = here;
        changed = true;
      }
    }
    std::vector<bool> fits(vertices_, false);
    fits[0] = true;
    for (unsigned edge = 0; edge < from_.size(); ++edge) {
      const unsigned end = to_[edge];
      if (words[2 * end + 1] == from_[edge] && distance[from_[edge]] + Device::length(edge) == distance[end]) {
        fits[end] = true;
      }
    }
    for (int vertex = 0; vertex < vertices_; ++vertex) {
      if (words[2 * vertex] != distance[vertex] || !fits[vertex]) return false;
    }
    return true;
  }

 private:
  Words starts(int jobs) const {
    Words from = random_numbers(jobs, vertices_, 4);
    app::Random random(6);
    for (int vertex = 1; vertex < vertices_; ++vertex) from[vertex] = random.below(vertex);
    return from;
  }
  Words ends(int jobs) const {
    Words to = random_numbers(jobs, vertices_, 5);
    for (int vertex = 1; vertex < vertices_; ++vertex) to[vertex] = vertex;
    return to;
  }

  int vertices_;
  Words from_;
  Words to_;
  app::Buffer<unsigned> from_there_;
  app::Buffer<unsigned> to_there_;
};

/// EQUAKE: the product of a symmetric sparse matrix and a vector. Each row has three parts. Each job adds one matrix
/// entry to both rows that the entry belongs to.
class Equake {
 public:
  struct Device {
    unsigned jobs;
    const unsigned* row;
    const unsigned* column;
    __host__ __device__ static unsigned entry(unsigned job) { return job % 31 + 1; }
    __host__ __device__ static unsigned vector(unsigned row, unsigned part) { return (row * 7 + part * 3) % 101; }
    __device__ int places(unsigned job, unsigned* words) const {
      for (unsigned part = 0; part < 3; ++part) {
        words[part] = 3 * row[job] + part;
        words[3 + part] = 3 * column[job] + part;
      }
      return 6;
    }
    template <class Access>
    __device__ bool run(Access& access, unsigned job) const {
      for (unsigned part = 0; part < 3; ++part) {
        const unsigned left = 3 * row[job] + part;
        access.write(left, access.read(left) + entry(job) * vector(column[job], part));
      }
      for (unsigned part = 0; part < 3; ++part) {
        const unsigned right = 3 * column[job] + part;
        access.write(right, access.read(right) + entry(job) * vector(row[job], part));
      }
      return false;
    }
  };

  explicit Equake(const Shape& shape)
      : rows_(std::max(8, shape.places / 3)),
        row_(random_numbers(shape.jobs, rows_, 7)),
        column_(near(shape.jobs)),
        row_there_(row_),
        column_there_(column_) {}
  Words first() const { return Words(3 * static_cast<std::size_t>(rows_), 0u); }
  Device device() const { return {static_cast<unsigned>(row_.size()), row_there_.data(), column_there_.data()}; }
  static constexpr bool repeats = false;

  bool is_right(const Words& words) const {
    Words expected = first();
    for (unsigned job = 0; job < row_.size(); ++job) {
      for (unsigned part = 0; part < 3; ++part) {
        expected[3 * row_[job] + part] += Device::entry(job) * Device::vector(column_[job], part);
        expected[3 * column_[job] + part] += Device::entry(job) * Device::vector(row_[job], part);
      }
    }
    return words == expected;
  }

 private:
  // Returns a column index for each job. As in a mesh, the column index is close to the row index.
  Words near(int jobs) const {
    Words column = random_numbers(jobs, std::min(rows_ - 1, 64), 8);
    for (int job = 0; job < jobs; ++job) column[job] = (row_[job] + 1 + column[job]) % rows_;
    return column;
  }

  int rows_;
  Words row_;
  Words column_;
  app::Buffer<unsigned> row_there_;
  app::Buffer<unsigned> column_there_;
};

}  // namespace bench
