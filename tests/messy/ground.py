"""How a folder came to its repository, or to none."""

from .maker import Maker, shape

BRANCHES = ("main", "master", "pages/müller#1")


def _begin(m: Maker) -> None:
    m.git("init", "-q", "-b", m.branch)


@shape("ground", 10, group="branch", git=False)
def on_main(m: Maker) -> None:
    m.branch = "main"


@shape("ground", 4, group="branch", git=False)
def on_master(m: Maker) -> None:
    m.branch = "master"


@shape("ground", 1, group="branch", git=False)
def on_another_branch(m: Maker) -> None:
    m.branch = BRANCHES[-1]


@shape("ground", 3, group="repository", git=False)
def without_git(m: Maker) -> None:
    m.has_git = False


@shape("ground", 18, group="repository")
def plain_repository(m: Maker) -> None:
    _begin(m)


@shape("ground", 1, group="repository")
def unborn_branch(m: Maker) -> None:
    _begin(m)


@shape("ground", 1, group="repository")
def git_folder_elsewhere(m: Maker) -> None:
    m.git("init", "-q", "-b", m.branch, "--separate-git-dir", str(m.beside / "elsewhere.git"))


@shape("ground", 1, group="repository")
def sha256_repository(m: Maker) -> None:
    m.hashes = "sha256"
    m.git("init", "-q", "-b", m.branch, "--object-format=sha256")
    m.forbidden = True


def _born_elsewhere(m: Maker, *clone: str) -> None:
    """Have the history written beside, and the workspace cloned from there."""
    target, origin = m.root, m.beside / "origin"
    origin.mkdir()
    m.at = origin
    _begin(m)
    m.git("config", "uploadpack.allowFilter", "true")

    def settle() -> None:
        m.at = target
        target.rmdir()
        m.git("clone", "-q", *clone, f"file://{origin}", str(target), cwd=m.beside)

    m.settle = settle


@shape("ground", 1, group="repository")
def shallow_clone(m: Maker) -> None:
    _born_elsewhere(m, "--depth=2")


@shape("ground", 1, group="repository")
def partial_clone(m: Maker) -> None:
    _born_elsewhere(m, "--filter=blob:none")


@shape("ground", 1, group="repository")
def linked_worktree(m: Maker) -> None:
    _born_elsewhere(m)
    target = m.root

    def settle() -> None:
        target.rmdir()
        m.git("switch", "-q", "--detach")
        m.git("worktree", "add", "-q", str(target), m.branch)
        m.at = target

    m.settle = settle


@shape("ground", 1, group="repository")
def submodule_of_another(m: Maker) -> None:
    _born_elsewhere(m)
    target, origin = m.root, m.at

    def settle() -> None:
        target.rmdir()
        m.at = target.parent
        m.git("init", "-q")
        m.git("submodule", "--quiet", "add", str(origin), target.name)
        m.git("commit", "-q", "-m", "outer", cwd=target.parent)
        m.at = target
        m.git("switch", "-q", "-C", m.branch)

    m.settle = settle
