"""The best run and the closest rival."""

from ladder.core.rivalry import Meeting, best_run, closest_rival


def meetings(text: str) -> list[Meeting[str]]:
    """ "bW bL cW": one meeting a word, the opponent and the letter."""
    return [Meeting(word[0], word[1]) for word in text.split()]


def test_the_best_run_counts_wins_in_a_row() -> None:
    assert best_run("LWWDWWWL") == 3
    assert best_run("") == 0


def test_the_most_even_score_is_the_closest_rival() -> None:
    rival = closest_rival(meetings("bW bW bW cW cL"))

    assert rival is not None
    assert (rival.opponent, rival.wins, rival.losses) == ("c", 1, 1)


def test_of_equally_even_scores_the_longer_one_counts() -> None:
    rival = closest_rival(meetings("cW cL bW bL bW bL"))

    assert rival is not None
    assert rival.opponent == "b"


def test_of_equal_scores_the_latest_meeting_counts() -> None:
    rival = closest_rival(meetings("bW bL cW cL"))

    assert rival is not None
    assert rival.opponent == "c"


def test_nobody_is_a_rival_after_one_meeting() -> None:
    assert closest_rival(meetings("bW cL")) is None
