export type Position = "step" | "epoch";

const NAMES: Readonly<Record<Position, readonly string[]>> = {
  step: [
    ...["step", "steps", "globalstep", "trainstep", "trainerglobalstep", "optimizerstep", "iter", "iters"],
    ...["iteration", "iterations", "it", "update", "updates", "numupdates", "batch", "minibatch", "round"],
    ...["totaltimesteps", "timestep", "timesteps"],
  ],
  epoch: ["epoch", "ep", "trainepoch", "currentepoch"],
};

const positions = new Map<string, Position>(
  (["step", "epoch"] as const).flatMap((position) =>
    NAMES[position].map((name) => [name, position] as const),
  ),
);

/** What a name counts, however it is spelt: `global_step`, `Train Epoch`, `trainer/global_step`; null for others. */
export function findPosition(name: string): Position | null {
  return positions.get(name.toLowerCase().replace(/[^a-z0-9]/g, "")) ?? null;
}
