import type { ImportObject } from '../../store/imports/import-objects.js'
import type { SourceLists } from '../source.js'

/** A channel of the archive, and what it is here. */
export interface ChannelHere {
  readonly id: number
  readonly name: string
  readonly isPrivate: boolean
  readonly isHistoryHidden: boolean
  readonly memberIds: ReadonlySet<number>
}

/** What the keys of an archive are here. */
export interface Here {
  readonly people: ReadonlyMap<string, number>
  readonly channels: ReadonlyMap<string, ChannelHere>
  readonly channelsByName: ReadonlyMap<string, ChannelHere>
  readonly groups: ReadonlyMap<string, { readonly id: number; readonly name: string }>
  /** Custom emoji by their names at the source. */
  readonly emoji: ReadonlyMap<string, { readonly id: number; readonly name: string }>
  /** Ids of accounts by keys of conversations, ascending. */
  readonly conversations: ReadonlyMap<string, readonly number[]>
}

export function hereOf(lists: SourceLists, objects: readonly ImportObject[]): Here {
  const people = new Map<string, number>()
  const emoji = new Map<string, { id: number; name: string }>()
  const groups = new Map<string, { id: number; name: string }>()
  const objectsOfChannels = new Map<string, ImportObject>()
  for (const one of objects) {
    if (one.kind === 'person' && one.object_id !== null) people.set(one.key, one.object_id)
    if (one.kind === 'emoji' && one.object_id !== null)
      emoji.set(one.key, { id: one.object_id, name: one.name ?? one.key })
    if (one.kind === 'group' && one.object_id !== null)
      groups.set(one.key, { id: one.object_id, name: one.name ?? one.key })
    if (one.kind === 'channel') objectsOfChannels.set(one.key, one)
  }
  const channels = new Map<string, ChannelHere>()
  for (const { key, isPrivate, isHistoryHidden, members } of lists.channels) {
    const object = objectsOfChannels.get(key)
    if (!object?.object_id || object.name === null) continue
    const memberIds = new Set(members.flatMap(member => people.get(member) ?? []))
    channels.set(key, { id: object.object_id, name: object.name, isPrivate, isHistoryHidden, memberIds })
  }
  const conversations = lists.conversations.map(({ key, members }): [string, number[]] => [
    key,
    [...new Set(members.flatMap(member => people.get(member) ?? []))].sort((a, b) => a - b),
  ])
  return {
    people,
    channels,
    groups,
    emoji,
    channelsByName: new Map([...channels.values()].map(one => [one.name.toLowerCase(), one])),
    conversations: new Map(conversations),
  }
}
