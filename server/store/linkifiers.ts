import type { Linkifier } from '../../shared/resources/linkifier.js'
import type { TopicLink } from '../../shared/resources/message.js'
import { compileLinkifier } from '../text/compile-linkifier.js'
import { isSafeTemplate } from '../text/links.js'
import type { Linkifier as ReadyLinkifier } from '../text/names.js'
import { topicLinks } from '../text/topic-links.js'
import type { ISql, Tx } from './db.js'

const textArray = 1009

// As many topics as one page of messages may have; about a megabyte.
const maxTopics = 5000

/** All linkifiers in their order, as of an organization version; ready for use when first used, as long as the list lives. */
export class LinkifierList {
  private compiled: readonly ReadyLinkifier[] | undefined
  private readonly ofTopics = new Map<string, TopicLink[]>()

  constructor(
    readonly version: number,
    readonly all: readonly Linkifier[],
  ) {}

  get ready(): readonly ReadyLinkifier[] {
    this.compiled ??= this.all.map(compileLinkifier)
    return this.compiled
  }

  /** The `topic_links` of a message: its topic has been asked for before, mostly. */
  topicLinks(topic: string): TopicLink[] {
    let links = this.ofTopics.get(topic)
    if (!links) {
      links = topicLinks(topic, { linkifiers: this.ready })
      if (this.ofTopics.size >= maxTopics) this.ofTopics.clear()
      this.ofTopics.set(topic, links)
    }
    return links
  }
}

/** Null when nothing of it changed after organization version `after`. */
export async function linkifiersChangedAfter(sql: ISql, after: number): Promise<LinkifierList | null> {
  const [row] = await sql<{ version: number; linkifiers: Linkifier[] }[]>`
    select linkifier_list.version, coalesce(
      (select json_agg(json_build_object(
          'id', id, 'pattern', pattern, 'url_template', url_template, 'example_input', example_input,
          'reverse_template', reverse_template, 'alternative_url_templates', alternative_url_templates)
        order by position) from linkifiers),
      '[]') as linkifiers
    from linkifier_list where linkifier_list.version > ${after}`
  return row ? new LinkifierList(row.version, row.linkifiers.map(withSafeTemplates)) : null
}

/**
 * Clients fill in templates themselves, so one that was stored before its scheme was checked must not reach them. It is shown as
 * a fragment of the page, so that an administrator still finds it and can mend or remove it.
 */
function withSafeTemplates(linkifier: Linkifier): Linkifier {
  const { url_template, alternative_url_templates } = linkifier
  return {
    ...linkifier,
    url_template: isSafeTemplate(url_template) ? url_template : `#${url_template}`,
    alternative_url_templates: alternative_url_templates.filter(isSafeTemplate),
  }
}

/** In a transaction that has bumped the organization's version to this one: stamps the list, and returns it as it is now. */
export async function stampLinkifiers(tx: Tx, version: number): Promise<readonly Linkifier[]> {
  await tx`update linkifier_list set version = ${version}`
  return (await linkifiersChangedAfter(tx, version - 1))?.all ?? []
}

/** Puts it behind the others. */
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

/** Every id there is, in the new order. */
export async function orderLinkifiers(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx`
    update linkifiers set position = wanted.position
    from unnest(${[...ids]}::int[]) with ordinality as wanted (id, position) where linkifiers.id = wanted.id`
}
