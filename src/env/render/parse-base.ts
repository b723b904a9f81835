/** What a spec's `base` asks for. */
export type Base =
  /** A Python of this version, in whatever the provider has; null: any. */
  | { readonly kind: "python"; readonly python: string | null }
  /** An environment made by this tool. A path stands for an interpreter. */
  | { readonly kind: "venv" | "uv" | "conda"; readonly python: string | null }
  | { readonly kind: "image"; readonly image: string };

const PYTHON =
  /^(?:python[:=]{0,2})?(\d+(?:\.\d+){1,2}|(?<=:)3)(?:-(?:slim|bookworm|bullseye|trixie|slim-\w+))?$/i;
const TOOL = /^(venv|uv|conda)(?:[:=](.+))?$/i;
const VERSION = /^(?:python[:=]{0,2})?(\d+(?:\.\d+){0,2})$/i;

/**
 * Reads `base`: `python:3.11`, `python:3.11-slim`, `3.11`, `python3.11`; `venv`, `uv:3.11`, `conda:python=3.11`,
 * `venv:/opt/python/bin/python3`; anything else is the name of a container image.
 */
export function parseBase(base: string | null): Base {
  const text = base?.trim() ?? "";
  if (text === "" || /^python3?$/i.test(text)) return { kind: "python", python: null };
  const python = PYTHON.exec(text);
  if (python) return { kind: "python", python: python[1] as string };
  const tool = TOOL.exec(text);
  const wanted = tool?.[2]?.trim() ?? null;
  if (!tool) return { kind: "image", image: text };
  const kind = (tool[1] as string).toLowerCase() as "venv" | "uv" | "conda";
  if (wanted === null || /^python3?$/i.test(wanted)) return { kind, python: null };
  return { kind, python: VERSION.exec(wanted)?.[1] ?? wanted };
}
