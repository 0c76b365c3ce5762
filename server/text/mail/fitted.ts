import { codePoints, limits } from '../../../shared/limits.js'
import { truncate } from '../content.js'

/** A message from a text and what stands before and behind it; the text is cut to what a message has room for. */
export function fitted(before: string, text: string, behind: string): string {
  const room = limits.max_message_length - codePoints(before) - codePoints(behind)
  return before + truncate(text, Math.max(100, room), '\n[message truncated]') + behind
}
