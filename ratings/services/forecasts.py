"""What the model predicts when a match is formed: the only beliefs its result may be rated from."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from ratings.core.match_facts import NOTHING_KNOWN, MatchFacts
from ratings.core.rank_rules import RankRules
from ratings.core.rating_match import Account, Formed, forecast
from ratings.core.scales import BeliefModel
from ratings.ids import new_id
from ratings.models import Forecast, ForecastEntry, PlayerRating
from ratings.selectors.models import belief_model, model_in_force
from ratings.services.books import account_of
from ratings.services.bulk import copy_rows
from ratings.services.placement import Newcomer, as_mapping, ensure_with_model


def record(
    *,
    match_id: UUID,
    queue_id: UUID,
    season_id: UUID,
    teams: Sequence[Sequence[UUID]],
    quality: float | None,
    rules: RankRules,
    newcomers: Iterable[Newcomer] | Mapping[UUID, Newcomer] = (),
    facts: MatchFacts = NOTHING_KNOWN,
    now: datetime,
) -> Forecast:
    """Store every participant's belief, aged to `now`, and the expected scores, for the match formed now.

    All on the scale of the model in force, by which the match will be rated, whatever model a rating stands on.
    facts: the side and the parties, as far as they are known now, in the shape of the teams.

    Who has no rating of the season yet gets one, by the answer in `newcomers` where it holds one. Queries: 4 when
    everybody has a rating, 11 otherwise, whatever the size of the teams (savepoints not counted).
    """
    answers = as_mapping(newcomers)
    people = [answers.get(player, Newcomer(player)) for team in teams for player in team]
    model = model_in_force(queue_id=queue_id, at=now)
    own = belief_model(model)
    with transaction.atomic():
        ratings = ensure_with_model(model, season_id=season_id, newcomers=people, rules=rules, now=now)
        accounts = [[(player, _account(ratings[player], own)) for player in team] for team in teams]
        formed = forecast(own.engine, accounts, now, facts)
        made = Forecast(**forecast_row(new_id(), match_id, model.pk, quality, now))
        made.save(force_insert=True)
        copy_rows(ForecastEntry, entry_rows(made.id, teams, formed))
    return made


def _account(row: PlayerRating, present: BeliefModel) -> Account:
    """The account; nearly always it stands on the model in force."""
    return account_of(row, present if row.rating_model_id == present.id else None)


def forecast_row(
    key: UUID, match_id: UUID, rating_model_id: UUID, quality: float | None, at: datetime
) -> dict[str, Any]:
    """The forecast's own row."""
    return {
        "id": key,
        "match_id": match_id,
        "rating_model_id": rating_model_id,
        "quality": quality,
        "created_at": at,
    }


def entry_rows(
    forecast_id: UUID, teams: Sequence[Sequence[UUID]], formed: Sequence[Sequence[Formed]]
) -> list[dict[str, Any]]:
    """Rows of the participants' beliefs for `copy_rows`."""
    return [
        {
            "id": new_id(),
            "forecast_id": forecast_id,
            "player_id": player,
            "team": index,
            "rating": one.belief.rating,
            "deviation": one.belief.deviation,
            "volatility": one.belief.volatility,
            "idle_days": one.idle_days,
            "expected": one.expected,
        }
        for index, (team, beliefs) in enumerate(zip(teams, formed, strict=True))
        for player, one in zip(team, beliefs, strict=True)
    ]
