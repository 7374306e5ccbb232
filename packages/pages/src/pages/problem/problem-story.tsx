import type { UnmetRequirement } from "latchkey";

import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { RecentSignIn } from "../../components/recent-sign-in.tsx";
import type { ProblemPageFacts } from "./problem-facts.ts";
import type { PageProblem } from "./page-problem.ts";

/** What happened, in the visitor's words. */
export function ProblemStory({
  problem,
  facts,
}: {
  problem: PageProblem;
  facts: ProblemPageFacts;
}) {
  switch (problem.kind) {
    case "organization":
      return problem.organization && <OrganizationStory organization={problem.organization} />;
    case "email-domain":
      return <EmailStory organization={problem.organization} former={facts.email} />;
    case "loop":
      return <LoopStory />;
    case "provider-refused":
      return <RefusalStory providerText={problem.providerText} />;
    case "sign-in-refused":
      return <RefusedByAppStory appText={problem.appText} />;
    case "session-too-large":
      return <TooLargeStory largestParts={problem.largestParts ?? []} />;
    case "forbidden":
      return <ForbiddenStory unmet={problem.unmet ?? []} email={facts.email} />;
    case "server-error":
      return (
        <>
          <p className="lead">
            <Message
              id={
                problem.reason === "store_unavailable"
                  ? "problem.server-error.store"
                  : "problem.server-error.body"
              }
            />
          </p>
          {facts.formPosted === true && (
            <p>
              <Message id="problem.server-error.form" />
            </p>
          )}
        </>
      );
    default:
      return (
        <p className="lead">
          <Message id={`problem.${problem.kind}.body`} />
        </p>
      );
  }
}

interface ForbiddenStoryProps {
  readonly unmet: readonly UnmetRequirement[];
  readonly email: string | undefined;
}

function ForbiddenStory({ unmet, email }: ForbiddenStoryProps) {
  const { words } = usePageFrame();
  /** All scopes are needed, of anything else one is enough. */
  const inWords = (part: UnmetRequirement["part"], required: readonly string[]) =>
    new Intl.ListFormat(words.locale, {
      type: part === "scope" ? "conjunction" : "disjunction",
    }).format(required);
  return (
    <>
      <p className="lead">
        <Message
          id={email === undefined ? "problem.forbidden.body" : "problem.forbidden.bodyAs"}
          values={{ email }}
        />
      </p>
      {unmet.some(({ part }) => part !== "rule") && (
        <ul className="causes">
          {unmet.map(({ part, name = "", required }) =>
            part === "rule" ? null : (
              <li key={part + name}>
                {part === "maxAge" ? (
                  <RecentSignIn seconds={Number(required[0])} />
                ) : (
                  <Message
                    id={`problem.forbidden.${part}`}
                    values={{ name, required: inWords(part, required) }}
                  />
                )}
              </li>
            ),
          )}
        </ul>
      )}
    </>
  );
}

function RefusalStory({ providerText }: { providerText: string | undefined }) {
  const body = providerText === undefined ? "bodyNone" : "body";
  return (
    <p className="lead">
      <Message
        id={`problem.provider-refused.${body}`}
        values={{ description: providerText }}
        tags={{ said: (content) => <span className="said">{content}</span> }}
      />
    </p>
  );
}

/** The app's own sentence, in whatever language it is. */
function RefusedByAppStory({ appText }: { appText: string | undefined }) {
  return (
    <p className="lead" dir="auto">
      {appText ?? <Message id="problem.sign-in-refused.body" />}
    </p>
  );
}

/** The large parts are named by their claims, which account administrators know. */
function TooLargeStory({ largestParts }: { largestParts: readonly string[] }) {
  return (
    <>
      <p className="lead">
        <Message id="problem.session-too-large.body" />
      </p>
      {largestParts.length > 0 && (
        <>
          <p>
            <Message id="problem.session-too-large.largest" />
          </p>
          <ul className="causes">
            {largestParts.map((part) => (
              <li key={part}>
                <code dir="ltr">{part}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function LoopStory() {
  const { site } = usePageFrame();
  return (
    <>
      <p className="lead">
        <Message id="problem.loop.body" />
      </p>
      <p>
        <Message id="problem.loop.causes" />
      </p>
      <ul className="causes">
        <li>
          <Message id="problem.loop.cause1" />
        </li>
        <li>
          <Message id="problem.loop.cause2" values={{ url: site.baseURL }} />
        </li>
        <li>
          <Message id="problem.loop.cause3" />
        </li>
      </ul>
    </>
  );
}

interface EmailStoryProps {
  /** With the domains that are admitted, if they are revealed. */
  readonly organization: PageProblem["organization"];
  /** Who is still signed in here. */
  readonly former: string | undefined;
}

function EmailStory({ organization, former }: EmailStoryProps) {
  const { email, expected = "", isUnconfirmed = false } = organization ?? {};
  const body = isUnconfirmed ? "unconfirmed" : expected === "" ? "bodySome" : "body";
  return (
    <>
      <p className="lead">
        <Message id={`problem.email-domain.${body}`} values={{ email, domains: expected }} />
      </p>
      {former !== undefined && (
        <p>
          <Message id="problem.email-domain.former" values={{ former }} />
        </p>
      )}
    </>
  );
}

interface OrganizationStoryProps {
  readonly organization: NonNullable<PageProblem["organization"]>;
}

function OrganizationStory({ organization }: OrganizationStoryProps) {
  const { site } = usePageFrame();
  const { expected, actual, email } = organization;
  const support = site.support?.name;
  const values = { organization: expected, actual, email, support };
  const unknown = email === undefined ? "Unknown" : "";
  const none = actual === undefined ? "None" : "";
  return (
    <>
      <p className="lead">
        <Message id={`problem.organization.body${unknown}${none}`} values={values} />
      </p>
      <p>
        <Message
          id={
            support === undefined ? "problem.organization.askNoSupport" : "problem.organization.ask"
          }
          values={values}
        />
      </p>
    </>
  );
}
