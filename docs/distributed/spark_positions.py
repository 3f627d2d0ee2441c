#!/usr/bin/env python3
"""Searches a large list of positions over Spark's workers and writes the findings as Parquet.

    pip install pyspark          # and a Java runtime, 17 or newer
    python3 docs/distributed/spark_positions.py list.sfen findings.parquet --workers 4 --nodes 50000
    spark-submit --master spark://... docs/distributed/spark_positions.py hdfs:///list.sfen hdfs:///findings.parquet

Every partition is piped through one `monomi analyze --positions`, which must be there on every
worker (--monomi). What Spark loses it repeats, and rows come out the same: with --nodes they depend
on nothing but the position.
"""

import argparse
import shlex

from pyspark.sql import SparkSession
from pyspark.sql.types import DoubleType, IntegerType, LongType, StringType, StructField, StructType

TEXT = ["sfen", "side", "best", "best_ja", "pv", "pv_ja", "over"]
NUMBERS = ["cp", "mate", "cp_black", "mate_black", "depth", "seldepth"]

# docs/analysis.md describes the fields. Line numbers are left out: they count in the partition.
SCHEMA = StructType(
    [StructField(name, StringType()) for name in TEXT]
    + [StructField(name, IntegerType()) for name in NUMBERS]
    + [StructField("nodes", LongType()), StructField("win", DoubleType())]
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("list", help="a position a line; anything that Spark reads")
    parser.add_argument("output", help="the Parquet folder to write")
    parser.add_argument("--monomi", default="monomi", help="the engine on the workers")
    parser.add_argument("--nodes", type=int, default=50_000, help="nodes for each position")
    parser.add_argument("--workers", type=int, help="local mode with so many workers")
    parser.add_argument("--partitions", type=int, default=64, help="parts of the list, at least")
    args = parser.parse_args()

    builder = SparkSession.builder.appName("monomi")
    if args.workers:
        builder = builder.master(f"local[{args.workers}]")
    spark = builder.getOrCreate()

    engine = shlex.quote(args.monomi)
    search = f"{engine} analyze --positions --quiet --threads 1 --nodes {args.nodes} -"
    # Broken lines (code 3) are named in the workers' logs and left out; other codes fail the task.
    command = f"sh -c {shlex.quote(search + ' || [ $? -eq 3 ]')}"
    positions = spark.sparkContext.textFile(args.list, args.partitions)
    rows = positions.pipe(command, checkCode=True)
    spark.read.schema(SCHEMA).json(rows).write.mode("overwrite").parquet(args.output)
    spark.stop()


if __name__ == "__main__":
    main()
