"""Cleans a drawing for use inside a page: known shapes only, no scripts, the same bytes each time."""

import math
import re
from collections.abc import Iterator
from xml.etree import ElementTree

NAMESPACE = "http://www.w3.org/2000/svg"
SHAPES = {"svg", "g", "path", "line", "rect", "text", "tspan", "circle", "defs", "clipPath"}
ATTRIBUTES = {
    *(
        "width",
        "height",
        "viewBox",
        "transform",
        "d",
        "x",
        "y",
        "x1",
        "x2",
        "y1",
        "y2",
        "dx",
        "dy",
        "r",
        "cx",
        "cy",
    ),
    *("fill", "stroke", "opacity", "fill-opacity", "stroke-opacity", "stroke-width", "stroke-dasharray"),
    *("stroke-linejoin", "stroke-linecap", "text-anchor", "font-size", "font-weight", "clip-path", "id"),
}
LETTERS = "text"  # the tag of text
# Attributes that only add bytes.
DEFAULTS = {("opacity", "1"), ("font-weight", "normal"), ("x2", "0"), ("y2", "0"), ("x", "0"), ("y", "0")}
WIDER, WIDEST = 1.2, 0.65  # how much wider another font may be; the widest letter on average, of its size
# As wide as the font the layout was measured with.
FONTS = "Arial,'Liberation Sans',Helvetica,sans-serif"


def clean(drawing: str, key: str, title: str) -> str:
    """The drawing with nothing in it but known shapes and attributes.

    Identifiers are numbered in order of appearance and carry ``key``, so that several drawings can share a
    page; the renderer numbers them on from drawing to drawing.

    >>> "onload" in clean('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>', "k", "t")
    False
    """
    root = ElementTree.fromstring(printable(drawing))
    names: dict[str, str] = {}
    prefix = re.sub(r"[^A-Za-z0-9]+", "-", key)
    for element in root.iter():
        _clean_element(element, names, prefix)
    _prune(root)
    _make_room(root)
    root.set("xmlns", NAMESPACE)
    root.set("role", "img")
    root.set("font-family", FONTS)
    heading = ElementTree.Element("title")
    heading.text = printable(title)
    root.insert(0, heading)
    return ElementTree.tostring(root, encoding="unicode")


def _clean_element(element: ElementTree.Element, names: dict[str, str], prefix: str) -> None:
    element.tag = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    kept = {}
    for name, value in element.attrib.items():
        if name not in ATTRIBUTES or (name, value) in DEFAULTS:
            continue
        if name == "id":
            value = names.setdefault(value, f"{prefix}-{len(names)}")
        elif name == "clip-path":
            match = re.fullmatch(r"url\(#([\w-]+)\)", value)
            if match is None:
                continue
            value = f"url(#{names.setdefault(match[1], f'{prefix}-{len(names)}')})"
        elif name in ("d", "transform"):
            value = re.sub(r"-?\d+\.\d{2,}", _short, value)
        kept[name] = value
    element.attrib = kept


def _prune(element: ElementTree.Element) -> None:
    for child in list(element):
        _prune(child)
        hollow = child.tag == "g" and len(child) == 0
        unseen = (
            child.tag == "path" and not ({"fill", "stroke"} & set(child.attrib)) and element.tag != "clipPath"
        )
        if child.tag not in SHAPES or hollow or unseen:
            element.remove(child)


def _make_room(root: ElementTree.Element) -> None:
    """Widen the drawing, so that no label is cut off in a font wider than the one it was laid out in."""
    match = re.fullmatch(r"0 0 ([\d.]+) ([\d.]+)", root.get("viewBox", ""))
    if match is None:
        return
    width, height = float(match[1]), match[2]
    ends = [end for text, x in _texts(root, 0.0) for end in _ends(text, x, width)]
    left, right = math.floor(min([0.0, *ends])), math.ceil(max([width, *ends]))
    if (left, right) == (0, width):
        return
    for element in (root, *(child for child in root if child.tag == "rect")):
        element.set("width", f"{right - left:g}")
        if element is root:
            root.set("viewBox", f"{left} 0 {right - left:g} {height}")
        else:
            element.set("x", str(left))


def _texts(element: ElementTree.Element, x: float) -> Iterator[tuple[ElementTree.Element, float]]:
    """Every text that is not rotated, with its x."""
    match = re.match(r"translate\(([-\d.]+)(.*)", element.get("transform", ""))
    if match is not None and "rotate" in match[2]:
        return
    x += 0.0 if match is None else float(match[1])
    if element.tag == LETTERS:
        yield element, x
    for child in element:
        yield from _texts(child, x)


def _ends(text: ElementTree.Element, x: float, width: float) -> tuple[float, ...]:
    """How far a text may reach; it was laid out inside the drawing."""
    size = float(text.get("font-size", "10px").removesuffix("px"))
    likely = WIDEST * size * len("".join(text.itertext()))
    match text.get("text-anchor", "start"):
        case "end":
            return (x - WIDER * min(likely, max(x, 0.0)),)
        case "start":
            return (x + WIDER * min(likely, max(width - x, 0.0)),)
    return ()


def _short(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 1):g}"


def printable(text: str) -> str:
    """The text with U+FFFD for what XML cannot hold: control characters and half surrogates.

    >>> printable("a\\x00b")
    'a\ufffdb'
    """
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
