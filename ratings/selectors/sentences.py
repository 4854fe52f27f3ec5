"""The player's sentences, whole ones so that they can be translated, by the code of their fact."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from ratings.core.explain import Fact

_CHANCE = {
    "chance_win_low": _("You were expected to win about %(chance)d%% of the time and won: a strong result."),
    "chance_win_even": _("You were expected to win about %(chance)d%% of the time and won: a good result."),
    "chance_win_high": _("You were expected to win about %(chance)d%% of the time and won, as expected."),
    "chance_draw_low": _("You were expected to win about %(chance)d%% of the time and drew: a good result."),
    "chance_draw_even": _("You were expected to win about %(chance)d%% of the time and drew, as close as it looked."),
    "chance_draw_high": _("You were expected to win about %(chance)d%% of the time and drew: less than expected."),
    "chance_loss_low": _("You were expected to win about %(chance)d%% of the time and lost, as expected."),
    "chance_loss_even": _("You were expected to win about %(chance)d%% of the time and lost: it could go either way."),
    "chance_loss_high": _("You were expected to win about %(chance)d%% of the time and lost: a surprise."),
    "unplaced_win": _("You won against somebody still in placement, so there was no sure prediction."),
    "unplaced_draw": _("You drew with somebody still in placement, so there was no sure prediction."),
    "unplaced_loss": _("You lost to somebody still in placement, so there was no sure prediction."),
}
_PAY = {
    "pay_decided_level": _("Your rank matches your skill, so wins pay about as much as losses cost: %(delta)s."),
    "pay_decided_little_below": _(
        "Your rank is a little below your skill, so wins pay more than losses cost: %(delta)s."
    ),
    "pay_decided_clear_below": _("Your rank is below your skill, so wins pay more than losses cost: %(delta)s."),
    "pay_decided_far_below": _("Your rank is far below your skill, so wins pay much more than losses cost: %(delta)s."),
    "pay_decided_little_above": _(
        "Your rank is a little above your skill, so losses cost more than wins pay: %(delta)s."
    ),
    "pay_decided_clear_above": _("Your rank is above your skill, so losses cost more than wins pay: %(delta)s."),
    "pay_decided_far_above": _("Your rank is far above your skill, so losses cost much more than wins pay: %(delta)s."),
    "pay_draw_level": _("Your rank matches your skill, so a draw leaves it where it is: %(delta)s."),
    "pay_draw_little_below": _("Your rank is a little below your skill, so a draw moves it up a little: %(delta)s."),
    "pay_draw_clear_below": _("Your rank is below your skill, so a draw moves it up a little: %(delta)s."),
    "pay_draw_far_below": _("Your rank is far below your skill, so a draw moves it up a little: %(delta)s."),
    "pay_draw_little_above": _("Your rank is a little above your skill, so a draw moves it down a little: %(delta)s."),
    "pay_draw_clear_above": _("Your rank is above your skill, so a draw moves it down a little: %(delta)s."),
    "pay_draw_far_above": _("Your rank is far above your skill, so a draw moves it down a little: %(delta)s."),
    "long_break": _(
        "You had not played for %(days)d days, so we knew less about your skill; a single match still moves your rank "
        "by at most %(most)d points."
    ),
}
_KNOWN = {
    "did_not_play": _("You did not play in this match, so it changes nothing for you."),
    "share_half": _("You played half of the match, so it says half as much about your skill."),
    "share": _("You played %(share)d%% of the match, so it says only so much about your skill."),
    "side_own": _("That your side had the advantage was taken into account."),
    "side_other": _("That another side had the advantage was taken into account."),
    "margin": _("It was decided clearly, so it counts more."),
    "party": _("Who came together as a party was taken into account."),
    "performance": _("How you did yourself counted as well."),
    "left_early": _("You left before the end, which costs more than the result alone."),
}
_REDUCED = {
    "reduced": _("This match was played for reduced points: it pays and costs %(percent)d%% of what it would."),
    "reduced_wide_party": _(
        "You came as a full party of very different ranks, so this match pays and costs %(percent)d%% of its points."
    ),
    "reduced_open_search": _(
        "You asked for a match in the open search, where anybody fits, so this one pays and costs %(percent)d%% of its "
        "points."
    ),
}
_NOTES = {
    "promoted": ngettext_lazy(
        "You move up to %(rank)s and cannot move down from it in your next match.",
        "You move up to %(rank)s and cannot move down from it in your next %(shield)d matches.",
        "shield",
    ),
    "promoted_unshielded": _("You move up to %(rank)s."),
    "demoted": _("You lost at 0 points, so you move down to %(rank)s."),
    "unprotected": _("Your rank stood well above your skill, so nothing holds it back: you move down to %(rank)s."),
    "stopped_at_zero": _("You stop at 0 points of %(rank)s; only a loss from there moves you down."),
    "shielded": _("You lost at 0 points soon after moving up, so you stay in %(rank)s: 0."),
    "guarded": _("You lost at 0 points of %(rank)s and stay this time: leaving a tier takes one loss more: 0."),
    "at_the_bottom": _("%(rank)s is the lowest rank, so you cannot fall below 0 points."),
}
_PLACEMENT = {
    "placement_win": _("Placement match %(played)d of %(of)d: you won."),
    "placement_draw": _("Placement match %(played)d of %(of)d: you drew."),
    "placement_loss": _("Placement match %(played)d of %(of)d: you lost."),
    "rank_later": _("Your rank appears when placement is over."),
    "placed": _("Placement is over: you start in %(rank)s with %(points)d points."),
    "start_newcomer": ngettext_lazy(
        "You start here with %(matches)d placement match.",
        "You start here with %(matches)d placement matches.",
        "matches",
    ),
    "start_self_assessment": ngettext_lazy(
        "You start from what you said about yourself when you joined, with %(matches)d placement match.",
        "You start from what you said about yourself when you joined, with %(matches)d placement matches.",
        "matches",
    ),
    "start_other_queues": ngettext_lazy(
        "You start from your matches in %(queues)s, with %(matches)d placement match.",
        "You start from your matches in %(queues)s, with %(matches)d placement matches.",
        "matches",
    ),
    "start_other_queues_and_answer": ngettext_lazy(
        "You start from your matches in %(queues)s and what you said about yourself when you joined, with %(matches)d "
        "placement match.",
        "You start from your matches in %(queues)s and what you said about yourself when you joined, with %(matches)d "
        "placement matches.",
        "matches",
    ),
    "held_by_reset": ngettext_lazy(
        "A new season moves nobody further than %(leave)d division from where it let them start.",
        "A new season moves nobody further than %(leave)d divisions from where it let them start.",
        "leave",
    ),
    "reset": ngettext_lazy(
        "Your rank was %(before)s; the new season lets you start from %(start)s, and your first rank lies within "
        "%(leave)d division of it.",
        "Your rank was %(before)s; the new season lets you start from %(start)s, and your first rank lies within "
        "%(leave)d divisions of it.",
        "leave",
    ),
    "start_earlier_season": ngettext_lazy(
        "What we know of you from an earlier season is kept; %(matches)d placement match finds your new rank.",
        "What we know of you from an earlier season is kept; %(matches)d placement matches find your new rank.",
        "matches",
    ),
}
_DECAY = {
    "decay": ngettext_lazy(
        "You had not played for %(days)d day, so your rank fades: %(delta)s, to %(rank)s with %(points)d points.",
        "You had not played for %(days)d days, so your rank fades: %(delta)s, to %(rank)s with %(points)d points.",
        "days",
    ),
    "decay_foot": _("It fades no further than %(rank)s."),
    "decay_stops": _("A match stops it; what we know of your skill stays."),
}
_OTHERS = {
    "model_change": _("The club changed how it estimates skill; your rank stays."),
    "correction": _(
        "The staff of your club corrected what it believes of your skill. Your rank stays, and follows as you play."
    ),
}
_UNDONE = {
    "win_back": _("The staff of your club took back the match of %(day)s that you had won."),
    "draw_back": _("The staff of your club took back the match of %(day)s that you had drawn."),
    "loss_back": _("The staff of your club took back the match of %(day)s that you had lost."),
    "unplayed_back": _("The staff of your club took back the match of %(day)s, in which you had not played."),
    "win_again": _("The match of %(day)s that you had won counts again."),
    "draw_again": _("The match of %(day)s that you had drawn counts again."),
    "loss_again": _("The match of %(day)s that you had lost counts again."),
    "unplayed_again": _("The match of %(day)s, in which you had not played, counts again."),
    "others_back": _("Matches that mattered for those you played were taken back, so your rank was counted anew."),
    "others_again": _("Matches that mattered for those you played count again, so your rank was counted anew."),
    "moves_with_others": _("Your rank was counted once for all the matches handled then."),
    "rank_moves": _("Your rank: %(delta)s."),
    "rank_is": _("Your rank is %(rank)s now."),
    "rank_after_placement": _("Your rank appears when placement is over."),
}
_SENTENCES = {**_DECAY, **_UNDONE, **_CHANCE, **_KNOWN, **_PAY, **_REDUCED, **_NOTES, **_PLACEMENT, **_OTHERS}


def sentence(fact: Fact) -> str:
    """The fact in the reader's language."""
    code = "promoted_unshielded" if fact.code == "promoted" and not fact.values["shield"] else fact.code
    if code.startswith("reduced_") and code not in _SENTENCES:
        code = "reduced"
    return str(_SENTENCES[code] % dict(fact.values))
