/** What the suite must know of a host: `conformance/<host>/host.ts` says it. */
export interface HostDescription {
  /** As people call it. */
  readonly title: string;
  /** Whether the fixture has pages for people. */
  readonly hasPages: boolean;
  /** Whether the framework's client navigates between them without loading a document. */
  readonly hasClientRouter: boolean;
  /** Paths that need no sign-in beside those of every host. */
  readonly publicPaths?: string;
  /**
   * Whether the framework decides before a page is rendered which headers it has: then a page is private wherever
   * somebody is signed in, `Vary` is the framework's, and a page leads to login with a redirect of its own.
   */
  readonly pagesHaveHeadersOfTheirOwn?: boolean;
  /** Where the process can keep its sessions beside its memory. */
  readonly hasRedis: boolean;
  /** What the framework's own server answers with a 500 of its own, before sign-in sees it. */
  readonly failsAt?: {
    readonly methods?: readonly string[];
    readonly absoluteTargets?: boolean;
  };
  /** Folder of what browsers load, below the host's own; none where the fixture has no bundle for browsers. */
  readonly clientFolder?: string;
  /** Files that the test of the dev server (`npm run dev`) edits; none where the framework has no such server. */
  readonly hotReload?: {
    /** Of the page `/private`. */
    readonly page: string;
    /** The one that makes the sign-in. */
    readonly auth: string;
  };
}
