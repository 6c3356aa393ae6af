"""A text as a tree that can take items in."""

from collections.abc import Iterator

from msgspec import Struct, field

from clawgit.text.stale_write.bullet_style import BulletStyle
from clawgit.text.stale_write.item import Sheet


class Branch(Struct, eq=False):
    """An item among others; `number` counts in the writer's text, or with `guest` in the committed one.

    The root has the number -1. `gone` marks what others deleted.
    """

    kind: str
    number: int
    parent: "Branch | None" = None
    guest: bool = False
    level: int = 0
    style: BulletStyle | None = None
    gone: bool = False
    children: list["Branch"] = field(default_factory=list)

    @property
    def column(self) -> int:
        """Return where what stands under this begins."""
        return self.style.content if self.style and self.kind == "bullet" else 0


def tree(sheet: Sheet) -> tuple[Branch, list[Branch]]:
    """Return the root, and the branch of each item."""
    root = Branch("root", -1)
    found: list[Branch] = []
    for at, item in enumerate(sheet.items):
        parent = found[item.parent] if item.parent >= 0 else root
        style = BulletStyle(item.indent, item.mark, item.content) if item.kind == "bullet" else None
        branch = Branch(item.kind, at, parent, level=item.level, style=style)
        parent.children.append(branch)
        found.append(branch)
    return root, found


def walk(root: Branch) -> Iterator[Branch]:
    """Yield all below `root`, in the order of the text."""
    stack = root.children[::-1]
    while stack:
        branch = stack.pop()
        yield branch
        stack += branch.children[::-1]


def insert(parent: Branch, at: int, branch: Branch) -> None:
    """Put a branch among the children, a section after what stands there without one."""
    heads = next(
        (place for place, child in enumerate(parent.children) if child.kind == "heading"), len(parent.children)
    )
    at = max(at, heads) if branch.kind == "heading" else min(at, heads)
    branch.parent = parent
    parent.children.insert(at, branch)
