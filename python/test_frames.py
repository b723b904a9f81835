"""The worker's frames, against the fixtures that the TypeScript side is tested with.

`python3 -m unittest discover -s python` runs these tests alone.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import unittest
from pathlib import Path
from typing import Any

from sortie_frames import TYPES, Channel, Frame, make_header

FIXTURES = Path(__file__).parent.parent / "fixtures" / "wire" / "worker-frames.json"
RECORDED: dict[str, Any] = json.loads(FIXTURES.read_text(encoding="utf-8"))


def open_channel() -> tuple[Channel, socket.socket, socket.socket]:
    """A channel, and the agent's ends of both of its sockets."""
    calls, calls_fd = socket.socketpair()
    answers, answers_fd = socket.socketpair()
    return Channel(calls_fd.detach(), answers_fd.detach()), calls, answers


class Frames(unittest.TestCase):
    def setUp(self) -> None:
        self.channel, self.calls, self.answers = open_channel()

    def tearDown(self) -> None:
        self.calls.close()
        self.answers.close()
        self.channel.close()

    def test_types_have_the_numbers_of_the_fixtures(self) -> None:
        self.assertEqual(TYPES, RECORDED["types"])

    def test_frames_are_made_as_recorded(self) -> None:
        for row in RECORDED["frames"]:
            with self.subTest(row["name"]):
                sid, payload = bytes.fromhex(row["sid"]), bytes.fromhex(row["payload"])
                self.channel.write(row["type"], sid, payload)
                expected = bytes.fromhex(row["frame"])
                self.assertEqual(self.answers.recv(len(expected) + 1), expected)

    def test_frames_are_read_as_recorded_whole_and_byte_by_byte(self) -> None:
        for row in RECORDED["frames"]:
            frame = Frame(row["type"], bytes.fromhex(row["sid"]), bytes.fromhex(row["payload"]))
            with self.subTest(row["name"]):
                self.calls.sendall(bytes.fromhex(row["frame"]))
                self.assertEqual(self.channel.read(), frame)
                sender = threading.Thread(target=self.send_slowly, args=(bytes.fromhex(row["frame"]),))
                sender.start()
                self.assertEqual(self.channel.read(), frame)
                sender.join()

    def send_slowly(self, stream: bytes) -> None:
        for byte in stream:
            self.calls.sendall(bytes([byte]))

    def test_what_can_be_no_frame_is_refused_by_name(self) -> None:
        for row in RECORDED["faults"]:
            channel, calls, answers = open_channel()
            with self.subTest(row["name"]):
                calls.sendall(bytes.fromhex(row["stream"]))
                with self.assertRaisesRegex(ValueError, f"^{row['fault']}$"):
                    channel.read()
            calls.close()
            answers.close()
            channel.close()

    def test_a_stream_that_ends_is_no_frame(self) -> None:
        whole = make_header("handle", b"s1", 3) + b"abc"
        for length in range(len(whole)):
            channel, calls, answers = open_channel()
            calls.sendall(whole[:length])
            calls.close()
            self.assertIsNone(channel.read())
            answers.close()
            channel.close()

    def test_large_frames_pass_in_both_directions(self) -> None:
        payload = os.urandom(8_000_000)
        frame = make_header("handle", b"s", len(payload)) + payload
        sender = threading.Thread(target=self.calls.sendall, args=(frame,))
        sender.start()
        self.assertEqual(self.channel.read(), Frame("handle", b"s", payload))
        sender.join()
        answer = threading.Thread(target=self.channel.write, args=("reply", b"s", memoryview(payload)))
        answer.start()
        self.assertEqual(self.answers.recv(8 + len(payload), socket.MSG_WAITALL)[8:], payload)
        answer.join()

    def test_an_answer_beyond_the_limit_is_refused_before_it_is_sent(self) -> None:
        with self.assertRaisesRegex(ValueError, "cannot be sent: at most 68,157,440 fit"):
            self.channel.write("reply", b"", bytes(66 * 1024 * 1024))


if __name__ == "__main__":
    unittest.main()
