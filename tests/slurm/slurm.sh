# Functions that start and stop Slurm on this machine for one test: munged, slurmctld and one slurmd with four
# processors. Source this file. Slurm's files are all in one folder. The functions neither use nor change services of
# the system.

# Prints the reason why Slurm cannot be started. Prints nothing if Slurm can be started.
why_no_slurm() {
  local program
  for program in slurmctld slurmd sbatch scontrol squeue munged; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || {
      echo "there is no $program (Debian: slurm-wlm, munge)"
      return
    }
  done
  [ "$(id -u)" = 0 ] || echo "slurmd must be root"
}

# Prints a free TCP port.
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'
}

write_slurm_conf() {
  local folder=$1 host
  host=$(hostname -s)
  cat >"$folder/slurm.conf" <<CONF
ClusterName=ambit
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge.socket
CryptoType=crypto/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=200000
SlurmdParameters=config_overrides
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
ReturnToService=2
KillWait=5
InactiveLimit=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

# Starts Slurm in a new folder. Waits until the node is idle.
start_slurm() {
  local folder=$1 i
  PATH=$PATH:/usr/sbin
  mkdir -p "$folder/state" "$folder/spool" "$folder/munge"
  chmod 755 "$folder"
  chmod 700 "$folder/munge"
  head -c 1024 /dev/urandom >"$folder/munge/key"
  chmod 400 "$folder/munge/key"
  write_slurm_conf "$folder"
  export SLURM_CONF=$folder/slurm.conf
  munged --foreground --force --num-threads=2 --key-file="$folder/munge/key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" --log-file="$folder/munge/log" \
    >"$folder/munged.out" 2>&1 &
  SLURM_PROCESSES=$!
  for ((i = 0; i < 100; i++)); do [ -S "$folder/munge.socket" ] && break; sleep 0.1; done
  slurmctld -D >"$folder/slurmctld.out" 2>&1 &
  SLURM_PROCESSES="$! $SLURM_PROCESSES"
  slurmd -D >"$folder/slurmd.out" 2>&1 &
  SLURM_PROCESSES="$! $SLURM_PROCESSES"
  for ((i = 0; i < 300; i++)); do
    [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && return
    sleep 0.1
  done
  echo "Slurm did not start:" >&2
  tail -n 20 "$folder"/*.log "$folder"/*.out >&2
  return 1
}

# Cancels all jobs, and ends the processes of start_slurm.
stop_slurm() {
  local process
  scancel --state=PENDING,RUNNING --user=root 2>/dev/null
  for ((i = 0; i < 100; i++)); do
    [ -z "$(squeue -h 2>/dev/null)" ] && break
    sleep 0.1
  done
  for process in $SLURM_PROCESSES; do kill "$process" 2>/dev/null; done
  wait $SLURM_PROCESSES 2>/dev/null
}
