import { Fragment, type ReactNode } from "react";

import type { MessageKey } from "../messages/languages.ts";
import type { Tags, Values } from "../messages/words.ts";
import { usePageFrame } from "./page-frame.tsx";

interface MessageProps {
  readonly id: MessageKey;
  readonly values?: Values;
  readonly tags?: Tags<ReactNode>;
}

const plainTags: Tags<ReactNode> = {
  b: (content) => <strong>{content}</strong>,
  code: (content) => <code>{content}</code>,
};

/**
 * A message of the catalogue. `{app}` and `{provider}` fill themselves, `<b>` and `<code>` mean what they say.
 */
export function Message({ id, values, tags }: MessageProps) {
  const { site, words } = usePageFrame();
  const pieces = words.pieces<ReactNode>(
    id,
    { ...plainTags, ...tags },
    { app: site.app, provider: site.provider, host: site.host, ...values },
  );
  return pieces.map((piece, place) => <Fragment key={place}>{piece}</Fragment>);
}

/** A function for the places where only text will do: attributes and titles. */
export function useText(): (id: MessageKey, values?: Values) => string {
  const { site, words } = usePageFrame();
  return (id, values) =>
    words.text(id, { app: site.app, provider: site.provider, host: site.host, ...values });
}
