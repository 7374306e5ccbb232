/** A request for the session failed, or its response was unusable. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** HTTP status of the response; 0 when there was no response. */
  readonly status: number;

  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
