/** How a run's code gets to its host. */
export type SyncTerms = RsyncTerms;

/** The files of the project folder are sent as they are; the list of them lies with the plan. */
export interface RsyncTerms {
  readonly kind: "rsync";
  /** The project folder at home. */
  readonly source: string;
  /** Of all that is sent: names, contents, modes. */
  readonly hash: string;
  readonly files: number;
  readonly bytes: number;
}
