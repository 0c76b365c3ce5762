import { peopleOf } from '../../../shared/resources/place.js'
import type { UserObject } from '../../../shared/resources/user.js'
import { channelOf } from './channels.js'
import type { ChatState } from './chat-state.js'
import { rankOf } from './completion.js'
import { addressOf, type Narrow } from './narrow.js'
import { personOf, presenceOf } from './people.js'

/** User ids in the order in which the panel shows them. */
interface ListedPeople {
  /** The people of the open channel or conversation; undefined for views of several places, and until they are known. */
  readonly here: readonly number[] | undefined
  readonly others: readonly number[]
  /** There are more others; the filter finds them. */
  readonly hasMore: boolean
}

/** The members of a view's place; undefined if it has none, or if the page does not know them yet. */
export function peopleOfNarrow(state: ChatState, narrow: Narrow): readonly number[] | undefined {
  if (narrow.kind === 'direct') return [...new Set([...peopleOf(narrow.key), state.user_id])]
  if (narrow.kind !== 'channel' && narrow.kind !== 'topic') return undefined
  return channelOf(state, narrow.channelId)?.subscribers
}

/** Ranks of those who come second begin here. */
const behind = 4

const ranks = { active: 0, idle: 1, offline: 2 } as const

// Above these, a user looks for a name by the filter.
const mostOthers = 24
const mostPartners = 8

/**
 * The people of a place: those who wrote in the messages that the page has of it first, each with the active first and by name. Then some
 * others: those of the user's newest conversations, then the active ones. `words`: what a name, or a word of it, begins with; they
 * find all others. `now` in ms. Bots are among the others only if the words name them.
 */
export function listPeople(state: ChatState, narrow: Narrow, words: string, now: number): ListedPeople {
  const members = peopleOfNarrow(state, narrow)
  const isHere = new Set(members)
  const rankOfPresence = (person: UserObject): number =>
    person.is_bot ? ranks.offline + 1 : ranks[presenceOf(state, person.user_id, now)]
  const isNamed = (person: UserObject) => words === '' || rankOf(person.full_name, words) >= 0
  const inOrder = (people: UserObject[], isFirst: (id: number) => boolean): number[] =>
    people
      .filter(isNamed)
      .map(person => ({
        id: person.user_id,
        rank: (isFirst(person.user_id) ? 0 : behind) + rankOfPresence(person),
        name: person.full_name.toLowerCase(),
      }))
      // Comparing by locale takes ten times as long, which counts with ten thousand people.
      .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))
      .map(({ id }) => id)
  const others = Object.values(state.realm_users).filter(
    person => !isHere.has(person.user_id) && (!person.is_bot || words !== ''),
  )
  const writers = writersIn(state, narrow)
  const partners = newestPartners(state, others)
  const found = inOrder(others, id => partners.has(id))
  return {
    here:
      members &&
      inOrder(
        members.flatMap(id => personOf(state, id) ?? []),
        id => writers.has(id),
      ),
    others: words === '' ? found.slice(0, mostOthers) : found,
    hasMore: words === '' && found.length > mostOthers,
  }
}

/** Who wrote the messages that the page has of a view. */
const writersIn = (state: ChatState, narrow: Narrow): ReadonlySet<number> =>
  new Set(state.feeds[addressOf(narrow)]?.ids.flatMap(id => state.messages[id]?.sender_id ?? []))

/** Those of these people who took part in the newest direct conversations of the user. */
function newestPartners(state: ChatState, people: readonly UserObject[]): ReadonlySet<number> {
  const ids = new Set(people.map(person => person.user_id))
  return new Set(
    recentPartners(state)
      .filter(id => ids.has(id))
      .slice(0, mostPartners),
  )
}

/** The people of the direct conversations, the newest conversation first. */
const recentPartners = (state: ChatState): number[] => [
  ...new Set(
    Object.entries(state.recent_private_conversations)
      .sort(([, a], [, b]) => b - a)
      .flatMap(([key]) => peopleOf(key)),
  ),
]

/** People for a new conversation: those of the newest direct conversations first, then all others that can get messages. */
export function suggestedPeople(state: ChatState): UserObject[] {
  const all = { ...state.cross_realm_bots, ...state.realm_users }
  const known = recentPartners(state).flatMap(id => all[id] ?? [])
  const first = new Set(known)
  return [...known, ...Object.values(all).filter(person => !first.has(person))]
}
