/** A Python, as it is told apart from others. */
export interface Interpreter {
  readonly path: string;
  readonly version: string | null;
  /** Of the names of what is installed beside it; null: not asked. It tells whether an environment that is not ours was changed. */
  readonly packages: string | null;
}

/** A GPU, as far as trust in an environment depends on it. */
export interface Card {
  readonly uuid: string;
  readonly model: string;
  readonly driver: string;
}
