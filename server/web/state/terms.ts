import { peopleOf } from '../../../shared/resources/place.js'
import type { ChatState } from './chat-state.js'
import type { Narrow, Term } from './narrow.js'
import { queryOf } from './query.js'

// A search that says itself where to look does so everywhere.
const places: ReadonlySet<string> = new Set(['channel', 'channels', 'dm', 'topic'])

/** The narrow as terms of the API. @throws {Error} with a sentence for people, if the text of a search cannot be understood */
export function termsOf(state: ChatState, narrow: Narrow): Term[] {
  switch (narrow.kind) {
    case 'scheduled':
      return []
    case 'inbox':
      return [{ operator: 'is', operand: 'unread' }]
    case 'recent':
    case 'all':
      return [{ operator: 'in', operand: 'home' }]
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }]
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }]
    case 'channel':
      return [{ operator: 'channel', operand: narrow.channelId }]
    case 'topic':
      return [
        { operator: 'channel', operand: narrow.channelId },
        { operator: 'topic', operand: narrow.topic },
      ]
    case 'direct':
      return [{ operator: 'dm', operand: peopleOf(narrow.key) }]
    case 'search': {
      const { terms, problem } = queryOf(state, narrow.words)
      if (problem !== undefined) throw new Error(problem)
      const isPlaced = terms.some(({ operator, negated }) => places.has(operator) && !negated)
      return [...(narrow.within && !isPlaced ? termsOf(state, narrow.within) : []), ...terms]
    }
  }
}
