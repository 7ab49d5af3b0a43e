"""Chromium without a window, for tests of pages."""

import shutil
import subprocess
from pathlib import Path

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def run_chromium(
    folder: Path, width: int, height: int, page: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Opens the page in a window of that size, in pixels; the browser keeps what it needs in the folder.
    `arguments` say what it does. CHROMIUM is there, and a browser that fails raises CalledProcessError."""
    assert CHROMIUM is not None
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    options += [f"--user-data-dir={folder / 'profile'}", f"--window-size={width},{height}"]
    command = [CHROMIUM, *options, *arguments, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def dump_frame(
    folder: Path, frame: str, width: int, height: int, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Opens `frame`, the text of a page that looks into pages of other files. The output is what its scripts
    have made of it, and what they and the other pages' scripts say is in the errors."""
    page = folder / "frame.html"
    page.write_text(frame, encoding="utf-8")
    options = ["--dump-dom", "--allow-file-access-from-files", "--enable-logging=stderr", "--v=0"]
    return run_chromium(folder, width, height, page, *options, *arguments)
