"""Documents that follow a JSON schema."""

import json
from functools import cache
from pathlib import Path

from jsonschema.exceptions import best_match
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for


@cache
def _validator(schema_path: Path) -> Validator:
    """Read once. Whether it is a schema is for a test to say: that takes longer than a document of it."""
    schema = json.loads(schema_path.read_text(encoding="utf-8"))
    return validator_for(schema)(schema)


def validate(document: object, schema_path: Path) -> None:
    """Raises jsonschema.ValidationError, the most telling one, if `document` does not follow the schema."""
    error = best_match(_validator(schema_path).iter_errors(document))
    if error is not None:
        raise error
