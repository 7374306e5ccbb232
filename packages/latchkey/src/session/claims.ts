/** What the provider says of a person. Always a `sub`; the rest depends on scope and provider. */
export interface Claims {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  /** Some providers, such as Cognito, send `"true"` or `"false"` as text. */
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly sid?: string;
  readonly org_id?: string;
  readonly org_name?: string;
  readonly [claim: string]: unknown;
}
