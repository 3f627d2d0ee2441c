#!/usr/bin/env python3
"""Searches a large list of positions over Spark's workers and writes the findings as Parquet.

    pip install pyspark          # and a Java runtime, 17 or newer
    python3 docs/distributed/spark_positions.py list.sfen findings.parquet --workers 4 --nodes 50000
    spark-submit --master spark://... docs/distributed/spark_positions.py hdfs:///list.sfen hdfs:///findings.parquet

Every partition goes through one `monomi analyze --positions`, which must be there on every worker
(--monomi). What Spark loses it repeats, and rows come out the same: with --nodes they depend on
nothing but the position. Lines may have keys (ID<tab>SFEN), which come back in the column `id`; a line
that is no position has a row with `error`. The output folder is replaced when everything is done.
"""

import argparse
import itertools
import subprocess
import threading

from pyspark.sql import SparkSession
from pyspark.sql.types import DoubleType, IntegerType, LongType, StringType, StructField, StructType

TEXT = ["id", "input", "sfen", "side", "best", "best_ja", "pv", "pv_ja", "over", "error"]
NUMBERS = ["cp", "mate", "cp_black", "mate_black", "depth", "seldepth"]

# docs/analysis.md describes the fields. Line numbers are left out: they count in the partition.
SCHEMA = StructType(
    [StructField(name, StringType()) for name in TEXT]
    + [StructField(name, IntegerType()) for name in NUMBERS]
    + [StructField("nodes", LongType()), StructField("win", DoubleType())]
)


def through(command):
    """A function that sends the lines of a partition to a program and returns those that it writes."""

    def run(lines):
        first = next(lines, None)
        if first is None:
            return
        engine = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

        def write():
            try:
                for line in itertools.chain([first], lines):
                    engine.stdin.write(line + "\n")
                engine.stdin.close()
            except BrokenPipeError:
                pass  # Its exit code says why.

        threading.Thread(target=write, daemon=True).start()
        yield from engine.stdout
        code = engine.wait()
        if code != 0:
            raise RuntimeError(f"{' '.join(command)}: exit code {code}")

    return run


def parts(spark, paths):
    """A number of partitions: 4 for each core, and more for a list beyond 256 KiB (some 3,700 positions) for each.

    At the start of a job Spark may know few of a cluster's cores.
    """
    conf, size = spark._jsc.hadoopConfiguration(), 0
    for text in paths.split(","):
        path = spark._jvm.org.apache.hadoop.fs.Path(text)
        files = path.getFileSystem(conf)
        found = files.globStatus(path) or []
        size += sum(files.getContentSummary(one.getPath()).getLength() for one in found)
    return max(4 * spark.sparkContext.defaultParallelism, min(size >> 18, 100_000))


def replace(spark, new, old):
    """Puts a finished folder in the place of an older one."""
    path = spark._jvm.org.apache.hadoop.fs.Path
    files = path(old).getFileSystem(spark._jsc.hadoopConfiguration())
    files.delete(path(old), True)
    if not files.rename(path(new), path(old)):
        raise OSError(f"cannot rename {new} to {old}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("list", help="a position a line; anything that Spark reads")
    parser.add_argument("output", help="the Parquet folder to write")
    parser.add_argument("--monomi", default="monomi", help="the engine on the workers")
    parser.add_argument("--nodes", type=int, default=50_000, help="nodes for each position")
    parser.add_argument("--workers", type=int, help="local mode with so many workers")
    parser.add_argument(
        "--partitions", type=int, help="parts of the list [default: 4 for each core, more for a large list]"
    )
    args = parser.parse_args()

    builder = SparkSession.builder.appName("monomi")
    if args.workers:
        # In local mode a failed task would not be repeated; here, up to four tries.
        builder = builder.master(f"local[{args.workers},4]")
    spark = builder.getOrCreate()

    context = spark.sparkContext
    partitions = args.partitions or parts(spark, args.list)
    command = [args.monomi, "analyze", "--positions", "--quiet", "--threads", "1"]
    command += ["--nodes", str(args.nodes), "--errors", "rows", "-"]
    rows = context.textFile(args.list, partitions).mapPartitions(through(command))
    new = f"{args.output.rstrip('/')}.{context.applicationId}.part"
    spark.read.schema(SCHEMA).json(rows).write.parquet(new)
    replace(spark, new, args.output)
    spark.stop()


if __name__ == "__main__":
    main()
