import type { Template } from '../template.js'

const timeOf = (time: string, language: string) =>
  new Date(time).toLocaleString(language, { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'short' })

export const retentionShortened: Template<'retention_shortened'> = {
  en: ({ applies, places, others, messages, oldest, files, mib }, { organization, url }) => ({
    subject: `Messages of ${organization} will be deleted`,
    body: [
      `Messages of ${organization} are to be kept for a shorter time from ${timeOf(applies, 'en-GB')} UTC on:`,
      ...places.map(({ channel, days }) => `${channel === null ? 'direct messages' : `#${channel}`}: ${days} days`),
      ...(others > 0 ? [`and ${others} more channels`] : []),
      `By this, ${messages} messages are too old now, the oldest of ${timeOf(oldest, 'en-GB')} UTC, with ${files} files (${mib} MiB).`,
      { label: 'To stop this, set a longer time before then', link: `${url}/#organization/messages` },
      'The operator of the server can restore deleted messages for 30 days.',
    ],
  }),
  de: ({ applies, places, others, messages, oldest, files, mib }, { organization, url }) => ({
    subject: `Nachrichten von ${organization} werden gelöscht`,
    body: [
      `Nachrichten von ${organization} sollen ab ${timeOf(applies, 'de')} UTC kürzer aufbewahrt werden:`,
      ...places.map(({ channel, days }) => `${channel === null ? 'Direktnachrichten' : `#${channel}`}: ${days} Tage`),
      ...(others > 0 ? [`und ${others} weitere Kanäle`] : []),
      `Danach sind jetzt ${messages} Nachrichten zu alt, die älteste vom ${timeOf(oldest, 'de')} UTC, mit ${files} Dateien (${mib} MiB).`,
      { label: 'Um das zu verhindern, stelle vorher eine längere Zeit ein', link: `${url}/#organization/messages` },
      'Der Betreiber des Servers kann gelöschte Nachrichten 30 Tage lang wiederherstellen.',
    ],
  }),
}
