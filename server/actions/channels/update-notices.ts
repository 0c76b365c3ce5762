import type { Notice } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { UserRow } from '../../store/users/users.js'
import type { InLanguages } from '../../text/page-language.js'
import { type ChannelPrivacy, privacyOf } from '../announce/channel-update.js'
import { inBold, silently } from '../messages/notice-mentions.js'
import { languageOfChannels } from '../notice-language.js'
import { channelEvents } from './channel-events.js'

interface Words {
  readonly renamed: (who: string, was: string, is: string) => string
  readonly described: (who: string, was: string, is: string) => string
  readonly noDescription: string
  readonly opened: (who: string, was: string, is: string) => string
  readonly privacy: Readonly<Record<ChannelPrivacy, string>>
  readonly retained: (who: string, was: string, is: string) => string
  readonly retention: { readonly usual: string; readonly forever: string; readonly days: (days: number) => string }
  readonly archived: (who: string) => string
  readonly unarchived: (who: string) => string
}

const inLanguages: InLanguages<Words> = {
  en: {
    renamed: (who, was, is) => `${who} renamed channel ${was} to ${is}.`,
    described: (who, was, is) =>
      `${who} changed the description for this channel.\n\nOld description:\n\n> ${was}\n\nNew description:\n\n> ${is}`,
    noDescription: 'No description.',
    opened: (who, was, is) => `${who} changed the access permissions for this channel from **${was}** to **${is}**.`,
    privacy: {
      'web-public': 'Web-public',
      public: 'Public',
      shared: 'Private, shared history',
      protected: 'Private, protected history',
    },
    retained: (who, was, is) =>
      `${who} changed the message retention period for this channel from **${was}** to **${is}**.`,
    retention: {
      usual: 'Organization default',
      forever: 'Forever',
      days: days => (days === 1 ? '1 day' : `${days} days`),
    },
    archived: who => `${who} archived this channel.`,
    unarchived: who => `${who} unarchived this channel.`,
  },
  de: {
    renamed: (who, was, is) => `${who} hat den Kanal ${was} in ${is} umbenannt.`,
    described: (who, was, is) =>
      `${who} hat die Beschreibung dieses Kanals geändert.\n\nBisher:\n\n> ${was}\n\nJetzt:\n\n> ${is}`,
    noDescription: 'Keine Beschreibung.',
    opened: (who, was, is) => `${who} hat geändert, wer diesen Kanal lesen kann: von **${was}** zu **${is}**.`,
    privacy: {
      'web-public': 'Im Web öffentlich',
      public: 'Öffentlich',
      shared: 'Privat, mit ganzem Verlauf',
      protected: 'Privat, Verlauf ab dem Beitritt',
    },
    retained: (who, was, is) =>
      `${who} hat geändert, wie lange Nachrichten dieses Kanals aufbewahrt werden: von **${was}** zu **${is}**.`,
    retention: {
      usual: 'Wie in der Organisation',
      forever: 'Für immer',
      days: days => (days === 1 ? '1 Tag' : `${days} Tage`),
    },
    archived: who => `${who} hat diesen Kanal archiviert.`,
    unarchived: who => `${who} hat diesen Kanal aus dem Archiv geholt.`,
  },
}

/** The notification bot's messages to the subscribers about a changed channel. */
export function updateNotices(after: Directory, user: UserRow, was: ChannelRow, is: ChannelRow): Notice[] {
  const who = silently(user)
  const words = inLanguages[languageOfChannels(after)]
  const contents: string[] = []
  if (was.name !== is.name) contents.push(words.renamed(who, inBold(was.name), inBold(is.name)))
  if (was.description !== is.description) {
    const shown = ({ description }: ChannelRow) => (description === '' ? `*${words.noDescription}*` : description)
    contents.push(words.described(who, shown(was), shown(is)))
  }
  if (privacyOf(was) !== privacyOf(is)) {
    contents.push(words.opened(who, words.privacy[privacyOf(was)], words.privacy[privacyOf(is)]))
  }
  if (was.message_retention_days !== is.message_retention_days) {
    contents.push(words.retained(who, retention(words, was), retention(words, is)))
  }
  if (was.is_archived !== is.is_archived) contents.push((is.is_archived ? words.archived : words.unarchived)(who))
  return channelEvents(after, is, contents)
}

function retention({ retention: { usual, forever, days } }: Words, { message_retention_days: value }: ChannelRow) {
  if (value === null) return usual
  return value === -1 ? forever : days(value)
}
