import type { MailContent } from '../../job-types/mail.js'
import type { Directory } from '../../memory/directory.js'
import type { ExpiredFigures } from '../../store/messages/expired-messages.js'
import type { RetentionTerm } from '../../store/organization/retention-terms.js'
import type { InLanguages, PageLanguage } from '../../text/page-language.js'

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

interface Words {
  readonly head: (applies: string) => string
  readonly direct: string
  readonly days: (days: number) => string
  readonly others: (count: number) => string
  readonly expired: (figures: Pick<Shortening, 'messages' | 'oldest' | 'files' | 'mib'>) => string
  readonly toStop: (link: string) => string
  readonly restore: string
}

const inLanguages: InLanguages<Words> = {
  en: {
    head: applies =>
      `**Messages will be deleted.** Messages are to be kept for a shorter time from <time:${applies}> on:`,
    direct: 'direct messages',
    days: days => `${days} days`,
    others: count => `${count} more channels`,
    expired: ({ messages, oldest, files, mib }) =>
      `By this, ${messages} messages are too old now, the oldest of <time:${oldest}>, with ${files} files (${mib} MiB).`,
    toStop: link => `To stop this, [set a longer time](${link}) before then, or in the settings of the channel.`,
    restore: 'The operator of the server can restore deleted messages for 30 days.',
  },
  de: {
    head: applies =>
      `**Nachrichten werden gelöscht.** Ab <time:${applies}> sollen Nachrichten kürzer aufbewahrt werden:`,
    direct: 'Direktnachrichten',
    days: days => `${days} Tage`,
    others: count => `${count} weitere Kanäle`,
    expired: ({ messages, oldest, files, mib }) =>
      `Danach sind jetzt ${messages} Nachrichten zu alt, die älteste vom <time:${oldest}>, mit ${files} Dateien (${mib} MiB).`,
    toStop: link =>
      `Um das zu verhindern, [stelle vorher eine längere Zeit ein](${link}), oder in den Einstellungen des Kanals.`,
    restore: 'Der Betreiber des Servers kann gelöschte Nachrichten 30 Tage lang wiederherstellen.',
  },
}

/** The notice to an owner. */
export function shorteningText(language: PageLanguage, shortening: Shortening, url: string): string {
  const words = inLanguages[language]
  const { applies, places, others } = shortening
  const names = places.map(
    ({ channel, days }) => `${channel === null ? words.direct : `#**${channel}**`}: ${words.days(days)}`,
  )
  return [
    words.head(applies),
    '',
    ...[...names, ...(others > 0 ? [words.others(others)] : [])].map(name => `* ${name}`),
    '',
    words.expired(shortening),
    words.toStop(`${url}/#organization/messages`),
    words.restore,
  ].join('\n')
}
