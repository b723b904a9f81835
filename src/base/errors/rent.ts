import { defineErrors } from "./define.ts";

/** Machines that are rented for runs, or that a target's section names. */
export const rentErrors = defineErrors({
  vast_instance_unnamed: {
    exit: 2,
    message: "The target {target} has an SSH address, and no vast_instance that it belongs to.",
    hint: "Add `- vast_instance: NUMBER` to its section, or take the address out to have a machine rented for each run.",
  },
  vast_instance_missing: {
    exit: 2,
    message: "The account has no instance {number}, which the target {target} names.",
    hint: "See what there is with `sortie vast ls`, and correct vast_instance; without it a machine is rented for each run.",
  },
  vast_instance_stopped: {
    exit: 5,
    retryable: true,
    message: "The instance {number} of the target {target} does not run: {status}.",
    hint: "Start it on the vendor's page, which costs from then on, and run the same command again. Nothing was done.",
  },
  vast_instance_unreachable: {
    exit: 5,
    retryable: true,
    message: "The instance {number} runs, and tells no address that its sshd can be reached at.",
    hint: "Look at it on the vendor's page: it may have been started without SSH. Nothing was done.",
  },
  vast_not_rented: {
    exit: 2,
    message: "No machine is rented for the target {target}: one is rented for each run.",
    hint: "`sortie run` shows a plan that rents one, `sortie vast search` shows what there is. For a machine of your own add vast_instance.",
  },
  instance_silent: {
    exit: 5,
    retryable: true,
    message: "{reason} Vast.ai says that the instance {number} runs, at {price} an hour.",
    hint: "{advice} What runs there may well go on; nothing is launched again, and nothing destroyed. What is there, and what ends its cost: `sortie vast ls`, `sortie vast destroy {number}`, or the vendor's page.",
  },
  instance_down: {
    exit: 5,
    retryable: true,
    message:
      "The instance {number} does not run: Vast.ai says {status}, seen so since {since}. It costs {price}.",
    hint: "Nothing is launched again, and nothing destroyed: its disk may hold what is not home yet. Start it on the vendor's page to have that, or end its cost with `sortie vast destroy {number}`.",
  },
  instance_stopped: {
    exit: 5,
    retryable: true,
    message:
      "The instance {number} does not run: Vast.ai says {status}, seen so since {since}. It costs {price}. Its guard stops it when the money or the hours of the plan are over, its GPUs idle for long, or nobody fetches the results.",
    hint: "Nothing is launched again, and nothing destroyed: its disk may hold what is not home yet. Start it on the vendor's page to have that; ~/.sortie/guard/guard.log there says what the guard did, and why. `sortie vast destroy {number}` ends its cost.",
  },
  instance_away: {
    exit: 5,
    message:
      "The account has no instance {number}, seen so since {since}: it was destroyed, or the key is another account's.",
    hint: "What is known of it: `sortie show`, `sortie logs`. Is the key the right one (`sortie vast ls`)? Then `sortie vast destroy {number}` puts an end to it here, too.",
  },
  instance_unknown: {
    exit: 2,
    message: "No run of yours is on an instance {number}, as far as is known here.",
    hint: "See `sortie vast ls`: one that was destroyed is not there. What Sortie does not know it leaves alone: destroy it on the vendor's page.",
  },
  instance_still_there: {
    exit: 5,
    retryable: true,
    message:
      "The instance {number} was to be destroyed, and the account still has it: it costs {price} an hour.",
    hint: "Run `sortie vast destroy {number}` again, and look at the vendor's page.",
  },
  rent_market_empty: {
    exit: 5,
    retryable: true,
    message: "No machine that fits is to be had. Looked for: {needs}.",
    hint: "{advice} See the market with `sortie vast search`.",
  },
  rent_no_offer: {
    exit: 5,
    retryable: true,
    message: "No machine that fits is to be had for {most} an hour or less; {tried} were tried.",
    hint: "See the market with `sortie vast search`; ask for less, or allow more with --max-price.",
  },
  rent_tries_used: {
    exit: 5,
    retryable: true,
    message: "None of {tries} machines came up. The last one: {reason}.",
    hint: "They are destroyed, and gone from the account. Plan the run again; another --gpu-name may do better.",
  },
  machine_open: {
    exit: 2,
    message: "{run} cannot be forgotten: {machine} may still cost money.",
    hint: "End that first: `{cleanup}`.",
  },
  results_restless: {
    exit: 5,
    retryable: true,
    message: "Results of {run} changed while they were copied: {files}.",
    hint: "Stop what writes there. It is tried again, and the machine stays, until what may be spent is spent.",
  },
  rent_cap_reached: {
    exit: 5,
    message: "What may be spent, {most}, is spent on machines that did not come up.",
    hint: "They are destroyed. Plan the run again; another --gpu-name may do better.",
  },
  rent_too_dear: {
    exit: 5,
    message: "The instance {number} costs {price} an hour, and at most {most} was agreed on",
    hint: "It is destroyed. Plan the run again.",
  },
  rent_not_up: {
    exit: 5,
    message: "the instance {number} {reason}",
    hint: "It is destroyed. Plan the run again.",
  },
  rent_key_absent: {
    exit: 2,
    message:
      "No SSH key of yours is on the account, so that no machine that it rents would let you in: {looked}.",
    hint: 'Put one there: `vastai create ssh-key "$(cat ~/.ssh/id_ed25519.pub)"`. Nothing was rented.',
  },
  rent_over_budget: {
    exit: 2,
    message:
      "{planned} would go beyond the budget of {budget} ({source}): {others} may cost {taken} already.",
    hint: "Wait until those are over, raise the budget, or give this run a cap of its own with --max-cost.",
  },
  rent_called_off: {
    exit: 130,
    message: "Called off: nothing was launched.",
    hint: "What had been rented is destroyed, or left as its plan says; `sortie vast ls` shows what there is.",
  },
  rent_code_changed: {
    exit: 4,
    message:
      "The project changed while its machine was being rented: what would be sent or built there is not what was confirmed.",
    hint: "Let its files rest meanwhile (a log of your own in the project changes them, too), and plan the run again. The machine: `sortie vast ls`.",
  },
  rent_unguarded: {
    exit: 5,
    message:
      "The instance {number} has no key of its own ({reason}): nothing on it could stop it when nobody comes.",
    hint: "Plan the run again with --unguarded to do without. The machine: `sortie vast ls`.",
  },
  rent_cap_missing: {
    exit: 3,
    message: "This costs money, and nothing says how much it may be: --yes alone never spends.",
    hint: "Give --max-cost DOLLARS, or set max_budget; or read the plan and confirm it: {confirm}",
  },
});
