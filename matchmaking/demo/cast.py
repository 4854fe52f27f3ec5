"""Who is in the demo: its club, its accounts and its bots."""

import hashlib
import hmac
from dataclasses import dataclass
from functools import cache

from matchmaking.demo.history import strength_of_teams

CLUB_SLUG, CLUB_NAME = "demo", "Demo League"
QUEUE_SLUG, QUEUE_NAME = "1v1", "1v1"
GAME = "Football"
OWNER = "demo-owner"
PEOPLE = {"player": "demo-player", "organizer": "demo-organizer", "moderator": "demo-moderator"}

_LABELS = (("novice", 1000.0), ("casual", 1350.0), ("club", 1650.0), ("expert", float("inf")))
_NAMES = (
    *("Ada", "Bela", "Ciro", "Dina", "Emil", "Fay", "Gus", "Hana", "Ivo", "Juno", "Kaja", "Leo", "Mina", "Nils"),
    *("Olga", "Pia", "Quin", "Rosa", "Sven", "Tara", "Udo", "Vera", "Wim", "Xena", "Yara", "Zeno"),
)
WEAKEST, STRONGEST = 550.0, 2300.0


@dataclass(frozen=True, slots=True)
class ExtraBot:
    """A bot without a history. skill: what it is really worth on the club scale, known only to who runs the bots."""

    handle: str
    name: str
    self_assessment: str
    skill: float


@cache
def extra_bots() -> tuple[ExtraBot, ...]:
    """Bots spread evenly over the whole range of skill, so that everybody who comes finds somebody near."""
    step = (STRONGEST - WEAKEST) / (len(_NAMES) - 1)
    skills = [WEAKEST + step * number for number in range(len(_NAMES))]
    return tuple(
        ExtraBot(
            handle=f"bot-{name.lower()}",
            name=name,
            self_assessment=next(label for label, below in _LABELS if skill < below),
            skill=skill,
        )
        for name, skill in zip(_NAMES, skills, strict=True)
    )


def true_skill(handle: str, name: str) -> float:
    """What a bot is really worth; a team's is that of its last season."""
    for bot in extra_bots():
        if bot.handle == handle:
            return bot.skill
    return strength_of_teams().get(name, 1500.0)


def password_of(handle: str, *, secret: str) -> str:
    """The password of a demo account: the same at every start of one installation, another one elsewhere."""
    digest = hmac.new(secret.encode(), f"demo account {handle}".encode(), hashlib.sha256).hexdigest()
    return f"{digest[:4]}-{digest[4:8]}-{digest[8:12]}"
