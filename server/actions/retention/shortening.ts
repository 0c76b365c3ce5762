import type { MailContent } from '../../job-types/mail.js'
import type { Directory } from '../../memory/directory.js'
import type { ExpiredFigures } from '../../store/messages/expired-messages.js'
import type { RetentionTerm } from '../../store/organization/retention-terms.js'

/** Which messages go because of shorter times, and when. */
export type Shortening = Omit<Extract<MailContent, { kind: 'retention_shortened' }>, 'kind'>

// Places that a warning names.
const mostNamed = 10

/** Undefined: no shorter time waits. */
export function shorteningOf(
  directory: Directory,
  terms: readonly RetentionTerm[],
  expired: readonly ExpiredFigures[],
): Shortening | undefined {
  const [first] = terms
  if (!first?.applies_at) return undefined
  const sum = (of: (figures: ExpiredFigures) => number) => expired.reduce((all, one) => all + of(one), 0)
  return {
    applies: first.applies_at.toISOString(),
    places: terms.slice(0, mostNamed).map(({ channel_id, waiting_days }) => ({
      channel: directory.channels.get(channel_id)?.name ?? null,
      days: waiting_days ?? -1,
    })),
    others: Math.max(0, terms.length - mostNamed),
    messages: sum(one => one.messages),
    oldest: new Date(Math.min(...expired.map(one => one.oldest.getTime()))).toISOString(),
    files: sum(one => one.files),
    mib: Math.ceil(sum(one => one.bytes) / 1024 / 1024),
  }
}

/** The notice to an owner. */
export function shorteningText(shortening: Shortening, url: string): string {
  const { applies, places, others, messages, oldest, files, mib } = shortening
  const names = places.map(
    ({ channel, days }) => `${channel === null ? 'direct messages' : `#**${channel}**`}: ${days} days`,
  )
  return [
    `**Messages will be deleted.** Messages are to be kept for a shorter time from <time:${applies}> on:`,
    '',
    ...[...names, ...(others > 0 ? [`${others} more channels`] : [])].map(name => `* ${name}`),
    '',
    `By this, ${messages} messages are too old now, the oldest of <time:${oldest}>, with ${files} files (${mib} MiB).`,
    `To stop this, [set a longer time](${url}/#organization/messages) before then, or in the settings of the channel.`,
    'The operator of the server can restore deleted messages for 30 days.',
  ].join('\n')
}
