import { type HandlerErrorCode, LatchkeyError } from "./latchkey-error.ts";
import { nameErrors } from "./name-errors.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

/** The handlers of the specification's error catalogue (section 8). */
export const handlerFailures = {
  login: { code: "ERR_LOGIN_HANDLER_FAILURE", text: "Login handler failed." },
  callback: { code: "ERR_CALLBACK_HANDLER_FAILURE", text: "Callback handler failed." },
  logout: { code: "ERR_LOGOUT_HANDLER_FAILURE", text: "Logout handler failed." },
  me: { code: "ERR_PROFILE_HANDLER_FAILURE", text: "Profile handler failed." },
} as const;

/** Returns what went wrong: the name of a handler helps no user, and the reference leads to it. */
export function withoutHandler(message: string): string {
  return message.replace(/^\w+ handler failed\. CAUSE: /, "");
}

export type HandlerName = keyof typeof handlerFailures;

/** What the response to a failure still does for the person. */
export interface Recovery {
  /** `Set-Cookie` values, e.g. the clearing of the failed transaction. */
  readonly setCookies?: readonly string[];
  /** The user, if the provider has authenticated one; see `userTag`. */
  readonly subTag?: string | undefined;
  /** The connection of the sign-in, for the address of login; see `Connection.named`. */
  readonly connection?: string | undefined;
  /** The requested page, if it is known. */
  readonly returnTo?: string | undefined;
  /** Whether the sign-in is for a shared computer, as the parameter of login. */
  readonly shared?: "1" | undefined;
  /** The address to which the page may send the browser by itself. */
  readonly redirectTo?: string | undefined;
}

/** A failed handler; `cause` is the reason, `status` the status of the response. */
export class HandlerError extends LatchkeyError<HandlerErrorCode> {
  readonly handler: HandlerName;
  readonly refusal: Refusal;
  readonly recovery: Recovery;
  /** The start of the failed sign-in, in epoch milliseconds, if it is known. */
  readonly started: number | undefined;

  constructor(
    handler: HandlerName,
    cause: unknown,
    { started, ...recovery }: Recovery & { readonly started?: number } = {},
  ) {
    const refusal = refusalOf(cause);
    const { code, text } = handlerFailures[handler];
    super(code, `${text} CAUSE: ${refusal.message}`, { cause });
    this.handler = handler;
    this.refusal = refusal;
    this.recovery = recovery;
    this.started = started;
  }

  get status(): number {
    return this.refusal.status;
  }
}

nameErrors({ HandlerError });
