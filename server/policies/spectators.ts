import { ApiError } from '../../shared/errors.js'
import type { Actor } from '../auth/actor.js'
import type { Directory } from '../memory/directory.js'
import { realmSetting } from './settings.js'

/** Whether the server and the organization admit spectators. */
export const isOpenToWeb = (directory: Directory): boolean =>
  directory.organization.is_active && directory.webPublicChannels && realmSetting(directory, 'enable_spectator_access')

/** Throws for a spectator unless the organization admits spectators (docs/protocol/conventions.md#spectators). */
export function requireSpectatorAccess(directory: Directory, actor: Actor | null): void {
  if (!actor && !isOpenToWeb(directory)) {
    throw new ApiError('UNAUTHORIZED', 'Not logged in: API authentication or user session required')
  }
}
