/**
 * Text as it stands in the hash of a link: percent-encoded, then `%` as `.`, so that no browser decodes it on the way.
 * Clients undo both steps, therefore a real dot must be encoded too.
 */
export function encodeHash(text: string): string {
  // encodeURIComponent throws on half a surrogate pair, and leaves !'()* alone, which clients encode.
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'))
    .replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')
}

/** Address of a channel, relative to the server's root. The name is for people; clients read the id. */
export function channelUrl(channel: { stream_id: number; name: string }): string {
  return `/#narrow/channel/${channel.stream_id}-${encodeHash(channel.name.replaceAll(' ', '-'))}`
}

/** Address of a topic; the empty topic has an empty last part. */
export function topicUrl(channel: { stream_id: number; name: string }, topic: string): string {
  return `${channelUrl(channel)}/topic/${encodeHash(topic)}`
}

/** Address of one message of a channel, in its topic. */
export function messageUrl(channel: { stream_id: number; name: string }, topic: string, messageId: number): string {
  return `${topicUrl(channel, topic)}/near/${messageId}`
}

/** Address of a direct conversation, or of one message in it. `userIds` holds every participant. */
export function dmUrl(userIds: readonly number[], messageId?: number): string {
  const people = [...new Set(userIds)].sort((a, b) => a - b).join(',')
  const url = `/#narrow/dm/${people}-${userIds.length > 2 ? 'group' : 'dm'}`
  return messageId === undefined ? url : `${url}/near/${messageId}`
}
