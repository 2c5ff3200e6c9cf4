#include "api/campaign/job_file.h"

#include <fmt/format.h>

#include <string_view>

namespace ambit::api {
namespace {

/// Returns a text as one word for the shell.
std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

/// Returns a text as a YAML string in double quotes. sbatch also accepts a string in this form.
std::string in_double_quotes(std::string_view text) {
  std::string word = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') word += '\\';
    word += c;
  }
  return word + "\"";
}

std::string slurm_script(const JobRequest& job) {
  return fmt::format(
      "#!/bin/sh\n"
      "# Start with: sbatch FILE. Each task of the array is a worker with one processor.\n"
      "#SBATCH --job-name=ambit\n"
      "#SBATCH --array=1-{workers}\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task=1\n"
      "#SBATCH --requeue\n"
      "#SBATCH --chdir={directory}\n"
      "#SBATCH --output={output}\n"
      "exec {program} campaign work {folder}\n",
      fmt::arg("workers", job.workers), fmt::arg("directory", in_double_quotes(job.directory)),
      fmt::arg("output", in_double_quotes(job.folder + "/slurm-%A-%a.out")),
      fmt::arg("program", shell_word(job.program)), fmt::arg("folder", shell_word(job.folder)));
}

std::string mpi_script(const JobRequest& job) {
  return fmt::format(
      "#!/bin/sh\n"
      "# Each process of mpirun is a worker with one processor. The processes send no messages.\n"
      "cd {directory} || exit 2\n"
      "exec mpirun -np {workers} {program} campaign work {folder}\n",
      fmt::arg("workers", job.workers), fmt::arg("directory", shell_word(job.directory)),
      fmt::arg("program", shell_word(job.program)), fmt::arg("folder", shell_word(job.folder)));
}

std::string kubernetes_job(const JobRequest& job) {
  return fmt::format(
      "# Start with: kubectl apply -f FILE. Each pod is a worker with one processor. Set the image and the claim: the\n"
      "# image has the program that made the campaign, and the claim (ReadWriteMany) has the campaign and the tests.\n"
      "apiVersion: batch/v1\n"
      "kind: Job\n"
      "metadata:\n"
      "  name: ambit-campaign\n"
      "spec:\n"
      "  completionMode: Indexed\n"
      "  completions: {workers}\n"
      "  parallelism: {workers}\n"
      "  backoffLimit: 100\n"
      "  template:\n"
      "    spec:\n"
      "      restartPolicy: Never\n"
      "      containers:\n"
      "        - name: worker\n"
      "          image: ambit\n"
      "          command: [\"ambit\", \"campaign\", \"work\", {folder}]\n"
      "          workingDir: {directory}\n"
      "          resources:\n"
      "            requests: {{cpu: \"1\", memory: 4Gi}}\n"
      "          volumeMounts:\n"
      "            - name: shared\n"
      "              mountPath: {directory}\n"
      "      volumes:\n"
      "        - name: shared\n"
      "          persistentVolumeClaim:\n"
      "            claimName: shared\n",
      fmt::arg("workers", job.workers), fmt::arg("folder", in_double_quotes(job.folder)),
      fmt::arg("directory", in_double_quotes(job.directory)));
}

}  // namespace

std::string job_file(const JobRequest& request) {
  switch (request.system) {
    case JobSystem::Slurm: return slurm_script(request);
    case JobSystem::Mpi: return mpi_script(request);
    case JobSystem::Kubernetes: return kubernetes_job(request);
  }
  return {};
}

}  // namespace ambit::api
