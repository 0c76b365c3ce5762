import type { Draft } from '../../../shared/resources/draft.js'
import { conversationKey, type Place, peopleOf, placeKey } from '../../../shared/resources/place.js'
import type { ChatState } from './chat-state.js'

/** The place of a draft; undefined: it has no recipient yet. */
export function placeOfDraft(state: ChatState, { type, to, topic }: Draft): Place | undefined {
  if (type === 'private') return { direct: conversationKey(to, state.user_id) }
  const [channelId] = to
  return type === 'stream' && channelId !== undefined ? { channelId, topic } : undefined
}

/** The newest draft of a place on the server. */
export const draftAt = (state: ChatState, place: Place): Draft | undefined =>
  state.drafts.find(draft => {
    const at = placeOfDraft(state, draft)
    return at !== undefined && placeKey(at) === placeKey(place)
  })

/** A draft as the server takes it. */
export const draftFor = (place: Place, content: string): Omit<Draft, 'id' | 'timestamp'> =>
  'direct' in place
    ? { type: 'private', to: peopleOf(place.direct), topic: '', content }
    : { type: 'stream', to: [place.channelId], topic: place.topic, content }
