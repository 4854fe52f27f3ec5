"""The permission table: capability x role, per club. The only place that says who may do what."""

from enum import Enum


class Role(Enum):
    """What somebody is to a club. The last two are not members."""

    OWNER = "owner"
    ORGANIZER = "organizer"
    MODERATOR = "moderator"
    PLAYER = "player"
    OUTSIDER = "outsider"
    STRANGER = "stranger"

    @property
    def label(self) -> str:
        """The English word for it; templates translate."""
        return _LABELS[self]

    @classmethod
    def members(cls) -> tuple["Role", ...]:
        """The roles that a membership can have, highest first."""
        return (cls.OWNER, cls.ORGANIZER, cls.MODERATOR, cls.PLAYER)


_LABELS = {
    Role.OWNER: "owner",
    Role.ORGANIZER: "organizer",
    Role.MODERATOR: "moderator",
    Role.PLAYER: "player",
    Role.OUTSIDER: "signed in, not a member",
    Role.STRANGER: "not signed in",
}


class Capability(Enum):
    """Something that can be allowed."""

    SEE_FRONT = "see the club's front page"
    JOIN_CLUB = "join the club"
    SEE_CLUB = "see ladders, seasons, players and matches"
    PLAY = "queue, accept, report and confirm"
    DECIDE_DISPUTES = "decide disputed matches"
    REVERSE_MATCHES = "take rated matches back and reinstate them"
    SEE_AUDIT = "see the audit list, hidden ratings included"
    MANAGE_MEMBERS = "see members and end memberships"
    INVITE = "make and revoke invitation links"
    SET_ROLES = "give and take roles"
    MANAGE_CLUB = "change the club's settings and the answers at its door, their ratings included"
    END_FOUR_EYES = "switch four eyes off"
    MANAGE_QUEUES = "create, open and close queues, and say where their newcomers start"
    MANAGE_MODELS = "replay, draft, approve and change rating models, hidden ratings included"
    MANAGE_SEASONS = "create, open and close seasons"
    IMPORT_MATCHES = "import match histories"


_EVERYONE = frozenset(Role)
_MEMBERS = frozenset(Role.members())
_STAFF = frozenset({Role.OWNER, Role.ORGANIZER, Role.MODERATOR})
_DESK = frozenset({Role.OWNER, Role.ORGANIZER})

TABLE: dict[Capability, frozenset[Role]] = {
    Capability.SEE_FRONT: _EVERYONE,
    Capability.JOIN_CLUB: frozenset({Role.OUTSIDER}),
    Capability.SEE_CLUB: _MEMBERS,
    Capability.PLAY: _MEMBERS,
    Capability.DECIDE_DISPUTES: _STAFF,
    Capability.REVERSE_MATCHES: _STAFF,
    Capability.SEE_AUDIT: _STAFF,
    Capability.MANAGE_MEMBERS: _DESK,
    Capability.INVITE: _DESK,
    Capability.SET_ROLES: frozenset({Role.OWNER}),
    Capability.MANAGE_CLUB: _DESK,
    Capability.END_FOUR_EYES: frozenset({Role.OWNER}),
    Capability.MANAGE_QUEUES: _DESK,
    Capability.MANAGE_MODELS: _DESK,
    Capability.MANAGE_SEASONS: _DESK,
    Capability.IMPORT_MATCHES: _DESK,
}

# What a club that shows itself to the public opens to everybody.
PUBLIC = frozenset({Capability.SEE_CLUB})


def may(role: Role, capability: Capability, *, club_is_public: bool) -> bool:
    """Whether somebody with this role in a club may do this there."""
    return role in TABLE[capability] or (club_is_public and capability in PUBLIC)
