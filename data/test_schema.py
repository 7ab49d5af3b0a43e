"""The schemas of all documents of this repository, which nothing else checks."""

import json
from pathlib import Path

import pytest
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import validator_for

from data.schema import validate
from tools.repository import ROOT, committable_files

SCHEMAS = [path for path in committable_files() if path.name.endswith(".schema.json")]


@pytest.mark.parametrize("path", SCHEMAS, ids=Path.as_posix)
def test_a_schema_follows_the_draft_that_it_names(path: Path) -> None:
    schema = json.loads((ROOT / path).read_text(encoding="utf-8"))
    assert "$schema" in schema
    validator = validator_for(schema)
    validator.check_schema(schema)
    with pytest.raises(SchemaError):
        validator.check_schema({**schema, "type": "no type"})


def test_the_first_mistake_of_a_document_is_named(tmp_path: Path) -> None:
    path = tmp_path / "made_up.schema.json"
    path.write_text('{"properties": {"a": {"type": "integer"}}}', encoding="utf-8")
    validate({"a": 1}, path)
    with pytest.raises(ValidationError, match="'b' is not of type 'integer'"):
        validate({"a": "b"}, path)
