import type { Session } from "latchkey";
import { SignOutButton } from "latchkey/react";

import { Icon } from "../../components/icon.tsx";
import { Message } from "../../components/message.tsx";
import { Moment } from "../../components/moment.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";
import { ProviderLink } from "../../components/provider-link.tsx";
import { SignedInShell } from "../../live/signed-in-shell.tsx";
import type { SignedInPage } from "../../rendering/page.ts";
import { DeviceItem } from "./device-item.tsx";
import type { DevicesView } from "./devices-view.ts";
import { FlashNotice } from "./flash-notice.tsx";

type ListView = Extract<DevicesView, { kind: "list" }>;
type OnlyHereView = Extract<DevicesView, { kind: "only-here" }>;

/** Where a person is signed in, and the way to end it. */
export function devicesPage(view: DevicesView, session: Session): SignedInPage {
  return {
    access: "signed-in",
    session,
    title: { id: "devices.title" },
    content: <DevicesScreen view={view} />,
  };
}

function DevicesScreen({ view }: { view: DevicesView }) {
  return (
    <SignedInShell current="devices">
      {view.kind === "list" && view.flash !== undefined && <FlashNotice message={view.flash} />}
      <h1>
        <Message id="devices.title" />
      </h1>
      {view.kind === "list" ? <DeviceList view={view} /> : <OnlyHere view={view} />}
    </SignedInShell>
  );
}

function DeviceList({ view: { devices, count, page, pages } }: { view: ListView }) {
  const isAlone = count === 1;
  return (
    <>
      <p className="lead">
        <Message
          id={isAlone ? "devices.one" : "devices.lead"}
          tags={{ to: (content) => <ProviderLink>{content}</ProviderLink> }}
        />
      </p>
      <ul className="devices">
        {devices.map((device) => (
          <DeviceItem key={device.id} device={device} />
        ))}
      </ul>
      {pages > 1 && <Pages page={page} pages={pages} />}
      {!isAlone && <BulkActions />}
    </>
  );
}

function BulkActions() {
  const { site } = usePageFrame();
  return (
    <div className="actions">
      <a className="button quiet" href={`${site.root}/devices/others`}>
        <Message id="devices.others" />
      </a>
      <a className="button quiet" href={`${site.root}/devices/all`}>
        <Message id="devices.all" />
      </a>
    </div>
  );
}

function Pages({ page, pages }: { page: number; pages: number }) {
  const { site } = usePageFrame();
  const addressOf = (place: number) => `${site.root}/devices?page=${place}`;
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

function OnlyHere({ view: { startedAt, endsAt } }: { view: OnlyHereView }) {
  const { site } = usePageFrame();
  return (
    <>
      <p className="lead">
        <Message id="devices.stateless" />
      </p>
      <section className="card device" aria-labelledby="here">
        <Icon name="device" size={24} />
        <div>
          <h2 id="here">
            <Message id="devices.here" />{" "}
            <span className="badge">
              <Message id="devices.this" />
            </span>
          </h2>
          <p className="quiet">
            <Message
              id="devices.since"
              tags={{
                start: () => <Moment at={startedAt} />,
                end: () => <Moment at={endsAt} />,
              }}
            />
          </p>
        </div>
        <SignOutButton className="button quiet" />
      </section>
      <p className="quiet">
        <Message id="devices.safe" />
      </p>
      <div className="actions">
        <a className="button quiet" href={`${site.root}/devices/all`}>
          <Message id="devices.all" />
        </a>
      </div>
    </>
  );
}
