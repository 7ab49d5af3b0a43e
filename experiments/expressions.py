"""Expressions and conditions over rows of records: what claims, tables and goals in YAML say about numbers.

An expression is a field of the row (`ratio`, `parameters.splits`, `tables.symbols_by_length[0]`) or
arithmetic of fields and numbers (`throughput_gb_per_s / streaming_limit_gb_per_s`). A condition says what an
expression must be: a value, a pattern of text (`dbtext/c_*`), a list of these, or `{not: ..., at_least: ...,
at_most: ...}`.
"""

import ast
import functools
import operator
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any

Row = Mapping[str, Any]

_OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


# Rows are dicts nearly always, and to ask an abstract class takes many times as long.
_MAPPING = (dict, Mapping)


class NoFieldError(Exception):
    """The row lacks a field of the expression."""


class NoNumberError(NoFieldError):
    """The row has the field, and it is null: nothing was measured."""


@functools.cache
def _parse(expression: str) -> ast.expr:
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"{expression!r} is not a column") from error


def _not_an_expression(node: ast.expr) -> ValueError:
    return ValueError(f"{ast.unparse(node)!r} is neither a field, nor a number, nor arithmetic of these")


def _value(node: ast.expr, row: Row) -> object:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            parent, key = row, name
        case ast.Attribute(value=inner, attr=name):
            parent, key = _value(inner, row), name
        case ast.Subscript(value=inner, slice=ast.Constant(value=int() as index)):
            items = _value(inner, row)
            if not isinstance(items, list) or index >= len(items):
                raise NoFieldError(ast.unparse(node))
            return items[index]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_number(left, row), _number(right, row))
        case _:
            raise _not_an_expression(node)
    if not isinstance(parent, _MAPPING) or key not in parent:
        raise NoFieldError(ast.unparse(node))
    return parent[key]


def _number(node: ast.expr, row: Row) -> float:
    value = _value(node, row)
    if value is None:
        raise NoNumberError(ast.unparse(node))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{ast.unparse(node)!r} is {value!r}, not a number")
    return value


def _check(node: ast.expr) -> None:
    match node:
        case ast.Constant(value=int() | float()) | ast.Name():
            pass
        case ast.Attribute(value=inner) | ast.Subscript(value=inner, slice=ast.Constant(value=int())):
            _check(inner)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            _check(left)
            _check(right)
        case _:
            raise _not_an_expression(node)


def check_expression(expression: str) -> None:
    """Raises ValueError unless it is an expression, whatever the rows have."""
    _check(_parse(expression))


def value_of(expression: str, row: Row) -> object:
    """What the expression is in the row. Raises NoFieldError where the row lacks a field, ValueError where it
    is not an expression, ZeroDivisionError."""
    return _value(_parse(expression), row)


def number_of(expression: str, row: Row) -> float:
    """As value_of; ValueError too where it is not a number, NoNumberError where it is null."""
    return _number(_parse(expression), row)


def accepts(condition: object, value: object) -> bool:
    """Whether `value` is what the condition asks for."""
    if isinstance(condition, str):
        return isinstance(value, str) and fnmatchcase(value, condition)
    if isinstance(condition, list):
        return any(accepts(item, value) for item in condition)
    if isinstance(condition, _MAPPING):
        return all(
            not accepts(bound, value)
            if name == "not"
            else value is not None and (value >= bound if name == "at_least" else value <= bound)
            for name, bound in condition.items()
        )
    return type(value) is bool and value == condition if isinstance(condition, bool) else value == condition
