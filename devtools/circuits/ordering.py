"""In which order to compute a circuit's gates so that few values are kept at a time.

Values are numbered: first the inputs, then the gates. `fanins` lists for each gate the values that it reads.
"""

from collections.abc import Sequence
from typing import NamedTuple


def most_live(inputs: int, fanins: Sequence[Sequence[int]], outputs: Sequence[int]) -> int:
    """The most values that must be kept between two gates, inputs and outputs included."""
    last_use = {output: len(fanins) for output in outputs}
    for position, sources in reversed(list(enumerate(fanins))):
        for source in sources:
            last_use.setdefault(source, position)
    live = most = inputs
    for position, sources in enumerate(fanins):
        live += 1 - sum(last_use[source] == position for source in set(sources))
        most = max(most, live)
    return most


class State(NamedTuple):
    most: int
    living: int  # how many
    live: int  # a set of values, as a mask
    order: tuple[int, ...]


def with_few_live_values(
    inputs: int, fanins: Sequence[Sequence[int]], outputs: Sequence[int], width: int
) -> tuple[int, ...]:
    """The gates' numbers in a good order, by a beam search.

    A step computes one more gate. Of the ways to have computed the same set of gates only the one with the
    smallest maximum is kept, and of all sets the `width` best by maximum so far and values live now.
    """
    size = inputs + len(fanins)
    users, needs = [0] * size, [0] * size
    for number, sources in enumerate(fanins, inputs):
        for source in sources:
            users[source] |= 1 << number
            needs[number] |= 1 << source
    kept_to_the_end = sum(1 << output for output in set(outputs))

    def after(state: State, done: int, number: int) -> State:
        live = state.live | 1 << number
        for source in fanins[number - inputs]:
            if not (users[source] & ~done or kept_to_the_end >> source & 1):
                live &= ~(1 << source)
        count = live.bit_count()
        return State(max(state.most, count), count, live, (*state.order, number))

    start = (1 << inputs) - 1
    beam = {start: State(inputs, inputs, start, ())}
    for _ in fanins:
        following: dict[int, State] = {}
        for done, state in beam.items():
            for number in range(inputs, size):
                if done >> number & 1 or needs[number] & ~done:
                    continue
                now = done | 1 << number
                new = after(state, now, number)
                if now not in following or new[:2] < following[now][:2]:
                    following[now] = new
        beam = dict(sorted(following.items(), key=lambda item: item[1][:2])[:width])
    return next(iter(beam.values())).order
