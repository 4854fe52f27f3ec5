"""Who may see the addresses outside of clubs. Those below /c/ carry their capability on the view itself."""

OPEN = "everybody"
SIGNED_IN = "whoever is signed in"

OUTSIDE_CLUBS = {
    "home": OPEN,
    "now": OPEN,  # an empty answer to strangers
    "healthz": OPEN,
    "readyz": OPEN,
    "me": SIGNED_IN,
    "my_data": SIGNED_IN,
    "account_login": OPEN,
    "account_logout": OPEN,
    "account_inactive": OPEN,
    "account_signup": OPEN,
    "account_reauthenticate": SIGNED_IN,
    "account_request_reauthentication_code": SIGNED_IN,
    "account_confirm_reauthentication_code": SIGNED_IN,
    "account_email": SIGNED_IN,
    "account_email_verification_sent": OPEN,
    "account_change_password": SIGNED_IN,
    "account_set_password": SIGNED_IN,
    "account_reset_password": OPEN,
    "account_confirm_login_code": OPEN,
    "account_confirm_email": OPEN,
    "account_reset_password_from_key_done": OPEN,
    "account_reset_password_from_key": OPEN,
    "account_reset_password_done": OPEN,
}

# Doors behind the door: who may open the page may still be no part of what it does. Name -> why.
REFUSED_INSIDE = {
    "match_report": "only who plays in the match reports it",
    "match_confirm": "only the other side confirms",
    "match_dispute": "only the other side disputes",
    "match_withdraw": "only the reporter takes a report back",
    "match_cancel": "only who plays in the match calls it off",
    "match_decide": "there is nothing to decide before a dispute",
    "check_accept": "only who was asked answers",
    "check_decline": "only who was asked answers",
    "desk_lift_ban": "nobody named is banned",
}
