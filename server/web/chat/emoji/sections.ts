import { groups } from 'virtual:emoji-groups'
import { t } from '../../language/language.js'
import type { Chat } from '../chat.js'
import type { NamedEmoji } from '../emoji-data.js'
import { customEmoji, findEmoji } from './emoji-names.js'

const foundAtMost = 64

export interface Section {
  readonly title: string
  readonly emoji: readonly NamedEmoji[]
}

/** What the picker shows: the emoji that words find, otherwise all by group, with the organization's own before them. */
export function sectionsOf(chat: Chat, known: ReadonlyMap<string, NamedEmoji>, words: string): Section[] {
  const ours = customEmoji(chat)
  if (words.trim() !== '') {
    return [{ title: t('emoji.found'), emoji: findEmoji([...ours, ...known.values()], words, foundAtMost) }]
  }
  const common = groups.map(({ name, codes }) => ({
    title: t(`emoji.groups.${name}`),
    emoji: codes.split(' ').flatMap(code => known.get(code) ?? []),
  }))
  return ours.length > 0 ? [{ title: t('emoji.ours'), emoji: ours }, ...common] : common
}
