/**
 * The topic in the form of one view: a client that does not know the empty topic gets a name for it
 * (docs/protocol/names.md#the-empty-topic). `displayName` is realm_empty_topic_display_name at the time of the write.
 */
export function topicFor(view: { readonly empty_topic_name: boolean }, topic: string, displayName: string): string {
  return topic === '' && !view.empty_topic_name ? displayName : topic
}

/**
 * Topics that differ only in case are equal. Each character is converted separately, as PostgreSQL does: toLowerCase of
 * the whole text converts a Σ according to its neighbours and an İ to two characters.
 */
export const topicKey = (topic: string): string => topic.replace(/[A-Z]|\P{ASCII}/gu, lower)

const lower = (one: string): string => String.fromCodePoint(one.toLowerCase().codePointAt(0) ?? 0)

/** The prefix of a resolved topic. */
export const resolvedPrefix = '✔ '
