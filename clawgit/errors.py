"""Errors that people can act on."""

import re
from collections.abc import Iterator
from enum import IntEnum
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import Any

_OID_DIGITS = 40
_BARE = re.compile(r"[\w=:./^~+,@%*#-]+", re.ASCII).fullmatch


class Exit(IntEnum):
    """Exit codes of the command line; every error carries one."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    FOUND = 3
    BUG = 70
    BUSY = 75
    INTERRUPTED = 130


class Fix:
    """A fix, as it is printed; `bool` is whether there is one."""

    def __bool__(self) -> bool:
        return bool(str(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fix) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


class Advice(Fix):
    """A fix in words: something that only a person can do or choose."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def _fill_word(word: str, names: Iterator[object]) -> str:
    """Return a word of a template as it is printed."""
    if word == "{}":
        name = str(next(names))
        return name if re.fullmatch(r"\w[\w:-]*", name, re.ASCII) else quote_shell(name)
    while "{}" in word:
        word = word.replace("{}", str(next(names)), 1)
    return word if word == "&&" or _BARE(word) else shell_word(word)


class Command(Fix):
    """A fix to run as it is printed: one step, or several joined by `&&`.

    Each `{}` of the template is replaced by a name, quoted for any shell; a name that is a word of its own and begins
    with a dash gets `./` before it, so that it is no option. `note` is printed behind it, as a comment.
    """

    def __init__(self, template: str, *names: object, note: str = "") -> None:
        left = iter(names)
        self.line = " ".join(_fill_word(word, left) for word in template.split())
        self.note = note

    def __str__(self) -> str:
        return f"{self.line}   # {self.note}" if self.note else self.line

    def then(self, template: str, *names: object) -> "Command":
        """Return the command with another step behind it."""
        result = Command(template, *names, note=self.note)
        result.line = f"{self.line} && {result.line}"
        return result


NO_FIX = Advice("")
FSCK = Command("git fsck")


class ClawgitError(Exception):
    """An expected failure: its key (`KEYS` of error_keys), a sentence on the problem, and a fix.

    `code` is the exit code, `paths` the names in the sentence.
    """

    code = Exit.FAILED

    def __init__(self, key: str, message: str, *, fix: Fix = NO_FIX, paths: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.key = key
        self.message = message
        self.fix = fix
        self.paths = paths

    def __reduce__(self) -> tuple[Any, ...]:
        """Let one process hand it to another."""
        return type(self), (self.key, self.message), self.__dict__


class UsageError(ClawgitError):
    """Impossible input of the caller."""

    code = Exit.USAGE


class BusyError(ClawgitError):
    """Another process uses the resource; try again later."""

    code = Exit.BUSY


class DiskError(ClawgitError):
    """A disk has no room: any next try would fail, too."""


class Key:
    """The stable name of an error or a finding; called, it makes the error: `raise path_outside("…", fix=…)`."""

    name: str

    def __init__(self, meaning: str, kind: type[ClawgitError] = ClawgitError, advice: str = "") -> None:
        self.meaning, self.kind, self.advice = meaning, kind, Advice(advice)

    def __call__(self, message: str, *, fix: Fix = NO_FIX, paths: tuple[str, ...] = ()) -> ClawgitError:
        """Return an error with this key; without a fix of its own it has the key's advice."""
        return self.kind(self.name, message, fix=fix or self.advice, paths=paths)


address_invalid = Key("an invalid URL, or one with a name or password", UsageError)
adopt_home = Key("the folder is the home folder, or above it")
adopt_openclaw_state = Key("the folder is OpenClaw's state folder, which holds credentials")
agent_forbidden = Key("an agent may not change this file in this way")
agent_unknown = Key("no agent has this name", UsageError)
alarm_extension = Key("a program, skill or extension is new, or was changed")
alarm_file_gone = Key("a file of the identity or the memory is gone")
alarm_files_gone = Key("many files are gone at once")
alarm_shrank = Key("a file lost at least half of its text")
all_failed = Key("nothing of what was asked could be read")
already_decided = Key("somebody decided this before")
already_set = Key("nothing to do: it is as asked already")
answer_invalid = Key("the answer to a batch cannot be read")
answer_too_large = Key("an answer is larger than its limit")
archive_damaged = Key("a damaged file of `state export`")
batch_answered = Key("the batch was answered before")
batch_unknown = Key("no batch with this id waits here")
batch_waiting = Key("turns of a conversation are handed out in a batch that waits for its answer")
branch_elsewhere = Key("the branch is checked out in another working tree")
branch_locked = Key("the branch stays locked; the change lands with the next command")
budget_exceeded = Key("a file would grow past its token budget")
bug = Key("a mistake in clawgit")
bundle_damaged = Key("a bundle of another machine is cut off, or still on its way")
certificate_invalid = Key("a host does not prove who it is")
change_unknown = Key("no change, revision or date has this name")
claim_lost = Key("another runner served the same slot")
claim_unknown = Key("nobody can tell whether the job was done")
clock_invalid = Key("the machine's clock is out of range")
clock_unsure = Key("the clock jumped: nothing is removed by its age")
command_unknown = Key("no command has this name", UsageError)
commit_unreadable = Key("a commit cannot be read")
connection_broken = Key("the connection to the client broke")
correction_ambiguous = Key("a correction fits several entries, or none")
correction_contradicted = Key("a claim contradicts a correction of the operator")
database_failed = Key("a database answered with an error")
database_unreachable = Key("a database cannot be reached")
date_invalid = Key("an invalid date or time", UsageError)
disk_full = Key("there is no room on the disk", DiskError)
eject_outdated = Key("files changed since eject looked at them")
embedder_answer = Key("the embedding model gave no vectors of use")
embedder_damaged = Key("the embedding model on this machine is damaged")
embedder_missing = Key("no embedding model is set, or it is not here yet")
embedder_refused = Key("the embedding model refuses the key or the request")
embedder_unreachable = Key("the embedding model cannot be reached")
entries_damaged = Key("a row of .clawgit/entries.tsv cannot be read")
evidence_invalid = Key("an invalid pointer to evidence")
evidence_missing = Key("the evidence named is not here")
evidence_wrong = Key("the evidence does not say what is quoted")
file_binary = Key("a file holds NUL bytes")
file_encoding = Key("a file is not UTF-8")
file_exists = Key("a file is there already")
file_foreign = Key("a file belongs to somebody else")
file_ignored = Key("a file is ignored by git")
file_kind = Key("not a regular file, or a folder where a file is needed")
file_missing = Key("a file is neither here nor in history")
file_open = Key("a file is open for writing elsewhere", BusyError)
file_protected = Key("a file or folder is protected against writing")
file_staged = Key("a file has staged changes")
file_too_large = Key("a file is larger than its limit")
file_uncommitted = Key("a file has changes that are not committed")
file_unmerged = Key("a file is unmerged")
file_unreadable = Key("a file cannot be read")
file_unwritable = Key("a file or folder cannot be written")
files_left_out = Key("files that are not committed, and why")
folder_deleted = Key("the current folder has been deleted")
folder_missing = Key("no such folder")
folder_synced = Key("another program syncs the folder")
format_newer = Key("written by another version of clawgit")
front_matter = Key("front matter that cannot be read counts as text")
git_busy = Key("git is at work in the repository", BusyError)
git_damaged = Key("objects or references of the repository are damaged")
git_failed = Key("a git command failed")
git_filter = Key("a filter or attribute changes what git stores")
git_missing = Key("git is not installed")
git_old = Key("git is older than clawgit needs")
git_operation = Key("a merge, rebase or the like is under way")
git_output = Key("unreadable output of git")
git_overlooked = Key("git was told to overlook changes of a file")
git_version = Key("the version of git")
head_damaged = Key("HEAD leads to no commit")
head_detached = Key("HEAD is detached, or on another branch")
head_unborn = Key("the branch has no commit yet")
hidden_characters = Key("a text holds hidden characters")
history_rewritten = Key("history was rewritten, here or on another machine")
history_missing = Key("history has no such file at that time")
hooks_edited = Key("a hook of clawgit's was edited by somebody")
hooks_missing = Key("git hooks are not installed")
hooks_occupied = Key("a hook of somebody else's is in the way")
hooks_outdated = Key("a hook is missing or of another version")
hooks_path = Key("core.hooksPath is set: the hooks would not run, or would run elsewhere")
host_unreachable = Key("a host cannot be reached, or did not answer")
http_failed = Key("a host gave half an answer, or none that can be read")
http_refused = Key("a host refused the request")
id_ambiguous = Key("several ids begin with this")
id_unknown = Key("no item has this id")
identity_changed = Key("an edit of the identity was taken out, as the policy wants it")
identity_edited = Key("the identity was edited since it was approved")
identity_elsewhere = Key("the identity is edited on another machine alone")
identity_lines_lost = Key("the identity lacks lines that were approved")
identity_locked = Key("soul_policy does not let the identity be changed")
identity_unapproved = Key("an edit of the identity is not approved")
in_use = Key("another process holds what is needed", BusyError, "try again in a moment")
index_damaged = Key("git's index is damaged")
index_missing = Key("git's index is missing")
index_outdated = Key("git's index is older than HEAD")
item_invalid = Key("an item cannot be accepted")
item_outdated = Key("what the item rests on has changed")
job_failed = Key("a job failed")
job_unknown = Key("no job has this name", UsageError)
keeps_changing = Key("files change at every attempt", BusyError, "try again in a moment")
leftover = Key("something was left behind by a process that ended")
line_long = Key("a line is too long to be read whole")
line_range = Key("no such line, or no such range of lines")
lines_lost = Key("a commit took lines that are in no file now")
link_broken = Key("a link leads nowhere")
link_loop = Key("a symbolic link leads round in a circle")
markers_found = Key("a file has conflict markers")
memory_changed = Key("an entry was changed or is gone since it was read")
memory_gone = Key("a file of the memory was deleted")
memory_long = Key("a prompt file is longer than OpenClaw shows")
memory_place = Key("the memory file is one that OpenClaw would drop from its prompt")
memory_shape = Key("a text cannot be kept as one entry")
merge_conflict = Key("two versions cannot be merged")
merge_driver_missing = Key("git's merge driver is not installed")
merge_driver_outdated = Key("git's merge driver is outdated")
model_answer = Key("the model gave no answer of use")
model_budget = Key("the run has used up its tokens")
model_failed = Key("the model gave no answer lately")
model_found = Key("the model that reads")
model_missing = Key("no model is set")
model_refused = Key("the model refuses the key or the request")
model_unreachable = Key("the model cannot be reached")
model_untested = Key("the model did not pass its test")
names_collide = Key("names that are one file on some disks")
not_confirmed = Key("nothing was done: the answer was no")
not_managed = Key("the folder is not managed by clawgit")
not_shared = Key("this is not shared with who asks")
object_missing = Key("git lacks an object that is needed")
openclaw_caps = Key("a file is longer than OpenClaw reads")
openclaw_config = Key("a value of openclaw.json is in the way")
openclaw_missing = Key("OpenClaw is not on this machine")
openclaw_owner = Key("OpenClaw works in another folder")
openclaw_plugin = Key("the connection to OpenClaw is incomplete")
openclaw_sessions = Key("sessions that cannot be read, or were forgotten")
openclaw_version = Key("this version of OpenClaw cannot do that")
option_missing = Key("an option or argument is missing", UsageError)
options_conflict = Key("options that exclude each other", UsageError, "leave one of them out")
package_damaged = Key("a package or the installation is incomplete")
package_missing = Key("a package is not installed")
path_absolute = Key("a path is absolute")
path_encoding = Key("a path is not UTF-8, or holds control characters")
path_git = Key("a path leads into git's folder")
path_invalid = Key("an invalid path")
path_link = Key("a path leads through a symbolic link")
path_outside = Key("a path leads out of the folder")
path_portable = Key("a name that other systems cannot have")
path_role = Key("a file that this command does not handle", UsageError)
path_submodule = Key("a path belongs to another repository")
port_taken = Key("a port cannot be used")
preview_outdated = Key("it is no longer what was shown")
program_failed = Key("a program ended with an error")
program_missing = Key("a program is not installed")
program_slow = Key("a program took too long")
purge_branch = Key("the phrase is in the name of the branch")
purge_failed = Key("git-filter-repo failed")
purge_incomplete = Key("objects would still hold what is purged")
purge_needed = Key("clawgit needs the words itself", UsageError)
purge_replaced = Key("git replace hides commits")
purge_revived = Key("it would bring back what was purged")
purge_shared_objects = Key("another repository borrows objects of this one")
purge_unfinished = Key("a purge was interrupted")
purge_worktree = Key("a working tree is away, or in the way")
purged_elsewhere = Key("another machine purged something that is in the history here")
questions_invalid = Key("a file of questions cannot be read")
reason_missing = Key("a reason is needed", UsageError)
redo_log_rejected = Key("a redo log disagrees with its commits, and was set aside")
reference_failed = Key("a reference cannot be moved")
remote_failed = Key("the remote answered with an error")
remote_missing = Key("no such remote")
repository_damaged = Key("the repository cannot be opened")
repository_elsewhere = Key("git takes another folder for this one")
repository_format = Key("the repository has a format that libgit2 cannot read")
repository_found = Key("the repository, and where it stands")
repository_kind = Key("a bare repository, or one with a working tree, where the other is needed")
repository_missing = Key("no git repository")
repository_owner = Key("the repository belongs to another user")
repository_partial = Key("the clone fetches older contents when they are asked for")
repository_shallow = Key("the clone is shallow: older history is not here")
search_failed = Key("memory could not be searched")
secret_found = Key("a file or text holds a secret")
secret_in_history = Key("history holds a secret")
secret_outgoing = Key("what would leave the machine holds a secret")
secret_unknown = Key("history could not be read to its end")
section_missing = Key("no such section")
session_forgotten = Key("OpenClaw was told to forget the session")
session_unknown = Key("no such session")
session_unreadable = Key("a session cannot be read")
setting_invalid = Key("an invalid value of a setting")
setting_missing = Key("a setting is needed")
setting_unapproved = Key("an unapproved setting")
setting_unknown = Key("no such setting", UsageError)
source_tainted = Key("the source was tainted")
source_unknown = Key("no such source", UsageError)
source_unreadable = Key("a source cannot be read")
sparse_checkout = Key("a file is outside the sparse checkout")
state_differs = Key("both sides have what the other lacks")
state_elsewhere = Key("the state belongs to another workspace")
state_rebuilt = Key("the local state was damaged and made anew")
stopped = Key("the job was asked to end")
sync_conflict = Key("a file was changed on both sides, and cannot be merged")
sync_ejected = Key("the remote is no workspace any more")
sync_left_out = Key("a file of another machine is left out")
sync_too_large = Key("another machine sends more than the limit")
sync_unrelated = Key("the histories have nothing in common")
system_error = Key("the operating system reports an error")
tag_unknown = Key("no such tag")
terminal_needed = Key("the operator is asked, and there is no terminal")
text_ambiguous = Key("the text is there several times")
text_invalid = Key("a text that is not valid Unicode")
text_missing = Key("there is no text", UsageError)
text_not_found = Key("the text was not found")
time_zone = Key("the time zone is not known")
timer_damaged = Key("the crontab's block has no end")
timer_failed = Key("the timer answered with an error")
timer_missing = Key("neither systemd nor cron is here")
undo_conflict = Key("a later change is in the way of an undo")
undo_done = Key("the change is undone already")
undo_elsewhere = Key("the change did not touch this file")
undo_first = Key("the first change of a workspace cannot be undone")
undo_purge = Key("a purge cannot be undone")
undo_merge = Key("a merge cannot be undone")
undo_nothing = Key("there is nothing to undo")
usage = Key("an invalid command line", UsageError)
value_invalid = Key("an invalid value", UsageError)
vectors_damaged = Key("the vector index is damaged")
vectors_outdated = Key("the vector index is of another model")
vectors_unavailable = Key("the vector index cannot be used")
version_unknown = Key("no such version")
watch_limit = Key("the kernel watches no more folders")
workspace_gone = Key("the workspace is gone, or is another one")
workspace_missing = Key("no workspace")
workspace_nested = Key("a workspace or repository inside another")
write_interrupted = Key("a write was interrupted; the next command finishes it")
write_lost = Key("another write took away lines that the agent had just written")

KEYS = {name.replace("_", "-"): value for name, value in globals().items() if isinstance(value, Key)}
for _name, _key in KEYS.items():
    _key.name = _name


_NO_ROOM = ("no space left", "quota exceeded", "disk is full", "out of diskspace")


def find_disk_error(exc: object, place: object = "") -> ClawgitError | None:
    """Return a full disk, as the system, git, libgit2 or SQLite reports it, as an error; None for anything else."""
    if getattr(exc, "errno", 0) not in (ENOSPC, EDQUOT) and not any(words in str(exc).lower() for words in _NO_ROOM):
        return None
    name = str(getattr(exc, "filename", None) or place)
    ancestor = next(path for path in (Path(name), *Path(name).parents) if path.exists())
    words = filter(None, ("the disk is full", name, getattr(exc, "strerror", None) or str(exc)))
    return disk_full(": ".join(words), fix=Command("df -h {} && df -i {}", ancestor, ancestor))


def make_unwritable_error(place: Path, exc: OSError) -> ClawgitError:
    """Return the error for a file or folder that the system does not let be written."""
    return file_unwritable(f"cannot write {place}: {exc.strerror}", fix=Command("ls -ld {}", place.parent))


def explain_damage(exc: Exception) -> ClawgitError | None:
    """Return libgit2's error on a repository, or a missing object, as an error; None for anything else."""
    words = str(exc.args[0]) if exc.args else type(exc).__name__
    missing = isinstance(exc, KeyError) and len(words) == _OID_DIGITS and set(words) <= set("0123456789abcdef")
    if not missing and "pygit2" not in type(exc).__module__:
        return None
    words = f"{words} is not here" if missing else words
    return git_damaged(f"git's objects or references are damaged: {words}", fix=FSCK)


def explain_partial_failure(exc: Exception) -> ClawgitError:
    """Return the error for a failure in one part of an answer: a line, never a value from a file."""
    if error := exc if isinstance(exc, ClawgitError) else find_disk_error(exc) or explain_damage(exc):
        return ClawgitError(error.key, error.message.split("\n")[0], fix=error.fix)
    if isinstance(exc, OSError):
        return ClawgitError(
            "system-error", f"{exc.filename}: {exc.strerror}" if exc.filename else str(exc), fix=Command("ls -l")
        )
    trace = exc.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})" if trace else ""
    return ClawgitError(
        "bug", f"{type(exc).__name__} in clawgit{place}", fix=Advice("report this, with the sentence above")
    )


def quote_shell(name: object) -> str:
    """Return a name quoted for any shell, whatever its characters. One with a dash is no option."""
    text = str(name)
    return shell_word(f"./{text}" if text.startswith("-") else text)


def shell_word(text: str) -> str:
    """Return a word quoted for any shell; by octal numbers if it does not print, or fish reads escapes."""
    if text.isprintable() and not re.search(r"\\([\\']|$)", text):
        return "'" + text.replace("'", "'\\''") + "'"
    return "\"$(printf '" + "".join(map(_octal, text)) + "')\""


def _octal(letter: str) -> str:
    if letter.isalnum() or letter in " ./-_":
        return letter
    return "".join(f"\\{byte:03o}" for byte in letter.encode("utf-8", "surrogateescape"))
