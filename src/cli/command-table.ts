import type { CommandEntry } from "./define-command.ts";

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  init: { summary: "write a section that says where work runs", load: () => import("./commands/init.ts") },
  targets: { summary: "list the targets of this project", load: () => import("./commands/targets.ts") },
  trust: {
    summary: "trust the lines of a project that would be run",
    load: () => import("./commands/trust.ts"),
  },
  gpus: {
    summary: "show which GPUs are free, and who holds the others",
    load: () => import("./commands/gpus.ts"),
  },
  doctor: {
    summary: "check what Sortie needs, and say what is wrong",
    load: () => import("./commands/doctor.ts"),
  },
  env: {
    summary: "specify, build and verify environments, and keep their ledger",
    load: () => import("./commands/env.ts"),
  },
  run: { summary: "plan, confirm and launch one experiment", load: () => import("./commands/run.ts") },
  rerun: { summary: "plan an earlier run anew", load: () => import("./commands/rerun.ts") },
  confirm: { summary: "run a printed plan", load: () => import("./commands/confirm.ts") },
  ls: { summary: "list runs", load: () => import("./commands/ls.ts") },
  show: { summary: "show all that is known of a run", load: () => import("./commands/show.ts") },
  compare: { summary: "compare the metrics of runs", load: () => import("./commands/compare.ts") },
  plot: { summary: "draw metrics of runs as SVG or PNG", load: () => import("./commands/plot.ts") },
  logs: { summary: "read or follow a run's log", load: () => import("./commands/logs.ts") },
  wait: { summary: "wait for a run's end", load: () => import("./commands/wait.ts") },
  stop: { summary: "stop a run and make sure of it", load: () => import("./commands/stop.ts") },
  collect: { summary: "bring a run's results home", load: () => import("./commands/collect.ts") },
  wandb: {
    summary: "log to W&B: instrument scripts, send runs, bring curves home",
    load: () => import("./commands/wandb.ts"),
  },
  vast: {
    summary: "machines of Vast.ai: what is to be had, what you have, destroying",
    load: () => import("./commands/vast.ts"),
  },
  ssh: { summary: "open a shell where a run runs", load: () => import("./commands/ssh.ts") },
  clean: { summary: "forget ended runs that are home", load: () => import("./commands/clean.ts") },
  adopt: { summary: "take up runs from their job folders", load: () => import("./commands/adopt.ts") },
  challenge: {
    summary: "log in, submit, watch and read scores of a challenge",
    load: () => import("./commands/challenge.ts"),
  },
  agent: {
    summary: "serve a policy to a challenge, as one agent",
    load: () => import("./commands/agent.ts"),
  },
  agents: {
    summary: "launch a fleet of agents, one GPU each; list, read and end them",
    load: () => import("./commands/agents.ts"),
  },
  rehearse: {
    summary: "play a whole challenge job on this machine, and check everything",
    load: () => import("./commands/rehearse.ts"),
  },
  gateway: {
    summary: "host a challenge: API, tunnels, simulators, scores",
    load: () => import("./commands/gateway.ts"),
  },
  replay: {
    summary: "play recorded sessions to a handler, and compare its actions",
    load: () => import("./commands/replay.ts"),
  },
  notify: {
    summary: "try how you are told of runs, and list what was told",
    load: () => import("./commands/notify.ts"),
  },
  completion: {
    summary: "print the completion script for bash, zsh or fish",
    load: () => import("./commands/completion.ts"),
  },
  "modal-follow": {
    summary: "follow a run at Modal",
    load: () => import("./commands/modal-follow.ts"),
    hidden: true,
  },
  watch: { summary: "watch over runs", load: () => import("./commands/watch.ts"), hidden: true },
};
