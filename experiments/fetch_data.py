"""Fetches the data of an experiment and writes down what is there and what is not.

python -m experiments.fetch_data TARGET --scale SCALE --output MANIFEST.json
"""

import argparse
import json
import sys
from pathlib import Path

from data.errors import DataUnavailableError
from data.fetch import CACHE_DIR, Fetcher
from data.files import write_text
from experiments.definition import Scale, load_experiment


def fetch_data(scale: Scale, fetcher: Fetcher) -> dict[str, dict[str, str]]:
    """Paths of the data sets that are there, and the reason for each that is not."""
    available: dict[str, str] = {}
    unavailable: dict[str, str] = {}
    for instance in scale.instances:
        try:
            available[instance.label] = str(fetcher.fetch(instance))
        except DataUnavailableError as error:
            unavailable[instance.label] = str(error)
    return {"available": available, "unavailable": unavailable}


def main() -> int:
    """Writes the manifest. A data set that cannot be had is said, the experiment goes on with the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--scale", required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    experiment = load_experiment(arguments.target)
    manifest = fetch_data(experiment.scales[arguments.scale], Fetcher(CACHE_DIR))
    for label, reason in manifest["unavailable"].items():
        print(f"{label}: not available: {reason}", file=sys.stderr)
    if manifest["unavailable"]:
        print(f"{arguments.target}: skipped: {len(manifest['unavailable'])} columns", file=sys.stderr)
    write_text(arguments.output, json.dumps(manifest, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
