import { diffArrays } from 'diff'

// Work for one difference: beyond it, the whole earlier text is shown as removed and the whole later one as inserted.
const mostChanges = 400

// A tag, a character reference, a word, or any other character; the renderer escapes every `<` and `&` of a text.
const token = /<[^>]*>|&[#\w]+;|[\p{L}\p{N}_]+|\s+|[^<&]/gu

/**
 * The HTML of a later text in which inserted parts are marked, and removed ones of the earlier text are added and marked
 * (docs/protocol/message-html.md#differences). Only text is marked, between tags, so that the nesting of tags stays that of the later text.
 */
export function htmlDifference(earlier: string, later: string): string {
  const [before, after] = [tokensOf(earlier), tokensOf(later)]
  const changes = diffArrays(before, after, { maxEditLength: mostChanges }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  return changes
    .map(({ value, added, removed }) => {
      if (added) return marked(value, 'highlight_text_inserted')
      // The tags of the earlier text have no place in the later one.
      return removed ? marked(value.filter(isText), 'highlight_text_deleted') : value.join('')
    })
    .join('')
}

const tokensOf = (html: string): string[] => html.match(token) ?? []
const isText = (one: string): boolean => !one.startsWith('<')

/** Puts each run of text between tags into a span. */
function marked(tokens: readonly string[], name: string): string {
  let html = ''
  let text = ''
  const endRun = () => {
    html += text.trim() === '' ? text : `<span class="${name}">${text}</span>`
    text = ''
  }
  for (const one of tokens) {
    if (isText(one)) {
      text += one
      continue
    }
    endRun()
    html += one
  }
  endRun()
  return html
}
