import { expect, it } from "vitest";
import { readInterpreter } from "./find-python.ts";

it.each([
  ["#!/venv/bin/python\n", "/venv/bin/python"],
  ["#!/usr/bin/python3.12 -sE\n", "/usr/bin/python3.12"],
  ["#!/usr/bin/env python3\n", "python3"],
  [`#!/bin/sh\n'''exec' "/a b/bin/python" "$0" "$@"\n' '''\n`, "/a b/bin/python"],
  [`#!/bin/sh\n'''exec' /venv/bin/python "$0" "$@"\n' '''\n`, "/venv/bin/python"],
  [`#!/bin/sh\n'''exec' "$(dirname -- "$0")"/'python' "$0" "$@"\n' '''\n`, null],
  ["#!/bin/sh\nexec wandb\n", null],
  ["\x7fELF", null],
])("finds in %j the Python %s", (head, python) => {
  expect(readInterpreter(head)).toBe(python);
});
