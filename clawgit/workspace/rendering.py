"""Renders the changelog anew where there is one."""

from clawgit.git import repository
from clawgit.workspace import views, views_kept
from clawgit.workspace.workspace import Workspace


def render(workspace: Workspace) -> None:
    """Render the changelog of the identity anew, where somebody had it rendered before.

    Raises ClawgitError when it cannot be.
    """
    path = views.where(workspace)
    if not views.ours(workspace.root / path):
        return
    if grown := views_kept.grown(workspace, path):
        view, tip = grown
    else:
        tip = repository.tip(workspace.repo)
        view = views.changelog(workspace, tip)
    views.write(workspace, view)
    views_kept.keep(workspace, view, tip)
