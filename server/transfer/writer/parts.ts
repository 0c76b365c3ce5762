import { codePoints, limits } from '../../../shared/limits.js'
import { checkContent } from '../../text/content.js'

const lost = '*(A message without text.)*'

/**
 * A text as the contents of one or more messages, cut at ends of lines where it can be. `most`: as many ids as it has; what does not fit into
 * the last one is cut off.
 */
export function partsOf(text: string, most: number): string[] {
  const parts: string[] = []
  let rest = text.trim() === '' ? lost : text
  while (codePoints(rest) > limits.max_message_length && parts.length < most - 1) {
    const points = [...rest].slice(0, limits.max_message_length).join('')
    const line = points.lastIndexOf('\n')
    const end = line > points.length / 2 ? line : points.length
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...parts, rest].flatMap(part => {
    const checked = checkContent(part.replaceAll('\0', ''))
    return checked.ok ? checked.text : []
  })
}
