import { mutedTopicsEvent } from '../../../shared/events/muted-topics.js'
import { mutedTopicsByUser } from '../../lookups/muted-topics.js'
import type { Directory } from '../../memory/directory.js'
import { realmSetting } from '../../policies/settings.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { mutedTopics } from '../../store/topics/user-topics.js'

type Pairs = readonly { readonly user_id: number; readonly channel_id: number }[]

/**
 * The older list of muted topics (muted_topics) contains channel names, so it depends on the channels that its user knows. Emits it to
 * users with muted topics in channels that they have come to know or lost. `directory`: after the change.
 */
export async function notifyOfMutedTopics(tx: Tx, emit: Emit, directory: Directory, changed: Pairs): Promise<void> {
  if (changed.length === 0) return
  const pairs = new Set(changed.map(pair => `${pair.user_id} ${pair.channel_id}`))
  const rows = await mutedTopics(tx, [...new Set(changed.map(pair => pair.user_id))])
  const concerned = rows.filter(row => pairs.has(`${row.user_id} ${row.channel_id}`)).map(row => row.user_id)
  if (concerned.length === 0) return
  const userIds = [...new Set(concerned)]
  const lists = await mutedTopicsByUser(tx, directory, userIds)
  const empty_topic_display_name = realmSetting(directory, 'empty_topic_display_name')
  for (const id of userIds) {
    emit(mutedTopicsEvent, { muted_topics: lists.get(id) ?? [], empty_topic_display_name }, [id])
  }
}
