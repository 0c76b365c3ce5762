import { badRequest } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'

/** @param due UNIX seconds @throws {ApiError} BAD_REQUEST */
export function requireFuture({ clock }: Ctx, due: number): void {
  if (due * 1000 <= clock.now()) throw badRequest('Scheduled delivery time must be in the future.')
}
