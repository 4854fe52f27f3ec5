"""From a stored explanation to the facts a sentence is made of.

The player's facts hold nothing from which the rating can be computed more closely than half a division: chances are
rounded to 5%, the gap between rank and skill is a word for a stretch of at least half a division, and during
placement there is neither.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ratings.core.visible_rank import Note, Result

LONG_BREAK_DAYS = 30.0
MOST_NAMED = 3  # queues that a sentence names
_UNMOVED = {Note.SHIELDED, Note.GUARDED}
_TOLD_APART = {Note.PLACEMENT, Note.PLACED, Note.HELD_BY_RESET, Note.REDUCED}


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to say: which sentence, and the words and whole numbers in it."""

    code: str
    values: Mapping[str, str | int] = field(default_factory=dict)


def rounded_chance(probability: float) -> int:
    """A probability as a percentage rounded to 5, never 0 or 100."""
    return min(max(round(probability * 20.0) * 5, 5), 95)


def signed(delta: int) -> str:
    """Points with their sign, as people write them."""
    return f"+{delta}" if delta > 0 else f"\N{MINUS SIGN}{-delta}" if delta < 0 else "0"


def player_facts(kind: str, explanation: Mapping[str, Any]) -> tuple[Fact, ...]:
    """What a player may be told about an event of theirs."""
    if kind == "match":
        return tuple(_match_facts(explanation))
    if kind == "decay":
        return tuple(_decay_facts(explanation))
    if kind in ("placement", "season_reset"):
        return (_start_fact(explanation), *_reset_facts(explanation))
    if kind in ("reversal", "refund", "recompute"):
        return tuple(_undone_facts(kind, explanation))
    return (Fact(kind),)


def _undone_facts(kind: str, told: Mapping[str, Any]) -> list[Fact]:
    """A match that was taken back or counts again, the player's own or others': which, and what it does to the rank."""
    way = "again" if told["reinstated"] else "back"
    if kind == "recompute":
        facts = [Fact(f"others_{way}")]
    elif not told["result"]:
        return [Fact(f"unplayed_{way}", {"day": told["completed_at"][:10]})]
    else:
        facts = [Fact(f"{told['result']}_{way}", {"day": told["completed_at"][:10]})]
    if kind != "recompute" and not told["moves"]:
        return [*facts, Fact("moves_with_others")]
    before, after = told["rank"]["before"], told["rank"]["after"]
    if before is None or after is None:
        return [*facts, Fact("rank_after_placement") if after is None else Fact("rank_is", {"rank": after["name"]})]
    return [*facts, Fact("rank_moves", {"delta": signed(after["position"] - before["position"])})]


def _start_fact(told: Mapping[str, Any]) -> Fact:
    """Where a first rating comes from: which queues and whether there was an answer, no number of them."""
    queues = [str(one["queue_name"]) for one in told.get("signals", ()) if "queue_name" in one]
    if not queues:
        return Fact(f"start_{told['source']}", {"matches": told["matches"]})
    named = ", ".join(queues[:MOST_NAMED]) + (" \N{HORIZONTAL ELLIPSIS}" if len(queues) > MOST_NAMED else "")
    code = "start_other_queues_and_answer" if told["answer"] else "start_other_queues"
    return Fact(code, {"queues": named, "matches": told["matches"]})


def _decay_facts(told: Mapping[str, Any]) -> list[Fact]:
    """What a day without a match did."""
    rank = told["rank"]
    after = {"rank": rank["after"]["name"], "points": rank["after"]["points"]}
    facts = [Fact("decay", {"days": told["idle_days"], "delta": signed(-told["points"]), **after})]
    if rank["after"]["position"] == rank["foot"]["position"]:
        return [*facts, Fact("decay_foot", {"rank": rank["foot"]["name"]})]
    return [*facts, Fact("decay_stops")]


def _reset_facts(told: Mapping[str, Any]) -> tuple[Fact, ...]:
    """What became of the rank of the season before."""
    reset = told.get("reset")
    if reset is None:
        return ()
    values = {"before": reset["before"]["name"], "start": reset["start"]["name"], "leave": reset["leave"]}
    return (Fact("reset", values),)


def _match_facts(told: Mapping[str, Any]) -> list[Fact]:
    rank, result = told["rank"], Result(told["result"])
    if told.get("did_not_play"):
        return [Fact("did_not_play")]
    if rank["before"] is None:
        first, *others = _placement_facts(rank, result)
        return [first, *_known_facts(told), *others]
    facts = [_chance_fact(told, result), *_known_facts(told)]
    if told["aged"]["idle_days"] >= LONG_BREAK_DAYS:
        facts.append(Fact("long_break", {"days": int(told["aged"]["idle_days"]), "most": rank["high"]}))
    notes = [Note(note) for note in rank["notes"]]
    if not _UNMOVED.intersection(notes):
        facts.append(Fact(f"pay_{_kind_of_pay(result)}_{gap_word(rank['steps'])}", {"delta": signed(rank["delta"])}))
    if "reduced" in rank:
        facts.append(Fact(f"reduced_{rank['reduced']['reason']}", {"percent": rank["reduced"]["percent"]}))
    return facts + _note_facts(notes, rank)


def _known_facts(told: Mapping[str, Any]) -> list[Fact]:
    """What besides the result the model counted."""
    known: Mapping[str, Any] = told.get("known", {})
    return [_known_fact(name, known[name]) for name in known.get("moved", ())]


def _known_fact(name: str, value: Any) -> Fact:
    if name == "share":
        percent = min(max(round(value * 100.0), 1), 99)
        return Fact("share_half") if percent == 50 else Fact("share", {"share": percent})
    return Fact(f"side_{value}" if name == "side" else name)


def _placement_facts(rank: Mapping[str, Any], result: Result) -> list[Fact]:
    played, of = rank["placement"]
    facts = [Fact(f"placement_{result.value}", {"played": played, "of": of})]
    if rank["after"] is None:
        return [*facts, Fact("rank_later")]
    facts.append(Fact("placed", {"rank": rank["after"]["name"], "points": rank["after"]["points"]}))
    if Note.HELD_BY_RESET.value in rank["notes"]:
        facts.append(Fact("held_by_reset", {"leave": rank["leave"]}))
    return facts


def _chance_fact(told: Mapping[str, Any], result: Result) -> Fact:
    if told["others_placing"]:
        return Fact(f"unplaced_{result.value}")
    chance = rounded_chance(told["expected"])
    band = "low" if chance <= 40 else "high" if chance >= 60 else "even"
    return Fact(f"chance_{result.value}_{band}", {"chance": chance})


def _kind_of_pay(result: Result) -> str:
    return "draw" if result is Result.DRAW else "decided"


def gap_word(steps: int) -> str:
    """A gap in half divisions as a word; each word covers half a division or more."""
    size = abs(steps)
    if size == 0:
        return "level"
    word = "little" if size == 1 else "clear" if size <= 3 else "far"
    return f"{word}_{'below' if steps > 0 else 'above'}"


def _note_facts(notes: Sequence[Note], rank: Mapping[str, Any]) -> list[Fact]:
    after: Mapping[str, Any] = rank["after"]
    if Note.UNPROTECTED in notes:
        return [Fact("unprotected", {"rank": after["name"]})]
    return [
        Fact(note.value, {"rank": after["name"], "shield": rank["shield"]}) for note in notes if note not in _TOLD_APART
    ]
