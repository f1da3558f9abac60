"""CUDA graphs: one captured optimiser step per bucket, replayed for all stacked members."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.train.chunk import Chunk
from holdfast.train.repair import Tensors
from holdfast.train.rows import TrainingRows


class Graphs:
    """Replays steps of a chunk. Rows, weights and noise are copied into static buffers; the gather from the
    bucket's rows, the step and the repair are all inside the graph."""

    def __init__(self, chunk: Chunk, data: TrainingRows) -> None:
        self.chunk, self.data = chunk, data
        self.captured: dict[int, tuple[torch.cuda.CUDAGraph, Tensor, Tensor, Tensors]] = {}
        self.pool = torch.cuda.graph_pool_handle()

    def forget(self) -> None:
        """Drop what was captured (the learning rate is part of a graph)."""
        self.captured.clear()

    def step(
        self, bucket: int, index: Int[Tensor, "M B"], weight: Float[Tensor, "M B"], noise: Tensors
    ) -> None:
        """One step on this bucket."""
        if bucket not in self.captured:
            self.captured[bucket] = self._capture(bucket, index, weight, noise)
        graph, own_index, own_weight, own_noise = self.captured[bucket]
        own_index.copy_(index, non_blocking=True)
        own_weight.copy_(weight, non_blocking=True)
        for name, tensor in noise.items():
            own_noise[name].copy_(tensor, non_blocking=True)
        graph.replay()

    def _capture(
        self, bucket: int, index: Tensor, weight: Tensor, noise: Tensors
    ) -> tuple[torch.cuda.CUDAGraph, Tensor, Tensor, Tensors]:
        index, weight = index.clone(), weight.clone()
        noise = {name: tensor.clone() for name, tensor in noise.items()}

        def once() -> None:
            self.chunk.step(self.data.gathered(bucket, index, weight), noise)

        state = {name: tensor.clone() for name, tensor in self.chunk.state().items()}
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(2):
                once()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        capture = torch.cuda.graph(graph, self.pool, side, capture_error_mode="thread_local")
        with capture:
            once()
        self.chunk.restore(state)
        return graph, index, weight, noise
