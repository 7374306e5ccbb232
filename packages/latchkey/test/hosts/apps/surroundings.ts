/** What the example applications find around them. */
export interface Surroundings {
  /** Address of another server, whose response `/fetched` passes on. */
  readonly upstream: string;
  /** Folder of the static files. */
  readonly files: string;
}
