import { defaultStreams } from './default-streams.js'
import type { EventDef } from './event.js'
import { presenceEvent } from './presence.js'
import { realmUserAdd, realmUserRemove, realmUserUpdate } from './realm-user.js'
import { revoked } from './revoked.js'
import { streamCreate, streamDelete, streamUpdate } from './stream.js'
import {
  subscriptionAdd,
  subscriptionPeerAdd,
  subscriptionPeerRemove,
  subscriptionRemove,
  subscriptionUpdate,
} from './subscription.js'

// biome-ignore lint/suspicious/noExplicitAny: a list of definitions whose payloads differ
const definitions: readonly EventDef<any>[] = [
  presenceEvent,
  realmUserAdd,
  realmUserUpdate,
  realmUserRemove,
  revoked,
  streamCreate,
  streamDelete,
  streamUpdate,
  subscriptionAdd,
  subscriptionRemove,
  subscriptionUpdate,
  subscriptionPeerAdd,
  subscriptionPeerRemove,
  defaultStreams,
]

/** Every event type by its name (`type` or `type/op`). */
export const eventDefs: ReadonlyMap<string, EventDef> = new Map(definitions.map(def => [def.name, def]))
