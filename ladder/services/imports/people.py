"""Who the names of a history are: members of the club, or players that the import creates."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.contrib.auth.hashers import make_password

from ladder.core.history import HistoryRow
from ladder.core.permissions import Role
from ladder.models import Club, Membership, Player
from ladder.names import LONGEST, clean_display_name, comparison_key, handle_from, is_mixed_script
from ratings.errors import DomainError
from ratings.ids import new_id


class NameProblem(Exception):
    """A name that stands for nobody. code and values as of a BadLine."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values


@dataclass
class Directory:
    """Names of a club's members, past ones too, and of the players to be created. Names that look alike are refused."""

    by_name: dict[str, list[UUID]] = field(default_factory=dict)
    by_handle: dict[str, UUID] = field(default_factory=dict)
    looks: dict[str, str] = field(default_factory=dict)
    answers: dict[UUID, str] = field(default_factory=dict)
    names: dict[UUID, str] = field(default_factory=dict)
    new: dict[str, UUID] = field(default_factory=dict)

    @classmethod
    def of(cls, club: Club) -> "Directory":
        """Everybody who is or was a member; one query."""
        directory = cls()
        rows = Membership.objects.filter(club=club).select_related("player")
        for membership in rows:
            player = membership.player
            directory.by_name.setdefault(player.name, []).append(player.pk)
            directory.by_handle[player.handle.casefold()] = player.pk
            directory.looks.setdefault(comparison_key(player.name), player.name)
            directory.looks.setdefault(player.handle_key, player.handle)
            directory.answers[player.pk] = membership.self_assessment
            directory.names[player.pk] = player.name
        return directory

    def members_among(self, rows: Iterable[HistoryRow]) -> list[UUID]:
        """Those of the club's members who can be meant by the names in these rows, in the order of locks."""
        names = {name for row in rows for side in row.sides for name in side}
        called = {player for name in names for player in self.by_name.get(name, ())}
        return sorted(called | {self.by_handle[key] for key in map(str.casefold, names) if key in self.by_handle})

    def find(self, name: str) -> UUID:
        """The player of that name; raises NameProblem. Somebody unknown is noted as to be created."""
        known = self.by_name.get(name) or []
        if len(known) == 1:
            return known[0]
        if len(known) > 1:
            raise NameProblem("several_of_that_name", name=name)
        if name.casefold() in self.by_handle:
            return self.by_handle[name.casefold()]
        try:
            cleaned = clean_display_name(name)
        except DomainError as refusal:
            raise NameProblem("bad_name", name=repr(name), reason=refusal.message) from refusal
        if cleaned != name:
            return self.find(cleaned)
        other = self.looks.get(comparison_key(name))
        if other is not None:
            raise NameProblem("looks_like", name=name, other=other)
        return self._note(name)

    def _note(self, name: str) -> UUID:
        player_id = new_id()
        self.new[name] = player_id
        self.by_name[name] = [player_id]
        self.looks[comparison_key(name)] = name
        self.names[player_id] = name
        return player_id


def create_players(*, club: Club, new: dict[str, UUID], now: datetime) -> None:
    """Accounts without a password or e-mail address for these names, and their memberships."""
    handles = _free_handles(new)
    Player.objects.bulk_create(
        Player(
            id=player_id,
            handle=handles[name],
            handle_key=comparison_key(handles[name]),
            display_name=name,
            password=make_password(None),
            date_joined=now,
        )
        for name, player_id in new.items()
    )
    Membership.objects.bulk_create(
        Membership(club=club, player_id=player_id, role=Role.PLAYER.value, joined_at=now) for player_id in new.values()
    )


def _free_handles(names: Iterable[str]) -> dict[str, str]:
    """A handle for every name that nobody has and none looks like: numbered where the plain one is taken."""
    handles: dict[str, str] = {}
    taken: set[str] = set()
    open_names = list(names)
    number = 1
    while open_names:
        wanted = {name: _numbered(name, number) for name in open_names}
        keys = {name: comparison_key(handle) for name, handle in wanted.items()}
        taken |= set(Player.objects.filter(handle_key__in=keys.values()).values_list("handle_key", flat=True))
        for name in open_names:
            if keys[name] not in taken:
                taken.add(keys[name])
                handles[name] = wanted[name]
        open_names = [name for name in open_names if name not in handles]
        number += 1
    return handles


def _numbered(name: str, number: int) -> str:
    base = handle_from(name)
    if is_mixed_script(base):
        base = "player"
    tail = "" if number == 1 else f"-{number}"
    return base[: LONGEST - len(tail)] + tail
