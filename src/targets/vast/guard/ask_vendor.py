"""Sends one PUT with the key from standard input, and prints the answer and, on the last line, the HTTP status."""

import sys
import urllib.error
import urllib.request
from typing import Any


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key goes to the one address that was named."""

    def redirect_request(self, *_: Any) -> None:
        return None


def ask(url: str, body: str, key: str) -> "tuple[str, int]":
    headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
    request = urllib.request.Request(url, body.encode(), headers, method="PUT")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect())
    try:
        with opener.open(request, timeout=60) as answer:
            return answer.read(100000).decode("utf-8", "replace"), answer.status
    except urllib.error.HTTPError as error:
        return error.read(100000).decode("utf-8", "replace"), error.code


text, status = ask(sys.argv[1], sys.argv[2], sys.stdin.read().strip())
print(text)
print(status)
