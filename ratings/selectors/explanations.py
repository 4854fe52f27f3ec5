"""Why an event did what it did: a few plain sentences for its player, every number for the staff."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.core.explain import player_facts, signed
from ratings.core.priors import Source
from ratings.models import RatingEvent
from ratings.selectors.sentences import sentence

Viewer = Literal["player", "staff"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """An event in words. Sentences of the staff's version hold the hidden rating and must stay with the staff."""

    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.sentences)


def explanation(event: RatingEvent, viewer: Viewer = "player") -> Explanation:
    """The event explained from its own stored record; no query if `rating_model` and `actor` were fetched with it."""
    if viewer == "player":
        return Explanation(tuple(sentence(fact) for fact in player_facts(event.kind, event.explanation)))
    told: Mapping[str, Any] = event.explanation
    parts = _NUMBERS.get(event.kind, _other_numbers)(told)
    return Explanation((*parts, _written(event)))


def start_words(told: Mapping[str, Any]) -> str:
    """For the player: where a first rating comes from, out of the explanation of its placement."""
    return " ".join(sentence(fact) for fact in player_facts(RatingEvent.Kind.PLACEMENT.value, told))


def _match_numbers(told: Mapping[str, Any]) -> tuple[str, ...]:
    rank = told["rank"]
    change = _period_numbers(told) if "period" in told else _change_numbers(told)
    reached = _("Afterwards %(rating).2f on the club scale, target position %(target)d.")
    values = {"rating": told["club_rating"], "target": rank["target"]}
    return (*change, reached % values, *_known_numbers(told), *_model_numbers(told), *_rank_numbers(rank))


def _period_numbers(told: Mapping[str, Any]) -> tuple[str, ...]:
    """A match that was rated together with others."""
    period = told["period"]
    values = {
        "expected": told["expected"],
        "result": told["result"],
        "game": period["game"],
        "of": period["of"],
        "end": _moment(period["ends_at"]),
        "formed": _belief(told["formed"]),
        "evidence": _belief(told["evidence"]),
        "aged": _belief(told["aged"]),
        "days": told["aged"]["idle_days"],
    }
    return (
        _("Expected score %(expected).4f, result: %(result)s.") % values,
        _("Game %(game)d of %(of)d of the rating period that ended at %(end)s, rated together.") % values,
        _("Its share takes %(formed)s to %(evidence)s. Before the change: %(aged)s, idle %(days).1f days.") % values,
    )


def _moment(told: str | None) -> str:
    return "\N{EN DASH}" if told is None else f"{datetime.fromisoformat(told):%Y-%m-%d %H:%M} UTC"


def _change_numbers(told: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        _("Expected score %(expected).4f, result: %(result)s. Formed at %(formed)s, idle %(days).1f days.")
        % {
            "expected": told["expected"],
            "result": told["result"],
            "formed": _belief(told["formed"]),
            "days": told["formed"]["idle_days"],
        },
        _("The model makes that %(evidence)s. Before the change: %(aged)s, idle %(days).1f days.")
        % {
            "evidence": _belief(told["evidence"]),
            "aged": _belief(told["aged"]),
            "days": told["aged"]["idle_days"],
        },
    )


def _known_numbers(told: Mapping[str, Any]) -> list[str]:
    """What was known besides the ranks, whether or not the model counts it."""
    if told.get("did_not_play"):
        return [_("Did not play: nothing changes.")]
    known = told.get("known")
    if not known:
        return []
    said = [_known_words(name, known) for name in _KNOWN_ORDER if name in known]
    counted = ", ".join(known["moved"]) or "\N{EN DASH}"
    return [
        _("Known besides: %(facts)s. The model counts: %(counted)s.") % {"facts": ", ".join(said), "counted": counted}
    ]


def _known_words(name: str, known: Mapping[str, Any]) -> str:
    values = {"value": known[name], "percent": 100.0 * known.get("share", 1.0), "factor": known.get("margin_factor")}
    return str(_KNOWN[f"side_{known[name]}" if name == "side" else name] % values)


def _model_numbers(told: Mapping[str, Any]) -> list[str]:
    """Whose scale the numbers stand on, where it is not that of the event's own model."""
    sentences = []
    if "formed_model" in told:
        sentences.append(
            _("The match was formed with %(model)s; its change counts as much on the scale of the rating's model.")
            % {"model": told["formed_model"]["name"]}
        )
    if "before_model" in told:
        sentences.append(_("Until then the rating stood on %(model)s.") % {"model": told["before_model"]["name"]})
    return sentences


def _rank_numbers(rank: Mapping[str, Any]) -> list[str]:
    sentences = []
    if rank["delta"] is not None:
        sentences.append(
            _("Gap of %(steps)d half divisions, base %(base)d (%(low)d to %(high)d): %(delta)s, %(from)s to %(to)s.")
            % {
                "steps": rank["steps"],
                "base": rank["base"],
                "low": rank["low"],
                "high": rank["high"],
                "delta": signed(rank["delta"]),
                "from": _place(rank["before"]),
                "to": _place(rank["after"]),
            }
        )
    if "reduced" in rank:
        sentences.append(_("Reduced to %(percent)d%% of the points: %(reason)s.") % rank["reduced"])
    if rank["placement"] is not None:
        played, of = rank["placement"]
        sentences.append(_("Placement %(played)d of %(of)d.") % {"played": played, "of": of})
    if rank["notes"]:
        sentences.append(_("Effects: %(notes)s.") % {"notes": ", ".join(rank["notes"])})
    return sentences


def _start_numbers(told: Mapping[str, Any]) -> tuple[str, ...]:
    club = _("Starts at %(rating).2f \N{PLUS-MINUS SIGN} %(deviation).2f on the club scale.") % {
        "rating": told["club_rating"],
        "deviation": told["club_deviation"] or 0.0,
    }
    if told["source"] == "earlier_season":
        earlier = _("From an earlier season: %(belief)s, idle %(days).1f days, widened by %(by)d.") % {
            "belief": _belief(told),
            "days": told["idle_days"],
            "by": told["widened_by"],
        }
        return (club, earlier, *_reset_numbers(told.get("reset")))
    signals = told.get("signals")
    if signals is None and told["answer"]:
        return club, _("Self-assessment: %(answer)s.") % {"answer": told["answer"]}
    if not signals:
        return club, _("Nothing was known of this player.")
    return (club, *(_signal(one) for one in signals))


def _reset_numbers(reset: Mapping[str, Any] | None) -> tuple[str, ...]:
    """What became of the rank of the earlier season."""
    if reset is None:
        return ()
    sentence = _(
        "The rank was %(before)s; %(kept)d%% of its distance from %(middle)s is kept: placement starts from %(start)s "
        "and may end up to %(leave)d divisions away."
    )
    return (sentence % {**reset, "before": _place(reset["before"]), "start": _place(reset["start"])},)


def _signal(told: Mapping[str, Any]) -> str:
    """One signal behind a first rating, with its numbers on the club scale."""
    worth = {"mean": told["mean"], "deviation": told["deviation"]}
    if told["source"] == Source.SELF_ASSESSMENT:
        answer = {"answer": told["label"] or told["answer"]}
        return _("Self-assessment: %(answer)s, %(mean).2f \N{PLUS-MINUS SIGN} %(deviation).2f.") % (answer | worth)
    there = {name: told[name] for name in ("queue_name", "rating", "rating_deviation", "games", "idle_days")}
    if told["source"] == Source.SAME_GAME:
        sentence = _(
            "%(queue_name)s, the same game: %(rating).2f \N{PLUS-MINUS SIGN} %(rating_deviation).2f after %(games)d "
            "matches, idle %(idle_days).1f days, offset %(offset)+g, widened by %(by)g: "
            "%(mean).2f \N{PLUS-MINUS SIGN} %(deviation).2f."
        )
        return sentence % (there | worth | {"offset": told["offset"], "by": told["widened_by"]})
    sentence = _(
        "%(queue_name)s, another game: %(rating).2f \N{PLUS-MINUS SIGN} %(rating_deviation).2f after %(games)d "
        "matches, idle %(idle_days).1f days, weight %(weight)g, widened by %(by)g: "
        "%(mean).2f \N{PLUS-MINUS SIGN} %(deviation).2f."
    )
    return sentence % (there | worth | {"weight": told["weight"], "by": told["widened_by"]})


def _model_change_numbers(told: Mapping[str, Any]) -> tuple[str, ...]:
    names = {"before": told["before_model"]["name"], "after": told["model"]["name"]}
    sentences = [_("From %(before)s to %(after)s.") % names]
    for text, side in ((_("Before: %(own)s, %(club)s."), "before"), (_("After: %(own)s, %(club)s."), "after")):
        sentences.append(text % {"own": _belief(told[side]), "club": _club(told[f"club_{side}"])})
    if told["source"] == "replay":
        sentences.append(_("The new value is that of a replay of the queue."))
    else:
        sentences.append(_("The replay did not meet this player: the value was carried over by the club scale."))
    return tuple(sentences)


def _club(told: Mapping[str, Any]) -> str:
    return _("on the club scale %(belief)s") % {"belief": _belief({**told, "volatility": None})}


def _undone_numbers(told: Mapping[str, Any]) -> tuple[str, ...]:
    """A match taken back or counted again, or what that did to others."""
    before, after = told["rank"]["before"], told["rank"]["after"]
    places = ["\N{EN DASH}" if place is None else _place(place) for place in (before, after)]
    values = {"before": told["club_before"], "after": told["club_after"], "from": places[0], "to": places[1]}
    moved = (
        _("On the club scale %(before).2f to %(after).2f.") % values,
        _("Rank: %(from)s to %(to)s.") % values,
    )
    return (_undone_act(told), *moved)


def _undone_act(told: Mapping[str, Any]) -> str:
    many = {"matches": told["matches"]}
    if told["kind"] == "recompute":
        if told["reinstated"]:
            return _("Counted anew because matches count again (%(matches)d).") % many
        return _("Counted anew because matches were taken back (%(matches)d).") % many
    values = {"end": _moment(told["completed_at"]), "result": told["result"] or "\N{EN DASH}"}
    if told["mode"] == "refund":
        if told["reinstated"]:
            return _("Refund of the match of %(end)s (%(result)s) undone.") % values
        return _("The exact opposite of the match of %(end)s (%(result)s).") % values
    if told["reinstated"]:
        return _("The match of %(end)s (%(result)s) counts again; everything since was counted anew.") % values
    return _("The match of %(end)s (%(result)s) was taken back; everything since was counted anew.") % values


def _other_numbers(told: Mapping[str, Any]) -> tuple[str, ...]:
    if "rating_delta" not in told:
        return ()
    return (
        _("Rating moved by %(delta)+.2f to %(rating).2f on the club scale.")
        % {"delta": told["rating_delta"], "rating": told["club_rating"]},
    )


def _written(event: RatingEvent) -> str:
    values = {
        "before": f"{event.rating_before:.2f}",
        "after": f"{event.rating_after:.2f}",
        "model": str(event.rating_model) if event.rating_model else "\N{EN DASH}",
    }
    text = _("Rating %(before)s to %(after)s by %(model)s.") % values
    if event.actor is not None:
        text += " " + _("By %(actor)s: %(reason)s") % {"actor": event.actor, "reason": event.reason}
    return text


def _belief(told: Mapping[str, Any]) -> str:
    text = f"{told['rating']:.2f}"
    if told["deviation"] is not None:
        text += f" \N{PLUS-MINUS SIGN} {told['deviation']:.2f}"
    if told["volatility"] is not None:
        text += f" ({told['volatility']:.5f})"
    return text


def _place(place: Mapping[str, Any]) -> str:
    return _("%(rank)s with %(points)d points") % {"rank": place["name"], "points": place["points"]}


def _decay_numbers(told: Mapping[str, Any]) -> tuple[str, ...]:
    counted = _("Idle since %(since)s: day %(number)d that counts, of which %(free)d were free. For %(day)s:")
    rule = _("%(points)d points (%(rule)d for every %(every)d days), %(before)s to %(after)s, not below %(foot)s.")
    days = {"since": told["idle_since"], "number": told["idle_days"], "free": told["free_days"], "day": told["day"]}
    values = {
        "points": told["points"],
        "rule": told["rule"]["points"],
        "every": told["rule"]["every"],
        "before": _place(told["rank"]["before"]),
        "after": _place(told["rank"]["after"]),
        "foot": told["rank"]["foot"]["name"],
    }
    return (f"{counted % days} {rule % values}",)


_NUMBERS: Mapping[str, Callable[[Mapping[str, Any]], tuple[str, ...]]] = {
    "match": _match_numbers,
    "placement": _start_numbers,
    "season_reset": _start_numbers,
    "decay": _decay_numbers,
    "model_change": _model_change_numbers,
    "reversal": _undone_numbers,
    "refund": _undone_numbers,
    "recompute": _undone_numbers,
}
_KNOWN_ORDER = ("side", "margin", "share", "party", "performance", "left_early")
_KNOWN: Mapping[str, Any] = {
    "side_own": gettext_lazy("side advantage: own"),
    "side_other": gettext_lazy("side advantage: another side"),
    "margin": gettext_lazy("margin %(value)g (counts times %(factor).3f)"),
    "share": gettext_lazy("played %(percent).0f%%"),
    "party": gettext_lazy("came as a party of %(value)d"),
    "performance": gettext_lazy("individual figure %(value)g"),
    "left_early": gettext_lazy("left before the end"),
}
