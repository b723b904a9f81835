import { describe, expect, it } from "vitest";
import { cleanUrl, mayBeSameRemote } from "./remote-url.ts";

it.each([
  ["https://me:s3cret@host.example/org/r.git", "https://host.example/org/r.git"],
  ["https://s3cret@host.example:8443/r", "https://host.example:8443/r"],
  ["https://me:s3/cr@t@host.example/r", "https://host.example/r"],
  ["https://host.example/r?token=s3cret#s3cret", "https://host.example/r"],
  ["https://host.example/@scope/r", "https://host.example/@scope/r"],
  ["https://host.example:8443/@scope/r", "https://host.example:8443/@scope/r"],
  ["ssh://git:s3cret@host.example:22/org/r.git", "ssh://git@host.example:22/org/r.git"],
  ["git@host.example:org/r.git", "git@host.example:org/r.git"],
  ["/srv/git/it's a repository.git", "/srv/git/it's a repository.git"],
  ["file:///srv/git/r.git", "file:///srv/git/r.git"],
])("cleanUrl %s", (url, expected) => {
  expect(cleanUrl(url)).toBe(expected);
});

describe("mayBeSameRemote", () => {
  it.each([
    ["git@host.example:org/r.git", "https://host.example/org/r"],
    ["git@host.example:org/r.git", "work-alias:org/r.git"],
    ["ssh://git@host.example:2222/org/r.git/", "host.example:org/r"],
    ["ssh://me@nas/home/me/git/r.git", "nas:git/r.git"],
    ["nas:~/git/r.git", "nas:git/r.git"],
    ["/srv/git/r.git", "file:///srv/git/r.git"],
    ["/srv/git/r.git", "ssh://nas/srv/git/r.git"],
    ["ssh://[::1]:22/srv/r", "[::1]:/srv/r"],
    ["git@10.0.0.7:org/r", "git@git.host.example:org/r"],
  ])("%s may be %s", (one, other) => {
    expect(mayBeSameRemote(one, other)).toBe(true);
    expect(mayBeSameRemote(other, one)).toBe(true);
  });

  it.each([
    ["git@host.example:org/r.git", "git@host.example:org/s.git"],
    ["git@host.example:org/r.git", "git@host.example:me/r.git"],
    ["https://host.example/org/r", "https://mirror.example/org/r"],
    ["/srv/git/r.git", "/srv/git/other-r.git"],
    ["host.example:", "host.example:r"],
  ])("%s is not %s", (one, other) => {
    expect(mayBeSameRemote(one, other)).toBe(false);
    expect(mayBeSameRemote(other, one)).toBe(false);
  });
});
