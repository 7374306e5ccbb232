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
  /** Whether the framework's own response to an error leaves out the cookies that were set before. */
  readonly errorsCarryNoCookies?: boolean;
  /** Where the process can keep its sessions beside its memory. */
  readonly hasRedis: boolean;
  /** What the framework's own server answers with a 500 of its own, before sign-in sees it. */
  readonly failsAt?: {
    readonly methods?: readonly string[];
    readonly absoluteTargets?: boolean;
    /** `Host` headers of which it can make no address. */
    readonly hosts?: readonly string[];
    /** Whether its parser answers whatever is malformed with a 500. */
    readonly malformed?: boolean;
  };
  /** Folder of what browsers load, below the host's own; none where the fixture has no bundle for browsers. */
  readonly clientFolder?: string;
  /** What tests of the dev server (`npm run dev`) edit; none where the framework has no such server. */
  readonly devServer?: {
    /** File of the page `/private`. */
    readonly page: string;
    /** The file that makes the sign-in. */
    readonly auth: string;
    /** Whether an edit starts it anew, so that its memory is lost. */
    readonly losesMemory?: boolean;
    /** What a copy of the example needs, in a folder of it. */
    readonly always?: readonly Addition[];
  };
  /** What serves a copy of the example below `/shop`; none where tests of the host prove that. */
  readonly belowShop?: readonly Addition[];
  /** The address of the data of the page `/private`, where the framework's client asks for them. */
  readonly dataAddress?: string;
}

/** Text to put behind other text of a file, which may be a new one. */
export interface Addition {
  readonly file: string;
  readonly behind: string;
  readonly put: string;
}
