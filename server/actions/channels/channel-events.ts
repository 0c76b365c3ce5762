import type { Notice } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import { realmSetting } from '../../policies/settings.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { InLanguages } from '../../text/page-language.js'
import { languageOfChannels } from '../notice-language.js'

const topics: InLanguages<string> = { en: 'channel events', de: 'Kanalereignisse' }

type Place = Pick<ChannelRow, 'id' | 'topics_policy'>

/** The notification bot's messages about a channel in the channel itself; empty if the organization has turned them off. */
export function channelEvents(directory: Directory, channel: Place, contents: readonly string[]): Notice[] {
  if (!realmSetting(directory, 'send_channel_events_messages')) return []
  const topic = channel.topics_policy === 'empty_topic_only' ? '' : topics[languageOfChannels(directory)]
  return contents.map(content => ({ to: { channel: channel.id, topic }, content }))
}
