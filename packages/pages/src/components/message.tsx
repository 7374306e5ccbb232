import { Fragment, type ReactNode } from "react";

import type { MessageKey } from "../messages/catalogue.ts";
import type { Tags, Values, Words } from "../messages/words.ts";
import { usePageFrame } from "./page-frame.tsx";

interface MessageProps {
  readonly id: MessageKey;
  readonly values?: Values | undefined;
  readonly tags?: Tags<ReactNode> | undefined;
}

const plainTags: Tags<ReactNode> = {
  b: (content) => <strong>{content}</strong>,
  code: (content) => <code>{content}</code>,
};

/** What messages without values and tags have become, by language. */
const fixed = new WeakMap<Words, Map<MessageKey, ReactNode>>();

/**
 * A message of the catalogue. `{app}` and `{provider}` fill themselves, `<b>` and `<code>` mean
 * what they say.
 */
export function Message({ id, values, tags }: MessageProps) {
  const { words } = usePageFrame();
  return values === undefined && tags === undefined
    ? fixedMessage(words, id)
    : nodesOf(
        words.pieces<ReactNode>(
          id,
          tags === undefined ? plainTags : { ...plainTags, ...tags },
          values,
        ),
      );
}

function fixedMessage(words: Words, id: MessageKey): ReactNode {
  const known = fixed.get(words) ?? new Map<MessageKey, ReactNode>();
  fixed.set(words, known);
  const nodes = known.get(id) ?? nodesOf(words.pieces<ReactNode>(id, plainTags));
  known.set(id, nodes);
  return nodes;
}

function nodesOf(pieces: readonly ReactNode[]): ReactNode {
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  return pieces.map((piece, place) => <Fragment key={place}>{piece}</Fragment>);
}

/** Returns a function for places that take text only: attributes and titles. */
export function useText(): (id: MessageKey, values?: Values) => string {
  return usePageFrame().words.text;
}
