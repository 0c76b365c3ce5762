import { ApiError } from '../../../shared/errors.js'
import { requireSpectatorAccess } from '../../access/spectators.js'
import type { Ctx } from '../../ctx.js'

/**
 * Nobody, where the organization lets visitors in.
 * @throws {ApiError} UNAUTHORIZED
 */
export function admitSpectator({ directory }: Ctx): null {
  if (!directory.organization.is_active) throw new ApiError('UNAUTHORIZED', 'The organization is deactivated.')
  requireSpectatorAccess(directory, null)
  return null
}
