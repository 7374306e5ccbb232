/** A form that waits to be sent, for the page that offers it again. */
export interface FormToSend {
  /** Where it is posted: an absolute address of the app. */
  readonly action: string;
  /** They stay out of sight; a name may come more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The home page of the app, for whoever does not want to send it. */
  readonly homeURL: string;
}
