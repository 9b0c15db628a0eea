"""State dictionaries of PyTorch as encrypted safetensors files, and AEADs for torch.compile().

The file is a container like those of `warpaes encrypt`, and its plaintext is a safetensors file: names,
shapes and the order of the tensors are encrypted and authenticated with their bytes. Tensors on a CUDA device
are encrypted before they leave it, and decrypted after they have arrived.

warpaes.torch.dcp has checkpoints of many processes.
"""

from warpaes.torch._operators import Operators
from warpaes.torch._states import load_file, safe_open, save_file

__all__ = ["Operators", "load_file", "safe_open", "save_file"]
