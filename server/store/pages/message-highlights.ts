import { tsquerySql } from '../../narrow/sql/narrow-sql.js'
import type { ISql } from '../driver/db.js'
import { type Fragment, joinFragments, q, run } from '../driver/fragment.js'
import { isUsualSearch } from './message-search.js'

// Private-use characters with which the database marks a match, so that no text is mistaken for a mark.
const open = '\ue000'
const close = '\ue001'
const marks = new RegExp(`[${open}${close}]`, 'g')

export interface Highlights {
  readonly match_content: string
  readonly match_subject: string
}

/** Content and topic of messages as HTML in which the matches of the searches are marked. */
export async function highlights(
  sql: ISql,
  ids: readonly number[],
  searches: readonly string[],
): Promise<Map<number, Highlights>> {
  const query = joinFragments(searches.map(tsquerySql), ' || ')
  const marked = (text: Fragment) => q`ts_headline('english', translate(${text}, ${open + close}, ''), ${query},
    ${`HighlightAll=true,StartSel=${open},StopSel=${close}`})`
  const rows = await run<{ id: number; content: string; topic: string }>(
    sql,
    q`select id, ${marked(q`rendered_content`)} as content, ${marked(escaped)} as topic
      from messages where id = any(${ids}::bigint[])`,
    isUsualSearch(query),
  )
  return new Map(
    rows.map(row => [row.id, { match_content: markHtml(row.content), match_subject: markHtml(row.topic) }]),
  )
}

// The topic is escaped before the search: the parser skips text that looks like a tag.
const escaped = q`replace(replace(replace(replace(topic, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;')`

/** Marks only text, because a mark inside a tag or a character reference would break it. Closes every span that it opens. */
function markHtml(html: string): string {
  let isOpen = false
  const marked = html
    .replace(/<[^>]*>|&[#\w\ue000\ue001]+;/g, tag => tag.replace(marks, ''))
    .replace(marks, mark => {
      if ((mark === open) === isOpen) return ''
      isOpen = !isOpen
      return isOpen ? '<span class="highlight">' : '</span>'
    })
  return isOpen ? `${marked}</span>` : marked
}
