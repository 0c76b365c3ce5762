import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import { currentUser } from '../lookups/find-user.js'
import type { Emit } from '../realtime/emission.js'
import type { ISql } from '../store/driver/db.js'
import { lockUser } from '../store/personal/own-row.js'
import type { UserRow } from '../store/users/users.js'
import { type Prepared, writeAtOnce } from './write-at-once.js'

/**
 * Makes a change of what belongs to the caller alone with one statement (`writeAtOnce`). Its part `checked` is `isUnchanged` or `isAlone`
 * (store/personal/own-row.ts), so that neither an account that is deactivated meanwhile nor one with other settings makes it.
 */
export function writeOwn<Row extends object = object>(
  ctx: Ctx,
  { user: { id } }: Pick<Actor, 'user'>,
  prepare: (sql: ISql, user: UserRow, emit: Emit) => Promise<Prepared | null>,
): Promise<Row | undefined> {
  const { directory } = ctx
  return writeAtOnce<Row>(ctx, {
    async hold(tx) {
      await directory.hold(tx, 'share')
      await lockUser(tx, id)
    },
    prepare: (sql, emit) => prepare(sql, currentUser(directory, { id }), emit),
  })
}
