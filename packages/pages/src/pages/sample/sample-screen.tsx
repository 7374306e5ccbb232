import type { Session } from "latchkey";

import { CopyButton } from "../../components/copy-button.tsx";
import { useKept } from "../../components/kept.tsx";
import { Message, useText } from "../../components/message.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import type { SignedInPage } from "../../rendering/page.ts";
import type { SampleView } from "./sample-data.ts";

/** A page of a host app: for signed-in people only, with the requested address intact. */
export function samplePage(view: SampleView, session: Session): SignedInPage {
  return {
    access: "signed-in",
    sheet: "home",
    session,
    title: { id: "sample.title" },
    content: <SampleScreen {...view} />,
  };
}

function SampleScreen({ address, query }: SampleView) {
  return (
    <SignedInShell current="sample">
      <h1>
        <Message id="sample.title" />
      </h1>
      <p className="lead">
        <Message id="sample.body" />
      </p>
      <section className="card" aria-labelledby="asked">
        <h2 id="asked">
          <Message id="sample.asked" />
        </h2>
        <p>
          <code className="whole" dir="ltr">
            {address}
          </code>
        </p>
        {query.length === 0 ? (
          <p className="quiet">
            <Message id="sample.none" values={{ example: "?report=march" }} />
          </p>
        ) : (
          <>
            <p className="quiet">
              <Message id="sample.kept" />
            </p>
            <dl>
              {query.map(([name, value], place) => (
                <div key={place}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </section>
      <APICard />
    </SignedInShell>
  );
}

function APICard() {
  const content = useKept("sample API", () => <APIFacts />);
  return <section className="card" aria-labelledby="api" dangerouslySetInnerHTML={content} />;
}

function APIFacts() {
  const { site } = usePageFrame();
  const say = useText();
  const api = `${site.baseURL}/api/sample`;
  return (
    <>
      <h2 id="api">
        <Message id="sample.api" />
      </h2>
      <p>
        <Message id="sample.apiBody" />
      </p>
      <dl>
        <div>
          <dt>
            <Message id="sample.address" />
            <CopyButton text={api} about={say("sample.address")} />
          </dt>
          <dd>
            <code className="whole" dir="ltr">
              {api}
            </code>
          </dd>
        </div>
      </dl>
    </>
  );
}
