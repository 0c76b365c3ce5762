import type { Linkifier } from '../../../shared/resources/linkifier.js'
import { isSafeTemplate } from '../../text/rules/links.js'
import type { ISql, Tx } from '../driver/db.js'

const textArray = 1009

/** All linkifiers in their order, and the version of the organization that changed them last. */
export interface StoredLinkifiers {
  readonly version: number
  readonly linkifiers: readonly Linkifier[]
}

/** The columns of `StoredLinkifiers` in `linkifier_list`. */
export const linkifierColumns = (sql: ISql) => sql`
  version, coalesce(
    (select json_agg(json_build_object(
        'id', id, 'pattern', pattern, 'url_template', url_template, 'example_input', example_input,
        'reverse_template', reverse_template, 'alternative_url_templates', alternative_url_templates)
      order by position) from linkifiers),
    '[]') as linkifiers`

/**
 * Clients expand URL templates themselves, so a stored template with an unsafe scheme must not reach them. It is sent as a URL
 * fragment instead, so that an administrator can find it and correct or delete it.
 */
export function withSafeTemplates(linkifier: Linkifier): Linkifier {
  const { url_template, alternative_url_templates } = linkifier
  return {
    ...linkifier,
    url_template: isSafeTemplate(url_template) ? url_template : `#${url_template}`,
    alternative_url_templates: alternative_url_templates.filter(isSafeTemplate),
  }
}

/** Writes the new organization version, which the transaction has bumped, into the list; returns the current list. */
export async function stampLinkifiers(tx: Tx, version: number): Promise<readonly Linkifier[]> {
  const [row] = await tx<StoredLinkifiers[]>`
    update linkifier_list set version = ${version} returning ${linkifierColumns(tx)}`
  return row?.linkifiers.map(withSafeTemplates) ?? []
}

/** Adds a linkifier after the others. */
export async function insertLinkifier(tx: Tx, linkifier: Omit<Linkifier, 'id'>): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into linkifiers (pattern, url_template, example_input, reverse_template, alternative_url_templates, position)
    select ${linkifier.pattern}, ${linkifier.url_template}, ${linkifier.example_input}, ${linkifier.reverse_template},
      ${tx.array([...linkifier.alternative_url_templates], textArray)}, coalesce(max(position), 0) + 1
    from linkifiers
    returning id`
  if (!row) throw new Error('no linkifier row came back')
  return row.id
}

export async function updateLinkifier(tx: Tx, linkifier: Linkifier): Promise<void> {
  await tx`
    update linkifiers set pattern = ${linkifier.pattern}, url_template = ${linkifier.url_template},
      example_input = ${linkifier.example_input}, reverse_template = ${linkifier.reverse_template},
      alternative_url_templates = ${tx.array([...linkifier.alternative_url_templates], textArray)}
    where id = ${linkifier.id}`
}

export async function deleteLinkifier(tx: Tx, id: number): Promise<void> {
  await tx`delete from linkifiers where id = ${id}`
}

/** Stores the order; `ids` contains every linkifier id. */
export async function orderLinkifiers(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx`
    update linkifiers set position = wanted.position
    from unnest(${[...ids]}::int[]) with ordinality as wanted (id, position) where linkifiers.id = wanted.id`
}
