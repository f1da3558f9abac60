"""Images: pixels, blocks and folds; as many strips as the task has steps."""

import torch

from holdfast.core.records import Batch
from holdfast.data.base import Dataset, Task
from holdfast.data.image.dataset import ImageDataset
from holdfast.testing.image import check_images, check_same_images
from holdfast.testing.modality import Modality
from holdfast.testing.splits import holed


class Image(Modality):
    """Checks of image data sets."""

    def check(self, dataset: Dataset) -> None:
        """Pixels, images, blocks and folds."""
        check_images(ImageDataset.narrow(dataset))

    def check_same(self, one: Dataset, other: Dataset) -> None:
        """Images and folds too."""
        check_same_images(ImageDataset.narrow(one), ImageDataset.narrow(other))

    def example(self, task: Task, length: int, seed: int) -> Batch:
        """Pixels from −1 to 1."""
        assert task.strip is not None, "expected a task of images, with a strip"
        draw = torch.Generator().manual_seed(seed)
        pixels = 2.0 * torch.rand((5, *task.strip), generator=draw, dtype=torch.float64) - 1.0
        targets = torch.randint(len(task.classes), (5,), generator=draw)
        return Batch(pixels, holed(task.strip[0]), targets, rows=torch.arange(5))
