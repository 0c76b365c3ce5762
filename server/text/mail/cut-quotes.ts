// A longer line is text, and is not compared with the patterns.
const longestMark = 300
// An attribution may be broken into so many lines.
const mostAttributionLines = 3

/** Lines behind which a mail program puts the whole mail that is answered. */
const separators: readonly RegExp[] = [
  /^-{3,} ?(?:original message|original appointment|ursprüngliche nachricht|originalnachricht|forwarded message|weitergeleitete nachricht|message d'origine|mensaje original|messaggio originale) ?-{3,}$/i,
  /^on .{6,250}\bwrote: *$/i,
  /^am .{6,250}\b(?:schrieb|hat geschrieben)\b.{0,150}: *$/i,
  /^le .{6,250}\ba écrit ?: *$/i,
  /^el .{6,250}\bescribió: *$/i,
  /^il .{6,250}\bha scritto: *$/i,
  /^op .{6,250}\bschreef\b.{0,150}: *$/i,
]

const ruleOfOutlook = /^_{20,}$/
const headOfAnswered = /^\**(?:from|von|de|da|van)\**: *\S/i
const dateOfAnswered = /^\**(?:sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden)\**: *\S/i

const isQuoted = (line: string): boolean => line.startsWith('>')

/** The text of a mail without what it quotes, whether the answer is above, below or between the quotations. Takes time in proportion to the text. */
export function withoutQuotes(text: string): string {
  const kept: string[] = []
  // Where in `kept` the lines are that are not blank and may introduce the next quotation.
  const texts: number[] = []
  const lines = linesOf(text)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    if (beginsAnswered(lines, at)) {
      // Between quotations the answer goes on behind them; otherwise the rest is the mail that is answered.
      if (!followedByQuote(lines, at)) break
      continue
    }
    if (!isQuoted(line)) {
      if (line.trim() !== '') texts.push(kept.length)
      kept.push(line)
    } else if (at === 0 || !isQuoted(lines[at - 1] as string)) dropAttribution(kept, texts)
  }
  return kept.join('\n').trim()
}

/** A text without its signature, behind a line of two hyphens. Several such lines are no signature. */
export function withoutFooter(text: string): string {
  const lines = linesOf(text)
  const marks = lines.flatMap((line, index) => (/^--\s*$/.test(line) ? [index] : []))
  return marks.length === 1 ? lines.slice(0, marks[0]).join('\n').trim() : text
}

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/)

function beginsAnswered(lines: readonly string[], at: number): boolean {
  const line = (lines[at] as string).trim()
  if (line.length < 3 || line.length > longestMark) return false
  if (separators.some(pattern => pattern.test(line))) return true
  if (ruleOfOutlook.test(line)) return headOfAnswered.test(lines[at + 1]?.slice(0, longestMark).trim() ?? '')
  if (!headOfAnswered.test(line)) return false
  // The head that Outlook writes: the date follows the sender, possibly behind its address.
  return lines.slice(at + 1, at + 3).some(next => next.length <= longestMark && dateOfAnswered.test(next.trim()))
}

function followedByQuote(lines: readonly string[], at: number): boolean {
  for (const line of lines.slice(at + 1, at + 4)) {
    if (isQuoted(line)) return true
    if (line.trim() !== '') return false
  }
  return false
}

/** Removes the lines that introduce a quotation: `On Monday, Iago <iago@example.com>` and `wrote:`. */
function dropAttribution(kept: string[], texts: number[]): void {
  const last = texts.at(-1) ?? -1
  const count = attributionLines(kept, last)
  if (count > 0) kept.length = last + 1 - count
  // Without one the same lines are not compared again for the next quotation.
  texts.length = count > 0 ? Math.max(0, texts.length - count) : 0
}

/** How many lines up to `last` introduce a quotation. */
function attributionLines(kept: readonly string[], last: number): number {
  const line = kept[last] ?? ''
  if (line.length > longestMark || !line.trimEnd().endsWith(':')) return 0
  for (let count = 1; count <= mostAttributionLines && count <= last + 1; count++) {
    const lines = kept.slice(last + 1 - count, last + 1)
    if (lines.some(one => one.length > longestMark || one.trim() === '')) return 0
    const whole = lines.map(one => one.trim()).join(' ')
    if (separators.some(pattern => pattern.test(whole))) return count
  }
  return 0
}
