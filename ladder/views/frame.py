"""What every page's frame shows: the club one is in, where the bar leads, the appearance. Read only when drawn."""

from dataclasses import dataclass
from functools import cached_property

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from ladder.core.permissions import Capability
from ladder.models import Club, Player
from ladder.selectors.access import Access
from ladder.selectors.clubs import home_access

SCHEMES = {"auto": "light dark", "light": "light", "dark": "dark"}


@dataclass(frozen=True, slots=True)
class Item:
    """One place in the bar; `wide_only` ones stand in the rail alone and on Me."""

    key: str
    icon: str
    label: str
    url: str
    wide_only: bool = False


class Frame:
    """The frame of one request; nothing is fetched before a template asks."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        user = getattr(request, "user", None)
        self._player: Player | None = user if isinstance(user, Player) else None

    @cached_property
    def access(self) -> Access | None:
        """The club of this page, else the one to which pages outside of clubs point."""
        found: Access | None = getattr(self._request, "access", None)
        if found is None and self._player is not None:
            found = home_access(self._player, self._request.session.get("club"))
        return found

    @property
    def club(self) -> Club | None:
        """The club named at the top."""
        return self.access.club if self.access else None

    @property
    def home_url(self) -> str:
        """Where the name at the top leads."""
        return reverse("club", args=[self.club.slug]) if self.club else reverse("home")

    @property
    def theme(self) -> str:
        """For data-theme: auto, light or dark."""
        return self._player.theme if self._player else "auto"

    @property
    def color_scheme(self) -> str:
        """The same for the browser's own parts."""
        return SCHEMES.get(self.theme, SCHEMES["auto"])

    @property
    def live_club(self) -> str:
        """The club whose messages this page hears, or nothing."""
        page_access: Access | None = getattr(self._request, "access", None)
        return page_access.club.slug if page_access and page_access.may(Capability.SEE_CLUB) else ""

    @property
    def section(self) -> str:
        """The item of the bar that this page belongs to, by its address."""
        parts = self._request.path.strip("/").split("/")
        if parts[0] == "c":
            name = parts[2] if len(parts) > 2 else "club"
            return {"players": "ladder", "seasons": "ladder", "health": self._staff_section}.get(name, name)
        return parts[0] or "home"

    @property
    def _staff_section(self) -> str:
        """Where the pages stand that organizers and moderators share: at the desk of who has one."""
        return "desk" if self.access and self.access.may(Capability.MANAGE_MEMBERS) else "audit"

    @cached_property
    def items(self) -> list[Item]:
        """The bar: for a member the four places and the staff's; for others what they may see and the way in."""
        if self.access and self.access.membership:
            return self._member_items(self.access)
        return self._visitor_items()

    def _member_items(self, access: Access) -> list[Item]:
        slug = access.club.slug
        items = [
            Item("play", "play", _("Play"), reverse("play", args=[slug])),
            Item("ladder", "ladder", _("Ladder"), reverse("boards", args=[slug])),
            Item("matches", "matches", _("Matches"), reverse("matches", args=[slug])),
            Item("me", "me", _("Me"), reverse("me")),
        ]
        return items + staff_items(access)

    def _visitor_items(self) -> list[Item]:
        items = [Item("home", "home", _("Home"), reverse("home"))]
        if self.access and self.access.may(Capability.SEE_CLUB):
            slug = self.access.club.slug
            items.append(Item("ladder", "ladder", _("Ladder"), reverse("boards", args=[slug])))
            items.append(Item("matches", "matches", _("Matches"), reverse("matches", args=[slug])))
        if self._player is not None:
            items.append(Item("me", "me", _("Me"), reverse("me")))
        else:
            items.append(Item("accounts", "in", _("Sign in"), reverse("account_login")))
        return items


def staff_items(access: Access) -> list[Item]:
    """The places of organizers and moderators in one club: in the rail, and on Me for phones."""
    slug = access.club.slug
    items = []
    if access.may(Capability.MANAGE_MEMBERS):
        items.append(Item("desk", "desk", _("Desk"), reverse("desk", args=[slug]), wide_only=True))
    if access.may(Capability.DECIDE_DISPUTES):
        items.append(Item("cases", "cases", _("Cases"), reverse("cases", args=[slug]), wide_only=True))
    if access.may(Capability.SEE_AUDIT):
        items.append(Item("audit", "record", _("Audit"), reverse("audit", args=[slug]), wide_only=True))
    return items


def frame(request: HttpRequest) -> dict[str, Frame]:
    """Context processor."""
    return {"frame": Frame(request)}
