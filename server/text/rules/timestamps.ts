import type { StateInline } from 'markdown-it'
import { parseIsoTime } from '../../../shared/dates.js'

const time = /<time:([^>\n]{1,100})>/y

/**
 * Inline rule: `<time:2030-01-31T12:00:00+01:00>` or UNIX seconds, which each client shows in its own time zone. A time that cannot
 * be read stays as typed.
 */
export function timestamps(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('<time:', state.pos)) return false
  time.lastIndex = state.pos
  const [source, text = ''] = time.exec(state.src) ?? []
  if (source === undefined || state.pos + source.length > state.posMax) return false
  const datetime = parseTime(text.trim())
  if (datetime === undefined) return false
  if (!silent) {
    state.push('time_open', 'time', 1).attrs = [['datetime', datetime]]
    state.push('text', '', 0).content = text
    state.push('time_close', 'time', -1)
  }
  state.pos += source.length
  return true
}

/** UTC with a `Z`, the form that clients parse; undefined if the text is no valid time. */
function parseTime(text: string): string | undefined {
  const date = /^-?\d{1,12}(?:\.\d{1,9})?$/.test(text) ? new Date(Number(text) * 1000) : parseIsoTime(text)
  if (date === undefined || Number.isNaN(date.getTime())) return undefined
  const utc = date.toISOString()
  // Years before 0 and after 9999 have six digits, which clients cannot parse.
  return utc.length === 24 ? utc.replace('.000Z', 'Z').replace(/\.(\d{3})Z$/, '.$1000Z') : undefined
}
