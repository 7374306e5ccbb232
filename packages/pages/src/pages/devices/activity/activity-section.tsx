import { Message } from "../../../components/message.tsx";
import { Moment } from "../../../components/moment.tsx";
import { NetworkFact } from "../../../components/network-fact.tsx";
import { useDeviceName } from "../../../components/device-words.ts";
import { Facts } from "../facts.tsx";
import { ThisDevice } from "../this-device.tsx";
import type { ShownActivity } from "./activity-view.ts";

/** So many are shown; the others are folded. */
const shownAtFirst = 5;

/** What has happened to a person's sign-ins lately. */
export function ActivitySection({ activity }: { activity: readonly ShownActivity[] }) {
  const folded = activity.slice(shownAtFirst);
  return (
    <section className="card" aria-labelledby="activity">
      <h2 id="activity">
        <Message id="activity.title" />
      </h2>
      {activity.length === 0 ? (
        <p className="quiet">
          <Message id="activity.none" />
        </p>
      ) : (
        <ActivityList activity={activity.slice(0, shownAtFirst)} />
      )}
      {folded.length > 0 && (
        <details>
          <summary>
            <Message id="account.more" values={{ count: folded.length }} />
          </summary>
          <ActivityList activity={folded} />
        </details>
      )}
    </section>
  );
}

function ActivityList({ activity }: { activity: readonly ShownActivity[] }) {
  return (
    <ul className="devices activity">
      {activity.map((event, place) => (
        <ActivityItem key={place} event={event} />
      ))}
    </ul>
  );
}

function ActivityItem({ event }: { event: ShownActivity }) {
  const { kind, at, count, device, isByCurrent, isCurrent, label, network, reference } = event;
  const name = useDeviceName();
  return (
    <li>
      <p className="facts">
        <Facts>
          {isByCurrent ? (
            <Message id="activity.signed-out-here" values={{ device: name(device ?? {}) }} />
          ) : (
            <Message
              id={`activity.${kind}`}
              values={kind === "signed-out-others" ? { count } : undefined}
            />
          )}
          {!isByCurrent && (device !== undefined || isCurrent) && (
            <>
              {device && name(device)} {isCurrent && <ThisDevice />}
            </>
          )}
        </Facts>
      </p>
      <p className="facts quiet">
        <Facts>
          <Moment at={at} style="short" />
          {label !== undefined && <Message id="devices.with" values={{ label }} />}
          {network != null && <NetworkFact network={network} />}
          {reference != null && <Message id="activity.reference" values={{ reference }} />}
        </Facts>
      </p>
    </li>
  );
}
