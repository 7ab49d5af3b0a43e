"""`gsst grep` held against GNU grep: on a compressed file it must print, byte for byte, what `grep -a` prints
for the text in the locale C, and end with the same exit code.

Runs build/bin/gsst; the environment variable GSST_BINARY names another one, and GSST_DATA_DIR a folder whose
files of dbtext/ are searched too.
"""

import json
import os
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

BINARY = Path(
    os.environ.get("GSST_BINARY", Path(__file__).resolve().parent.parent / "build/bin/gsst")
).absolute()
# What compresses the files: the command itself, unless only its search is under test.
COMPRESSOR = Path(os.environ.get("GSST_COMPRESSOR", BINARY)).absolute()
SEED = 20261128
BLOCK = "1K"
# Formats of frames and of files of their own; those of integers take any bytes too.
FORMATS = ("splits", "tiles", "blocks", "coalesced", "fsst", "gzip", "zle", "for")
SUFFIXES = {"fsst": ".fsst", "gzip": ".gz", "zlib": ".zz"}
REAL_COLUMNS = ("l_comment", "urls2", "genome", "japanese")
REAL_BYTES = 60_000

SELECTED = 0
NONE = 1
ERROR = 2

Result = subprocess.CompletedProcess[bytes]


@dataclass(frozen=True)
class Corpus:
    """Equal names in both folders: texts, and what they compress to."""

    plain: Path
    compressed: Path
    # A suffix of each name tells the format.
    names: tuple[str, ...]

    def text(self, name: str) -> bytes:
        return (self.plain / name).read_bytes()


def words_text(generator: random.Random, line_count: int) -> bytes:
    """Lines of words that repeat, meet punctuation and differ in case; some are empty, some are long."""
    words = [b"final", b"Final", b"finally", b"deposits", b"re-final", b"a", b"aa", b"foo_bar", b"foo", b"42"]
    lines = []
    for _ in range(line_count):
        count = generator.choice(
            [0, 0, 1, 1, 2, 3, 5, 8, 13, 200] if generator.random() < 0.1 else [0, 1, 2, 4, 7]
        )
        separators = generator.choices([b" ", b" ", b" ", b", ", b"-", b"\t", b"."], k=count)
        line = b"".join(
            word + gap for word, gap in zip(generator.choices(words, k=count), separators, strict=True)
        )
        lines.append(line)
    return b"\n".join(lines) + b"\n"


def hostile_text(generator: random.Random) -> bytes:
    """Few different bytes, among them 0 and 255, in short lines."""
    return bytes(generator.choices(b"ab\0\xff\xe9\r _\n", weights=[9, 9, 2, 2, 2, 1, 2, 2, 6], k=6_000))


def texts() -> dict[str, bytes]:
    generator = random.Random(SEED)
    words = words_text(generator, 900)
    made = {
        "words": words,
        "no_line_end": words[:5_000].rstrip(b"\n") + b"\nthe final",
        "hostile": hostile_text(generator),
        "empty": b"",
        "one_line": b"a" * 2_500 + b"final" + b"b" * 2_500,
        "line_ends": b"\n" * 40,
    }
    data = os.environ.get("GSST_DATA_DIR")
    for column in REAL_COLUMNS if data else ():
        path = Path(data or "", "dbtext", column)
        if path.exists():
            made[column] = path.read_bytes()[:REAL_BYTES]
    return made


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    assert BINARY.exists(), f"{BINARY} is missing: `make build` makes it, GSST_BINARY names another one"
    folder = tmp_path_factory.mktemp("grep")
    plain, compressed = folder / "plain", folder / "compressed"
    plain.mkdir()
    compressed.mkdir()
    names = []
    for index, (title, text) in enumerate(texts().items()):
        for format_name in {FORMATS[index % len(FORMATS)], "tiles", "splits"}:
            name = f"{title}_{format_name}" + SUFFIXES.get(format_name, ".gsst")
            (plain / name).write_bytes(text)
            command = [COMPRESSOR, "-q", "--format", format_name, "--block-size", BLOCK, "-T", "1"]
            subprocess.run([*command, plain / name, "-o", compressed / name], check=True)
            names.append(name)
    return Corpus(plain, compressed, tuple(sorted(names)))


def environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C", "GREP_COLORS": "", "OMP_NUM_THREADS": "1"}


def run(command: Sequence[str | bytes | Path], folder: Path, stdin: bytes = b"") -> Result:
    return subprocess.run(
        command, cwd=folder, input=stdin, capture_output=True, check=False, env=environment()
    )


def grep(corpus: Corpus, *arguments: str | bytes, stdin: bytes = b"") -> Result:
    return run([b"grep", b"-a", *arguments], corpus.plain, stdin)


def gsst_grep(corpus: Corpus, *arguments: str | bytes, stdin: bytes = b"") -> Result:
    return run([BINARY, "grep", *arguments], corpus.compressed, stdin)


def first_difference(output: bytes, expected: bytes) -> str:
    """Where the two differ first, and what is there."""
    pairs = zip(output, expected, strict=False)
    place = next(
        (i for i, (left, right) in enumerate(pairs) if left != right), min(len(output), len(expected))
    )
    part = slice(max(place - 40, 0), place + 40)
    return f"at byte {place} of {len(output)} and {len(expected)}: {output[part]!r}, not {expected[part]!r}"


def assert_same(corpus: Corpus, *arguments: str | bytes) -> Result:
    """Runs both. Arguments that grep refuses must be refused, without output."""
    basic = [argument for argument in arguments if argument not in ("-E", "-F")]
    syntax = ["-F"] if "-F" in arguments else ["-E"]
    expected = grep(corpus, *syntax, *basic)
    result = gsst_grep(corpus, *arguments)
    shown = b" ".join(a if isinstance(a, bytes) else a.encode() for a in arguments)
    message = f"gsst grep {shown!r}: {result.stderr!r}, grep: {expected.stderr!r}"
    # Not by an assertion: pytest would compare all of it line by line to show the difference.
    if result.stdout != expected.stdout:
        pytest.fail(f"{message}: {first_difference(result.stdout, expected.stdout)}")
    assert result.returncode == expected.returncode, message
    assert (result.returncode == ERROR) == (result.stderr != b""), message
    return result


# ---- random options, patterns and files


def random_string(generator: random.Random, text: bytes) -> bytes:
    """A piece of a line of the text, which may have been changed."""
    lines = text.split(b"\n")
    line = generator.choice(lines)
    begin = generator.randrange(len(line) + 1)
    piece = bytearray(line[begin : begin + generator.choice([1, 1, 2, 3, 5, 9, 30])])
    if piece and generator.random() < 0.2:
        piece[generator.randrange(len(piece))] = generator.choice(b"abcz.*[ \\")
    # No argument of a program has a byte 0.
    return bytes(piece).replace(b"\0", b"a")


def random_bracket(generator: random.Random) -> bytes:
    parts = [
        b"a",
        b"fi",
        b"a-f",
        b"0-9",
        b"[:alpha:]",
        b"[:space:]",
        b"[:punct:]",
        b"[:upper:]",
        b"[=a=]",
        b"[.-.]",
        b"\\",
        b"$",
        b"*",
    ]
    inside = b"".join(generator.choices(parts, k=generator.randint(1, 3)))
    first = generator.choice([b"", b"", b"]"])
    last = generator.choice([b"", b"", b"-"])
    return b"[" + generator.choice([b"", b"^"]) + first + inside + last + b"]"


def random_expression(generator: random.Random, depth: int = 0) -> bytes:
    """An extended regular expression; a few break the syntax."""
    atoms = [
        b"a",
        b"f",
        b"i",
        b"n",
        b"final",
        b"o",
        b" ",
        b"_",
        b".",
        b"\\w",
        b"\\W",
        b"\\s",
        b"\\S",
        b"\\b",
        b"\\B",
        b"\\.",
        b"\\-",
        b"4",
        b"\xff",
        b"A",
    ]
    result = b""
    for _ in range(generator.randint(1, 3)):
        kind = generator.random()
        if kind < 0.12 and depth < 3:
            atom = b"(" + random_expression(generator, depth + 1) + b")"
        elif kind < 0.25:
            atom = random_bracket(generator)
        else:
            atom = generator.choice(atoms)
        # GNU grep and RE2 differ in what a repeated edge of a word is, which POSIX does not say.
        repeats = generator.random() < 0.3 and not atom.startswith(b"\\b") and not atom.startswith(b"\\B")
        if repeats:
            atom += generator.choice([b"*", b"+", b"?", b"{2}", b"{1,2}", b"{,2}", b"{2,}", b"+?", b"**"])
        result += atom
    if generator.random() < 0.15:
        result = b"^" + result
    if generator.random() < 0.15:
        result += b"$"
    if generator.random() < 0.2:
        result += b"|" + random_expression(generator, depth + 1)
    return result


def escaped(string: bytes) -> bytes:
    """The expression that matches this string alone."""
    return b"".join(b"\\" + bytes([byte]) if byte in b".[]\\(){}*+?^$|" else bytes([byte]) for byte in string)


def random_words(generator: random.Random, text: bytes) -> bytes:
    """An expression whose matches have strings of the text in them, one after another or one of several."""
    strings = [escaped(random_string(generator, text)) for _ in range(generator.choice([2, 2, 3, 5, 9]))]
    gaps = [b"|", b"|", b".*", b"[^b]?", b"(x|y)?", b"+", b"\\b", b"^"]
    result = strings[0]
    for string in strings[1:]:
        result += (generator.choice(gaps) if result else b"") + string
    return result


def random_pattern(generator: random.Random, text: bytes, is_fixed: bool) -> bytes:
    if is_fixed:
        return random_string(generator, text)
    if generator.random() < 0.2:
        return random_words(generator, text)
    # A backslash at the end is refused here; GNU grep takes it from one pattern of several.
    if generator.random() < 0.3:
        return random_string(generator, text).rstrip(b"\\")
    return random_expression(generator)


def random_options(generator: random.Random) -> list[str]:
    options = []
    for flag, probability in {
        "-i": 0.2, "-v": 0.25, "-w": 0.2, "-x": 0.1, "-c": 0.12, "-o": 0.25, "-b": 0.25, "-n": 0.3,
        "-l": 0.07, "-L": 0.07, "-q": 0.05, "-h": 0.1, "-H": 0.15,
    }.items():  # fmt: skip
        if generator.random() < probability:
            options.append(flag)
    for flag in ("-A", "-B", "-C"):
        if generator.random() < 0.15:
            options.append(flag + str(generator.choice([0, 1, 2, 5])))
    if generator.random() < 0.15:
        options.append("-m" + str(generator.choice([0, 1, 2, 10])))
    generator.shuffle(options)
    return options


@pytest.mark.parametrize("part", range(40))
def test_random_searches_agree_with_grep(corpus: Corpus, part: int) -> None:
    seed = SEED + part
    print(f"seed: {seed}")
    generator = random.Random(seed)
    for _ in range(15):
        names = generator.sample(corpus.names, k=generator.choice([1, 1, 1, 2, 3]))
        is_fixed = generator.random() < 0.35
        arguments: list[str | bytes] = ["-F" if is_fixed else "-E", *random_options(generator)]
        # With -o and -w, GNU grep 3.8 looks for shorter matches in too short a part of the line, and with
        # several strings finds words behind bytes of words, once a match in the line is printed.
        words_alone = "-w" in arguments and "-o" in arguments
        if words_alone:
            is_fixed, arguments[0] = True, "-F"
            # And prints a line end too many of lines that match as a whole.
            arguments = [argument for argument in arguments if argument != "-x"]
        for _ in range(1 if words_alone else generator.choice([1, 1, 1, 2, 5])):
            pattern = random_pattern(generator, corpus.text(names[0]), is_fixed)
            # GNU grep searches for these with another engine, which takes no empty match for a word.
            if "-w" in arguments:
                pattern = pattern.replace(b"[=a=]", b"a").replace(b"[.-.]", b"")
            arguments += ["-e", pattern]
        assert_same(corpus, *arguments, *names)


# ---- cases that chance finds seldom


@pytest.mark.parametrize(
    "pattern",
    [
        "", "^", "$", "^$", "()", "a|", "|a", "a||b", "(|a)", "*a", "(*a)", "a**", "a+*", "a{", "a{x}",
        "{", "a{,}",
        "a{1", "a{1,2", "a{0}", "(a{2})*", "a)", ")", "(", "(a", "[", "[a", "[]", "[]]", "[^]]", "[z-a]",
        "a^b", "a$b",
        "[[:foo:]]", "[:space:]", "[[:alpha:]-z]", "[a-c-e]", "[[.a.]-c]", "[[=a=]b]", "[[.hyphen.]]",
        "[\\n]", "\\",
        "a\\", "\\n", "\\<a", "a\\>", "\\<final\\>", "\\<(foo|final)\\>", "\\<[a-z]+\\>", "\\<.", ".\\>",
        "\\bfoo\\b",
        "foo\\B", "\\`a", "b\\'", "a{2,1}", "a{1,2,3}", "(^a)", "(a$)", "x*", ".*", "[^a]*", "(a|ab)(c|bcd)*",
        "fi(nal|nally)", "\\w+", "\\W", "}", "a{01}", "[--a]", "[a\\]", "[[:alpha:][:digit:]]+", "\\(", "\\+",
    ],
)  # fmt: skip
@pytest.mark.parametrize("options", [[], ["-o", "-b"], ["-w", "-o"], ["-x", "-n"], ["-i", "-c"]])
def test_expressions_agree_with_grep(corpus: Corpus, pattern: str, options: list[str]) -> None:
    if pattern == "[^a]*" and "-w" in options and "-o" in options:
        pytest.skip("GNU grep 3.8 misses words where a shorter match is tried in the middle of a line")
    assert_same(corpus, *options, "-e", pattern, "words_splits.gsst")


@pytest.mark.parametrize("options", [["-o", "-b"], ["-c", "-i"], ["-n", "-w"], ["-x", "-c"], ["-v", "-c"]])
@pytest.mark.parametrize("syntax", ["-F", "-E"])
@pytest.mark.parametrize("size", [300, 4096])
def test_long_patterns_agree_with_grep(corpus: Corpus, syntax: str, options: list[str], size: int) -> None:
    line = corpus.text("one_line_tiles.gsst")
    words = max(corpus.text("words_tiles.gsst").split(b"\n"), key=len)
    # One that is there, cut out of a line, and one that is not, but for its last byte.
    for text, name in ((line, "one_line_tiles.gsst"), (words, "words_tiles.gsst")):
        begin = max(len(text) // 2 - size // 2, 0)
        piece = text[begin : begin + size]
        for pattern in (piece, piece[:-1] + b"#", (piece * size)[:size]):
            pattern = escaped(pattern) if syntax == "-E" else pattern
            assert_same(corpus, syntax, *options, "-e", pattern, name)
            assert_same(corpus, syntax, *options, "-e", pattern, "-e", b"nowhere", name)


def test_hundreds_of_patterns_agree_with_grep(corpus: Corpus, tmp_path: Path) -> None:
    generator = random.Random(SEED)
    for count in (7, 64, 65, 700):
        for name in ("words_splits.gsst", "hostile_tiles.gsst"):
            strings = {random_string(generator, corpus.text(name)) for _ in range(count)} - {b""}
            (tmp_path / "patterns").write_bytes(b"\n".join(strings))
            for options in (["-c"], ["-n", "-i"], ["-o", "-b"], ["-x"], ["-v", "-c"]):
                assert_same(corpus, "-F", *options, "-f", str(tmp_path / "patterns"), name)


def frame_formats() -> list[str]:
    """All formats that this build writes, told where a wrong one is refused."""
    result = run([BINARY, "grep", "--format", "none", "a"], Path())
    listed = result.stderr.decode().strip().rsplit("is none of ", 1)[1]
    return listed.replace(" and ", ", ").split(", ")


def test_files_of_every_format_are_searched(corpus: Corpus, tmp_path: Path) -> None:
    # A multiple of the bytes of any value.
    text = corpus.text("words_tiles.gsst")[:24_000]
    (tmp_path / "text").write_bytes(text)
    formats = frame_formats()
    assert len(formats) > 20
    for format_name in formats:
        path = tmp_path / f"{format_name}.file"
        command = [COMPRESSOR, "-q", "--format", format_name, tmp_path / "text", "-o", path]
        subprocess.run(command, check=True)
        for options in (["-c"], ["-n", "-b"], ["-v", "-m3"]):
            expected = run([b"grep", b"-aE", *options, b"-e", b"final|foo_"], tmp_path, stdin=text)
            result = run(
                [BINARY, "grep", "--format", format_name, *options, "-e", "final|foo_", path], tmp_path
            )
            assert (result.stdout, result.returncode, result.stderr) == (expected.stdout, SELECTED, b""), (
                format_name
            )


@pytest.mark.parametrize("pattern", ["a", "b\n\xe9", "", "a\n", "\n", "final\nfoo\n\n42"])
@pytest.mark.parametrize(
    "options",
    [
        ["-F"],
        ["-F", "-x"],
        ["-F", "-w"],
        ["-F", "-o"],
        ["-E", "-v"],
        ["-F", "-i", "-c"],
        ["-L"],
        ["-v", "-c"],
    ],
)
def test_patterns_of_files_and_with_line_ends_agree(
    corpus: Corpus, tmp_path: Path, pattern: str, options: list[str]
) -> None:
    for name in ("words_tiles.gsst", "hostile_tiles.gsst"):
        assert_same(corpus, *options, "-e", pattern.encode("latin-1"), name)
        for content in (pattern.encode("latin-1"), pattern.encode("latin-1") + b"\0b"):
            (tmp_path / "patterns").write_bytes(content)
            assert_same(corpus, *options, "-f", str(tmp_path / "patterns"), name)
    (tmp_path / "none").write_bytes(b"")
    assert_same(corpus, *options, "-f", str(tmp_path / "none"), "words_tiles.gsst")


@pytest.mark.parametrize(
    "options",
    [
        ["-o", "-v", "-C1"], ["-A", "1", "-m1"], ["-m2", "-C3"], ["-m1", "-v", "-A4"], ["-c", "-m3"],
        ["-L"], ["-l"],
        ["-L", "-v"], ["-l", "-c"], ["-q", "-c"], ["-q", "-l"], ["-o", "-c"], ["-n", "-b", "-H", "-C1"],
        ["-m0"],
        ["-m", "-1"], ["-A0"], ["-C0"], ["-B99999999999999999999"], ["-A1", "-C2"], ["-on"], ["-ob", "-w"],
        ["--count"], ["--max-count=2"], ["--line-number", "--context=1"], ["-h", "-H"], ["-H", "-h"],
        ["-m0", "-L"], ["-m0", "-e", "[a"],
    ],
)  # fmt: skip
def test_options_agree_with_grep(corpus: Corpus, options: list[str]) -> None:
    for pattern in ("final", "foo_", "nowhere"):
        assert_same(corpus, *options, pattern, "words_tiles.gsst")
        assert_same(
            corpus, *options, "-e", pattern, "no_line_end_splits.gsst", "empty_tiles.gsst", "words_tiles.gsst"
        )


@pytest.mark.parametrize("options", [["-A", "-1"], ["-m", "x"], ["-C"], ["--nonsense"], ["-B", ""], []])
def test_wrong_options_are_refused(corpus: Corpus, options: list[str]) -> None:
    assert assert_same(corpus, *options).returncode == ERROR


def test_options_may_follow_files(corpus: Corpus) -> None:
    assert_same(corpus, "final", "words_tiles.gsst", "-c")
    assert_same(corpus, "-e", "final", "--", "words_tiles.gsst", "-c")


def test_standard_input_is_searched(corpus: Corpus) -> None:
    text, compressed = corpus.text("words_tiles.gsst"), (corpus.compressed / "words_tiles.gsst").read_bytes()
    for options in (["-c"], ["-H", "-n"], ["-l"], ["-o", "-m3"]):
        for inputs in ([], ["-"], ["words_splits.gsst", "-"]):
            expected = grep(corpus, *options, "-e", "final", *inputs, stdin=text)
            result = gsst_grep(corpus, *options, "-e", "final", *inputs, stdin=compressed)
            assert (result.stdout, result.returncode) == (expected.stdout, expected.returncode)


def test_a_missing_file_is_an_error_that_does_not_stop_the_others(corpus: Corpus) -> None:
    for options in ([], ["-q"], ["-c"], ["-L"]):
        for names in (["missing", "words_tiles.gsst"], ["words_tiles.gsst", "missing"], ["missing"]):
            expected = grep(corpus, *options, "-e", "final", *names)
            result = gsst_grep(corpus, *options, "-e", "final", *names)
            assert (result.stdout, result.returncode) == (expected.stdout, expected.returncode)
    assert b"missing" in gsst_grep(corpus, "final", "missing").stderr


def test_damage_is_an_error_behind_the_lines_before_it(corpus: Corpus, tmp_path: Path) -> None:
    damaged = bytearray((corpus.compressed / "words_splits.gsst").read_bytes())
    damaged[len(damaged) // 2] ^= 0xFF
    path = tmp_path / "damaged.gsst"
    path.write_bytes(damaged)
    result = gsst_grep(corpus, "final", str(path))
    assert result.returncode == ERROR
    assert str(path).encode() in result.stderr
    assert b"block" in result.stderr
    assert grep(corpus, "final", "words_splits.gsst").stdout.startswith(result.stdout)


def test_a_file_that_is_not_compressed_is_an_error(corpus: Corpus) -> None:
    result = gsst_grep(corpus, "a", str(corpus.plain / "words_tiles.gsst"))
    assert (result.stdout, result.returncode) == (b"", ERROR)
    assert b"is no gsst frame" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--device", "gpu", "a"], b"--device gpu"),
        (["--device", "tpu", "a"], b"'tpu' is none of cpu and gpu"),
        (["--format", "tar", "a"], b"'tar' is none of"),
        (["--threads", "5000", "a"], b"more than 1024"),
        (["(a)\\1"], b"back-references"),
        (["\\<.*"], b"\\<"),
        (["a{1001}"], b"1000"),
        (["{1}"], b"start"),
        (["-P", "a"], b"-P"),
    ],
)
def test_what_is_not_done_is_said(corpus: Corpus, arguments: list[str], words: bytes) -> None:
    result = gsst_grep(corpus, *arguments, "words_tiles.gsst")
    assert (result.stdout, result.returncode) == (b"", ERROR)
    assert result.stderr.startswith(b"gsst: grep: ")
    assert words in result.stderr


def test_json_tells_lines_bytes_and_rates(corpus: Corpus) -> None:
    names = ["words_tiles.gsst", "words_splits.gsst"]
    result = gsst_grep(corpus, "--json", "-c", "final", *names)
    assert result.stdout == grep(corpus, "-c", "final", *names).stdout
    entries = json.loads(result.stderr)
    counts = [int(line.rsplit(b":", 1)[1]) for line in result.stdout.splitlines()]
    assert [entry["input"] for entry in entries] == names
    assert [entry["selected_lines"] for entry in entries] == counts
    for entry, name in zip(entries, names, strict=True):
        assert entry["searched_bytes"] == len(corpus.text(name))
        assert entry["compressed_bytes"] == (corpus.compressed / name).stat().st_size
        assert entry["throughput_gb_per_s"] == pytest.approx(entry["searched_bytes"] / entry["seconds"] / 1e9)
    quiet = gsst_grep(corpus, "--json", "-q", "final", *names)
    assert [entry["selected_lines"] for entry in json.loads(quiet.stdout)] == [1]


def test_help_lists_every_option(corpus: Corpus) -> None:
    text = gsst_grep(corpus, "--help").stdout.decode()
    for letter in "coblLnivwxqhHmABCFEef":
        assert f" -{letter}, --" in text


# ---- files of format tiles, of which a search for one string decodes what is around its hits


def rare_words_text(generator: random.Random, line_count: int) -> bytes:
    """Lines of words that repeat; in one line of 400 there is a word that is nowhere else."""
    lines = words_text(generator, line_count).split(b"\n")
    for place in generator.sample(range(len(lines)), k=line_count // 400):
        word = generator.choice([b"Tiresias", b"tiresias", b"warthogs", b"a warthog", b"\xffpinto"])
        half = generator.randrange(len(lines[place]) + 1)
        lines[place] = lines[place][:half] + word + lines[place][half:]
    return b"\n".join(lines)


@pytest.fixture(scope="module")
def tiles_corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("tiles")
    plain, compressed = folder / "plain", folder / "compressed"
    plain.mkdir()
    compressed.mkdir()
    text = rare_words_text(random.Random(SEED), 20_000)
    names = []
    for code_bits in ("8", "10", "12"):
        name = f"bits_{code_bits}.gsst"
        (plain / name).write_bytes(text)
        command: list[str | Path] = [COMPRESSOR, "-q", "-1", "--format", "tiles", "--code-bits", code_bits]
        command += ["--block-size", "100K", "-T", "1", plain / name, "-o", compressed / name]
        subprocess.run(command, check=True)
        names.append(name)
    return Corpus(plain, compressed, tuple(names))


@pytest.mark.parametrize(
    "options",
    [
        [], ["-c"], ["-l"], ["-L"], ["-q"], ["-n"], ["-b"], ["-o", "-b"], ["-o", "-n", "-i"], ["-i", "-c"],
        ["-w", "-n"], ["-x", "-c"], ["-v", "-c"], ["-A1", "-n"], ["-C0"], ["-m3", "-n"], ["-m1", "-A2"],
        ["-F", "-n", "-b"],
    ],
)  # fmt: skip
def test_searches_on_codes_agree_with_grep(tiles_corpus: Corpus, options: list[str]) -> None:
    words = (b"Tiresias", b"warthogs", b"\xffpinto", b"finally", b"T", b"not there", b"[w]arthog")
    several = (b"Tiresias|warthogs", b"(a warthog|re-f.*pinto)s?", b"zz|not there|\xffp|Tire|q+")
    for word in words + several:
        assert_same(tiles_corpus, *options, word, *tiles_corpus.names)


@pytest.mark.parametrize("part", range(8))
def test_random_strings_on_codes_agree_with_grep(tiles_corpus: Corpus, part: int) -> None:
    seed = SEED + part
    print(f"seed: {seed}")
    generator = random.Random(seed)
    for _ in range(15):
        name = generator.choice(tiles_corpus.names)
        text = tiles_corpus.text(name)
        is_fixed = part % 2 == 0
        arguments: list[str | bytes] = ["-F" if is_fixed else "-E", *random_options(generator)]
        if "-o" in arguments:
            arguments = [argument for argument in arguments if argument not in ("-w", "-x")]
        for _ in range(generator.choice([1, 1, 1, 2, 4, 9])):
            pattern = random_string(generator, text) if is_fixed else random_words(generator, text)
            arguments += ["-e", pattern]
        assert_same(tiles_corpus, *arguments, name)


def test_json_of_a_search_on_codes(tiles_corpus: Corpus) -> None:
    result = gsst_grep(tiles_corpus, "--json", "-c", "Tiresias", *tiles_corpus.names)
    for entry, name in zip(json.loads(result.stderr), tiles_corpus.names, strict=True):
        assert entry["searched_bytes"] == len(tiles_corpus.text(name))
        assert entry["compressed_bytes"] == (tiles_corpus.compressed / name).stat().st_size


def test_a_file_of_tiles_that_is_cut_off_is_an_error(tiles_corpus: Corpus, tmp_path: Path) -> None:
    name = tiles_corpus.names[0]
    whole = (tiles_corpus.compressed / name).read_bytes()
    path = tmp_path / "cut.gsst"
    path.write_bytes(whole[: len(whole) // 2])
    result = gsst_grep(tiles_corpus, "Tiresias", str(path))
    assert result.returncode == ERROR
    assert str(path).encode() in result.stderr
    assert result.stdout
    assert grep(tiles_corpus, "Tiresias", name).stdout.startswith(result.stdout)
