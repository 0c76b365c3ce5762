import type { Playground } from '../../../shared/resources/playground.js'
import type { RealmDomain } from '../../../shared/resources/realm-domain.js'
import type { ISql, Tx } from '../driver/db.js'

/** Playgrounds and allowed domains, both by id, and the version of the organization that changed them last. */
export interface OrganizationLists {
  readonly version: number
  readonly playgrounds: readonly Playground[]
  readonly domains: readonly RealmDomain[]
}

/** The columns of `OrganizationLists` in `organization_lists`. */
export const listColumns = (sql: ISql) => sql`
  version,
  coalesce(
    (select json_agg(json_build_object(
        'id', id, 'name', name, 'pygments_language', pygments_language, 'url_template', url_template) order by id)
      from playgrounds),
    '[]') as playgrounds,
  coalesce(
    (select json_agg(json_build_object('domain', domain, 'allow_subdomains', allow_subdomains) order by id)
      from allowed_domains),
    '[]') as domains`

/** Writes the new organization version, which the transaction has bumped, into the lists; returns the current lists. */
export async function stampLists(tx: Tx, version: number): Promise<OrganizationLists> {
  const [row] = await tx<OrganizationLists[]>`
    update organization_lists set version = ${version} returning ${listColumns(tx)}`
  if (!row) throw new Error('the schema has no row of organization lists')
  return row
}

export async function insertPlayground(tx: Tx, playground: Omit<Playground, 'id'>): Promise<number> {
  const { name, pygments_language, url_template } = playground
  const [row] = await tx<{ id: number }[]>`
    insert into playgrounds (name, pygments_language, url_template)
    values (${name}, ${pygments_language}, ${url_template}) returning id`
  if (!row) throw new Error('no playground row came back')
  return row.id
}

export async function deletePlayground(tx: Tx, id: number): Promise<void> {
  await tx`delete from playgrounds where id = ${id}`
}

export async function insertDomain(tx: Tx, { domain, allow_subdomains }: RealmDomain): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into allowed_domains (domain, allow_subdomains) values (${domain}, ${allow_subdomains}) returning id`
  if (!row) throw new Error('no domain row came back')
  return row.id
}

export async function updateDomain(tx: Tx, { domain, allow_subdomains }: RealmDomain): Promise<void> {
  await tx`update allowed_domains set allow_subdomains = ${allow_subdomains} where domain = ${domain}`
}

export async function deleteDomain(tx: Tx, domain: string): Promise<void> {
  await tx`delete from allowed_domains where domain = ${domain}`
}
