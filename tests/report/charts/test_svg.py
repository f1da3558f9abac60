from holdfast.report.charts import draw
from holdfast.report.charts.svg import clean

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'


def test_what_is_not_a_known_shape_or_attribute_is_left_out():
    bad = f'{HEAD}<script>x()</script><a href="javascript:x()"><path d="M0,0" fill="red"/></a>'
    bad += '<path onclick="x()" style="fill:url(http://x)" d="M0,0h1" fill="red"/><foreignObject/></svg>'
    cleaned = clean(bad, "k", "t")
    assert cleaned.count("<path") == 1
    for word in ("script", "href", "onclick", "style", "foreignObject", "http://x"):
        assert word not in cleaned


def test_identifiers_are_counted_anew_and_carry_the_key():
    drawing = f'{HEAD}<defs><clipPath id="clip812"><path d="M0,0h1"/></clipPath></defs>'
    drawing += '<g clip-path="url(#clip812)"><path d="M0,0h1" fill="red"/></g></svg>'
    cleaned = clean(drawing, "a b<", "t")
    assert 'id="a-b--0"' in cleaned
    assert 'clip-path="url(#a-b--0)"' in cleaned
    assert cleaned == clean(drawing.replace("812", "7"), "a b<", "t")


def test_a_clip_path_from_elsewhere_is_left_out():
    drawing = f'{HEAD}<g clip-path="url(http://x/#a)"><path d="M0,0h1" fill="red"/></g></svg>'
    assert "clip-path" not in clean(drawing, "k", "t")


def test_numbers_are_shortened_and_the_title_is_escaped():
    cleaned = clean(f'{HEAD}<path d="M0.123456,-7.98765h1" fill="red"/></svg>', "k", "<b>&")
    assert 'd="M0.1,-8h1"' in cleaned
    assert "<title>&lt;b&gt;&amp;</title>" in cleaned


def test_a_label_has_room_for_a_wider_font():
    """The layout ends where the label begins in its own font; a browser may have a wider one."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="50" viewBox="0 0 300 50">'
    back = '<rect width="300" height="50" fill="#ffffff"/>'
    label = '<g transform="translate(100,5)"><text text-anchor="end" font-size="10px">{}</text></g>'
    wide = clean(f"{head}{back}{label.format('a label as long as this')}</svg>", "k", "t")
    assert 'viewBox="-20 0 320 50"' in wide
    assert '<rect width="320" height="50" fill="#ffffff" x="-20" />' in wide
    assert draw.width(wide) == 320
    assert 'viewBox="0 0 300 50"' in clean(f"{head}{back}{label.format('short')}</svg>", "k", "t")
    turned = label.format("a label as long as this").replace("translate(100,5)", "translate(9,5) rotate(-90)")
    assert 'viewBox="0 0 300 50"' in clean(f"{head}{turned}</svg>", "k", "t")
