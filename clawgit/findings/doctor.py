"""All checks of a workspace, in their order."""

from clawgit.findings.checks import (
    file_checks,
    identity_checks,
    loss_checks,
    memory_checks,
    openclaw_checks,
    repository_checks,
    secret_checks,
    writing_checks,
)
from clawgit.findings.registry import Check

CHECKS: tuple[Check, ...] = (
    repository_checks.GIT,
    repository_checks.REPOSITORY,
    *writing_checks.CHECKS,
    *repository_checks.CHECKS,
    *identity_checks.CHECKS,
    *loss_checks.CHECKS,
    *secret_checks.CHECKS,
    *file_checks.CHECKS,
    *memory_checks.CHECKS,
    *openclaw_checks.CHECKS,
)
