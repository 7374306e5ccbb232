import type { Session } from "latchkey";

import { Icon } from "../../components/icon.tsx";
import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { ProviderLink } from "../../components/provider-link.tsx";
import { SignOutForm } from "../../components/sign-out-form.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import type { SignedInPage } from "../../rendering/page.ts";
import { ActivitySection } from "./activity/activity-section.tsx";
import { DeviceFilter } from "./list/device-filter.tsx";
import { DeviceItem } from "./list/device-item.tsx";
import type { DevicesView } from "./devices-view.ts";
import { FlashNotice } from "./flash-notice.tsx";
import { placeQuery, ShownPlace, wholeList } from "./list/list-place.ts";

type ListView = Extract<DevicesView, { kind: "list" }>;
type OnlyHereView = Extract<DevicesView, { kind: "only-here" }>;

/** The list of signed-in devices, with a way to end each. */
export function devicesPage(view: DevicesView, session: Session): SignedInPage {
  return {
    access: "signed-in",
    sheet: "devices",
    session,
    title: { id: "devices.title" },
    content: <DevicesScreen view={view} />,
  };
}

function DevicesScreen({ view }: { view: DevicesView }) {
  const place = view.kind === "list" ? { page: view.page, filter: view.filter ?? "" } : wholeList;
  return (
    <ShownPlace value={place}>
      <SignedInShell current="devices">
        {view.kind === "list" && view.flash !== undefined && <FlashNotice message={view.flash} />}
        <h1>
          <Message id="devices.title" />
        </h1>
        {view.kind === "list" ? <DeviceList view={view} /> : <OnlyHere view={view} />}
        {view.activity !== undefined && <ActivitySection activity={view.activity} />}
      </SignedInShell>
    </ShownPlace>
  );
}

function DeviceList({ view }: { view: ListView }) {
  const { devices, count, page, pages, filter } = view;
  const isAlone = count === 1;
  return (
    <>
      <p className="lead">{isAlone ? <Message id="devices.one" /> : <Verdict view={view} />}</p>
      <ProviderAdvice id={isAlone ? "devices.safe" : "devices.lead"} />
      {filter !== undefined && <DeviceFilter filter={filter} isEmpty={devices.length === 0} />}
      {devices.length > 0 && (
        <ul className="card devices list">
          {devices.map((device) => (
            <DeviceItem key={device.id} device={device} />
          ))}
        </ul>
      )}
      {devices.some(({ isDeviceBound = false }) => isDeviceBound) && <BoundMeaning />}
      {!isAlone && <BulkActions />}
      {pages > 1 && <Pages page={page} pages={pages} filter={filter ?? ""} />}
    </>
  );
}

/** What "can't be copied" means, for those who wonder. */
function BoundMeaning() {
  return (
    <details>
      <summary>
        <Message id="devices.boundWhat" />
      </summary>
      <p className="quiet">
        <Message id="devices.boundMeans" />
      </p>
    </details>
  );
}

/** One line that answers most visits; without activity it knows of nothing unusual. */
function Verdict({ view: { activity, count, changedAt } }: { view: ListView }) {
  const { newSignIn } = usePageFrame();
  const isUsual = activity !== undefined && newSignIn === undefined;
  return (
    <Message
      id={isUsual ? "devices.verdict" : "devices.count"}
      values={{ count }}
      tags={{ when: () => <Moment at={changedAt} style="date" /> }}
    />
  );
}

function BulkActions() {
  const { site } = usePageFrame();
  return (
    <div className="actions">
      <a className="button quiet" href={`${site.root}/devices/others`}>
        <Message id="devices.others" />
      </a>
      <a className="button quiet danger" href={`${site.root}/devices/all`}>
        <Message id="devices.all" />
      </a>
    </div>
  );
}

interface PagesProps {
  readonly page: number;
  readonly pages: number;
  readonly filter: string;
}

function Pages({ page, pages, filter }: PagesProps) {
  const { site } = usePageFrame();
  const addressOf = (other: number) => `${site.root}/devices${placeQuery({ page: other, filter })}`;
  return (
    <nav className="actions" aria-labelledby="pages">
      {page > 1 && (
        <a href={addressOf(page - 1)} rel="prev">
          <Message id="devices.previous" />
        </a>
      )}
      <span id="pages" className="quiet">
        <Message id="devices.page" values={{ page, pages }} />
      </span>
      {page < pages && (
        <a href={addressOf(page + 1)} rel="next">
          <Message id="devices.next" />
        </a>
      )}
    </nav>
  );
}

function OnlyHere({ view: { startedAt } }: { view: OnlyHereView }) {
  const { site } = usePageFrame();
  return (
    <>
      <p className="lead">
        <Message id="devices.stateless" />
      </p>
      <section className="card device-group" aria-labelledby="here">
        <h2 id="here">
          <Icon name="laptop" size={24} />
          <Message id="devices.here" />
        </h2>
        <p className="quiet">
          <Message id="devices.since" tags={{ start: () => <Moment at={startedAt} /> }} />
        </p>
        <SignOutForm look="button quiet" />
      </section>
      <ProviderAdvice id="devices.safe" />
      <div className="actions">
        <a className="button quiet danger" href={`${site.root}/devices/all`}>
          <Message id="devices.all" />
        </a>
      </div>
    </>
  );
}

/** @param props.id - `devices.safe` for a user who sees no device to sign out */
function ProviderAdvice({ id }: { id: "devices.lead" | "devices.safe" }) {
  return (
    <p className="quiet">
      <Message id={id} tags={{ to: (content) => <ProviderLink>{content}</ProviderLink> }} />
    </p>
  );
}
