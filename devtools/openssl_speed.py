"""./dev bench --compare-openssl-speed: the openssl engine beside `openssl speed`, by turns."""

import json
from pathlib import Path

from devtools.process import Stop, say, text_of

# Bytes of a call. `openssl speed` sets the nonce once, and each of our calls does, which shows below this.
SIZE = 65536
TURNS = 3
LEAST_RATIO = 0.9


def compare(warpaes: Path) -> int:
    """0 if the engine reaches 90 % of `openssl speed` for every cipher.

    The best turn of each counts: other programs of the machine only ever slow them down.
    """
    say(f"one thread, {SIZE} bytes a call, best of {TURNS} turns, GB/s")
    say("cipher        openssl speed   warpaes bench   ratio")
    all_good = True
    for mode in ("ecb", "ctr", "gcm"):
        for key_bits in (128, 192, 256):
            peer, ours = 0.0, 0.0
            for _ in range(TURNS):
                peer = max(peer, peer_speed(f"aes-{key_bits}-{mode}"))
                ours = max(ours, engine_speed(warpaes, mode, key_bits))
            ratio = ours / peer
            good = ratio >= LEAST_RATIO
            all_good = all_good and good
            say(
                f"aes-{key_bits}-{mode}   {peer:13.3f}   {ours:13.3f}"
                f"   {ratio:5.2f}{'' if good else f'  <-- under {LEAST_RATIO}'}"
            )
    return 0 if all_good else 1


def peer_speed(cipher: str) -> float:
    """The speed of OpenSSL in GB/s. With -mr, it prints `+F:number:cipher:bytes per second`."""
    command = ["openssl", "speed", "-mr", "-seconds", "1", "-bytes", str(SIZE), "-evp", cipher]
    for line in text_of(command).splitlines():
        if line.startswith("+F:"):
            return float(line.split(":")[3]) / 1e9
    raise Stop(f"openssl speed says nothing of {cipher}")


def engine_speed(warpaes: Path, mode: str, key_bits: int) -> float:
    options = f"--engine openssl --threads 1 --mode {mode} --key-bits {key_bits} --direction encrypt"
    command = [str(warpaes), "bench", "--json", *options.split(), "--bytes", str(SIZE), "--samples", "101"]
    for line in map(json.loads, text_of(command).splitlines()):
        if line["type"] == "result" and line["verified"]:
            return float(line["gb_per_s"])
    raise Stop(f"no verified result: {' '.join(command)}")
