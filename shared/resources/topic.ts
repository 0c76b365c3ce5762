/**
 * A topic as one kind of client reads it: those that do not know the empty topic get a name for it
 * (docs/protocol/names.md#the-empty-topic). `displayName` is realm_empty_topic_display_name as of the write.
 */
export function topicFor(view: { readonly empty_topic_name: boolean }, topic: string, displayName: string): string {
  return topic === '' && !view.empty_topic_name ? displayName : topic
}

/**
 * Topics that differ only in case are one. Each character for itself, as the database does it: JavaScript looks at what
 * stands around a Σ, and makes two characters of an İ.
 */
export const topicKey = (topic: string): string => topic.replace(/[A-Z]|\P{ASCII}/gu, lower)

const lower = (one: string): string => String.fromCodePoint(one.toLowerCase().codePointAt(0) ?? 0)

/** How the topic of a resolved conversation begins. */
export const resolvedPrefix = '✔ '
