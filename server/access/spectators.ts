import { ApiError } from '../../shared/errors.js'
import type { Directory } from '../store/directory.js'
import type { Actor } from './actor.js'
import { realmSetting } from './groups.js'

/** Visitors without an account are let in only where the organization opened itself to them (api.md E21). */
export function requireSpectatorAccess(directory: Directory, actor: Actor | null): void {
  if (!actor && !realmSetting(directory, 'enable_spectator_access')) {
    throw new ApiError('UNAUTHORIZED', 'Not logged in: API authentication or user session required')
  }
}
