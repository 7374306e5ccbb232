/** What the suite must know of a host: `conformance/<host>/host.ts` says it. */
export interface HostDescription {
  /** As people call it. */
  readonly title: string;
  /** Whether the fixture has pages for people. */
  readonly hasPages: boolean;
  /**
   * The files of the example with the sign-in, in which a copy mounts `@latchkey/pages` and adds an
   * MCP server. None if the example does so itself when `WITH_PAGES` or `API_ISSUER` is set.
   */
  readonly authFiles?: readonly string[];
  /** What every copy of the example needs, in a folder of it. */
  readonly inCopies?: readonly Addition[];
  /** Whether the framework's client navigates between them without loading a document. */
  readonly hasClientRouter: boolean;
  /** Paths without a sign-in, beside those of every host. */
  readonly publicPaths?: string;
  /**
   * Whether the framework decides on headers before a page is rendered. Then each page with a
   * session is private, `Vary` is the framework's, and a page leads to login with its own redirect.
   */
  readonly pagesHaveHeadersOfTheirOwn?: boolean;
  /** Whether the framework's own response to an error leaves out earlier cookies. */
  readonly errorsCarryNoCookies?: boolean;
  /** Whether the example takes access tokens of the issuer in `API_ISSUER`. */
  readonly hasAPI?: boolean;
  /** The stores that the process can use, besides its memory. */
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
  /**
   * The folder of files for browsers, below the folder of the host. None without a bundle for
   * browsers.
   */
  readonly clientFolder?: string;
  /** The files edited by tests of the dev server (`npm run dev`). None without such a server. */
  readonly devServer?: {
    /** File of the page `/private`. */
    readonly page: string;
    /** Whether an edit restarts the server, so that its memory is lost. */
    readonly losesMemory?: boolean;
  };
  /** Serves a copy of the example below `/shop`. None if tests of the host prove it. */
  readonly belowShop?: readonly Addition[];
  /** The address for the data of the page `/private`, if the framework's client requests them. */
  readonly dataAddress?: string;
}

/** Text to put behind other text of a file, which may be a new one. */
export interface Addition {
  readonly file: string;
  readonly behind: string;
  readonly put: string;
}
