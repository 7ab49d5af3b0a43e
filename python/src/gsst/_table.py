"""Tables that small values share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gsst import _codec

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from gsst._frame import Array, Tensor


class Table:
    """A table of symbols that is trained once and compresses any number of small values, each by itself.

    `samples` are values like those that it is for, each any object with contiguous bytes. A table can be
    pickled, and used by several threads at once.
    """

    def __init__(self, samples: Iterable[Buffer | Tensor | Array]) -> None:
        """Trains the table. The same samples give the same table on every machine."""
        self._table = _codec.Table.train(samples)

    @classmethod
    def load(cls, saved: Buffer | Tensor | Array) -> Table:
        """The table that `save()` gave these bytes of."""
        table = cls.__new__(cls)
        table._table = _codec.Table.load(saved)
        return table

    def save(self) -> bytes:
        """The table as bytes, 2077 at most."""
        return self._table.save()

    @property
    def id(self) -> int:
        """What values name the table by, a checksum of it."""
        return self._table.id()

    def compress(self, data: Buffer | Tensor | Array, *, names_table: bool = False) -> bytes:
        """`data` as a value, at most a byte larger. With `names_table` it has four bytes more, which let
        every other table refuse it."""
        return self._table.compress(data, names_table)

    def decompress(self, value: Buffer | Tensor | Array) -> bytes:
        """What `compress()` made `value` of. A value has no checksum: another table, which it does not name,
        and damage may give other bytes. Raises gsst.Error for what is no value of this table."""
        return self._table.decompress(value)

    def __eq__(self, other: object) -> bool:
        """Whether both compress and decompress alike."""
        return isinstance(other, Table) and self.save() == other.save()

    def __hash__(self) -> int:
        return self.id

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return Table.load, (self.save(),)
