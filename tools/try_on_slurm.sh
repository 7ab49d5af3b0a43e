#!/usr/bin/env bash
# Tries the cluster profile: starts a Slurm with one node from the distribution's packages, runs
# `make figures PROFILE=slurm SCALE=tiny` through it on a clone of the committed state of this repository, cancels
# one measurement on the way, and checks that it ran again and that every figure is there. Needs root; takes 10 to 20
# minutes, most of it for building.
#
#   tools/try_on_slurm.sh
#
# Packages of Slurm that are missing are installed, and stay; GSST_INSTALL=0 forbids it. Nothing else of the machine
# changes: daemons and jobs run in namespaces and a folder that are this script's own and end with it, however it
# ends. A Slurm that runs here already does not notice. The node has no GPU, no cgroups and no accounting database.
# What the environment names (GSST_DATA_DIR, proxies, ccache) counts, as for make.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
PATH+=:/usr/sbin:/sbin

# Everything but cleaning up happens in the second call of this script, the first process of its own namespace.
if [[ -z ${GSST_TRIAL_FOLDER:-} ]]; then
  if [[ $(id -u) != 0 ]]; then
    echo "run this as root: installing packages and namespaces need it" >&2
    exit 1
  fi
  "$repository/tools/install_dependencies.sh" slurm
  folder=$(mktemp -d "${TMPDIR:-/tmp}/gsst_slurm.XXXXXX")
  chmod 755 "$folder" # munged wants its socket to be reached by all
  trial=
  clean_up() {
    if [[ -n $trial ]]; then
      # With the first process of a namespace all others in it end, and only then is it reaped.
      pkill -KILL -P "$trial" || true
      wait "$trial" || true
    fi
    rm -rf --one-file-system "$folder"
  }
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  GSST_TRIAL_FOLDER=$folder unshare --mount --pid --mount-proc --fork --kill-child "$0" &
  trial=$!
  wait "$trial"
  trial=
  exit
fi

folder=$GSST_TRIAL_FOLDER
unset GSST_TRIAL_FOLDER SLURM_CONF
slurm=$folder/slurm
mkdir -p "$slurm"/{state,spool}
node=$(hostname -s)

say_why() { # MESSAGE: and what the daemons say
  echo "$1" >&2
  tail -n 20 "$slurm"/*.out >&2
}

write_configuration() {
  local ports processors memory
  # Two free ports.
  mapfile -t ports < <("$("$repository/tools/find_python.sh")" -c '
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(each.getsockname()[1] for each in sockets), sep="\n")')
  # The node says that it has what the profile asks for.
  processors=$(sed -nE 's/^cores: ([0-9]+)$/\1/p' "$repository/profiles/slurm/config.yaml")
  memory=$(($(sed -nE 's/^MemTotal: +([0-9]+) kB$/\1/p' /proc/meminfo) / 1024))
  # MinJobAge: squeue tells of finished jobs until the trial is over. KillWait: a cancelled job that does not end.
  cat >"$slurm/slurm.conf" <<CONFIGURATION
ClusterName=trial
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmctldPort=${ports[0]}
SlurmdPort=${ports[1]}
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=86400
KillWait=5
NodeName=$node NodeAddr=127.0.0.1 CPUs=$processors RealMemory=$memory State=UNKNOWN
PartitionName=trial Nodes=$node Default=YES MaxTime=INFINITE State=UP
CONFIGURATION
  # The steps of a job forget SLURM_CONF: the file must be where Slurm looks for it.
  mount --bind "$slurm" /etc/slurm
}

start_daemons() {
  (umask 077 && head --bytes=1024 /dev/urandom >"$slurm/munge.key")
  munged --foreground --socket="$slurm/munge.socket" --key-file="$slurm/munge.key" --pid-file="$slurm/munge.pid" \
    --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed" >"$slurm/munged.out" 2>&1 &
  until [[ -S $slurm/munge.socket ]]; do
    kill -0 $! 2>/dev/null || return
    sleep 0.1
  done
  slurmctld -D >"$slurm/slurmctld.out" 2>&1 &
  slurmd -D -N "$node" >"$slurm/slurmd.out" 2>&1 &
  local attempt
  for ((attempt = 0; attempt < 60; ++attempt)); do
    [[ $(sinfo --noheader --format=%T 2>/dev/null) == idle ]] && return
    sleep 1
  done
  return 1
}

# A line for each job, finished ones too: number, state, rule and target.
list_jobs() {
  squeue --noheader --states=all --sort=i --format='%i %T %k'
}

state_of() { # JOB
  squeue --noheader --states=all --jobs="$1" --format=%T
}

# Cancels one measurement whose program runs, while process RUN runs; sets cancelled and target.
cancel_one() { # RUN
  local job state rule
  while kill -0 "$1" 2>/dev/null; do
    while read -r job state rule; do
      target=${rule#rule_measure_wildcards_}
      # The log has its first line when the measuring program starts.
      [[ $state == RUNNING && $target != "$rule" && -s results/logs/measure_$target.log ]] || continue
      scancel "$job"
      while [[ $(state_of "$job") =~ ^(RUNNING|COMPLETING)$ ]]; do
        sleep 0.2
      done
      if [[ $(state_of "$job") == CANCELLED ]]; then
        cancelled=$job
        echo "== cancelled job $job, which measured $target"
        return
      fi
    done < <(list_jobs)
    sleep 0.2
  done
  echo "no measurement could be cancelled while it ran" >&2
  return 1
}

echo "== a Slurm with one node in $slurm"
write_configuration
if ! start_daemons; then
  say_why "Slurm did not start"
  exit 1
fi
sinfo

git clone --quiet --no-hardlinks "$repository" "$folder/gsst"
git -C "$repository" diff --quiet HEAD || echo "uncommitted changes in $repository are not part of the trial"
cd "$folder/gsst"
printf '\n== make figures PROFILE=slurm SCALE=tiny\n'
make figures PROFILE=slurm SCALE=tiny &
run=$!
cancelled=
target=
problems=()
cancel_one "$run" || problems+=("no job was cancelled")
wait "$run" || problems+=("make figures failed")

printf '\n== jobs\n'
list_jobs
if [[ -n $cancelled ]]; then
  again=$(list_jobs | awk -v first="$cancelled" -v rule="rule_measure_wildcards_$target" \
    '$1 > first && $2 == "COMPLETED" && $3 == rule { print $1 }')
  [[ -n $again ]] || problems+=("$target was not measured again after job $cancelled was cancelled")
  [[ -s results/measured/$target.json ]] || problems+=("there is no result of $target")
fi
# What a CPU measures goes through Slurm; its job may have needed several attempts.
while read -r name; do
  list_jobs | grep -q " COMPLETED rule_measure_wildcards_$name\$" || problems+=("$name was not measured by a job")
done < <(.venv/bin/python -c '
from experiments.definition import all_targets, load_experiment
print(*(target for target in all_targets() if load_experiment(target).program == "cpu"), sep="\n")')
while read -r name; do
  for suffix in svg png csv txt; do
    [[ -s results/figures/$name.$suffix ]] || problems+=("results/figures/$name.$suffix is missing")
  done
done < <(.venv/bin/python -c '
from experiments.definition import all_targets
print(*all_targets(), sep="\n")')
[[ -s results/index.html ]] || problems+=("results/index.html is missing")

if ((${#problems[@]})); then
  say_why "the trial failed:"
  printf '  %s\n' "${problems[@]}" >&2
  exit 1
fi
echo "every figure is there; job $cancelled ($target) was cancelled and measured again by job $again"
