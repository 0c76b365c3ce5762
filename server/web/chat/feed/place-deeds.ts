import { isMuted } from '../../../../shared/events/unread.js'
import { visibilityPolicy } from '../../../../shared/resources/user-topic.js'
import { t } from '../../language/language.js'
import type { IconName } from '../../look/icon.js'
import { channelOf } from '../../state/channels.js'
import { mayDeleteTopic } from '../../state/message-rights.js'
import type { Narrow } from '../../state/narrow.js'
import { mayResolveTopics } from '../../state/permissions.js'
import { pinnedChannels } from '../../state/pins.js'
import { isFollowed, isResolved } from '../../state/topics.js'
import { unreadIdsOf } from '../../state/unread.js'
import { movePin, setPinned } from '../arranging.js'
import { type Chat, useChat } from '../chat.js'
import { markRead } from '../mark-read.js'
import type { Deed } from '../menu.js'
import { subscribe, unsubscribe } from '../subscribing.js'
import { useView, type View } from '../view.js'
import { type TopicActions, type TopicPlace, useTopicActions } from './topic-actions.js'

/** Actions on a whole view, such as a channel or a topic: the entries of its own menu, and of the menu of its row in the list. */
export function usePlaceDeeds(): (narrow: Narrow) => Deed[] {
  const chat = useChat()
  const view = useView()
  const actions = useTopicActions()
  return narrow => [
    ...readingOf(chat, view, narrow),
    ...besideOf(view, narrow),
    ...(narrow.kind === 'topic' ? deedsOfTopic(chat, view, actions, narrow) : []),
    ...(narrow.kind === 'channel' ? deedsOfChannel(chat, view, narrow.channelId) : []),
    ...('channelId' in narrow ? aboutChannel(view, narrow) : []),
    ...(narrow.kind === 'direct' ? [filesOf(view, narrow)] : []),
    ...(narrow.kind === 'topic' ? topicDeletionOf(chat, narrow) : []),
    ...(narrow.kind === 'channel' ? leavingOf(chat, narrow.channelId) : []),
  ]
}

const besideOf = (view: View, narrow: Narrow): Deed[] =>
  view.mayOpenBeside(narrow) ? [{ icon: 'columns', title: t('beside.open'), work: () => view.openBeside(narrow) }] : []

function readingOf(chat: Chat, view: View, narrow: Narrow): Deed[] {
  const { kind } = narrow
  if (kind !== 'all' && kind !== 'channel' && kind !== 'topic' && kind !== 'direct') return []
  const work = () => markRead(chat, view, unreadIdsOf(chat.state, narrow))
  return [{ icon: 'check', title: t(`feed.read.${kind}`), work }]
}

/** Up and down among the pinned channels. */
function movesOf(chat: Chat, id: number): Deed[] {
  const pins = pinnedChannels(chat.state)
  const at = pins.indexOf(id)
  if (at < 0) return []
  const move = (icon: IconName, title: string, target = id): Deed[] =>
    target === id ? [] : [{ icon, title, work: () => movePin(chat, id, target) }]
  return [...move('up', t('feed.moveUp'), pins[at - 1]), ...move('down', t('feed.moveDown'), pins[at + 1])]
}

function deedsOfChannel(chat: Chat, view: View, id: number): Deed[] {
  const own = chat.state.subscriptions[id]
  const name = channelOf(chat.state, id)?.name
  if (name === undefined) return []
  if (!own) return [{ icon: 'plus', title: t('feed.subscribe'), work: () => subscribe(chat, name) }]
  const mute = () =>
    chat.ask('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: id, property: 'is_muted', value: !own.is_muted }],
    })
  return [
    { icon: 'list', title: t('feed.news'), work: () => view.open({ news: id }) },
    { icon: 'plus', title: t('feed.newTopic'), work: () => view.open({ newTopicIn: id }) },
    {
      icon: 'muted',
      title: own.is_muted ? t('feed.unmuteChannel') : t('feed.muteChannel'),
      work: mute,
    },
    {
      icon: 'pin',
      title: own.pin_to_top ? t('feed.unpin') : t('feed.pin'),
      work: () => setPinned(chat, id, !own.pin_to_top),
    },
    ...movesOf(chat, id),
  ]
}

function leavingOf(chat: Chat, id: number): Deed[] {
  const name = channelOf(chat.state, id)?.name
  if (name === undefined || !chat.state.subscriptions[id]) return []
  return [{ icon: 'out', beginsGroup: true, title: t('feed.unsubscribe'), work: () => unsubscribe(chat, name) }]
}

type ChannelPlace = Pick<TopicPlace, 'channelId'> & Partial<TopicPlace>

const aboutChannel = (view: View, { channelId: channel, topic }: ChannelPlace): Deed[] => [
  { icon: 'topic', beginsGroup: true, title: t('feed.allTopics'), work: () => view.open({ channel, tab: 'topics' }) },
  { icon: 'people', title: t('feed.members'), work: () => view.open({ channel, tab: 'members' }) },
  filesOf(view, { kind: 'channel', channelId: channel }),
  { icon: 'bell', title: t('feed.notifications'), work: () => view.open({ channel, tab: 'notifications', topic }) },
  { icon: 'sliders', title: t('feed.channelSettings'), work: () => view.open({ channel }) },
]

const filesOf = (view: View, files: Narrow): Deed => ({
  icon: 'clip',
  title: t('composer.files'),
  work: () => view.open({ files }),
})

/** Repeated until the server has deleted all of a long topic. */
async function deleteTopic(ask: Chat['ask'], { channelId, topic }: TopicPlace): Promise<void> {
  const path = `/streams/${channelId}/delete_topic`
  while ((await ask('POST', path, { topic_name: topic })).complete === false);
}

function topicDeletionOf({ state, ask }: Chat, { channelId, topic }: TopicPlace): Deed[] {
  if (!mayDeleteTopic(state, channelId)) return []
  return [
    {
      icon: 'trash',
      beginsGroup: true,
      title: t('feed.deleteTopic'),
      sure: t('feed.reallyDeleteTopic'),
      work: () => deleteTopic(ask, { channelId, topic }),
    },
  ]
}

function deedsOfTopic(
  { state, ask }: Chat,
  view: View,
  actions: TopicActions,
  { channelId, topic }: TopicPlace,
): Deed[] {
  const place = { channelId, topic }
  const muted = isMuted(state, channelId, topic)
  const inherits = state.subscriptions[channelId]?.is_muted === !muted
  const toggled = inherits ? visibilityPolicy.inherit : muted ? visibilityPolicy.unmuted : visibilityPolicy.muted
  const resolving: Deed = {
    icon: 'check',
    title: isResolved(topic) ? t('feed.reopen') : t('feed.resolve'),
    work: () => actions.toggleResolved(place),
  }
  return [
    {
      icon: 'muted',
      title: muted ? t('feed.unmuteTopic') : t('feed.muteTopic'),
      work: () => ask('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy: toggled }),
    },
    {
      icon: 'follow',
      title: isFollowed(state, channelId, topic) ? t('feed.unfollow') : t('feed.follow'),
      work: () => actions.toggleFollowed(place),
    },
    ...(topic !== '' && mayResolveTopics(state, channelId) ? [resolving] : []),
    { icon: 'move', title: t('feed.moveTopic'), work: () => view.open({ move: place }) },
  ]
}
