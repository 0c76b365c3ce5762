import { isDeepStrictEqual } from 'node:util'
import { badRequest } from '../../../shared/errors.js'
import type { Linkifier } from '../../../shared/resources/linkifier.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import {
  deleteLinkifier,
  insertLinkifier,
  orderLinkifiers,
  updateLinkifier,
} from '../../store/organization/linkifiers.js'
import type { LinkifierText } from '../../text/check-linkifier.js'
import { changeLinkifiers } from './change-linkifiers.js'
import { checkLinkifier, linkifierNotFound } from './check.js'

/** Returns the new id. @throws {ApiError} BAD_REQUEST, see checkLinkifier */
export async function addLinkifier(ctx: Ctx, actor: Actor, linkifier: LinkifierText): Promise<number> {
  const id = await changeLinkifiers(ctx, actor, async (tx, linkifiers) => {
    const { most } = budgets.linkifiers
    if (linkifiers.length >= most) throw badRequest(`There may be at most ${most} linkifiers.`)
    checkLinkifier(linkifier, linkifiers)
    return insertLinkifier(tx, linkifier)
  })
  return id as number
}

type LinkifierChange = Pick<LinkifierText, 'pattern' | 'url_template'> & Partial<LinkifierText>

/** An undefined field stays as it is. @throws {ApiError} BAD_REQUEST for a missing linkifier; see checkLinkifier */
export async function editLinkifier(ctx: Ctx, actor: Actor, id: number, change: LinkifierChange): Promise<void> {
  await changeLinkifiers(ctx, actor, async (tx, linkifiers) => {
    const before = linkifiers.find(one => one.id === id)
    if (!before) throw linkifierNotFound()
    const after: Linkifier = {
      id,
      pattern: change.pattern,
      url_template: change.url_template,
      example_input: change.example_input === undefined ? before.example_input : change.example_input,
      reverse_template: change.reverse_template === undefined ? before.reverse_template : change.reverse_template,
      alternative_url_templates: change.alternative_url_templates ?? before.alternative_url_templates,
    }
    checkLinkifier(
      after,
      linkifiers.filter(one => one !== before),
    )
    if (isDeepStrictEqual(before, after)) return null
    await updateLinkifier(tx, after)
    return id
  })
}

/** @throws {ApiError} BAD_REQUEST for a missing linkifier */
export async function removeLinkifier(ctx: Ctx, actor: Actor, id: number): Promise<void> {
  await changeLinkifiers(ctx, actor, async (tx, linkifiers) => {
    if (!linkifiers.some(one => one.id === id)) throw linkifierNotFound()
    await deleteLinkifier(tx, id)
    return id
  })
}

/** @throws {ApiError} BAD_REQUEST unless the list contains every id exactly once */
export async function reorderLinkifiers(ctx: Ctx, actor: Actor, ids: readonly number[]): Promise<void> {
  await changeLinkifiers(ctx, actor, async (tx, linkifiers) => {
    const known = linkifiers.map(one => one.id)
    const isWhole = ids.length === known.length && known.every(id => ids.includes(id))
    if (!isWhole) throw badRequest('The ordered list must contain each linkifier exactly once.')
    if (isDeepStrictEqual(ids, known)) return null
    await orderLinkifiers(tx, ids)
    return true
  })
}
