import { linked } from '../slack-form.js'

/** Slack's links, bold and italic words as Markdown; all other markup stays as it is. */
export const slackMarkup = (text: string): string => marked(marked(linked(text), '*', '**'), '_', '*')

/**
 * The mark stands at the start or after a non-word character; its inside neither begins nor ends with white space, and has neither the mark nor
 * a newline; a non-word character or the end follows.
 */
function marked(text: string, mark: '*' | '_', becomes: string): string {
  const one = mark === '*' ? '\\*' : mark
  const inside = `[^\\s${one}](?:[^${one}\\n]*[^\\s${one}])?`
  const pattern = new RegExp(`(^|[^\\p{L}\\p{N}_])${one}(${inside})${one}(?=$|[^\\p{L}\\p{N}_])`, 'gu')
  return text.replace(pattern, (_, before: string, words: string) => `${before}${becomes}${words}${becomes}`)
}
