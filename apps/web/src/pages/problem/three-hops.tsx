import { Icon } from "../../components/icon.tsx";
import { Message } from "../../components/message.tsx";
import { usePageFrame } from "../../components/page-frame.tsx";

/** The way of a sign-in, with the hop that does not answer. */
export function ThreeHops() {
  const { site } = usePageFrame();
  return (
    <ol className="hops">
      <Hop working name={<Message id="hop.you" />} />
      <Hop working name={site.app} />
      <Hop working={false} name={site.provider} />
    </ol>
  );
}

function Hop({ working, name }: { working: boolean; name: React.ReactNode }) {
  return (
    <li className={working ? "ok" : "down"}>
      <Icon name={working ? "check" : "cross"} />
      <span>
        <span className="who">{name}</span>
        <span className="unseen">: </span>
        <span className="what">
          <Message id={working ? "hop.working" : "hop.down"} />
        </span>
      </span>
    </li>
  );
}
