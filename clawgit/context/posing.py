"""Lets no memory pass for the context itself."""

import re

from msgspec.structs import replace

from clawgit.context.piece import Piece
from clawgit.context.slots import KINDS

_ENDS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_TITLES = "|".join(re.escape(title) for title in (*(kind.title for kind in KINDS.values()), "Project Context"))
_TITLE = rf"#{{1,6}}[ \t]*(?:{_TITLES}|/[^{_ENDS}]*\.md)[ \t#:]*"
_CITATION = rf"\[[^{_ENDS}]*#L\d[^{_ENDS}]*\][ \t]*"
_POSING = re.compile(rf"(^|[{_ENDS}])([ \t]*)(?=(?:{_TITLE}|{_CITATION})(?:[{_ENDS}]|$))", re.IGNORECASE)


def plain(piece: Piece) -> Piece:
    r"""Return a piece in which a line that reads like a title or citation of the context begins with `\`."""
    text = _POSING.sub(r"\1\2\\", piece.text)
    return piece if text == piece.text else replace(piece, text=text)
