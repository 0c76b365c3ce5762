import { z } from 'zod'
import { defaultChannelGroup } from '../../../shared/resources/default-channel-group.js'
import type { Actor } from '../../auth/actor.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { defaultChannels, receivesDefaultChannels } from '../../policies/default-channels.js'
import { readDefaultChannelGroups } from '../../store/channels/default-channel-groups.js'
import type { StatePiece } from '../state-piece.js'

/** Guests and spectators have empty lists. */
const receives = (directory: Directory, actor: Actor | null): boolean =>
  actor !== null && receivesDefaultChannels(currentUser(directory, actor.user))

const defaultStreamsPiece: StatePiece = {
  fetchType: 'default_streams',
  fields: { realm_default_streams: z.array(z.int()) },
  read: async ({ ctx: { directory }, actor }) => ({
    realm_default_streams: receives(directory, actor) ? defaultChannels(directory) : [],
  }),
}

const defaultStreamGroupsPiece: StatePiece = {
  fetchType: 'default_stream_groups',
  fields: { realm_default_stream_groups: z.array(defaultChannelGroup) },
  selects: [readDefaultChannelGroups],
  read: async ({ ctx: { directory }, actor, rows }) => ({
    realm_default_stream_groups: receives(directory, actor) ? rows.of(readDefaultChannelGroups) : [],
  }),
}

export const defaultChannelState: readonly StatePiece[] = [defaultStreamsPiece, defaultStreamGroupsPiece]
