#!/bin/bash
# A list of positions over a Slurm array, 64 shards: sbatch docs/distributed/slurm_positions.sh list.sfen out
# A task that is stopped or requeued goes on where it was; the same sbatch again does what is left.
#SBATCH --job-name=monomi
#SBATCH --array=1-64
#SBATCH --cpus-per-task=4
#SBATCH --time=12:00:00
#SBATCH --requeue
# A minute before the time is up: Ctrl-C, which writes down how far it is.
#SBATCH --signal=B:INT@60

# The number of shards must not change between runs, so it does not follow the array's size.
shards=64
list=${1:?list} folder=${2:?folder}
mkdir -p "$folder"
exec monomi analyze --positions --nodes 50000 --errors rows --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "${SLURM_ARRAY_TASK_ID:?}/$shards" -o "$folder" -f jsonl "$list"
