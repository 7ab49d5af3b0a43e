"""Where data sets are looked for, and that nothing wrong or partial is ever used."""

import hashlib
import http.server
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from data.catalogue import CatalogueError, Instance, load_catalogue
from data.errors import DataUnavailableError
from data.fetch import DATA_DIR_VARIABLE, Fetcher
from data.files import digest_path

CONTENT = b"one\ntwo\nthree\n"
REPOSITORY_ROOT = Path(__file__).parent.parent


class _Server(http.server.ThreadingHTTPServer):
    """Serves `files` and remembers what was asked for."""

    files: dict[str, bytes]
    asked: list[str]


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        self.server.asked.append(self.path)
        if self.path not in self.server.files:
            self.send_error(404)
            return
        self.send_response(200)
        # A length that is too large by 5 is how an interrupted transfer looks to the client.
        promised = len(self.server.files[self.path]) + (5 if self.path.startswith("/interrupted") else 0)
        self.send_header("Content-Length", str(promised))
        self.end_headers()
        self.wfile.write(self.server.files[self.path])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv(DATA_DIR_VARIABLE, raising=False)
    server = _Server(("127.0.0.1", 0), _Handler)
    server.files, server.asked = {}, []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def _catalogue(tmp_path: Path, server: _Server, *names: str) -> Path:
    entries = [
        {
            "name": f"test/{name}",
            "kind": "download",
            "description": "text of a test",
            "path": f"test/{name}",
            "url": f"http://127.0.0.1:{server.server_address[1]}/{name}",
            "bytes": len(CONTENT),
            "sha256": hashlib.sha256(CONTENT).hexdigest(),
            "licence": "none",
            "substitute": None,
        }
        for name in names
    ]
    path = tmp_path / "datasets.yaml"
    path.write_text(yaml.safe_dump({"datasets": entries}), encoding="utf-8")
    return path


def _instance(catalogue: Path, name: str) -> Instance:
    return Instance(load_catalogue(catalogue)[f"test/{name}"])


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_download_is_checked_and_kept(tmp_path: Path, server: _Server) -> None:
    server.files["/text"] = CONTENT
    instance = _instance(_catalogue(tmp_path, server, "text"), "text")
    cache = tmp_path / "cache"
    path = Fetcher(cache).fetch(instance)
    assert path.read_bytes() == CONTENT
    assert Fetcher(cache).fetch(instance) == path
    assert server.asked == ["/text"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("wrong", b"ONE\ntwo\nthree\n", "wrong checksum"),
        ("short", b"one\n", "wrong size"),
        ("long", CONTENT * 1000, "wrong size"),
        ("interrupted", b"one\n", "wrong size|IncompleteRead"),
        ("missing", None, "HTTP status 404"),
    ],
)
def test_bad_download_leaves_nothing(
    tmp_path: Path, server: _Server, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        server.files[f"/{name}"] = content
    cache = tmp_path / "cache"
    with pytest.raises(DataUnavailableError, match=message):
        Fetcher(cache).fetch(_instance(_catalogue(tmp_path, server, name), name))
    assert _files(cache) == []


def _with_joined(catalogue: Path, content: bytes, *parts: str) -> Path:
    document = yaml.safe_load(catalogue.read_text(encoding="utf-8"))
    joined = {
        "name": "test/joined",
        "kind": "joined",
        "description": "texts of a test, one after the other",
        "path": "test/joined",
        "parts": [f"test/{name}" for name in parts],
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "licence": "none",
        "substitute": None,
    }
    document["datasets"].append(joined)
    path = catalogue.with_name("joined.yaml")
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


def test_files_are_joined_in_their_order(tmp_path: Path, server: _Server) -> None:
    server.files |= {"/first": CONTENT, "/second": CONTENT}
    catalogue = _with_joined(_catalogue(tmp_path, server, "first", "second"), CONTENT * 2, "second", "first")
    fetcher = Fetcher(tmp_path / "cache", catalogue=load_catalogue(catalogue))
    path = fetcher.fetch(_instance(catalogue, "joined"))
    assert path.read_bytes() == CONTENT * 2
    assert server.asked == ["/second", "/first"]


def test_a_joined_file_of_other_bytes_is_not_kept(tmp_path: Path, server: _Server) -> None:
    server.files |= {"/first": CONTENT, "/second": CONTENT}
    wrong = CONTENT + CONTENT.upper()
    catalogue = _with_joined(_catalogue(tmp_path, server, "first", "second"), wrong, "first", "second")
    fetcher = Fetcher(tmp_path / "cache", catalogue=load_catalogue(catalogue))
    with pytest.raises(DataUnavailableError, match="wrong checksum"):
        fetcher.fetch(_instance(catalogue, "joined"))
    assert not (tmp_path / "cache" / "test" / "joined").exists()


def test_only_downloaded_files_are_joined(tmp_path: Path, server: _Server) -> None:
    catalogue = _with_joined(_catalogue(tmp_path, server, "first"), CONTENT, "first", "joined")
    with pytest.raises(CatalogueError, match="test/joined is no data set that is downloaded"):
        load_catalogue(catalogue)


def test_data_folder_comes_first(tmp_path: Path, server: _Server, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "shared"
    (folder / "test").mkdir(parents=True)
    (folder / "test" / "text").write_bytes(CONTENT)
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(folder))
    path = Fetcher(tmp_path / "cache").fetch(_instance(_catalogue(tmp_path, server, "text"), "text"))
    assert path == folder / "test" / "text"
    assert server.asked == []


def test_wrong_file_in_data_folder_is_said_and_passed_over(
    tmp_path: Path, server: _Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "shared"
    (folder / "test").mkdir(parents=True)
    (folder / "test" / "text").write_bytes(CONTENT.upper())
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(folder))
    server.files["/text"] = CONTENT
    path = Fetcher(tmp_path / "cache").fetch(_instance(_catalogue(tmp_path, server, "text"), "text"))
    assert path == tmp_path / "cache" / "test" / "text"
    assert "wrong checksum" in capsys.readouterr().err
    assert (folder / "test" / "text").read_bytes() == CONTENT.upper()


def test_unreachable_host_is_tried_once(tmp_path: Path, server: _Server) -> None:
    catalogue = _catalogue(tmp_path, server, "first", "second")
    text = catalogue.read_text(encoding="utf-8")
    # Port 9 (discard) of the loopback address has no listener.
    catalogue.write_text(text.replace(str(server.server_address[1]), "9"), encoding="utf-8")
    fetcher = Fetcher(tmp_path / "cache")
    for name in ("first", "second"):
        with pytest.raises(DataUnavailableError, match="cannot be reached"):
            fetcher.fetch(_instance(catalogue, name))
    assert list(fetcher.unreachable) == ["127.0.0.1:9"]
    assert not (tmp_path / "cache").exists()


def test_first_bytes(tmp_path: Path, server: _Server) -> None:
    server.files["/text"] = CONTENT
    dataset = load_catalogue(_catalogue(tmp_path, server, "text"))["test/text"]
    fetcher = Fetcher(tmp_path / "cache")
    assert fetcher.fetch(Instance(dataset, first_bytes=5)).read_bytes() == CONTENT[:5]
    with pytest.raises(DataUnavailableError, match="has 14 bytes, the first 15 were asked for"):
        fetcher.fetch(Instance(dataset, first_bytes=15))


def test_a_column_is_tiled_to_a_size(tmp_path: Path, server: _Server) -> None:
    server.files["/text"] = CONTENT
    dataset = load_catalogue(_catalogue(tmp_path, server, "text"))["test/text"]
    fetcher = Fetcher(tmp_path / "cache")
    tiled = Instance(dataset, tiled_to_bytes=33)
    path = fetcher.fetch(tiled)
    assert path.read_bytes() == CONTENT + CONTENT + CONTENT[:5]
    assert path == tmp_path / "cache" / f"{tiled.label}"
    assert fetcher.fetch(Instance(dataset, tiled_to_bytes=14)).read_bytes() == CONTENT
    with pytest.raises(DataUnavailableError, match="has 14 bytes, which cannot be tiled to 13"):
        fetcher.fetch(Instance(dataset, tiled_to_bytes=13))
    assert server.asked == ["/text"]


def test_generated_text_of_another_size_is_checked_against_its_own_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(DATA_DIR_VARIABLE, raising=False)
    # A text in one part: each takes the generator a second to start.
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    instance = Instance(load_catalogue()["tpch/l_comment"], 0.001)
    path = Fetcher(tmp_path).fetch(instance)
    right = path.read_bytes()
    assert digest_path(path).exists()
    path.write_bytes(right[:-1])
    assert Fetcher(tmp_path).fetch(instance).read_bytes() == right
    assert "wrong size" in capsys.readouterr().err
    digest_path(path).unlink()
    Fetcher(tmp_path).fetch(instance)
    assert "no digest to check it against" in capsys.readouterr().err


def test_command_says_what_is_missing_and_goes_on(tmp_path: Path, server: _Server) -> None:
    server.files["/present"] = CONTENT
    catalogue = _catalogue(tmp_path, server, "absent", "present")
    command = [sys.executable, "-m", "data.fetch", "test/*", "--catalogue", str(catalogue)]
    run = subprocess.run(
        [*command, "--output", str(tmp_path / "cache")],
        cwd=REPOSITORY_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert run.stdout.split() == [str(tmp_path / "cache" / "test" / "present")]
    assert "test/absent: not available" in run.stderr
