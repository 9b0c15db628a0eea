"""Operators in PyTorch's graphs. They run only where PyTorch is installed."""

import gc
import logging
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import warpaes  # noqa: E402
from warpaes.torch import Operators  # noqa: E402

KEY = b"Thirty-two bytes nobody may see!"


def tensor(data: bytes) -> Any:
    return torch.tensor(list(data), dtype=torch.uint8)


NONCE, DATA, AAD = tensor(bytes(12)), tensor(bytes(range(100))), tensor(b"header")


@pytest.mark.parametrize("aad", [None, AAD], ids=["no header", "header"])
def test_the_same_as_without_a_graph(aad: Any) -> None:
    aead = warpaes.AESGCM(KEY)
    operators = Operators(aead)
    expected = aead.encrypt(bytes(12), bytes(range(100)), None if aad is None else b"header")
    sealed = operators.encrypt(NONCE, DATA, aad)
    assert bytes(sealed.tolist()) == expected
    assert torch.equal(operators.decrypt(NONCE, sealed, aad), DATA)


def test_what_pytorch_asks_of_operators() -> None:
    operators = Operators(warpaes.AESGCM(KEY))
    sealed = operators.encrypt(NONCE, DATA, AAD)
    for operator, data in ((torch.ops.warpaes.encrypt, DATA), (torch.ops.warpaes.decrypt, sealed)):
        found = torch.library.opcheck(operator.default, (operators._handle, NONCE, data, AAD))
        assert set(found.values()) == {"SUCCESS"}


def test_a_compiled_function(caplog: pytest.LogCaptureFixture) -> None:
    """In one graph, which has no key in it."""
    operators = Operators(warpaes.AESGCM(KEY))
    graphs = []

    def backend(graph: Any, inputs: Any) -> Any:
        del inputs
        graphs.append(graph.print_readable(print_output=False) + str(graph.graph))
        return graph.forward

    def both(nonce: Any, data: Any) -> Any:
        return operators.decrypt(nonce, operators.encrypt(nonce, data + 1)) - 1

    with caplog.at_level(logging.DEBUG, logger="torch"):
        assert torch.equal(torch.compile(both, fullgraph=True, backend=backend)(NONCE, DATA), DATA)
        assert torch.equal(torch.compile(both, fullgraph=True, backend="aot_eager")(NONCE, DATA), DATA)
    assert "warpaes.encrypt" in graphs[0]
    for text in (*graphs, caplog.text):
        assert "Thirty" not in text
        assert KEY.hex() not in text


def test_forgery_is_refused_in_a_graph() -> None:
    operators = Operators(warpaes.AESGCM(KEY))
    opens = torch.compile(operators.decrypt, fullgraph=True, backend="aot_eager")
    sealed = operators.encrypt(NONCE, DATA)
    assert torch.equal(opens(NONCE, sealed), DATA)
    sealed[3] ^= 1
    with pytest.raises(warpaes.InvalidTag):
        opens(NONCE, sealed)


def require_backend(name: str) -> None:
    """Skips where PyTorch cannot compile even a sum: Inductor needs a C++ compiler and Python's headers."""
    try:
        torch.compile(lambda value: value + 1, backend=name)(torch.ones(2))
    except Exception as error:
        pytest.skip(f"PyTorch's {name} does not work here: {type(error).__name__}")


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
@pytest.mark.parametrize("plaintext", [b"", bytes(range(100))], ids=["header only", "message"])
def test_forgery_is_refused_where_the_plaintext_is_not_used(
    backend: str, plaintext: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler leaves out what has no effect. That a message is genuine is one."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))  # else it is what was compiled once
    operators = Operators(warpaes.AESGCM(KEY))

    def checked(nonce: Any, sealed: Any, header: Any, value: Any) -> Any:
        return value * operators.decrypt(nonce, sealed, header).numel()

    torch._dynamo.reset()
    require_backend(backend)
    compiled = torch.compile(checked, fullgraph=True, backend=backend)
    sealed = operators.encrypt(NONCE, tensor(plaintext), AAD)
    assert compiled(NONCE, sealed, AAD, torch.ones(2)).tolist() == 2 * [len(plaintext)]
    sealed[0] ^= 1
    with pytest.raises(warpaes.InvalidTag):
        compiled(NONCE, sealed, AAD, torch.ones(2))


@pytest.mark.parametrize("length", [0, 3, 15])
def test_what_is_shorter_than_a_tag_is_refused_in_a_graph(length: int) -> None:
    operators = Operators(warpaes.AESGCM(KEY))
    torch._dynamo.reset()
    opens = torch.compile(operators.decrypt, fullgraph=True, backend="aot_eager")
    with pytest.raises(warpaes.InvalidTag):
        opens(NONCE, DATA[:length])


def test_no_rows() -> None:
    operators = Operators(warpaes.AESGCM(KEY))
    nonces, data = torch.zeros(0, 12, dtype=torch.uint8), torch.zeros(0, 5, dtype=torch.uint8)
    sealed = torch.vmap(operators.encrypt)(nonces, data)
    assert sealed.shape == (0, 5 + 16)
    assert torch.vmap(operators.decrypt)(nonces, sealed).shape == (0, 5)
    assert torch.vmap(operators.decrypt, in_dims=(0, 1))(nonces, data.t()).shape == (0, 0)
    assert torch.vmap(operators.encrypt, in_dims=(0, None))(nonces, DATA).shape == (0, 100 + 16)


def test_a_key_goes_with_its_object() -> None:
    operators = Operators(warpaes.AESGCM(KEY))
    handle = operators._handle
    assert "Thirty" not in repr(operators)
    del operators
    gc.collect()
    with pytest.raises(RuntimeError, match="the key of this graph is gone"):
        torch.ops.warpaes.encrypt(handle, NONCE, DATA, None)
    with pytest.raises(TypeError, match="aead must be AESGCM"):
        Operators(warpaes.AESSIV(bytes(64)))


def test_mapped_rows_have_nonces_of_their_own() -> None:
    """Under one nonce, the rows' difference could be seen by everybody."""
    aead = warpaes.AESGCM(KEY)
    operators = Operators(aead)
    nonces, data = torch.arange(48, dtype=torch.uint8).reshape(4, 12), DATA.reshape(4, 25)
    rows = [tensor(aead.encrypt(bytes(nonces[n].tolist()), bytes(data[n].tolist()))) for n in range(4)]
    for mapped in (
        torch.vmap(operators.encrypt),
        torch.compile(torch.vmap(operators.encrypt), backend="eager"),
    ):
        assert torch.equal(mapped(nonces, data), torch.stack(rows))
    with_header = torch.vmap(operators.encrypt, in_dims=(0, 0, None), out_dims=1)(nonces, data, AAD)
    assert torch.equal(torch.vmap(operators.decrypt, (0, 1, None))(nonces, with_header.t().t(), AAD), data)
    for in_dims in ((None, 0), (None, 1)):
        with pytest.raises(ValueError, match="must map the nonces"):
            torch.vmap(operators.encrypt, in_dims)(NONCE, data)
    with pytest.raises(ValueError, match="must map the nonces"):
        torch.vmap(torch.vmap(operators.encrypt, (None, 0)))(nonces[:2], data.reshape(2, 2, 25))
    assert torch.vmap(Operators(warpaes.AESGCMSIV(KEY)).encrypt, (None, 0))(NONCE, data).shape == (4, 41)


def test_what_stands_for_a_tensor_is_traced() -> None:
    operators = Operators(warpaes.AESGCM(KEY))
    traced = torch.fx.symbolic_trace(lambda nonce, data: operators.encrypt(nonce, data + 1))
    assert torch.equal(traced(NONCE, DATA), operators.encrypt(NONCE, DATA + 1))


def test_what_is_no_tensor_is_not_shown() -> None:
    operators = Operators(warpaes.AESGCM(KEY))
    for call in (operators.encrypt, operators.decrypt):
        with pytest.raises(
            TypeError, match=r"nonce must be a torch\.Tensor of bytes, not bytes: "
        ) as refused:
            call(KEY, DATA)
        assert "nobody" not in str(refused.value)
        with pytest.raises(TypeError, match=r"data must be a torch\.Tensor of bytes, not NoneType"):
            call(NONCE, None)
        with pytest.raises(TypeError, match=r"associated_data must be a torch\.Tensor of bytes, not bytes"):
            call(NONCE, DATA, KEY)
