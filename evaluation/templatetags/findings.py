"""How findings look: a number, or why there is none; never NaN. Cells of tables, their heads, links to downloads."""

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache

from django import template
from django.template import RequestContext
from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from evaluation.agreement.value import Value
from evaluation.statistics.bootstrap import Interval, IntervalJson
from evaluation.tables.table import Cell, Column, Content, DataTable, Ends, Footnotes, Head, Row, Writer

register = template.Library()
_EXACT = Context(prec=400)  # a double has no more digits than that


def fixed(value: float, places: int) -> str:
    """With so many decimals, ties of the shortest decimal form away from zero, and no -0: Django's `floatformat` for
    numbers, in a tenth of its time, of which a large table has thousands."""
    rounded = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _EXACT)
    return f"{rounded if rounded else abs(rounded):f}"


@register.simple_tag(takes_context=True)
def heads(context: RequestContext, table: DataTable[Row], anchor: str = "") -> str:
    """The heads of a table. A click on one sorts by its column, and lands at `anchor` (`#systems`)."""
    return format_html_join("", "{}", ((_head(head, context, anchor),) for head in table.heads))


@register.simple_tag(takes_context=True)
def cells(context: RequestContext, table: DataTable[Row], row: Row) -> str:
    """The cells of a row."""
    written = ((_cell(column, context, table, row),) for column in table.shown)
    return format_html_join("", "{}", written)


@register.simple_tag(takes_context=True)
def downloads(context: RequestContext, page: str, *names: str, formats: str = "csv tex", query: str = "") -> str:
    """Links to a file in its formats: `{% downloads "leaderboard_systems" query=form.address %}`."""
    words = {"csv": "CSV", "tex": "LaTeX", "svg": "SVG", "png": "PNG"}
    links = [(reverse(page, args=[context["collection"].slug, *names, each]), each) for each in formats.split()]
    query = f"?{query}" if query else ""
    return format_html_join(" ", '<a href="{}{}">{}</a>', ((link, query, words[each]) for link, each in links))


def number_cell(places: int = 3, *, has_sign: bool = False) -> Writer:
    """A number with so many decimals; the reason why there is none in a footnote."""
    return _value_cell(lambda value, notes: number(value, notes, places, has_sign=has_sign))


def words_cell(places: int) -> Writer:
    """A number with so many decimals, or the reason in words."""
    return _value_cell(lambda value, notes: figure(value, places))


def share_cell(content: Content, notes: Footnotes) -> str:
    """In whole percent."""
    return _value_cell(short_share)(content, notes)


def p_value_cell(content: Content, notes: Footnotes) -> str:
    return _value_cell(p_value)(content, notes)


def _value_cell(write: Callable[[Value, Footnotes], str]) -> Writer:
    """Of a column of numbers; nothing where there is nothing to say."""

    def write_cell(content: Content, notes: Footnotes) -> str:
        if content is None:
            return ""
        assert isinstance(content, Value | int | float)
        return write(content if isinstance(content, Value) else Value(content), notes)

    return write_cell


def interval_cell(content: Content, notes: Footnotes) -> str:
    """From low to high."""
    assert content is None or isinstance(content, Ends)
    return interval(content, notes)


def _head(head: Head, context: RequestContext, anchor: str) -> str:
    if not head.next:
        return format_html('<th scope="col"{}>{}</th>', _css(head.css), head.words)
    return format_html(
        '<th scope="col" class="{}" aria-sort="{}"><a class="sorting" href="?{}&amp;sort={}{}">{}</a></th>',
        *(head.css, head.aria, context["form"].address, head.next, anchor, head.words),
    )


def _cell(column: Column[Row], context: RequestContext, table: DataTable[Row], row: Row) -> str:
    if isinstance(column.cell, str):
        with context.push(row=row, notes=table.notes):
            assert context.template is not None
            written = context.template.engine.get_template(column.cell).render(context)
            content = mark_safe(written.strip())  # a template escapes by itself
    else:
        content = conditional_escape(column.cell(column.value(row), table.notes))
    # Put together here: to escape once more what is escaped takes a third of the time of a table of 100 systems.
    if column.is_row_head:
        return mark_safe(f'<th scope="row"{_css(column.css)}>{content}</th>')
    return mark_safe(f"<td{_css(column.css)}>{content}</td>")


@cache
def _css(css: str) -> str:
    return format_html(' class="{}"', css) if css else ""


@register.filter
def figure(value: Value, places: int) -> str:
    """The number, or the reason in words."""
    return fixed(value.number, places) if value.is_defined else _undefined(f"undefined: {value.reason}")


@register.simple_tag
def footnotes(name: str) -> Footnotes:
    """`{% footnotes "systems" as notes %}`: what the cells of a table write their reasons into, and
    `evaluation/_footnotes.html` under it reads out."""
    return Footnotes(name)


@register.filter
def short(value: Value, notes: Footnotes | None = None) -> str:
    """In a narrow cell: the reason stands in a footnote, or in words where the table has none."""
    return fixed(value.number, 3) if value.is_defined else _noted("undefined", value.reason, notes)


@register.simple_tag
def number(value: Value, notes: Footnotes, places: int = 3, *, has_sign: bool = False) -> str:
    """As `short`, with so many places, and where asked for with its sign also above 0."""
    if not value.is_defined:
        return short(value, notes)
    sign = "+" if has_sign and value.number > 0 else ""
    return f"{sign}{fixed(value.number, places)}"


@register.filter
def p_value(value: Value, notes: Footnotes | None = None) -> str:
    """In a narrow cell; never 0, which no p is."""
    if value.is_defined and value.number < 0.001:
        return "< 0.001"
    return short(value, notes)


@register.filter
def share(value: Value) -> str:
    """In whole percent, or the reason in words."""
    return _percent(value) if value.is_defined else _undefined(f"undefined: {value.reason}")


@register.filter
def short_share(value: Value, notes: Footnotes | None = None) -> str:
    """In a narrow cell."""
    return _percent(value) if value.is_defined else _noted("none", value.reason, notes)


@register.filter
def interval(found: Ends | Interval | IntervalJson | None, notes: Footnotes | None = None) -> str:
    """From low to high, fresh or as a finding stores it."""
    low, high, reason = _ends(found)
    if low is None or high is None:
        return _noted("none", reason, notes)
    return format_html('<span class="interval">{} – {}</span>', fixed(low, 3), fixed(high, 3))


@register.filter
def footnote(value: Value, notes: Footnotes) -> str:
    """The number alone of the footnote that says why a value is undefined."""
    return _number(value.reason, notes)


def _ends(found: Ends | Interval | IntervalJson | None) -> tuple[float | None, float | None, str]:
    if found is None:
        return None, None, ""
    if isinstance(found, dict):
        return found["low"], found["high"], found.get("reason", "")
    return found.low, found.high, found.reason


def _percent(value: Value) -> str:
    return f"{round(100 * value.number)} %"


def _undefined(words: str) -> SafeString:
    return format_html('<span class="undefined">{}</span>', words)


def _noted(words: str, reason: str, notes: Footnotes | None) -> SafeString:
    """The words with the number of the footnote that says why."""
    if not reason or notes is None:
        return _undefined(f"{words}: {reason}" if reason else words)
    return format_html('<span class="undefined">{} {}</span>', words, _number(reason, notes))


def _number(reason: str, notes: Footnotes) -> SafeString:
    number = notes.number(reason)
    link = '<a class="footnote" href="#{}-{}" aria-label="footnote {}">{}</a>'
    return format_html(link, notes.name, number, number, number)


@register.filter
def cell(value: Cell, places: int) -> str:
    """A number with the decimals of its table, text as it is, nothing where there is nothing to say."""
    if value is None:
        return ""
    return fixed(value, places) if isinstance(value, float) else str(value)


@register.filter
def is_number(value: Cell) -> bool:
    return isinstance(value, int | float)
