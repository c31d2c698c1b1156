"""Rules of Markdown as GitHub and Sphinx read it."""
import re


def anchor(title):
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
