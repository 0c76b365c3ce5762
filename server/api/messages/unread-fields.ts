import type { View } from '../../../shared/capabilities.js'
import { topicFor } from '../../../shared/resources/topic.js'
import type { Ctx } from '../../ctx.js'
import type { UnreadPlace } from '../../lookups/unread-places.js'
import { realmSetting } from '../../policies/settings.js'
import { JsonBuffer } from '../json-buffer.js'
import { JsonFields } from '../route.js'

// Bytes for the field names and the topic of a place, and for an id with its comma.
const roomForPlace = 160
const roomForId = 9

/**
 * `unread_msgs` of the register answer (docs/protocol/register.md#unread), written as bytes without an object for each place: the ids are the
 * largest part of the answer for a user who has not read much. `limit`: how many messages the places contain at most.
 */
export function unreadFields(
  { directory, jsonBuffers }: Pick<Ctx, 'directory' | 'jsonBuffers'>,
  { userId, view }: { readonly userId: number; readonly view: View },
  places: readonly UnreadPlace[],
  limit: number,
): JsonFields {
  const displayName = realmSetting(directory, 'empty_topic_display_name')
  const found = places.reduce((sum, { count }) => sum + count, 0)
  const summary = {
    count: places.reduce((sum, { count, isMuted }) => sum + (isMuted ? 0 : count), 0),
    mentions: mentionsOf(places),
    old_unreads_missing: found === limit,
  }
  const inChannels = places.filter(({ channelId }) => channelId !== null)
  const direct = places.filter(({ channelId }) => channelId === null)
  const other = ({ userIds }: UnreadPlace) => userIds.find(id => id !== userId) ?? userId
  const all = ({ userIds }: UnreadPlace) => userIds.join(',')
  const json = new JsonBuffer(jsonBuffers, found * roomForId + places.length * roomForPlace)
  json.text(`"unread_msgs":${JSON.stringify(summary).slice(0, -1)}`)
  addPlaces(
    json,
    'pms',
    direct.filter(({ userIds }) => userIds.length <= 2).sort((a, b) => other(a) - other(b)),
    place => `"other_user_id":${other(place)},"sender_id":${other(place)}`,
  )
  addPlaces(
    json,
    'streams',
    inChannels.sort((a, b) => (a.channelId ?? 0) - (b.channelId ?? 0) || before(a.topicKey, b.topicKey)),
    ({ channelId, topic }) => `"stream_id":${channelId},"topic":${JSON.stringify(topicFor(view, topic, displayName))}`,
  )
  addPlaces(
    json,
    'huddles',
    direct.filter(({ userIds }) => userIds.length > 2).sort((a, b) => before(all(a), all(b))),
    place => `"user_ids_string":"${all(place)}"`,
  )
  return new JsonFields(json.text('}').done())
}

function addPlaces(
  json: JsonBuffer,
  name: string,
  places: readonly UnreadPlace[],
  fields: (place: UnreadPlace) => string,
): void {
  json.text(`,"${name}":[`)
  places.forEach((place, i) => {
    json.text(`${i > 0 ? ',' : ''}{${fields(place)},"unread_message_ids":[`)
    for (const runs of place.ids) runs.forEachRun((from, to) => json.elements(runs.ids, from, to))
    json.text(']}')
  })
  json.text(']')
}

/** A wildcard mention counts only in topics that the user has not muted. */
function mentionsOf(places: readonly UnreadPlace[]): number[] {
  const ids = new Set<number>()
  for (const { mentions, wildcards, isMuted } of places) {
    for (const id of mentions) ids.add(id)
    if (!isMuted) for (const id of wildcards) ids.add(id)
  }
  return [...ids].sort((a, b) => a - b)
}

const before = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
