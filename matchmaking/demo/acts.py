"""What bots do, each through the door that people use."""

import logging
import random
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from ladder.core.results import Said
from ladder.models import Match, Player, Queue
from ladder.selectors.matches import Sheet, sheet
from ladder.services import results
from matchmaking.demo import brain, cast
from matchmaking.demo.scene import ratings_of
from matchmaking.models import ReadyCheckAnswer
from matchmaking.services import queueing, ready
from ratings.errors import DomainError

logger = logging.getLogger(__name__)

ACCEPTS, PLAYS, CONFIRMS, REPORTS_TO_PERSON = (1.0, 4.0), (8.0, 25.0), (2.0, 4.0), (60.0, 100.0)
DISPUTES_KEPT_OPEN, DISPUTE_SHARE = 2, 0.05
NOTES = ("The last goal was offside.", "We had agreed on extra time.", "That is not the score.")


def join(queue: Queue, bot: Player, *, now: datetime) -> None:
    """Press Join."""
    _try("join", partial(queueing.join, queue=queue, player=bot, now=now))


def leave(bot: Player, *, now: datetime) -> None:
    """Press Cancel."""
    _try("cancel", partial(queueing.cancel, player=bot, now=now))


def accept(answer: ReadyCheckAnswer, *, now: datetime) -> None:
    """Press Accept, a moment after the check appeared."""
    about = f"accept {answer.ready_check_id} {answer.player_id}"
    if now >= answer.ready_check.created_at + _span(about, ACCEPTS):
        _try("accept", partial(ready.accept, ready_check_id=answer.ready_check_id, player=answer.player, now=now))


def carry_on(match: Match, queue: Queue, answers: Mapping[UUID, str], *, now: datetime) -> None:
    """Do what a match waits for from its bots, if it is time."""
    bots = sorted((seat.player for seat in match.participants.all() if seat.player.is_bot), key=lambda bot: bot.pk)
    with_person = len(bots) < match.participants.count()
    if match.state == Match.State.REPORTED:
        if match.reported_at and now >= match.reported_at + _span(f"confirm {match.pk} {match.revision}", CONFIRMS):
            _confirm(sheet(match), bots, with_person=with_person, now=now)
    elif match.confirm_by is not None:
        asked_at = match.confirm_by - timedelta(seconds=queue.confirm_seconds)
        if now >= asked_at + _span(f"cancel {match.pk} {match.revision}", CONFIRMS):
            _agree_to_cancel(sheet(match), bots, now=now)
    elif match.assigned_at is not None:
        wait = _span(f"play {match.pk} {match.revision}", REPORTS_TO_PERSON if with_person else PLAYS)
        if now >= match.assigned_at + wait:
            _report(sheet(match), bots, queue, answers, wait, now=now)


def _confirm(current: Sheet, bots: list[Player], *, with_person: bool, now: datetime) -> None:
    """Agree with the report; among bots, now and then, leave a case for the demo's moderator."""
    match = current.match
    bot = next((bot for bot in bots if Said.CONFIRM in current.open_to(bot.pk)), None)
    if bot is None:
        return
    rng = random.Random(f"dispute {match.pk}")
    if not with_person and rng.random() < DISPUTE_SHARE and _open_disputes(match) < DISPUTES_KEPT_OPEN:
        dispute = partial(results.dispute, match_id=match.pk, actor=bot, revision=match.revision, now=now)
        _try("dispute", partial(dispute, note=rng.choice(NOTES)))
    else:
        _try("confirm", partial(results.confirm, match_id=match.pk, actor=bot, revision=match.revision, now=now))


def _agree_to_cancel(current: Sheet, bots: list[Player], *, now: datetime) -> None:
    match = current.match
    bot = next((bot for bot in bots if Said.CANCEL in current.open_to(bot.pk)), None)
    if bot is not None:
        agree = partial(results.agree_to_cancel, match_id=match.pk, actor=bot, revision=match.revision, now=now)
        _try("cancel", agree)


def _report(
    current: Sheet, bots: list[Player], queue: Queue, answers: Mapping[UUID, str], wait: timedelta, *, now: datetime
) -> None:
    """Report how it ended by the true skills; after a report was taken back, wait the whole time again."""
    match = current.match
    if current.reports and now < current.reports[-1].created_at + wait:
        return
    people = ratings_of(queue, current.players, answers, now=now)
    worth = people | {bot.pk: cast.true_skill(bot.handle, bot.name) for bot in bots}
    one, other = (sum(worth[player] for player in side) / len(side) for side in current.sides)
    outcome = brain.play(f"result {match.pk}", (one, other))
    reporter = random.Random(f"reporter {match.pk}").choice(bots)
    report = partial(results.report, match_id=match.pk, actor=reporter, revision=match.revision, now=now)
    _try("report", partial(report, winner=outcome.winner, scores=outcome.scores))


def _open_disputes(match: Match) -> int:
    return Match.objects.filter(queue_id=match.queue_id, state=Match.State.DISPUTED).count()


def _span(about: str, between: tuple[float, float]) -> timedelta:
    return timedelta(seconds=brain.delay(about, *between))


def _try(what: str, act: Callable[[], object]) -> None:
    """A refusal is part of play: the others were faster, or the queue is closed."""
    try:
        act()
    except DomainError as refusal:
        logger.debug("a bot could not %s: %s", what, refusal.message)
