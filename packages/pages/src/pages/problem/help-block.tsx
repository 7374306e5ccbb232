import { CopyButton } from "../../components/copy-button.tsx";
import { Message, useText } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { accessDetails } from "./access-details.ts";
import type { PageProblem } from "./page-problem.ts";
import { isRefusal } from "./problem-plans.ts";

/** What to report, at the end of every problem page, always in the same place. */
export function HelpBlock({ problem, copyFirst }: { problem: PageProblem; copyFirst: boolean }) {
  const say = useText();
  const { site, session } = usePageFrame();
  const accessURL = isRefusal(problem)
    ? site.accessURL?.(accessDetails(problem, session, site.baseURL))
    : undefined;
  return (
    <section className="help" aria-label={say("help.title")}>
      {accessURL === undefined ? (
        <p>
          <HelpLead isRefusal={isRefusal(problem)} />
        </p>
      ) : (
        <a className="button quiet" href={accessURL}>
          <Message id="help.requestAccess" />
        </a>
      )}
      <dl>
        <dt>
          <Message id="help.ref" />
        </dt>
        <dd>
          <code className="whole">{problem.reference}</code>
        </dd>
        <dt>
          <Message id="help.time" />
        </dt>
        <dd>
          <Moment at={Date.parse(problem.time) / 1000} style="zone" />
        </dd>
        <dt>
          <Message id="help.code" />
        </dt>
        <dd>
          <code className="whole">{problem.reason}</code>
        </dd>
      </dl>
      {!copyFirst && <CopyButton text={reportText(problem)} label="help.copy" />}
      <details>
        <summary>
          <Message id="help.tech" />
        </summary>
        <p lang="en" dir="ltr">
          <code>{problem.code}</code>
          <br />
          {problem.message}
          <br />
          {`HTTP ${problem.status} · ${problem.time} · ${site.host}`}
        </p>
      </details>
    </section>
  );
}

function HelpLead({ isRefusal: refused }: { isRefusal: boolean }) {
  const { site } = usePageFrame();
  const id = refused ? "help.access" : "help.lead";
  if (site.support === undefined) return <Message id={`${id}NoSupport`} />;
  const { name, url } = site.support;
  return (
    <Message
      id={id}
      values={{ support: name }}
      tags={{ to: (content) => (url === undefined ? content : <a href={url}>{content}</a>) }}
    />
  );
}

/** What the copy button copies: plain lines, in English, for those who look things up. */
export function reportText(problem: PageProblem): string {
  return [
    `Reference: ${problem.reference}`,
    `Time: ${problem.time}`,
    `Error name: ${problem.reason}`,
    `Code: ${problem.code}`,
    `Details: ${problem.message}`,
  ].join("\n");
}
