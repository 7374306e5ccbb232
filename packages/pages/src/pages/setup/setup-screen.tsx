import { CopyButton } from "../../components/copy-button.tsx";
import { DoorPicture } from "../../components/door/door-picture.tsx";
import { Icon } from "../../components/icon.tsx";
import { Message, useText } from "../../components/message.tsx";
import { Shell } from "../../components/shell.tsx";
import type { MessageKey } from "../../messages/catalogue.ts";
import type { PublicPage } from "../../rendering/page.ts";
import {
  providerFields,
  type SettingRow,
  type SettingState,
  type SetupView,
} from "./setup-view.ts";

const stateWords: Readonly<Record<SettingState, MessageKey>> = {
  ok: "setup.ok",
  missing: "setup.missing",
  wrong: "setup.wrong",
};

/**
 * First run: the present and missing settings, and the addresses for the provider. Development
 * only.
 */
export function setupPage(view: SetupView): PublicPage {
  return {
    access: "public",
    title: { id: "setup.title" },
    state: "ending",
    content: <SetupScreen view={view} />,
  };
}

function SetupScreen({ view }: { view: SetupView }) {
  const ready = view.rows.filter(({ state }) => state === "ok").length;
  return (
    <Shell state="ending">
      <DoorPicture openness="ajar" state="ending" />
      <h1>
        <Message id="setup.title" />
      </h1>
      <p className="lead">
        <Message id="setup.lead" />
      </p>
      <section aria-labelledby="settings">
        <h2 id="settings">
          <Message id="setup.settings" />
        </h2>
        <p className="quiet">
          <Message id="setup.progress" values={{ ready, total: view.rows.length }} />
        </p>
        <ul className="settings">
          {view.rows.map((row) => (
            <Row key={row.variable + row.message} row={row} />
          ))}
        </ul>
      </section>
      <Registration view={view} />
      <section aria-labelledby="try">
        <h2 id="try">
          <Message id="setup.try" />
        </h2>
        <p>
          {view.isOwnApp ? (
            <Message id="setup.tryInApp" values={{ command: "npx latchkey provider" }} />
          ) : (
            <Message
              id="setup.tryBody"
              values={{ variable: "LATCHKEY_ISSUER_BASE_URL", command: "npm start" }}
            />
          )}
        </p>
      </section>
    </Shell>
  );
}

function Row({ row }: { row: SettingRow }) {
  return (
    <li data-state={row.state}>
      <Icon name={row.state === "ok" ? "check" : row.state === "missing" ? "alert" : "cross"} />
      <div>
        <p className="setting">
          <code>{row.variable}</code>
          <span className="state">
            <Message id={stateWords[row.state]} />
          </span>
        </p>
        {row.message !== undefined && (
          <p lang="en" dir="ltr">
            {row.message}
          </p>
        )}
        {row.seen !== undefined && (
          <p>
            <Message id="setup.seen" /> <code>{row.seen}</code>
          </p>
        )}
        {row.remedy !== undefined && (
          <p lang="en" dir="ltr">
            {row.remedy}
          </p>
        )}
        {row.variable === "LATCHKEY_SECRET" && row.state !== "ok" && <SecretMaker />}
      </div>
    </li>
  );
}

function SecretMaker() {
  return (
    <div className="maker scripted">
      <button type="button" className="button quiet" data-make-secret="made-secret">
        <Message id="setup.makeSecret" />
      </button>
      <p id="made-secret" className="made" role="status" />
      <p className="quiet">
        <Message id="setup.madeSecret" values={{ variable: "LATCHKEY_SECRET" }} />
      </p>
    </div>
  );
}

function Registration({ view }: { view: SetupView }) {
  return (
    <section aria-labelledby="register">
      <h2 id="register">
        <Message id="setup.register" />
      </h2>
      <p>
        <Message id="setup.registerBody" />
      </p>
      <dl className="addresses">
        <Address label="setup.callback" url={view.callbackURL} />
        <Address label="setup.signOutReturn" url={view.signOutReturnURL} />
        <Address label="setup.backchannel" url={view.backchannelURL} />
      </dl>
      <FieldNames />
    </section>
  );
}

/** One choice: to open a provider closes the others. */
function FieldNames() {
  return (
    <div className="providers">
      <h3>
        <Message id="setup.fields" />
      </h3>
      {providerFields.map(({ name, callback, signOutReturn, backchannel }) => (
        <details key={name} name="provider-fields">
          <summary>{name}</summary>
          <dl>
            <Field label="setup.callback" name={callback} />
            <Field label="setup.signOutReturn" name={signOutReturn} />
            <Field label="setup.backchannel" name={backchannel} />
          </dl>
        </details>
      ))}
    </div>
  );
}

function Address({ label, url }: { label: MessageKey; url: string }) {
  const say = useText();
  return (
    <div>
      <dt>
        <Message id={label} />
        <CopyButton text={url} about={say(label)} />
      </dt>
      <dd>
        <code className="whole" dir="ltr">
          {url}
        </code>
      </dd>
    </div>
  );
}

function Field({ label, name }: { label: MessageKey; name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <div>
      <dt>
        <Message id={label} />
      </dt>
      <dd lang="en" dir="ltr">
        {name}
      </dd>
    </div>
  );
}
