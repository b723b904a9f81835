import { expect, it } from "vitest";
import { chooseTool } from "./choose-tool.ts";

it.each([
  [null, "venv", null],
  ["python:3.11-slim", "venv", "3.11"],
  ["3.12", "venv", "3.12"],
  ["venv:/opt/python/bin/python3", "venv", "/opt/python/bin/python3"],
  ["uv", "uv", null],
  ["conda:python=3.11", "conda", "3.11"],
])("%s is built by %s", (base, tool, python) => {
  expect(chooseTool(base)).toEqual({ tool, python, warning: null });
});

it("takes other names for images, and says what may have been meant", () => {
  const { tool, warning } = chooseTool("pytorch/pytorch:2.3.1-cuda12.1-cudnn8-runtime");
  expect(tool).toBe("venv");
  expect(warning).toContain("cudnn8-runtime is a container image; on a host");
  expect(chooseTool("pyhton:3.11").warning).toContain("did you mean python?");
  expect(chooseTool("vnev").warning).toContain("did you mean venv?");
});
