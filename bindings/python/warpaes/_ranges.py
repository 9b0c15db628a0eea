"""Parts of the plaintext of many files in a store, for few requests."""

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from fsspec.implementations.local import LocalFileSystem

from warpaes._objects import MOST_THREADS, Pieces, source_of
from warpaes._secrets import BEGINNING, SEALED_CHUNK, FileSecret
from warpaes._streams import RawReader, Source, sealed_range

WORTH_THREADS = 8 << 20  # bytes; with less, threads would take longer to begin than they save
NEAR = 4 * SEALED_CHUNK  # what lies so near together is fetched in one request


class Wanted(NamedTuple):
    """A part of a file, as the bounds of a slice."""

    name: str
    start: int | None
    end: int | None


class Place(NamedTuple):
    """The same as positions in the plaintext.

    by_length: was a bound counted from the end? Then only the last chunk proves that it is this place, as the
    store alone says how long the file is.
    """

    start: int
    stop: int
    by_length: bool


class Ranges:
    """The ranges that one call asks for."""

    def __init__(
        self, store: Any, secret: FileSecret, near: int, context_of: Callable[[str], bytes], **options: Any
    ) -> None:
        """context_of: what is authenticated of a file's name. options: for the store's calls."""
        self._store, self._secret, self._near = store, secret, near
        self._context_of, self._options = context_of, options
        self._version = {"version_id": options["version_id"]} if "version_id" in options else {}

    def answers(self, wanted: list[Wanted]) -> list[Any]:
        """Each part, or what is wrong with it."""
        if isinstance(self._store, LocalFileSystem):
            return self._of_local_files(wanted)
        files: dict[str, Any] = {}
        try:
            self._open_all(files, list(dict.fromkeys(one.name for one in wanted)))
            places = self._fetched(files, wanted)
            return [_answer(files[one.name], place) for one, place in zip(wanted, places, strict=True)]
        finally:
            for file in files.values():
                if not isinstance(file, Exception):
                    file.close()

    def _of_local_files(self, wanted: list[Wanted]) -> list[Any]:
        """One file after the other: a process may have few files open at once."""
        parts: dict[str, list[int]] = {}
        for number, one in enumerate(wanted):
            parts.setdefault(one.name, []).append(number)
        answers: list[Any] = [None] * len(wanted)
        for name, numbers in parts.items():
            file = self._opened(name, b"")
            try:
                found = _parts_of(file, [wanted[number] for number in numbers])
                for number, answer in zip(numbers, found, strict=True):
                    answers[number] = answer
            finally:
                if not isinstance(file, Exception):
                    file.close()
        return answers

    def _open_all(self, files: dict[str, Any], names: list[str]) -> None:
        """Each file's beginning and length, or what is wrong with it."""
        starts, ends = [0] * len(names), [BEGINNING] * len(names)
        beginnings = self._store.cat_ranges(names, starts, ends, **self._options)
        for name, beginning in zip(names, beginnings, strict=True):
            files[name] = beginning if isinstance(beginning, Exception) else self._opened(name, beginning)

    def _opened(self, name: str, beginning: bytes) -> Any:
        try:
            context, source = self._context_of(name), source_of(self._store, name, self._version)
            if isinstance(source, Pieces):
                source.hold(0, source.asked_for(0, BEGINNING, beginning))
            return RangesOfOneFile(source, self._secret, context, self._near)
        except Exception as error:
            return error

    def _fetched(self, files: dict[str, Any], wanted: list[Wanted]) -> list[Place]:
        """The ranges as positions, when what is needed for them is in memory."""
        places = [
            Place(0, 0, False) if isinstance(files[name], Exception) else files[name].place(start, end)
            for name, start, end in wanted
        ]
        requests = []
        for name, file in files.items():
            if not isinstance(file, Exception):
                in_file = [one for (of, _, _), one in zip(wanted, places, strict=True) if of == name]
                requests += [(name, *request) for request in file.requests(in_file)]
        if requests:
            paths, starts, ends = (list(column) for column in zip(*requests, strict=True))
            answers = self._store.cat_ranges(paths, starts, ends, **self._options)
            for (name, start, stop), data in zip(requests, answers, strict=True):
                if not isinstance(files[name], Exception):
                    files[name] = _with_answer(files[name], start, stop, data)
        return places


class RangesOfOneFile:
    """Which bytes of a file are needed for ranges of its plaintext, in few requests."""

    def __init__(self, source: Source, secret: FileSecret, more_context: bytes, near: int) -> None:
        self._source = source
        self._raw = RawReader(source, secret, more_context)
        self._header_length, self._near = secret.header_length, near
        self.size = self._raw.size

    def place(self, start: int | None, end: int | None) -> Place:
        """The bounds are those of a slice."""
        first, last, _ = slice(start, end).indices(self.size)
        return Place(first, max(first, last), min(start or 0, end or 0) < 0)

    def requests(self, places: list[Place]) -> list[tuple[int, int]]:
        """What to fetch, as one what lies near together. Of a file of this machine, nothing."""
        offset, merged = self._header_length, list[tuple[int, int]]()
        if not isinstance(self._source, Pieces):
            return merged
        length = self._source.length - offset
        parts = [(one.start, one.stop) for one in places if one.start < one.stop]
        if any(one.by_length for one in places):
            parts.append((self.size, self.size))  # the last chunk
        for first, last in sorted(sealed_range(*part, length) for part in parts):
            if merged and first + offset <= merged[-1][1] + self._near:
                merged[-1] = (merged[-1][0], max(merged[-1][1], last + offset))
            else:
                merged.append((first + offset, last + offset))
        return merged

    def hold(self, start: int, stop: int, data: bytes) -> None:
        """The answer to a request. Raises OSError if it is none."""
        if isinstance(self._source, Pieces):
            self._source.hold(start, self._source.asked_for(start, stop, data))

    def close(self) -> None:
        """Nothing is read any more."""
        self._raw.close()

    def read(self, place: Place) -> bytes:
        """Plaintext."""
        if place.by_length:
            self._raw.check_end()
        return self._raw.bytes_at(place.start, place.stop - place.start)


def _with_answer(file: RangesOfOneFile, start: int, stop: int, data: Any) -> Any:
    """The file that holds the answer to a request, or what is wrong with it."""
    if isinstance(data, Exception):
        return data
    try:
        file.hold(start, stop, data)
    except OSError as error:
        return error
    return file


def _parts_of(file: Any, wanted: list[Wanted]) -> list[Any]:
    """What is large together is read by several threads, as the library would not share any of it."""
    if isinstance(file, Exception):
        return [file] * len(wanted)
    places = [file.place(one.start, one.end) for one in wanted]
    threads = min(MOST_THREADS, os.cpu_count() or 1, len(places))
    if threads == 1 or sum(one.stop - one.start for one in places) < WORTH_THREADS:
        return [_answer(file, one) for one in places]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(_answer, itertools.repeat(file), places))


def _answer(file: Any, place: Place) -> Any:
    if isinstance(file, Exception):
        return file
    try:
        return file.read(place)
    except Exception as error:
        return error
