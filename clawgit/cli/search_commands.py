"""`clawgit search` and `context`."""

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any

import click
from msgspec import to_builtins
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.cli import agent_choice, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Since, VersionType, Words, agent_options, sentence_argument
from clawgit.cli.output import Output, progress
from clawgit.cli.render import Line, Span, line, render_fix
from clawgit.context.addition import add_to_turn, assemble_all, list_defaults, search_all
from clawgit.context.receipt import KINDS, Asked
from clawgit.errors import Advice, ClawgitError, Command, Exit, all_failed, text_missing
from clawgit.openclaw import blank_forms
from clawgit.search import answer as search_answer
from clawgit.search import question_words, recall
from clawgit.search.answer import Answer, Hit, Query, join_hits, mark_matches, record_recall
from clawgit.search.ask import relabel_shared
from clawgit.workspace import shared_memory
from clawgit.workspace.shared_memory import Home, Unread
from clawgit.workspace.workspace import Workspace

_LINES = 4
_REWORDING_RULES = """\
You widen a search in somebody's notes, which finds texts by their words. Say the question that follows in up to three
other ways, with the words that such notes would use: synonyms, the names of things, how the answer may be put. Keep the
language. One way on each line, words alone: no numbers, no quotes, no comments."""
_MAX_REWORDINGS = 3
_MAX_REWORDING_CHARS = 300
_REWORDING_SECONDS = 30.0
_REWORDED_SHARE = 0.9
_TIER = "By words alone, or with vectors too.  [default: search_tier of CONFIG.md]"
_MAX_RESULTS_HELP = "At most so many.  [default: max_results of CONFIG.md]"
_MIN_SCORE_HELP = "Nothing below this score.  [default: min_score of CONFIG.md]"
_SESSION = "Note which entries this session was shown."


def _tell_answer(output: Output, answer: Answer, question: str, options: Mapping[str, Any]) -> None:
    """Print an answer for people."""
    output.lines(_draw_hits(answer, verbose=options["verbose"]))
    for word, words in answer.repaired.items():
        output.note(f"no memory has {word}; searched for {' and '.join(words)}")
    for problem in filter(None, (*answer.notes, answer.degraded)):
        output.warn(problem)
    if not answer.results:
        hint = "other words, --min-score 0 or --deleted may find more; clawgit log and clawgit digest list changes"
        if answer.asof:
            hint = "clawgit search without --as-of looks at what is known now"
        elif options["deleted"]:
            hint = "other words may find more; clawgit search without --deleted searches the present memory"
        elif options["category"]:
            hint = "a category is a tag, or a word of a heading or path; without --category all is searched"
        output.note(f"nothing found: {question or options['on'] or options['category']!r}; {hint}")


def _draw_hits(answer: Answer, *, verbose: bool) -> Iterator[Line]:
    """Yield the results: place, date, score, then the words, the searched ones in bold."""
    for hit in answer.results:
        owner_spans = [Span(f"{', '.join(hit.agents)}  ", "bold")] if hit.agents else []
        day = f"  {hit.day}" if hit.day else ""
        deletion = f"  last in {hit.commit[:10]}" if hit.gone and hit.commit else ""
        state = "" if hit.commit or hit.committed else "  not committed"
        yield line(*owner_spans, Span(hit.citation, "cyan"), Span(f"{day}  {hit.score:.2f}{deletion}{state}", "dim"))
        # Without a matching word in the text, the heading explains the hit.
        is_found_by_heading = not any(good for _, good in mark_matches(hit.snippet, answer.looked))
        if hit.heading and (verbose or is_found_by_heading):
            yield line("  ", Span(hit.heading, "dim"))
        rows = [row for row in (hit.text if verbose else hit.snippet).split("\n") if row.strip()]
        visible = rows if verbose else rows[:_LINES]
        for row in visible:
            words = mark_matches(row.strip(), answer.looked)
            yield line("  ", *(Span(part, "bold" if good else "") for part, good in words))
        if len(visible) < len(rows):
            yield line("  ", Span(f"… {len(rows) - len(visible)} more lines", "dim"))
        if parts := [f"{name} {value}" for name, value in hit.explain.items() if value not in ("", [])]:
            yield line("  ", Span(" · ".join(parts), "dim"))
        if hit.restore:
            yield render_fix(2, hit.restore, "bring it back: ")
        yield line("")


@command(
    'clawgit search "what did Ana say last week" --top 3 --json',
    'clawgit search "api style" --as-of 2026-01-20 --explain',
    'clawgit search "who asked for the refund" --all-agents',
    apart={"words": "query", "on": "since until", "as_of": "deleted"},
)
@sentence_argument("words", stdin=True, required=False, metavar="[QUERY]")
@click.option("--query", type=Words(stdin=True), metavar="Q", help="The question, as an option.")
@click.option("--max-results", "--top", "-n", "most", type=click.IntRange(1), metavar="N", help=_MAX_RESULTS_HELP)
@click.option("--min-score", "least", type=click.FloatRange(0, 1), metavar="X", help=_MIN_SCORE_HELP)
@click.option("--tier", type=click.Choice(("core", "enhanced")), help=_TIER)
@click.option("--as-of", "as_of", type=VersionType(), metavar="REV|DATE", help="The files as they were then.")
@click.option("--deleted", is_flag=True, help="Among lines that are gone.")
@click.option(
    "--on", type=Words(), metavar="DATE", help="Only below this day's journal or heading; no question needed."
)
@click.option("--since", type=Since(), metavar="WHEN", help="Only below a journal or heading of this day, or later.")
@click.option(
    "--until", type=Since(last=True), metavar="WHEN", help="Only below a journal or heading of this day, or earlier."
)
@agent_options
@click.option("--category", type=Words(), metavar="NAME", help="Only under this tag, heading or file.")
@click.option("--project", type=Words(), metavar="NAME", help="Only entries whose comment names this project.")
@click.option("--explain", is_flag=True, help="Show the parts of each score.")
@click.option("--smart", is_flag=True, help="Have a language model widen the question, if there is one.")
@click.option("--verbose", is_flag=True, help="Show each hit whole, with its headings.")
@click.option("--session", envvar="CLAWGIT_SESSION", show_envvar=True, metavar="ID", help=_SESSION)
def search(call: Call, **options: Any) -> None:
    """Find present and past memories.

    The files count as they are on disk. More and rarer words rank higher. Days (`last Tuesday`, `in March 2026`) and
    names of speakers count too. `-` reads the question from stdin. For changes see `clawgit log` and `clawgit digest`.
    """
    question = str(options["words"] or options["query"] or "").strip()
    if not (question or options["on"] or options["category"]):
        raise text_missing("there is no question", fix=Advice('clawgit search "what do you want to know"'))
    agent_choice.choose(call, options["agent"], all_agents=options["all_agents"])
    if options["all_agents"]:
        answer, failures = _search_all_agents(call, question, options)
        if call.out.as_json:
            omissions = [failure.document for failure in failures]
            call.out.document({**search_answer.document(answer), "unread": omissions})
            return
        _tell_answer(call.out, answer, question, options)
        for failure in failures:
            call.out.warn(f"{failure.name}: unknown: {failure.why}", failure.fix)
        return
    with call.workspace() as workspace:
        answer = _answer(call, workspace, question, options)
        elsewhere = None if options["as_of"] or options["deleted"] else _find_unsearched(workspace, question, answer)
    if call.out.as_json:
        call.out.document(search_answer.document(answer))
    else:
        _tell_answer(call.out, answer, question, options)
    if elsewhere:
        words = "instructions and most of the identity are not searched; these words are in"
        call.out.note(f"{words} {elsewhere}: clawgit show {elsewhere}")


def _find_unsearched(workspace: Workspace, question: str, answer: Answer) -> str | None:
    """Return the first line, as PATH:LINE, of a file that no search looks into with the words that no memory has."""
    words = [term.word for term in answer.looked if not (term.exact and term.times)]
    words = words or question_words.content(question)
    if not (words and workspace.managed):
        return None
    with workspace.open_table() as table:
        for row in table.find(roles=("identity", "instruction")):
            text = question_words.plain(row.text)
            # USER.md is searched, unlike the rest of the identity; agents/ has the prompts of clawgit's readers.
            if not row.path.startswith((file_roles.USER, "agents/")) and all(f" {word} " in text for word in words):
                return f"{row.path}:{row.start}"
    return None


def _answer(call: Call, workspace: Workspace, question: str, options: dict[str, Any], *, shared: bool = True) -> Answer:
    """Return the answer of a workspace, with `shared` also that of the memory that it shares."""
    first, last = options["since"], options["until"]
    if options["on"]:
        context = click.get_current_context()
        # `--on` may be a phrase such as `last week`, and then has two ends.
        option = next(item for item in context.command.params if item.name == "on")
        first, last = (Since(last=is_last).convert(options["on"], option, context) for is_last in (False, True))
    query = Query(
        question or options["on"] or "",
        options["most"],
        options["least"],
        _strip_time(first),
        _strip_time(last),
        options["category"],
        options["explain"],
        options["project"],
        options["tier"],
        options["as_of"] or "",
        options["deleted"],
    )
    with progress(call.out, "indexing") as report_progress:
        ask = partial(search_all, workspace, progress=report_progress, shared=shared)
        answer = ask(query)
        if options["smart"] and (others := _reword_question(call, workspace, question)):
            answers = (ask(replace(query, text=other)) for other in others)
            answer = _merge_answers(answer, answers, recall.count_wanted(workspace, query))
    # A hit in former text says nothing about a present memory.
    if options["session"] and not (options["as_of"] or options["deleted"] or call.reads_only):
        record_recall(workspace.store, options["session"], answer.results, workspace.now())
    return answer


def _strip_time(moment: date | datetime | None) -> date | None:
    return moment.date() if isinstance(moment, datetime) else moment


def _reword_question(call: Call, workspace: Workspace, question: str) -> list[str]:
    """Return the question in up to three other ways; a note says why there is none."""
    from clawgit.llm import asking, model, voices  # noqa: PLC0415 - few ask a model

    budget = model.Budget(tokens=8_000, seconds=_REWORDING_SECONDS)
    try:
        voice = voices.find_voice(workspace.config.value, os.environ, workspace.store)
        if voice is None:
            call.out.note("--smart needs a language model, and none is set up; the question was searched for as it is")
            return []
        reply = asking.answer(voice, budget, _REWORDING_RULES, question, 1000, _REWORDING_SECONDS)
    except model.ModelError as exc:
        call.out.note(f"--smart: {exc}; the question was searched for as it is")
        return []
    # Models add bullets and quotes although the rules forbid it.
    rows = (row.strip(" \t-*•\"'").strip()[:_MAX_REWORDING_CHARS] for row in reply.splitlines())
    questions = [row for row in dict.fromkeys(rows) if row and row.casefold() != question.casefold()]
    return questions[:_MAX_REWORDINGS]


def _merge_answers(first: Answer, others: Iterable[Answer], limit: int) -> Answer:
    """Return one answer of several: each place once with its best score, results of the question itself a little more.

    Scores stay between 0 and 1, the best first.
    """
    best: dict[tuple[str, int, int], Hit] = {}
    for answer in (first, *others):
        for hit in answer.results:
            place, share = (hit.path, hit.start, hit.end), 1.0 if answer is first else _REWORDED_SHARE
            candidate = replace(hit, score=round(hit.score * share, 4))
            best[place] = max(best.get(place, candidate), candidate, key=lambda item: item.score)
    return replace(first, results=tuple(sorted(best.values(), key=lambda hit: -hit.score)[:limit]))


SHARED = ("shared",)
"""Whose the shared memory is."""


def _with_owners(answer: Answer, agents: tuple[str, ...]) -> Answer:
    return replace(answer, results=tuple(replace(hit, agents=agents) for hit in answer.results))


def _search_all_agents(call: Call, question: str, options: dict[str, Any]) -> tuple[Answer, list[Unread]]:
    """Return one answer of all readable memories, and the unreadable ones; a shared memory is asked once.

    Raises ClawgitError if no memory of an agent can be read.
    """
    roots: set[str] = set()
    ask = partial(_answer, call, question=question, options=options, shared=False)

    def look(home: Home, workspace: Workspace) -> tuple[Answer, Workspace, int]:
        # The shared memory may be the workspace of an agent, and is not searched twice.
        roots.add(os.path.realpath(workspace.root))
        limit = options["most"] or int(workspace.config.value("max_results"))
        return _with_owners(ask(workspace), home.agents), workspace, limit

    results = list(agent_choice.look_at_each_workspace(call, look))
    failures = [item for item in results if isinstance(item, Unread)]
    own = [item[1] for item in results if not isinstance(item, Unread)]
    if not own:
        reasons = "; ".join(f"{failure.name}: {failure.why}" for failure in failures)
        raise all_failed(f"no agent's memory could be read: {reasons}", fix=Command("clawgit status --all-agents"))
    answers = [answer for answer, _, _ in own]
    for _, workspace, _ in own:
        root = workspace.root
        try:
            place = shared_memory.locate_shared_memory(workspace)
            if place is None or os.path.realpath(place) in roots:
                continue
            roots.add(os.path.realpath(place))
            root = place
            if shared := shared_memory.open_shared(workspace):
                answers.append(_with_owners(relabel_shared(ask(shared)), SHARED))
        except (ClawgitError, OSError) as exc:
            failures.append(shared_memory.make_unread(Home(SHARED, root), exc))
    return join_hits(answers, max(limit for _, _, limit in own)), failures


@command(
    'clawgit context "when is the deploy?" --receipt',
    "clawgit context --session 5b0f3c1e --json",
    'clawgit context "where is the spare key?" --turn --receipt',
    apart={"turn": "budget as_of"},
)
@sentence_argument("text", stdin=True, required=False, metavar="[TEXT|-]")
@click.option(
    "--query", type=Words(), default="", metavar="Q", help="The question to the memory, instead of the last turn."
)
@click.option(
    "--session",
    type=Words(),
    default="",
    metavar="ID",
    help="Go by the last turns of this conversation, as clawgit session import kept it; with --turn only its name.",
)
@click.option(
    "--budget",
    type=click.IntRange(0),
    metavar="N",
    help="Tokens; every slot is scaled.  [default: context_budget_tokens of CONFIG.md]",
)
@click.option("--session-kind", type=click.Choice(KINDS), default="main", show_default=True, help="Who listens.")
@click.option("--as-of", "as_of", type=Words(), metavar="REV|DATE", help="From the files as they were then.")
@click.option(
    "--format",
    "layout",
    type=click.Choice(("markdown", "json", "openclaw")),
    default="markdown",
    show_default=True,
    help="How it is laid out.",
)
@click.option(
    "--shown", multiple=True, type=Words(), metavar="PATH", help="A file that the prompt has already. May be repeated."
)
@click.option("--turn", is_flag=True, help="Only what the plugin adds to a turn of OpenClaw's: few lines, or nothing.")
@click.option("--receipt", is_flag=True, help="Add the tokens of each slot and its omissions, or why lines were added.")
def context(call: Call, /, **options: Any) -> int | None:
    """Print the memories that belong to a conversation.

    Nine slots share a budget of tokens: identity, operator profile, corrections, due today and this week, recent
    memory, relevant memory, people, long-term memory, external context. TEXT is the conversation so far, or its last
    turn; `-` reads it from stdin. Lines that do not fit whole are left out. USER.md and the memory file are for main
    sessions only. Exits with 3 when not even the identity fits.

    --turn prints nothing unless the message concerns the owner's world and a line of memory fits it. Files in the
    prompt already are left out. A named session gets no line twice in ten turns.
    """
    layout, receipt = options.pop("layout"), options.pop("receipt")
    call.out.as_json |= layout == "json"
    if options.pop("turn"):
        _add_to_turn(call, options, receipt=receipt)
        return None
    with call.workspace() as workspace:
        request = Asked(options.pop("text") or "", **options)
        assembled = assemble_all(workspace, request, as_openclaw=layout == "openclaw")
    output, document = call.out, to_builtins(assembled)
    slots = list(render.draw_table(document["slots"], "name asked given stolen kept sources cut"))
    output.answer(document, text=assembled.text)
    if receipt and not output.as_json:
        output.lines([line(""), *slots, *render.draw_record(document, "budget tokens")])
    for words in assembled.warnings:
        output.warn(words)
    if assembled.cut_identity and not output.as_json and not receipt:
        for row in slots:
            output.talk(*row)
    return Exit.FOUND if assembled.cut_identity else None


def _add_to_turn(call: Call, options: dict[str, Any], *, receipt: bool) -> None:
    # By default OpenClaw's prompt is taken to have all its files.
    paths = options["shown"] or blank_forms.ORDER
    request = Asked(
        options["text"] or "", options["query"], options["session"], session_kind=options["session_kind"], shown=paths
    )
    with call.workspace() as workspace, workspace.lenient() as config:
        addition = add_to_turn(workspace, request)
    document = to_builtins(addition)
    call.out.answer(document, text=f"{addition.text}\n" if addition.text else "")
    for words in list_defaults(config):
        call.out.warn(words)
    if receipt and not call.out.as_json:
        empty = [line("")] if addition.text else []
        call.out.lines([*empty, *render.draw_record(document, "decisions entries hint")])
