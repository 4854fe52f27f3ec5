"""Whole histories at once: the arithmetic of single matches, with everything read once and written by COPY."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models, transaction
from django.utils.translation import gettext as _

from ratings.core.decay import ONE_DAY, PLAIN_DAYS, Calendar
from ratings.core.periods import MATCH
from ratings.core.priors import Signal
from ratings.core.rank_rules import DEFAULT_RULES, RankRules
from ratings.core.rating_match import Rated, forecast
from ratings.core.scales import BeliefModel
from ratings.errors import DomainError
from ratings.ids import new_id
from ratings.models import Forecast, ForecastEntry, PlayerRating, RatingEvent, RatingModel
from ratings.selectors.calendars import calendar_of
from ratings.selectors.models import belief_model
from ratings.selectors.rules import rank_rules_of_seasons
from ratings.services.books import CHANGING_COLUMNS, Book
from ratings.services.bulk import copy_rows, update_rows
from ratings.services.decay import catch_up_all
from ratings.services.first_games import FirstGames
from ratings.services.forecasts import entry_rows, forecast_row
from ratings.services.match_events import Snapshot, append_match, rate_outcome, rate_outcomes, snapshots
from ratings.services.outcomes import HistoryResult, MatchOutcome
from ratings.services.placement import Newcomer, Opening, open_book, what_is_known

BATCH = 1000  # matches written at a time


def apply_history(
    *, outcomes: Sequence[MatchOutcome], newcomers: Mapping[UUID, Newcomer], now: datetime
) -> HistoryResult:
    """Rate many matches of one queue in the order of their completion (those of one moment in the order given).

    The same numbers, to the last bit, as `forecasts.record` and `apply_match` one by one at each match's completion.
    Matches that have a forecast are rated from it, the others get theirs here. Matches rated before are passed over.
    Those whose model has rating periods are rated together with the others here that share their `period_ends_at`: a
    period that is given whole is rated as one, and one given in two calls as two.
    Ratings that are missing are made, from `newcomers` where it names the player. One transaction, or the caller's.
    Raises DomainError ("several_queues", "no_model", "other_players", "nobody_played").
    """
    if not outcomes:
        return HistoryResult(0, 0)
    if len({outcome.queue_id for outcome in outcomes}) > 1:
        raise DomainError("several_queues", _("A history must be of one queue."))
    with transaction.atomic():
        run = _Run.load(outcomes, newcomers, now)
        fresh = run.unrated(sorted(outcomes, key=lambda outcome: outcome.completed_at))
        run.look_around(fresh)
        for start in range(0, len(fresh), BATCH):
            run.rate(fresh[start : start + BATCH])
        run.finish()
    return HistoryResult(rated=len(fresh), already_rated=len(outcomes) - len(fresh))


@dataclass(slots=True)
class _Run:
    """A history under way: every book of its players in hand, rows waiting to be written."""

    newcomers: Mapping[UUID, Newcomer]
    now: datetime
    rating_models: Sequence[RatingModel]  # all that are or were in force
    books: dict[UUID, dict[UUID, Book]]  # by player, then season
    stored: set[UUID]
    first: FirstGames
    signals: dict[UUID, tuple[Signal, ...]] = field(default_factory=dict)  # of those who have not played here before
    calendars: dict[UUID, Calendar] = field(default_factory=dict)  # by season, where ranks fade
    tables: dict[UUID, RankRules] = field(default_factory=dict)  # the rank rules of seasons that players come from
    rows: dict[type[models.Model], list[dict[str, Any]]] = field(default_factory=dict)
    period: list[tuple[MatchOutcome, Snapshot]] = field(default_factory=list)  # of which the end is not reached yet

    @classmethod
    def load(cls, outcomes: Sequence[MatchOutcome], newcomers: Mapping[UUID, Newcomer], now: datetime) -> "_Run":
        """Read the queue's models and lock its players' ratings in the order of their ids."""
        queue_id = outcomes[0].queue_id
        players = {player for outcome in outcomes for player in outcome.players}
        ratings = list(
            PlayerRating.objects.select_for_update(no_key=True)
            .filter(queue_id=queue_id, role="", player_id__in=players)
            .order_by("id")
        )
        # After the lock: what we waited for may have put another model in force.
        rating_models = list(RatingModel.objects.filter(queue_id=queue_id, valid_during__isnull=False))
        told = {model.pk: belief_model(model) for model in rating_models}
        found = [Book.of(row, told[row.rating_model_id]) for row in ratings]
        first = FirstGames.load(told.values(), found)
        run = cls(newcomers, now, rating_models, {player: {} for player in players}, {book.id for book in found}, first)
        for book in found:
            run.books[book.player_id][book.season_id] = book
        return run

    def unrated(self, outcomes: Sequence[MatchOutcome]) -> list[MatchOutcome]:
        """Those that have no event yet, each once."""
        seen = set(
            RatingEvent.objects.filter(
                match_id__in=[outcome.match_id for outcome in outcomes], kind=RatingEvent.Kind.MATCH
            ).values_list("match_id", flat=True)
        )
        fresh = []
        for outcome in outcomes:
            if outcome.match_id not in seen:
                seen.add(outcome.match_id)
                fresh.append(outcome)
        return fresh

    def look_around(self, outcomes: Sequence[MatchOutcome]) -> None:
        """Read what is known of those who have never played in this queue, as of their first match here.

        Ratings in other queues count as they stood then, so that nothing played later leaks into the past.
        """
        wanted: dict[UUID, tuple[Newcomer, datetime]] = {}
        for outcome in outcomes:
            for player in outcome.players:
                mine = self.books[player]
                if player not in wanted and outcome.season_id not in mine and _last_played(mine) is None:
                    wanted[player] = (self.newcomers.get(player, Newcomer(player)), outcome.completed_at)
        if wanted:
            self.signals = what_is_known(outcomes[0].queue_id, wanted)

    def rate(self, outcomes: Sequence[MatchOutcome]) -> None:
        """Rate a batch and write its forecasts and events."""
        recorded = snapshots(outcome.match_id for outcome in outcomes)
        self.rows = {Forecast: [], ForecastEntry: [], RatingEvent: []}
        for outcome in outcomes:
            known = recorded.get(outcome.match_id)
            model = known.model if known else self._model_at(outcome.completed_at)
            if self.period and not self._continues(outcome, model):
                self._end_period()
            books = {player: self._book(outcome, player) for player in outcome.players}
            snapshot = known or self._predict(model, outcome, books)
            snapshot.check_players(outcome)
            if model.period == MATCH:
                calendar = self._settle_idle_days(outcome, books, outcome.completed_at, {})
                self._append(outcome, rate_outcome(outcome, snapshot, books, calendar), books)
                self.first.note(outcome, snapshot)
            else:
                self.period.append((outcome, snapshot))
        self._write_rows()

    def finish(self) -> None:
        """Rate what is left of a period, and bring the stored ratings up to where the books stand."""
        if self.period:
            self.rows = {RatingEvent: []}
            self._end_period()
            self._write_rows()
        self.write_ratings()

    def _continues(self, outcome: MatchOutcome, model: BeliefModel) -> bool:
        """Whether the outcome belongs to the period at hand."""
        first, snapshot = self.period[0]
        here = (first.season_id, first.period_ends_at, snapshot.model.id)
        return here == (outcome.season_id, outcome.period_ends_at, model.id)

    def _end_period(self) -> None:
        season = self.period[0][0].season_id
        players = {player for outcome, _ in self.period for player in outcome.players}
        books = {player: self.books[player][season] for player in players}
        last = self.period[-1][0]
        calendar = self._settle_idle_days(last, books, last.period_ends_at or last.completed_at, self._played_on())
        for outcome, rated in rate_outcomes(self.period, books, self.first.of, calendar):
            self._append(outcome, rated, books)
        for outcome, snapshot in self.period:
            self.first.note(outcome, snapshot)
        self.period = []

    def _played_on(self) -> dict[UUID, list[datetime]]:
        """When each player of the period at hand played."""
        found: dict[UUID, list[datetime]] = {}
        for outcome, _snapshot in self.period:
            for player in outcome.players:
                found.setdefault(player, []).append(outcome.completed_at)
        return found

    def _settle_idle_days(
        self,
        outcome: MatchOutcome,
        books: Mapping[UUID, Book],
        at: datetime,
        waiting: Mapping[UUID, Sequence[datetime]],
    ) -> Calendar:
        """Write what idle days before that of `at` have cost; returns the calendar of the season."""
        if not outcome.rules.fades:
            return PLAIN_DAYS
        season = outcome.season_id
        if season not in self.calendars:
            self.calendars[season] = calendar_of(queue_id=outcome.queue_id, season_id=season)
        calendar = self.calendars[season]
        until = calendar.day_of(at) - ONE_DAY
        self.rows[RatingEvent] += catch_up_all(
            books.values(), outcome.rules, calendar, until, now=self.now, waiting=waiting
        )
        return calendar

    def _append(self, outcome: MatchOutcome, rated: Sequence[Rated], books: Mapping[UUID, Book]) -> None:
        self.rows[RatingEvent] += [append_match(books[one.player_id], one, outcome, self.now) for one in rated]

    def _write_rows(self) -> None:
        for model, rows in self.rows.items():
            if rows:
                copy_rows(model, rows)

    def write_ratings(self) -> None:
        """Bring the rows up to where the books stand."""
        books = [book for seasons in self.books.values() for book in seasons.values()]
        made = [book.all_values() for book in books if book.id not in self.stored]
        changed = [book.changing_values() for book in books if book.id in self.stored]
        if made:
            copy_rows(PlayerRating, made)
        for start in range(0, len(changed), BATCH):
            update_rows(PlayerRating, CHANGING_COLUMNS, changed[start : start + BATCH])

    def _book(self, outcome: MatchOutcome, player: UUID) -> Book:
        """The player's book of the match's season, opened now if there is none."""
        mine = self.books[player]
        if outcome.season_id in mine:
            return mine[outcome.season_id]
        earlier = _last_played(mine)
        book, event = open_book(
            self._model_at(outcome.completed_at),
            outcome.queue_id,
            outcome.season_id,
            player,
            Opening(self.signals.get(player, ()), earlier, self._rules_of(earlier)),
            outcome.rules,
            outcome.completed_at,
            self.now,
        )
        mine[outcome.season_id] = book
        self.rows[RatingEvent].append(event)
        return book

    def _rules_of(self, earlier: Book | None) -> RankRules | None:
        """The rank rules of an earlier season, read once."""
        if earlier is None:
            return None
        if earlier.season_id not in self.tables:
            key = earlier.season_id
            self.tables |= rank_rules_of_seasons(queue_id=earlier.queue_id, season_ids=[key])
            self.tables.setdefault(key, DEFAULT_RULES)
        return self.tables[earlier.season_id]

    def _predict(self, model: BeliefModel, outcome: MatchOutcome, books: Mapping[UUID, Book]) -> Snapshot:
        """The forecast of a match that has none, recorded as of its completion."""
        teams = [[(player, books[player].account) for player in team] for team in outcome.teams]
        formed = forecast(model.engine, teams, outcome.completed_at, outcome.facts)
        key = new_id()
        self.rows[Forecast].append(forecast_row(key, outcome.match_id, model.id, None, outcome.completed_at))
        self.rows[ForecastEntry] += entry_rows(key, outcome.teams, formed)
        snapshot = Snapshot(model, outcome.completed_at, len(outcome.players))
        for index, (team, beliefs) in enumerate(zip(outcome.teams, formed, strict=True)):
            for player, one in zip(team, beliefs, strict=True):
                snapshot.formed[player] = one
                snapshot.teams[player] = index
        return snapshot

    def _model_at(self, at: datetime) -> BeliefModel:
        for model in self.rating_models:
            if model.valid_during is not None and at in model.valid_during:
                return belief_model(model)
        raise DomainError("no_model", _("This queue has no rating model for that time, so nothing can be rated."))


def _last_played(books: Mapping[UUID, Book]) -> Book | None:
    """Of a player's books in this queue the one last played on."""
    played = [book for book in books.values() if book.account.last_match_at is not None]
    return max(played, key=lambda book: (book.account.active_at, book.id), default=None)
