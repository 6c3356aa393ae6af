"""Configuration, hooks, attributes and ignore rules of people."""

from .maker import Maker, shape


def _config(m: Maker, *pairs: str) -> None:
    for pair in pairs:
        key, _, value = pair.partition("=")
        m.git("config", key, value)


@shape("settings", 0.7)
def own_identity(m: Maker) -> None:
    _config(m, "user.name=Ada Løvelace", "user.email=ada@example.org")


@shape("settings", 0.08, group="")
def autocrlf_true(m: Maker) -> None:
    _config(m, "core.autocrlf=true")


@shape("settings", 0.3)
def colourful_config(m: Maker) -> None:
    """Settings that change git's output, and would mislead its readers."""
    _config(
        m,
        "color.ui=always",
        "status.showUntrackedFiles=no",
        "status.relativePaths=true",
        "core.quotePath=false",
        "diff.noprefix=true",
        "diff.external=/bin/false",
        "log.showSignature=true",
        "log.decorate=full",
        "format.pretty=oneline",
        "core.pager=/bin/false",
        "alias.log=!false",
        "diff.renames=copies",
        "submodule.recurse=true",
        "status.short=true",
        "status.branch=true",
        "blame.showEmail=true",
        "grep.lineNumber=true",
        "core.abbrev=5",
    )


@shape("settings", 0.15)
def excludes_of_the_person(m: Maker) -> None:
    """A file of ignore rules outside, as people have it in their home."""
    (m.beside / "ignore").write_text("*.swp\n.DS_Store\nIDENTITY.md\n")
    (m.beside / "attributes").write_text("*.bin binary\n")
    _config(m, f"core.excludesFile={m.beside / 'ignore'}", f"core.attributesFile={m.beside / 'attributes'}")


@shape("settings", 0.2)
def handwritten_config(m: Maker) -> None:
    """Comments, odd spacing, no last line feed: a program that rewrites it loses them."""
    place = m.inside("config")
    with place.open("a") as file:
        file.write(
            '; by hand\n[ALIAS]\n   Co=checkout   # mine\n[remote "x"]\n\turl = ../x\n[core]\n  bigFileThreshold = 1m'
        )


# ---- hooks


def _hook(m: Maker, name: str, text: str, mode: int = 0o755) -> None:
    folder = m.inside("hooks")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(mode)


@shape("settings", 0.3)
def hooks(m: Maker) -> None:
    _hook(m, "pre-commit", "#!/bin/sh\nexit 1\n")
    _hook(m, "post-commit", "#!/bin/sh\ntouch ran-a-hook\n")
    _hook(m, "pre-push", "#!/bin/sh\nexit 0\n", 0o644)
    _hook(m, "commit-msg.old", "not a hook\r\n", 0o600)


@shape("settings", 0.15)
def hooks_in_the_tree(m: Maker) -> None:
    m.write(".githooks/pre-commit", "#!/bin/sh\nexit 0\n", 0o755)
    _config(m, "core.hooksPath=.githooks")


@shape("settings", 0.1)
def hooks_elsewhere(m: Maker) -> None:
    folder = m.beside / "hooks"
    folder.mkdir(exist_ok=True)
    (folder / "pre-commit").write_text("#!/bin/sh\nexit 0\n")
    _config(m, f"core.hooksPath={folder}")


# ---- attributes


@shape("settings", 10, group="attributes")
def no_attributes(m: Maker) -> None:
    pass


@shape("settings", 1, group="attributes")
def eol_crlf(m: Maker) -> None:
    m.keep(".gitattributes", "*.md text eol=crlf\n")


@shape("settings", 1, group="attributes")
def clean_filter(m: Maker) -> None:
    """As git-crypt and others have it."""
    _config(m, "filter.upper.clean=tr a-z A-Z", "filter.upper.smudge=tr A-Z a-z")
    m.keep(".gitattributes", "memory/private/** filter=upper\nUSER.md filter=upper")
    m.keep("memory/private/note.md", "- private\n")


@shape("settings", 1, group="attributes")
def merge_drivers(m: Maker) -> None:
    _config(m, "merge.ours.driver=true")
    m.keep(".gitattributes", "# mine\r\n*.md merge=union diff=markdown\r\nmemory/** merge=ours -whitespace\r\n")


# ---- ignore rules


@shape("settings", 14, group="ignore", git=False)
def no_ignore_rules(m: Maker) -> None:
    pass


@shape("settings", 3, group="ignore", git=False)
def usual_ignore_rules(m: Maker) -> None:
    m.keep(".gitignore", ".DS_Store\n.env\n**/*.key\n**/*.pem\n**/secrets*\n")


@shape("settings", 1, group="ignore", git=False)
def memory_ignored(m: Maker) -> None:
    m.keep(".gitignore", "node_modules/\nmemory/\n")


@shape("settings", 1, group="ignore", git=False)
def everything_ignored(m: Maker) -> None:
    """A list of exceptions, with no line feed at its end."""
    m.keep(".gitignore", "*\n!.gitignore\n!SOUL.md\n!MEMORY.md")


@shape("settings", 1, group="ignore", git=False)
def ignore_with_crlf(m: Maker) -> None:
    m.keep(".gitignore", "*.tmp\r\nnode_modules/\r\n.env")


@shape("settings", 1, group="ignore", git=False)
def ignore_in_latin_1(m: Maker) -> None:
    m.keep(".gitignore", b"# f\xfcr mich\n*.tmp\n")


@shape("settings", 1, group="ignore", git=False)
def ignore_is_a_link(m: Maker) -> None:
    (m.beside / "gitignore").write_text("*.tmp\n")
    if m.free(".gitignore"):
        m.place(".gitignore").symlink_to(m.beside / "gitignore")


@shape("settings", 1, group="ignore", git=False)
def ignore_within_memory(m: Maker) -> None:
    m.keep("memory/.gitignore", "private*\n*.draft.md\n")
    m.write("memory/private-thoughts.md", "- hush\n")


@shape("settings", 0.2)
def own_exclude_file(m: Maker) -> None:
    place = m.inside("info/exclude")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("# mine\n*.local\nTOOLS.md")
