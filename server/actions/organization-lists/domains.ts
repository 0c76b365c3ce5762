import { badRequest } from '../../../shared/errors.js'
import { realmDomainsAdd, realmDomainsChange, realmDomainsRemove } from '../../../shared/events/realm-domains.js'
import type { RealmDomain } from '../../../shared/resources/realm-domain.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { owners } from '../../policies/allow.js'
import { activeUsers } from '../../policies/users.js'
import { deleteDomain, insertDomain, updateDomain } from '../../store/organization/organization-lists.js'
import { changeValues } from '../settings/change-organization.js'
import { changeLists } from './change-lists.js'

/** Whether a text in lower case is a domain: at least two labels; none begins or ends with a hyphen. */
export function isDomain(name: string): boolean {
  const labels = name.split('.')
  return labels.length > 1 && labels.every(label => /^[a-z0-9-]+$/.test(label) && !/^-|-$/.test(label))
}

/** Returns the new id. `domain` is in its stored form. @throws {ApiError} BAD_REQUEST for one that is listed */
export async function addDomain(ctx: Ctx, actor: Actor, realm_domain: RealmDomain): Promise<number> {
  const id = await changeLists(ctx, actor, {
    allow: owners,
    change: (tx, _emit, { domains }) => {
      const { most } = budgets.allowedDomains
      if (domains.length >= most) throw badRequest(`There may be at most ${most} domains.`)
      const { domain } = realm_domain
      if (domains.some(one => one.domain === domain)) throw badRequest(`The domain ${domain} is there already.`)
      return insertDomain(tx, realm_domain)
    },
    notify: emit => emit(realmDomainsAdd, { realm_domain }, ctx.directory.derived(activeUsers)),
  })
  return id as number
}

/** @throws {ApiError} BAD_REQUEST for a domain that is not listed */
export async function changeDomain(ctx: Ctx, actor: Actor, realm_domain: RealmDomain): Promise<void> {
  await changeLists(ctx, actor, {
    allow: owners,
    async change(tx, _emit, { domains }) {
      const { allow_subdomains } = listed(domains, realm_domain.domain)
      if (allow_subdomains === realm_domain.allow_subdomains) return undefined
      await updateDomain(tx, realm_domain)
      return true
    },
    notify: emit => emit(realmDomainsChange, { realm_domain }, ctx.directory.derived(activeUsers)),
  })
}

/** Without the last domain all addresses are allowed again. @throws {ApiError} BAD_REQUEST for a domain that is not listed */
export async function removeDomain(ctx: Ctx, actor: Actor, domain: string): Promise<void> {
  await changeLists(ctx, actor, {
    allow: owners,
    async change(tx, emit, { domains }) {
      listed(domains, domain)
      if (domains.length === 1) await changeValues(ctx, tx, emit, { emails_restricted_to_domains: false })
      await deleteDomain(tx, domain)
      return true
    },
    notify: emit => emit(realmDomainsRemove, { domain }, ctx.directory.derived(activeUsers)),
  })
}

function listed(domains: readonly RealmDomain[], domain: string): RealmDomain {
  const found = domains.find(one => one.domain === domain)
  if (!found) throw badRequest(`No such domain: ${domain.slice(0, 255)}`)
  return found
}
