import { peopleOf } from '../../../shared/resources/place.js'
import type { UserObject } from '../../../shared/resources/user.js'
import { channelOf } from './channels.js'
import type { ChatState } from './chat-state.js'
import { rankOf } from './completion.js'
import type { Narrow } from './narrow.js'
import { personOf, presenceOf } from './people.js'

/** User ids in the order in which the panel shows them. */
interface ListedPeople {
  /** The people of the open channel or conversation; undefined for views of several places, and until they are known. */
  readonly here: readonly number[] | undefined
  readonly others: readonly number[]
}

/** The members of a view's place; undefined if it has none, or if the page does not know them yet. */
export function peopleOfNarrow(state: ChatState, narrow: Narrow): readonly number[] | undefined {
  if (narrow.kind === 'direct') return [...new Set([...peopleOf(narrow.key), state.user_id])]
  if (narrow.kind !== 'channel' && narrow.kind !== 'topic') return undefined
  return channelOf(state, narrow.channelId)?.subscribers
}

const ranks = { active: 0, idle: 1, offline: 2 } as const

/**
 * The people of a place, then all others, each with the active first and by name. `words`: what a name, or a word of it,
 * begins with. `now` in ms. Bots are among the others only if the words name them.
 */
export function listPeople(state: ChatState, narrow: Narrow, words: string, now: number): ListedPeople {
  const members = peopleOfNarrow(state, narrow)
  const isHere = new Set(members)
  const isNamed = (person: UserObject) => words === '' || rankOf(person.full_name, words) >= 0
  const inOrder = (people: UserObject[]): number[] =>
    people
      .filter(isNamed)
      .map(person => ({
        id: person.user_id,
        rank: person.is_bot ? ranks.offline + 1 : ranks[presenceOf(state, person.user_id, now)],
        name: person.full_name.toLowerCase(),
      }))
      // Comparing by locale takes ten times as long, which counts with ten thousand people.
      .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))
      .map(({ id }) => id)
  const others = Object.values(state.realm_users).filter(
    person => !isHere.has(person.user_id) && (!person.is_bot || words !== ''),
  )
  return {
    here: members && inOrder(members.flatMap(id => personOf(state, id) ?? [])),
    others: inOrder(others),
  }
}

/** People for a new conversation: those of the newest direct conversations first, then all others that can get messages. */
export function suggestedPeople(state: ChatState): UserObject[] {
  const recent = Object.entries(state.recent_private_conversations)
    .sort(([, a], [, b]) => b - a)
    .flatMap(([key]) => peopleOf(key))
  const all = { ...state.cross_realm_bots, ...state.realm_users }
  const known = [...new Set(recent)].flatMap(id => all[id] ?? [])
  const first = new Set(known)
  return [...known, ...Object.values(all).filter(person => !first.has(person))]
}
