import { badRequest } from '../../../shared/errors.js'
import { realmPlaygrounds } from '../../../shared/events/realm-playgrounds.js'
import type { Playground } from '../../../shared/resources/playground.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { administrators } from '../../policies/allow.js'
import { realmSetting } from '../../policies/settings.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import {
  deletePlayground,
  insertPlayground,
  type OrganizationLists,
} from '../../store/organization/organization-lists.js'
import { checkPlayground } from '../../text/check-playground.js'
import { changeValues } from '../settings/change-organization.js'
import { changeLists } from './change-lists.js'

/** Returns the new id. @throws {ApiError} BAD_REQUEST, some with `errors` (checkPlayground) */
export async function addPlayground(ctx: Ctx, actor: Actor, playground: Omit<Playground, 'id'>): Promise<number> {
  const id = await changeLists(ctx, actor, {
    allow: administrators,
    change: (tx, _emit, { playgrounds }) => {
      const { most } = budgets.playgrounds
      if (playgrounds.length >= most) throw badRequest(`There may be at most ${most} playgrounds.`)
      checkPlayground(playground, playgrounds)
      return insertPlayground(tx, playground)
    },
    notify: notifyIn(ctx),
  })
  return id as number
}

/** If its language is that of code blocks that name none, these have no language any more. @throws {ApiError} BAD_REQUEST for a missing one */
export async function removePlayground(ctx: Ctx, actor: Actor, id: number): Promise<void> {
  await changeLists(ctx, actor, {
    allow: administrators,
    async change(tx, emit, { playgrounds }) {
      const known = playgrounds.find(one => one.id === id)
      if (!known) throw badRequest('Invalid playground')
      if (known.pygments_language === realmSetting(ctx.directory, 'default_code_block_language')) {
        await changeValues(ctx, tx, emit, { default_code_block_language: '' })
      }
      await deletePlayground(tx, id)
      return id
    },
    notify: notifyIn(ctx),
  })
}

const notifyIn =
  ({ directory }: Ctx) =>
  (emit: Emit, { playgrounds: realm_playgrounds }: OrganizationLists) =>
    emit(realmPlaygrounds, { realm_playgrounds }, directory.derived(activeUsers))
