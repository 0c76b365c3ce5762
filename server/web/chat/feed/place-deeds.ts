import { isMuted } from '../../../../shared/events/unread.js'
import { t } from '../../language/language.js'
import type { IconName } from '../../look/icon.js'
import { channelOf } from '../../state/channels.js'
import type { Narrow } from '../../state/narrow.js'
import { mayResolveTopics } from '../../state/permissions.js'
import { pinnedChannels } from '../../state/pins.js'
import { isFollowed, isResolved } from '../../state/topics.js'
import { unreadIdsOf } from '../../state/unread.js'
import { useChat } from '../chat.js'
import { markRead } from '../mark-read.js'
import type { Deed } from '../menu.js'
import { movePin } from '../pins.js'
import { useView } from '../view.js'
import { useTopicDeeds } from './topic-deeds.js'

/** Actions on a whole view, such as a channel or a topic: the entries of its own menu, and of the menu of its row in the list. */
export function usePlaceDeeds(): (narrow: Narrow) => Deed[] {
  const chat = useChat()
  const view = useView()
  const ask = chat.ask
  const deeds = useTopicDeeds()
  const reading = (narrow: Narrow): Deed[] => {
    const { kind } = narrow
    if (kind !== 'all' && kind !== 'channel' && kind !== 'topic' && kind !== 'direct') return []
    const work = () => markRead(chat, view, unreadIdsOf(chat.state, narrow))
    return [{ icon: 'check', title: t(`feed.read.${kind}`), work }]
  }
  const movesOf = (id: number): Deed[] => {
    const pins = pinnedChannels(chat.state)
    const at = pins.indexOf(id)
    if (at < 0) return []
    const move = (icon: IconName, title: string, target = id): Deed[] =>
      target === id ? [] : [{ icon, title, work: () => movePin(chat, id, target) }]
    return [...move('up', t('feed.moveUp'), pins[at - 1]), ...move('down', t('feed.moveDown'), pins[at + 1])]
  }
  const ofChannel = (id: number): Deed[] => {
    const own = chat.state.subscriptions[id]
    const name = channelOf(chat.state, id)?.name
    if (name === undefined) return []
    const set = (property: string, value: boolean) =>
      ask('POST', '/users/me/subscriptions/properties', { subscription_data: [{ stream_id: id, property, value }] })
    if (!own)
      return [
        {
          icon: 'plus',
          title: t('feed.subscribe'),
          work: () => ask('POST', '/users/me/subscriptions', { subscriptions: [{ name }] }),
        },
      ]
    return [
      { icon: 'plus', title: t('feed.newTopic'), work: () => view.open({ newTopicIn: id }) },
      {
        icon: own.is_muted ? 'bell' : 'muted',
        title: own.is_muted ? t('feed.unmuteChannel') : t('feed.muteChannel'),
        work: () => set('is_muted', !own.is_muted),
      },
      {
        icon: 'pin',
        title: own.pin_to_top ? t('feed.unpin') : t('feed.pin'),
        work: () => set('pin_to_top', !own.pin_to_top),
      },
      ...movesOf(id),
      {
        icon: 'out',
        title: t('feed.unsubscribe'),
        work: () => ask('DELETE', '/users/me/subscriptions', { subscriptions: [name] }),
      },
    ]
  }
  const aboutChannel = (channel: number): Deed[] => [
    { icon: 'topic', title: t('feed.allTopics'), work: () => view.open({ channel, tab: 'topics' }) },
    { icon: 'people', title: t('feed.members'), work: () => view.open({ channel, tab: 'members' }) },
    { icon: 'sliders', title: t('feed.channelSettings'), work: () => view.open({ channel }) },
  ]
  const ofTopic = (stream_id: number, topic: string): Deed[] => {
    const place = { channelId: stream_id, topic }
    const muted = isMuted(chat.state, stream_id, topic)
    const inherits = chat.state.subscriptions[stream_id]?.is_muted === !muted
    const set = (visibility_policy: number) => ask('POST', '/user_topics', { stream_id, topic, visibility_policy })
    // 0: the channel's setting applies; 1: muted; 2: unmuted in a muted channel.
    return [
      {
        icon: muted ? 'bell' : 'muted',
        title: muted ? t('feed.unmuteTopic') : t('feed.muteTopic'),
        work: () => set(inherits ? 0 : muted ? 2 : 1),
      },
      {
        icon: 'bell',
        title: isFollowed(chat.state, stream_id, topic) ? t('feed.unfollow') : t('feed.follow'),
        work: () => deeds.toggleFollowed(place),
      },
      ...(topic !== '' && mayResolveTopics(chat.state, stream_id)
        ? [
            {
              icon: 'check' as const,
              title: isResolved(topic) ? t('feed.reopen') : t('feed.resolve'),
              work: () => deeds.toggleResolved(place),
            },
          ]
        : []),
      { icon: 'forth', title: t('feed.moveTopic'), work: () => view.open({ move: place }) },
    ]
  }
  return narrow => [
    ...reading(narrow),
    ...(narrow.kind === 'topic' ? ofTopic(narrow.channelId, narrow.topic) : []),
    ...(narrow.kind === 'channel' ? ofChannel(narrow.channelId) : []),
    ...('channelId' in narrow ? aboutChannel(narrow.channelId) : []),
  ]
}
