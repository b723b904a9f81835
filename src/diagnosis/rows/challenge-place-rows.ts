import { formatDuration } from "../../base/duration.ts";
import { defineContestRows, findOnce } from "../contest-row.ts";

/** A clock further off than this makes tokens look expired, or certificates not yet good. */
const FAR_OFF_S = 300;

/** Where the contestant works: the way to the challenge, the clock, the state file, the environment. */
export const challengePlaceRows = defineContestRows([
  {
    code: "gateway_answers",
    what: "gateway",
    level: "ok",
    find: ({ api }) => findOnce(api.state === "answers", { baseUrl: api.baseUrl }),
    cause: "The challenge answers.",
    evidence: "{baseUrl}",
    next: null,
  },
  {
    code: "gateway_away",
    what: "gateway",
    level: "bad",
    find: ({ api }) => findOnce(api.state === "away", { baseUrl: api.baseUrl, said: api.said }),
    cause: "The challenge cannot be reached from here, so nothing is known of the login and the job.",
    evidence: "{baseUrl}: {said}",
    next: "Check the address and the network; agents that run dial again by themselves. Then `sortie doctor --job` once more; with another address, `sortie challenge login --base-url URL`.",
  },
  {
    code: "gateway_trouble",
    what: "gateway",
    level: "bad",
    find: ({ api }) => findOnce(api.state === "trouble", { said: api.said }),
    cause: "The challenge is in trouble. Some answer so, too, to a login token that they do not know.",
    evidence: "{said}",
    next: "Wait a minute, then `sortie doctor --job` once more; if it stays so, `sortie challenge login`.",
  },
  {
    code: "gateway_odd",
    what: "gateway",
    level: "bad",
    find: ({ api }) => findOnce(api.state === "odd", { said: api.said }),
    cause: "What answers there is not the challenge's API.",
    evidence: "{said}",
    next: "Check the address: that of a website may not be that of the API. Another one is set by `sortie challenge login --base-url URL`.",
  },
  {
    code: "clock_off",
    what: "clock",
    level: "bad",
    find: ({ clockAheadS }) =>
      findOnce(clockAheadS !== null && Math.abs(clockAheadS) > FAR_OFF_S, describeClock(clockAheadS ?? 0)),
    cause: "This machine's clock is far off: tokens seem expired that are good, and the other way round.",
    evidence: "this clock is {amount} {side} the challenge's",
    next: "Set the clock: `timedatectl status` shows whether it is kept by itself. Sortie goes by what the challenge says.",
  },
  {
    code: "state_file_unreadable",
    what: "state file",
    level: "bad",
    find: ({ stateFile: { path, fault } }) => findOnce(fault !== null, { path, fault: fault ?? "" }),
    cause: "The state file cannot be read, so its login and job are not known.",
    evidence: "{path}: {fault}",
    next: "Make it a file of yours that you can read, or move it away and `sortie challenge login` again.",
  },
  {
    code: "state_file_open",
    what: "state file",
    level: "bad",
    find: ({ stateFile: { path, isOpen } }) => findOnce(isOpen, { path }),
    cause: "Others on this machine can read your tokens.",
    evidence: "{path} is open to others",
    next: "`chmod 600 {path}`",
  },
  {
    code: "state_file_broken",
    what: "state file",
    level: "bad",
    find: ({ stateFile: { path, unread } }) =>
      unread.map(({ name, line }) => ({ path, name, line: String(line) })),
    cause: "A line of the state file cannot be read without a shell, so {name} is not known.",
    evidence: "{path} line {line}",
    next: "Write the line as {name}='value', or have it written anew by `sortie challenge login` or `sortie challenge submit`.",
  },
  {
    code: "base_url_ignored",
    what: "gateway",
    level: "warning",
    find: ({ environment: { otherBaseUrl }, api: { baseUrl } }) =>
      findOnce(otherBaseUrl !== null, { otherBaseUrl: otherBaseUrl ?? "", baseUrl }),
    cause: "BASE_URL of the environment is not used: too many programs set one for themselves.",
    evidence: "BASE_URL is {otherBaseUrl}, {baseUrl} is asked",
    next: "If that one is meant: `sortie challenge login --base-url {otherBaseUrl}`; else `unset BASE_URL`.",
  },
  {
    code: "proxy_variables",
    what: "proxy",
    level: "warning",
    find: ({ environment: { proxies, proxied } }) =>
      findOnce(proxies.length > 0, {
        names: proxies.map(({ name, host }) => `${name} (${host})`).join(", "),
        hosts: proxied.join(","),
      }),
    cause:
      "Proxy variables are set. Sortie goes direct; other programs, such as an agent of --runner, may take the proxy, which cuts long connections.",
    evidence: "{names}",
    next: "`export NO_PROXY={hosts}` keeps them away. If nothing gets out but by the proxy, an agent takes it with `sortie agent --proxy env`.",
  },
]);

function describeClock(aheadS: number) {
  return { amount: formatDuration(Math.abs(aheadS)), side: aheadS > 0 ? "ahead of" : "behind" };
}
