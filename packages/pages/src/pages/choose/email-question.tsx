import type { SignInChoice } from "latchkey";
import type { ReactNode } from "react";

import { Message } from "../../components/message.tsx";

type EmailField = NonNullable<SignInChoice["email"]>;

interface EmailQuestionProps {
  readonly field: EmailField;
  /** Whether there is no other way. */
  readonly isOnly: boolean;
  /** The ways that need no address. */
  readonly children: ReactNode;
}

/** The field for the email address, before or after the buttons for people who need none. */
export function EmailQuestion({ field, isOnly, children }: EmailQuestionProps) {
  const question = <Question field={field} look={isOnly ? "button" : "button quiet"} />;
  if (isOnly) return question;
  const or = (
    <p className="or quiet">
      <Message id="choose.or" />
    </p>
  );
  if (field.isFirst) {
    return (
      <>
        {question}
        {or}
        {children}
      </>
    );
  }
  return (
    <>
      {/* Enter in a field presses the first button of its form. */}
      <button className="unseen" tabIndex={-1} aria-hidden="true">
        <Message id="choose.continue" />
      </button>
      {children}
      {or}
      {question}
    </>
  );
}

interface QuestionProps {
  readonly field: EmailField;
  /** Class names of the button. */
  readonly look: string;
}

function Question({ field: { value, fault }, look }: QuestionProps) {
  const isWrong = fault !== undefined;
  return (
    <div className="email">
      <label htmlFor="email">
        <Message id="choose.email" />
      </label>
      <p id="email-hint" className="quiet">
        <Message id="choose.emailHint" />
      </p>
      <input
        id="email"
        type="email"
        name="email"
        autoComplete="username"
        required
        defaultValue={value}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the answer to what was sent
        autoFocus={isWrong}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? "email-fault email-hint" : "email-hint"}
      />
      {fault !== undefined && (
        <p id="email-fault" className="fault">
          {fault === "malformed" ? (
            <Message id="choose.malformed" />
          ) : (
            <Message id="choose.unknown" values={{ domain: domainOf(value) }} />
          )}
        </p>
      )}
      <button className={look}>
        <Message id="choose.continue" />
      </button>
    </div>
  );
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).trim();
}
