"""Where newcomers of a queue start: set by hand, or measured on those who play both."""

from __future__ import annotations

import pytest

from ladder.models import AuditEntry, Player, Queue
from ladder.services import newcomers, queues
from ratings.core.prior_rules import PriorRules
from ratings.errors import DomainError
from ratings.models import PlayerRating, RatingModel
from ratings.selectors.prior_basis import prior_basis
from ratings.selectors.transfers import measured
from tests.harness.queries import assert_queries
from tests.harness.threads import run_together
from tests.ladder.world import World

pytestmark = pytest.mark.service


def sibling(world: World, name: str = "Rapid", game: str = "Chess") -> Queue:
    return queues.create_queue(
        club=world.club, actor=world.olga, name=name, slug=name.lower(), game_name=game, now=world.now
    )


def rated(world: World, queue: Queue, player: Player, rating: float, games: int = 20) -> None:
    PlayerRating.objects.create(
        player=player,
        queue=queue,
        season=world.season,
        rating_model=RatingModel.objects.get(queue=queue),
        rating=rating,
        deviation=60.0,
        volatility=0.06,
        games=games,
        wins=games,
        created_at=world.now,
        last_match_at=world.now,
    )


def pairs(world: World, there: Queue, count: int, *, offset: float = -100.0, weight: float = 1.0) -> None:
    """So many people who play both, here by `offset` and `weight` of what they are there."""
    for number in range(count):
        player = Player.objects.create_user(f"p{number}-{there.slug}")
        rating = 1300.0 + 400.0 * number / count
        rated(world, there, player, rating)
        rated(world, world.queue, player, 1500 + weight * (rating - 1500) + offset)


def test_the_rules_of_a_queue_place_its_next_newcomer_and_move_nobody(world: World) -> None:
    world.match(world.alice, world.bob)
    before = PlayerRating.objects.get(player=world.alice)

    newcomers.set_prior_rules(queue=world.queue, actor=world.olga, values={"offset": -50}, now=world.now)

    after = PlayerRating.objects.get(player=world.alice)
    assert (after.rating, after.last_seq) == (before.rating, before.last_seq)
    assert prior_basis(world.queue.pk).rules == PriorRules(offset=-50)
    entry = AuditEntry.objects.get(action="queue.newcomers")
    assert (entry.actor, entry.detail) == (
        world.olga,
        {"queue": "Blitz", "offset": {"before": 0.0, "after": -50.0}},
    )


def test_setting_the_same_again_writes_nothing(world: World) -> None:
    newcomers.set_prior_rules(queue=world.queue, actor=world.olga, values={}, now=world.now)

    assert not AuditEntry.objects.filter(action="queue.newcomers").exists()


@pytest.mark.parametrize("values", [{"offset": 9000}, {"luck": 1}, {"other_game_widening": 10}])
def test_bad_rules_are_refused_by_name_and_change_nothing(world: World, values: dict[str, float]) -> None:
    with pytest.raises(DomainError, match=next(iter(values))):
        newcomers.set_prior_rules(queue=world.queue, actor=world.olga, values=values, now=world.now)

    assert Queue.objects.get(pk=world.queue.pk).prior_rules == {}


@pytest.mark.parametrize("name", ["maud", "alice", "stranger"])
def test_only_organizers_set_where_newcomers_start(world: World, name: str) -> None:
    actor = getattr(world, name)
    with pytest.raises(DomainError):
        newcomers.set_prior_rules(queue=world.queue, actor=actor, values={"offset": 5}, now=world.now)
    with pytest.raises(DomainError):
        newcomers.take_measured(queue=world.queue, actor=actor, seen={}, now=world.now)

    assert Queue.objects.get(pk=world.queue.pk).prior_rules == {}


def test_ten_players_of_both_queues_are_measured_and_nine_are_not(world: World) -> None:
    rapid = sibling(world)
    pairs(world, rapid, 9)
    nine = measured(prior_basis(world.queue.pk))
    rated(world, rapid, world.alice, 1500.0)
    rated(world, world.queue, world.alice, 1400.0, games=9)
    still = measured(prior_basis(world.queue.pk))
    PlayerRating.objects.filter(player=world.alice).update(games=10, wins=10)

    ten = measured(prior_basis(world.queue.pk))

    assert (nine.same_game, nine.same_game_players, still.same_game_players) == (None, 9, 9)
    assert ten.same_game is not None
    assert (ten.same_game.offset, ten.same_game_players, ten.other_game_players) == (pytest.approx(-50.0), 10, 0)


def test_what_players_of_another_game_tell_is_measured_apart(world: World) -> None:
    pairs(world, sibling(world, "Darts", "Darts"), 90, offset=0.0, weight=0.5)

    found = measured(prior_basis(world.queue.pk))

    assert found.same_game is None
    assert found.other_game is not None
    assert (found.other_game.weight, found.other_game_players) == (pytest.approx(0.45), 90)


def test_of_several_queues_of_the_game_a_player_counts_once_by_the_one_played_most(world: World) -> None:
    rapid, bullet = sibling(world), sibling(world, "Bullet")
    pairs(world, rapid, 10, offset=-100.0)
    for row in PlayerRating.objects.filter(queue=rapid):
        rated(world, bullet, row.player, row.rating + 500, games=11)

    found = measured(prior_basis(world.queue.pk))

    assert found.same_game is not None
    assert (found.same_game_players, found.same_game.offset) == (10, pytest.approx(-50.0))


def test_measuring_costs_two_queries_for_any_number_of_players(world: World) -> None:
    pairs(world, sibling(world), 30)
    basis = prior_basis(world.queue.pk)

    with assert_queries(2, "the pairs, and the models they stand on"):
        measured(basis)


def test_what_was_measured_is_taken_over_as_it_was_shown(world: World) -> None:
    pairs(world, sibling(world), 10)
    found = measured(prior_basis(world.queue.pk))
    shown = PriorRules().measured(found.same_game, found.other_game)

    newcomers.take_measured(queue=world.queue, actor=world.olga, seen=shown.to_json(), now=world.now)

    assert prior_basis(world.queue.pk).rules == shown
    entry = AuditEntry.objects.get(action="queue.newcomers")
    assert entry.detail["offset"] == {"before": 0.0, "after": -50.0}
    assert entry.detail["measured_on"] == {"same_game_players": 10, "other_game_players": 0}


def test_what_was_measured_anew_meanwhile_is_not_taken_over(world: World) -> None:
    pairs(world, sibling(world), 10)
    found = measured(prior_basis(world.queue.pk))
    shown = PriorRules().measured(found.same_game, found.other_game).to_json()
    PlayerRating.objects.filter(queue=world.queue).update(rating=1700.0)

    with pytest.raises(DomainError) as refusal:
        newcomers.take_measured(queue=world.queue, actor=world.olga, seen=shown, now=world.now)

    assert refusal.value.code == "changed_meanwhile"
    assert Queue.objects.get(pk=world.queue.pk).prior_rules == {}


def test_with_too_few_players_there_is_nothing_to_take_over(world: World) -> None:
    with pytest.raises(DomainError) as refusal:
        newcomers.take_measured(queue=world.queue, actor=world.olga, seen=PriorRules().to_json(), now=world.now)

    assert refusal.value.code == "nothing_measured"


def test_pressed_twice_at_once_it_is_taken_over_once(shared_world: World) -> None:
    world = shared_world
    pairs(world, sibling(world), 10)
    found = measured(prior_basis(world.queue.pk))
    shown = PriorRules().measured(found.same_game, found.other_game)

    results = run_together(
        *[lambda: newcomers.take_measured(queue=world.queue, actor=world.olga, seen=shown.to_json(), now=world.now)] * 4
    )

    assert results == [shown] * 4
    assert AuditEntry.objects.filter(action="queue.newcomers").count() == 1
