/** The server could not be asked about the session, or its response could not be used. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** HTTP status of the response; 0 when there was no response. */
  readonly status: number;

  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
