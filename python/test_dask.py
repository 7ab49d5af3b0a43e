"""Columns on two processes of Dask, as they would be on the machines of a cluster."""

import os
from collections.abc import Iterator
from pathlib import Path

import dask.dataframe
import gsst
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet
import pytest
from distributed import Client, LocalCluster, wait

FILES = 12
PATTERN = "%tra%e%"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def folder(comments: list[str | None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Parquet data set of many files."""
    folder = tmp_path_factory.mktemp("orders")
    rows = len(comments) // FILES
    for number in range(FILES):
        part = pa.array(comments[number * rows : (number + 1) * rows], pa.string())
        table = pa.table({"key": pa.array(range(number * rows, (number + 1) * rows)), "comment": part})
        pa.parquet.write_table(table, folder / f"part.{number:02}.parquet")
    return folder


def test_two_processes_compress_a_data_set_and_filter_it(
    client: Client, folder: Path, comments: list[str | None], tmp_path: Path
) -> None:
    # Within the test, so that Dask sends them to processes that cannot import this module.
    def pack(partition: object) -> tuple[int, gsst.Column]:
        return os.getpid(), gsst.Column(gsst.compress_column(partition, column="comment"))

    def find(packed: tuple[int, gsst.Column], pattern: str) -> tuple[int, int, pa.ChunkedArray]:
        strings = packed[1].to_arrow()
        return packed[0], os.getpid(), strings.filter(pa.compute.match_like(strings, pattern))

    frame = dask.dataframe.read_parquet(folder, columns=["comment"])
    assert frame.npartitions == FILES
    workers = sorted(client.scheduler_info()["workers"])
    assert len(workers) == 2
    partitions = client.compute(frame.to_delayed())
    columns = [
        client.submit(pack, partition, workers=workers[number % 2], pure=False)
        for number, partition in enumerate(partitions)
    ]
    wait(columns)
    # Each column is filtered in the other process.
    found = client.gather(
        [
            client.submit(find, column, PATTERN, workers=workers[1 - number % 2], pure=False)
            for number, column in enumerate(columns)
        ]
    )
    assert all(packer != finder for packer, finder, _ in found)
    assert len({packer for packer, _, _ in found}) == 2
    whole = pa.chunked_array([comments], pa.string())
    chosen = pa.chunked_array([chunk for _, _, strings in found for chunk in strings.chunks])
    assert len(chosen) > 1000
    assert chosen.to_pylist() == whole.filter(pa.compute.match_like(whole, PATTERN)).to_pylist()

    path = tmp_path / "comment.gssc"
    with path.open("wb") as file:
        for _, column in client.gather(columns):
            file.write(column.data)
    column = gsst.open_column(path)
    assert column.info.parts == FILES
    assert pa.array(column, type=pa.string()).equals(whole.combine_chunks())
