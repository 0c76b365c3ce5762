import { type Place, peopleOf } from '../../../shared/resources/place.js'
import { listText } from '../language/format.js'
import { t } from '../language/language.js'
import { channelOf } from '../state/channels.js'
import type { ChatState } from '../state/chat-state.js'
import type { Narrow } from '../state/narrow.js'
import { personOf } from '../state/people.js'
import { folderOf, type Section } from '../state/sections.js'

export const nameOf = (state: ChatState, userId: number): string =>
  personOf(state, userId)?.full_name ?? t('words.unknownUser')

/** The names of a conversation's participants; a fixed name for the user's notes. */
export function conversationName(state: ChatState, key: string): string {
  const people = peopleOf(key)
  if (people.length === 1 && people[0] === state.user_id) return t('view.notes')
  return listText(people.map(id => nameOf(state, id)))
}

export const topicName = (state: ChatState, topic: string): string =>
  topic === '' ? state.realm_empty_topic_display_name : topic

export const channelName = (state: ChatState, id: number): string =>
  channelOf(state, id)?.name ?? t('words.unknownChannel')

/** The heading of a section of the sidebar. */
export const sectionName = (state: ChatState, section: Section): string =>
  section === 'pinned' || section === 'direct' || section === 'channels'
    ? t(`sidebar.${section}`)
    : (folderOf(state, section)?.name ?? '')

/** The title of a view. */
export function narrowTitle(state: ChatState, narrow: Narrow): string {
  switch (narrow.kind) {
    case 'inbox':
      return t('view.inbox')
    case 'recent':
      return t('view.recent')
    case 'all':
      return t('view.all')
    case 'mentions':
      return t('view.mentions')
    case 'starred':
      return t('view.starred')
    case 'scheduled':
      return t('view.scheduled')
    case 'channel':
      return channelName(state, narrow.channelId)
    case 'topic':
      return topicName(state, narrow.topic)
    case 'direct':
      return conversationName(state, narrow.key)
    case 'search':
      return t('view.search', narrow.words)
  }
}

export const placeName = (state: ChatState, place: Place): string =>
  'direct' in place
    ? conversationName(state, place.direct)
    : `#${channelName(state, place.channelId)} › ${topicName(state, place.topic)}`
