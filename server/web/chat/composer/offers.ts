import { unwrap } from 'solid-js/store'
import { channelReference } from '../../../../shared/resources/channel-reference.js'
import type { CustomEmoji } from '../../../../shared/resources/custom-emoji.js'
import type { UserObject } from '../../../../shared/resources/user.js'
import { listText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { channelOf, openChannels } from '../../state/channels.js'
import { bestMatches, type Wanted } from '../../state/completion.js'
import type { Narrow } from '../../state/narrow.js'
import { activePeople, presenceOf } from '../../state/people.js'
import { peopleOfNarrow } from '../../state/people-panel.js'
import type { Chat } from '../chat.js'
import { customEmoji, findEmoji } from '../emoji/emoji-names.js'
import { fetchTopics } from '../topics.js'

export interface Offer {
  readonly title: string
  /** May follow what the page learns while the list is open. */
  hint?(): string
  readonly userId?: number
  readonly sign?: string
  readonly custom?: CustomEmoji | undefined
  /** The text that replaces the typed one. */
  readonly text: string
}

const most = 7

/** Suggestions for the typed text, the best match first. `narrow`: the view that is written in. */
export async function offersFor(chat: Chat, narrow: Narrow, wanted: Wanted): Promise<Offer[]> {
  switch (wanted.kind) {
    case 'person':
      return people(chat, narrow, wanted.words)
    case 'channel':
      return channels(chat, wanted.words)
    case 'topic':
      return topics(chat, wanted.channel ?? '', wanted.words)
    case 'command':
      return commands().filter(({ title }) => title.startsWith(wanted.words))
    case 'emoji': {
      const known = await chat.emojiNames()
      const found = findEmoji([...customEmoji(chat), ...known.values()], wanted.words, most)
      return found.map(({ name, character, custom }) => ({
        title: `:${name}:`,
        sign: character,
        custom,
        text: `:${name}: `,
      }))
    }
  }
}

const wildcards = (): Offer[] => [
  { title: 'all', hint: () => t('composer.wildcards.all'), sign: '@', text: '@**all** ' },
  { title: 'topic', hint: () => t('composer.wildcards.topic'), sign: '@', text: '@**topic** ' },
]

const commands = (): Offer[] =>
  (['me', 'poll', 'todo'] as const).map(name => ({
    title: name,
    sign: '/',
    hint: () => t(`composer.commands.${name}`),
    text: `/${name} `,
  }))

function people(chat: Chat, narrow: Narrow, words: string): Offer[] {
  // Unwrapped, because tracking each of ten thousand users for changes would cost more than the search.
  const all = activePeople(unwrap(chat.state))
  const named = bestMatches(all, person => person.full_name, words, most)
  const offers = named.map(person => {
    const isOnly = all.filter(one => one.full_name === person.full_name).length === 1
    const name = isOnly ? person.full_name : `${person.full_name}|${person.user_id}`
    return {
      title: person.full_name,
      hint: () => whatToKnowOf(chat, narrow, person),
      userId: person.user_id,
      text: `@**${name}** `,
    }
  })
  const wild = words === '' ? [] : wildcards().filter(one => one.title.startsWith(words.toLowerCase()))
  return [...wild, ...offers].slice(0, most)
}

/** What the writer should know before mentioning someone: who will not see the message, and who is away. */
function whatToKnowOf({ state, now }: Chat, narrow: Narrow, { user_id, is_bot }: UserObject): string {
  const members = peopleOfNarrow(state, narrow)
  const isPrivate = 'channelId' in narrow ? channelOf(state, narrow.channelId)?.invite_only === true : true
  return listText(
    [
      is_bot && t('words.bot'),
      members?.includes(user_id) === false && t(isPrivate ? 'composer.cannotSee' : 'composer.notSubscribed'),
      !is_bot && presenceOf(state, user_id, now()) === 'offline' && t('people.presence.offline'),
    ].filter(word => word !== false),
  )
}

function channels(chat: Chat, words: string): Offer[] {
  const known = openChannels(chat.state)
  return bestMatches(known, channel => channel.name, words, most).map(channel => ({
    title: channel.name,
    hint: () => channel.description.slice(0, 60),
    sign: '#',
    text: `${channelReference(channel)} `,
  }))
}

async function topics(chat: Chat, channel: string, words: string): Promise<Offer[]> {
  const found = openChannels(chat.state).find(one => one.name.toLowerCase() === channel.toLowerCase())
  if (!found) return []
  const id = found.stream_id
  await fetchTopics(chat, id)
  const named = (chat.state.topics[id] ?? []).filter(topic => topic.name !== '')
  return bestMatches(named, topic => topic.name, words, most).map(({ name }) => ({
    title: name,
    sign: '›',
    text: `${channelReference(found, name)} `,
  }))
}
