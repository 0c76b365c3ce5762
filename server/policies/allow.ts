import { ApiError, badRequest } from '../../shared/errors.js'
import type { Actor } from '../auth/actor.js'
import { isAdministrator, isGuest, isOwner } from './roles.js'

/** Admits every account, bots and guests included. */
export function anyAccount(_actor: Actor): void {}

export function anyHuman(actor: Pick<Actor, 'user'>): void {
  if (actor.user.is_bot) throw badRequest('This endpoint does not accept bot requests.')
}

export function notGuest(actor: Pick<Actor, 'user'>): void {
  if (isGuest(actor.user)) throw badRequest('Not allowed for guest users')
}

/** Admits people who are no guests. */
export function humanMembers(actor: Pick<Actor, 'user'>): void {
  anyHuman(actor)
  notGuest(actor)
}

export function administrators(actor: Pick<Actor, 'user'>): void {
  if (!isAdministrator(actor.user)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator')
  }
}

export function owners(actor: Actor): void {
  if (!isOwner(actor.user)) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner')
}

export function botsOnly(actor: Actor): void {
  if (!actor.user.is_bot) throw new ApiError('PERMISSION_DENIED', 'Must be a bot')
}
