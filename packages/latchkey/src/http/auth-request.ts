/** As much of a request as hooks and pages are given. A Web `Request` satisfies it. */
export interface AuthRequest {
  readonly method: string;
  /** The whole address. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}
