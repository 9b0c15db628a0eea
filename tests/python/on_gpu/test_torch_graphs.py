"""The operators of torch.compile() on tensors of a GPU."""

import shutil
from typing import Any

import pytest

import warpaes
from tests.python.on_gpu.arrays import KEY, package, text

torch = package("torch")

from warpaes.torch import Operators  # noqa: E402

NONCE, AAD = (torch.tensor(list(given), dtype=torch.uint8) for given in (bytes(range(12)), b"header"))
COMPILER = pytest.mark.skipif(
    not (shutil.which("gcc") or shutil.which("cc")), reason="Triton needs a C compiler"
)


def data() -> Any:
    return torch.frombuffer(bytearray(text(100_000)), dtype=torch.uint8).cuda()


@pytest.mark.parametrize("aad", [None, AAD], ids=["no header", "header"])
def test_what_pytorch_asks_of_operators(aad: Any) -> None:
    operators, plain = Operators(warpaes.AESGCM(KEY)), data()
    sealed = operators.encrypt(NONCE, plain, aad)
    assert sealed.device == plain.device
    assert torch.equal(operators.decrypt(NONCE, sealed, aad), plain)
    for operator, given in ((torch.ops.warpaes.encrypt, plain), (torch.ops.warpaes.decrypt, sealed)):
        found = torch.library.opcheck(operator.default, (operators._handle, NONCE, given, aad))
        assert set(found.values()) == {"SUCCESS"}


@pytest.mark.parametrize("backend", ["aot_eager", pytest.param("inductor", marks=COMPILER)])
def test_a_compiled_function(backend: str) -> None:
    operators, plain = Operators(warpaes.AESGCM(KEY)), data()

    def both(nonce: Any, given: Any) -> Any:
        return operators.decrypt(nonce, operators.encrypt(nonce, given + 1)) - 1

    compiled = torch.compile(both, fullgraph=True, backend=backend)
    assert torch.equal(compiled(NONCE, plain), plain)
    opens = torch.compile(operators.decrypt, fullgraph=True, backend=backend)
    sealed = operators.encrypt(NONCE, plain)
    assert torch.equal(opens(NONCE, sealed), plain)
    sealed[3] ^= 1
    with pytest.raises(warpaes.InvalidTag):
        opens(NONCE, sealed)
