/**
 * Text in the fragment of a URL: percent-encoded, then `.` instead of `%`, so that no browser decodes it. Clients
 * reverse both steps, so a real dot is encoded too.
 */
export function encodeHash(text: string): string {
  // encodeURIComponent throws on an unpaired surrogate, and does not encode !'()*, which clients do.
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'))
    .replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')
}

/** URL of a channel, relative to the server's root. The name is for humans; clients read the id. */
export function channelUrl(channel: { stream_id: number; name: string }): string {
  return `/#narrow/channel/${channel.stream_id}-${encodeHash(channel.name.replaceAll(' ', '-'))}`
}

/**
 * URL of a topic; its part is empty for the empty topic. A client that knows the message `newest` finds the topic after it was moved,
 * too.
 */
export function topicUrl(channel: { stream_id: number; name: string }, topic: string, newest?: number): string {
  return `${channelUrl(channel)}/topic/${encodeHash(topic)}${newest === undefined ? '' : `/with/${newest}`}`
}

/** URL of one message in a topic of a channel. */
export function messageUrl(channel: { stream_id: number; name: string }, topic: string, messageId: number): string {
  return `${topicUrl(channel, topic)}/near/${messageId}`
}

/** URL of a direct conversation, or of one message in it. `userIds` contains every participant. */
export function dmUrl(userIds: readonly number[], messageId?: number): string {
  const people = [...new Set(userIds)].sort((a, b) => a - b).join(',')
  const url = `/#narrow/dm/${people}-${userIds.length > 2 ? 'group' : 'dm'}`
  return messageId === undefined ? url : `${url}/near/${messageId}`
}
