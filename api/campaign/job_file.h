#pragma once

#include <cstdint>
#include <string>

namespace ambit::api {

/// The systems that start the workers of a campaign.
enum class JobSystem : std::uint8_t { Slurm, Mpi, Kubernetes };

/// Settings of a job file.
struct JobRequest {
  JobSystem system = JobSystem::Slurm;
  std::string folder;     ///< of the campaign
  std::string directory;  ///< the folder in which the workers start; relative paths of the campaign start from it
  std::string program;    ///< path of the program file
  std::uint64_t workers = 4;
};

/// Returns the text of a file that starts the workers: a script for sbatch, a shell script with mpirun, or a Job for
/// kubectl.
std::string job_file(const JobRequest& request);

}  // namespace ambit::api
